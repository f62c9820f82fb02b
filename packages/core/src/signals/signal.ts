import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import type { ClientChangeName } from '../clients/client.ts';
import type { EndpointHealthChange } from '../deliveries/health-change.ts';
import type { EndpointChangeName } from '../endpoints/endpoint.ts';
import type { Actor } from '../requests/actor.ts';
import type { ObjectKind } from '../requests/on-command.ts';
import type { DurationMs, EpochMs } from '../runtime/time.ts';

/**
 * Something that operators may want to log, count or be woken for. A closed union; no member can carry a secret, a payload
 * or a message of foreign code.
 * @public
 */
export type Signal =
  | {
      readonly kind: 'login';
      /** `limited`: refused, and too often lately; or granted more often than `apiLimits` allows. */
      readonly outcome: 'granted' | 'refused' | 'limited';
      /** Absent unless what was sent has the form of a client id. */
      readonly clientId?: string;
    }
  /** Many logins of one client failed, wherever they came from. Nothing was blocked by it. */
  | { readonly kind: 'login_pressure'; readonly clientId: string }
  /**
   * A body parser of the host read a login before partnerkit did: mount partnerkit first. Such a parser shows a malformed login, secret
   * included, to the host's error handler, and lets repeated parameters pass. Once per kit.
   */
  | { readonly kind: 'login_body_parsed' }
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
  /**
   * An event was handed to the storage, in a transaction that may still roll back. There is one for each event that has passed the
   * schema, whatever became of it.
   */
  | {
      readonly kind: 'published';
      readonly accountId: string;
      /** Of a `replayed` one: the event that holds the key. */
      readonly eventId: string;
      readonly objectName: ObjectName;
      readonly type: EventType;
      /** `idempotency_conflict`, `no_transaction`, `unavailable`: nothing was stored, of the others neither that were published together. */
      readonly outcome: 'stored' | 'replayed' | 'idempotency_conflict' | 'no_transaction' | 'unavailable';
      readonly startedAt: EpochMs;
      readonly took: DurationMs;
      readonly traceContext?: string;
    }
  /**
   * A command was given on an object of `createRequests`, in a transaction that may still roll back.
   */
  | {
      readonly kind: 'command';
      readonly object: ObjectKind;
      readonly command: string;
      readonly accountId: string;
      readonly objectId: string;
      readonly by: Actor;
    }
  /** A worker dispatched so many events in one act. */
  | {
      readonly kind: 'dispatched';
      readonly events: number;
      readonly startedAt: EpochMs;
      readonly took: DurationMs;
      /** Those that were published in a trace. */
      readonly traced: readonly TracedEvent[];
    }
  | {
      readonly kind: 'attempt';
      readonly accountId: string;
      readonly eventId: string;
      readonly deliveryId: string;
      readonly endpointId: string;
      /** 1 to 10. */
      readonly attempt: number;
      /** Of an `abandoned` one, which began before: when it was found. */
      readonly startedAt: EpochMs;
      readonly took: DurationMs;
      /** The status that was answered, or why there was none. */
      readonly outcome: number | string;
      /** `gone`: the endpoint says that it is no more; the delivery is held. */
      readonly next: 'delivered' | 'exhausted' | 'retry' | 'gone';
      /** Of its event. */
      readonly traceContext?: string;
    }
  /** An endpoint began to fail, recovered, or was disabled by the breaker. */
  | EndpointHealthChange
  /**
   * So many deliveries will not be sent: those of a disabled endpoint were held for too long, or one is of an event of an account that is
   * no child of the endpoint's any more.
   */
  | {
      readonly kind: 'delivery_expired';
      readonly accountId: string;
      readonly endpointId: string;
      readonly deliveries: number;
      readonly why: 'held_too_long' | 'out_of_reach';
    }
  /** One object has so many events that the second of this one is more than a minute ahead: its deliveries wait. */
  | { readonly kind: 'timestamp_ahead'; readonly accountId: string; readonly eventId: string; readonly by: DurationMs }
  /** A worker could not reach its storage or the accounts, or not make a request; it goes on trying. */
  | {
      readonly kind: 'worker_error';
      readonly during:
        | 'heartbeat'
        | 'acquire'
        | 'release'
        | 'dispatch'
        | 'read'
        | 'attempt'
        | 'settle'
        | 'propagate'
        | 'watch'
        | 'prune';
      readonly error: ErrorName;
    };

/** An event that was published in a trace. @public */
export interface TracedEvent {
  readonly accountId: string;
  readonly eventId: string;
  readonly traceContext: string;
}

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

/**
 * Receives the errors of foreign code that signals name only: of a port, or of a route of the host's own. Their messages may
 * quote anything.
 * @public
 */
export type ErrorListener = (
  cause: unknown,
  context: {
    /** Of an HTTP request that was answered 500 or 503, as `x-request-id` and the signal carry it. */
    readonly requestId?: string;
    /** Of a delivery that could not be attempted. */
    readonly deliveryId?: string;
    /** What a worker was doing, as the signal `worker_error` carries it. */
    readonly during?: Extract<Signal, { readonly kind: 'worker_error' }>['during'];
  },
) => void;

const word = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined;

/** What of an error may be told. @internal */
export const errorName = (cause: unknown): ErrorName => {
  const { name, code } = (cause ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  const known = word(code);
  return { name: word(name) ?? 'Error', ...(known === undefined ? {} : { code: known }) };
};

/** Calls a listener of the host so that nothing it does comes back: it must not change what it is told of. @internal */
export const guard =
  <A extends readonly unknown[]>(listen: ((...told: A) => unknown) | undefined): ((...told: A) => void) =>
  (...told) => {
    try {
      const answer: unknown = listen?.(...told);
      if (answer instanceof Promise) answer.catch(() => undefined);
    } catch {
      // Its own affair.
    }
  };
