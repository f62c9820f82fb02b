import { brand, hasBrand, isThenable } from './brand.ts';
import type { Soon } from './chain.ts';
import type { Clock } from './clock.ts';
import { createInTime, type InTime } from './deadline.ts';
import type { DurationMs } from './time.ts';
import { yieldingOf } from './yielding.ts';

export const defaultPortTimeout: DurationMs = 10_000;

/**
 * What is known of a call that was given up.
 *
 * - `read`: it changes nothing.
 * - `write`: its outcome is unknown.
 * - `inTransaction`: it takes effect only if its transaction commits, and that is rolled back.
 */
export type CallKind = 'read' | 'write' | 'inTransaction';

const consequences: Readonly<Record<CallKind, string>> = {
  read: 'Nothing was changed.',
  write: 'Its outcome is unknown: read before you repeat it.',
  inTransaction: 'The transaction is rolled back.',
};

/**
 * A port, or a function of the host, did not answer in time and was given up: the `cause` of `unavailable`.
 * @example
 * const onError = (cause: unknown): void => {
 *   if (cause instanceof PortTimeout) console.error(cause.port, cause.isOutcomeUnknown);
 * };
 * @public
 */
export class PortTimeout extends Error {
  override readonly name = 'PortTimeout';
  /** Stable code, for signals. */
  readonly code = 'no_answer';
  /** The option and the call, such as `storage.clients.findClient`. */
  readonly port: string;
  /** Whether the call may have taken effect. */
  readonly isOutcomeUnknown: boolean;

  /** Takes the call and its timeout in milliseconds. @internal */
  constructor(port: string, timeout: DurationMs, kind: CallKind) {
    super(`${port}: no answer within ${timeout} ms. ${consequences[kind]}`);
    this.port = port;
    this.isOutcomeUnknown = kind === 'write';
    brand(this, 'PortTimeout');
  }
}

export const isPortTimeout = (cause: unknown): cause is PortTimeout => hasBrand(cause, 'PortTimeout');

export const isOutcomeUnknown = (cause: unknown): boolean => isPortTimeout(cause) && cause.isOutcomeUnknown;

/** The kind of each method of a port. */
type CallKinds<P> = {
  readonly [K in keyof P as NonNullable<P[K]> extends (...args: never[]) => unknown ? K : never]-?: CallKind;
};

/** Limits the time of ports. */
export interface PortLimit {
  /** The methods of a port, each limited. A method that is absent stays absent. */
  of<P extends object>(name: string, port: P, kinds: CallKinds<P>): Pick<P, keyof CallKinds<P>>;
  /** Runs one call. */
  call<T>(port: string, kind: CallKind, call: () => Promise<T> | T): Promise<T>;
  /** Like `call`, but returns an answer at hand in the same turn, and throws what the call throws. */
  callAtOnce<T>(port: string, kind: CallKind, call: () => Promise<T> | T): Soon<T>;
}

export const createPortLimit = (clock: Clock, timeout: DurationMs): PortLimit => {
  const inTime: InTime = createInTime(clock, timeout);
  const call: PortLimit['call'] = (port, kind, run) => inTime(run, () => new PortTimeout(port, timeout, kind));
  const yielding = yieldingOf(clock);
  return {
    call,
    callAtOnce: (port, kind, run) => {
      const answer = run();
      if (isThenable(answer)) return call(port, kind, () => answer);
      const due = yielding.due();
      return due ? due.then(() => answer) : answer;
    },
    of: <P extends object>(name: string, port: P, kinds: CallKinds<P>): Pick<P, keyof CallKinds<P>> => {
      const methods = port as Readonly<Record<string, ((...args: readonly unknown[]) => Promise<unknown>) | undefined>>;
      const limited = Object.entries<CallKind>(kinds).flatMap(([method, kind]) =>
        methods[method] === undefined
          ? []
          : [
              [
                method,
                (...args: readonly unknown[]) => call(`${name}.${method}`, kind, () => methods[method]?.(...args)),
              ],
            ],
      );
      return Object.fromEntries(limited) as Pick<P, keyof CallKinds<P>>;
    },
  };
};

/** Starts to watch; resolves to the function that stops. */
type Watch<W> = (onWake: (wake: W) => void) => Promise<() => void>;

/** `watch` of a store, limited: one that answers late watches nothing. */
export const limitWatch =
  <W>(limit: PortLimit, port: string, watch: Watch<W>): Watch<W> =>
  async (onWake) => {
    let isGivenUp = false;
    const watching = watch(onWake);
    void watching.then(
      (unwatch) => {
        if (isGivenUp) unwatch();
      },
      () => undefined,
    );
    try {
      return await limit.call(port, 'read', () => watching);
    } catch (cause) {
      isGivenUp = true;
      throw cause;
    }
  };
