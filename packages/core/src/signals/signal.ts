import type { ClientChangeName } from '../clients/client.ts';
import type { EndpointChangeName } from '../endpoints/endpoint.ts';
import type { DurationMs } from '../runtime/time.ts';

/**
 * Something that operators may want to log, count or be woken for. A closed union; no member can carry a secret, a payload
 * or a message of foreign code.
 * @public
 */
export type Signal =
  | {
      readonly kind: 'login';
      /** `limited`: refused, and too often lately. */
      readonly outcome: 'granted' | 'refused' | 'limited';
      /** Absent unless what was sent has the form of a client id. */
      readonly clientId?: string;
    }
  /** Many logins of one client failed, wherever they came from. Nothing was blocked by it. */
  | { readonly kind: 'login_pressure'; readonly clientId: string }
  /** A request of ours failed for a reason that operators must know: HTTP 500 or 503. */
  | { readonly kind: 'request_failed'; readonly requestId: string; readonly status: number; readonly error: ErrorName }
  | {
      readonly kind: 'client';
      readonly change: ClientChangeName;
      readonly accountId: string;
      readonly clientId: string;
    }
  | {
      readonly kind: 'endpoint';
      readonly change: EndpointChangeName;
      readonly accountId: string;
      readonly endpointId: string;
    }
  | {
      readonly kind: 'attempt';
      readonly accountId: string;
      readonly deliveryId: string;
      readonly endpointId: string;
      /** 1 to 10. */
      readonly attempt: number;
      readonly took: DurationMs;
      /** The status that was answered, or why there was none. */
      readonly outcome: number | string;
      readonly next: 'delivered' | 'exhausted' | 'retry';
    }
  /** So many events of one object were published that their seconds run ahead of the clock; its deliveries wait. */
  | { readonly kind: 'stamped_ahead'; readonly accountId: string; readonly eventId: string; readonly by: DurationMs }
  /** A worker could not reach its storage, or not make a request; it goes on trying. */
  | {
      readonly kind: 'worker_trouble';
      readonly during: 'dispatch' | 'claim' | 'attempt' | 'settle' | 'release' | 'watch';
      readonly error: ErrorName;
    };

/** The name and code of an error: its message may quote what must not be shown. @public */
export interface ErrorName {
  readonly name: string;
  readonly code?: string;
}

/**
 * Receives every signal, at once and in order. What it throws or rejects with is ignored.
 * @public
 */
export type Observer = (signal: Signal) => void;

const word = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined;

/** What of an error may be told. @internal */
export const errorName = (cause: unknown): ErrorName => {
  const { name, code } = (cause ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  const known = word(code);
  return { name: word(name) ?? 'Error', ...(known === undefined ? {} : { code: known }) };
};

/** Calls the host's observer so that nothing it does comes back. @internal */
export const guardObserver =
  (observe: ((signal: Signal) => unknown) | undefined): Observer =>
  (signal) => {
    try {
      const answer: unknown = observe?.(signal);
      if (answer instanceof Promise) answer.catch(() => undefined);
    } catch {
      // An observer must not change what it observes.
    }
  };
