import type { AuditType, OperationsSelector } from '../../base/audit/audit-entry.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { assertPositiveInteger } from '../../base/runtime/positive-integer.ts';
import { type DurationMs, type EpochMs, type EpochSeconds, second } from '../../base/runtime/time.ts';
import type { EventSelector } from '../catalogue/event-selector.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { ObjectName } from '../catalogue/specification.ts';
import type { HandlerRegistration } from '../deliveries/handler-store.ts';

/**
 * An event as a handler receives it.
 * @public
 */
export interface HandlerEvent<N extends string = string, T extends string = string> {
  /** The id of the event, a UUIDv7. */
  readonly id: string;
  /** The account that it was published for. Of an event of operation that concerns all accounts: an empty text. */
  readonly accountId: string;
  /** The kind of the object. */
  readonly objectName: N;
  /** The event type. */
  readonly type: T;
  /** Its `timestamp`, in seconds since 1970 (specification §2.3). */
  readonly timestamp: EpochSeconds;
  /** The data that partners receive: read everything else from your own tables. */
  readonly data: {
    /** The id of the object. */
    readonly id: string;
    readonly [field: string]: unknown;
  };
}

/**
 * An event of operation: an entry of the audit trail. `data.id` is the API key, endpoint or account that it concerns,
 * `data.by` who did it.
 * @public
 */
export type OperationsEvent = HandlerEvent<'Operations', AuditType>;

/**
 * What a handler receives beside the event.
 * @public
 */
export interface HandlerContext {
  /**
   * Idempotency key of the event and the handler: the id of the event, `.` and the name of the handler, at most 61
   * characters. Each attempt has the same one. Pass it to whatever the handler calls.
   */
  readonly key: string;
  /** Aborts when the time-out has passed. Pass it to whatever the handler calls. */
  readonly signal: AbortSignal;
}

interface HandlerOptions<P extends EventPairs> {
  /**
   * The events that it handles: event types of any object, pairs such as `RequestPayment.payed`, or events of operation
   * such as `Operations.endpoint.disabled`: entries of the audit trail, as they are written. Of those, a new handler
   * gets none of the past.
   */
  readonly events: readonly (EventSelector<P> | OperationsSelector)[];
  /**
   * Where a new handler starts: with events dispatched at this time or later, in milliseconds since 1970. Without
   * effect on a handler that was registered before.
   * @defaultValue when it is registered
   */
  readonly since?: EpochMs;
  /**
   * Maximum number of its calls at the same time in this worker. Those in transactions hold at most half of the
   * connections that the storage says it has, all handlers together.
   * @defaultValue 8
   */
  readonly concurrency?: number;
  /**
   * Maximum duration of a call in milliseconds, at most 45 seconds. In a transaction, where one writes at a time, as in
   * SQLite and PGlite: at most 5 seconds, since publish and webhooks wait for it. After calls that took too long it
   * then rests between them: as long, and twice as long each time, up to 32 times.
   * @defaultValue 15000; 2000 where one writes at a time
   */
  readonly timeout?: DurationMs;
}

/**
 * A function of the host that handles events after their commit: it resolves when it is done. When it rejects, or takes
 * too long, it is called again as a webhook is sent again.
 *
 * - `transaction: true`: the handler writes through `tx`, and its writes are committed with the outcome: exactly once.
 * - Otherwise it is called at least once, and holds no transaction: for calls to other services, with `key`.
 * @public
 */
export type Handler<Tx extends object = object, P extends EventPairs = EventPairs> = HandlerOptions<P> &
  (
    | {
        /** Whether it is called in a transaction. @defaultValue false */
        readonly transaction?: false;
        /** Handles an event. */
        handle(
          event: HandlerEvent<ObjectName<P>, P[ObjectName<P>]> | OperationsEvent,
          context: HandlerContext,
        ): Promise<unknown>;
      }
    | {
        /** It is called in a transaction of the storage, which is rolled back when it rejects or takes too long. */
        readonly transaction: true;
        /** Handles an event. All that it writes through `tx` is committed once, or not at all. */
        handle(
          event: HandlerEvent<ObjectName<P>, P[ObjectName<P>]> | OperationsEvent,
          context: HandlerContext & { readonly tx: Tx },
        ): Promise<unknown>;
      }
  );

/**
 * The handlers of a worker, by name: a letter, then at most 23 of `a-z 0-9 _ -`. The name identifies the handler for
 * ever: under another name, it is a new one.
 * @public
 */
export type Handlers<Tx extends object = object, P extends EventPairs = EventPairs> = Readonly<
  Record<string, Handler<Tx, P>>
>;

/**
 * The option of `kit.worker()` beside its limits.
 * @public
 */
export interface HandlersOption<Tx extends object = object, P extends EventPairs = EventPairs> {
  /** Functions of the host that handle events after their commit, by name. @defaultValue none */
  readonly handlers?: Handlers<Tx, P>;
}

/** Longer calls would delay `stop()` beyond its minute. */
const maxTimeout: DurationMs = 45 * second;
/** Of a transaction for which all other writes wait: heartbeats of workers and publish wait as long, or longer. */
const maxTimeoutAlone: DurationMs = 5 * second;
const defaultTimeout: DurationMs = 15 * second;
const defaultTimeoutAlone: DurationMs = 2 * second;
const defaultConcurrency = 8;

/** Whether a text can name a handler. */
export const isHandlerName = (name: unknown): name is string =>
  typeof name === 'string' && /^[a-z][a-z0-9_-]{0,23}$/.test(name);

const names = {
  events: true,
  since: true,
  concurrency: true,
  timeout: true,
  transaction: 'boolean',
  handle: 'function',
};

/** A handler with its name and defaults. */
export interface NamedHandler<Tx extends object> {
  readonly registration: HandlerRegistration & Required<Pick<HandlerRegistration, 'events'>>;
  readonly concurrency: number;
  readonly timeout: DurationMs;
  /** While it is called, nothing else is written. */
  readonly isAlone: boolean;
  readonly handler: Handler<Tx>;
}

/**
 * The handlers with their defaults.
 * @throws TypeError that names the wrong handler and option.
 */
export const readHandlers = <Tx extends object>(
  handlers: Handlers<Tx>,
  selectable: readonly string[],
  maxTransactions: number | undefined,
): readonly NamedHandler<Tx>[] => {
  if (typeof handlers !== 'object' || handlers === null) throw new TypeError('worker: handlers are an object.');
  const inTransactions = Object.values(handlers).filter((handler) => handler?.transaction === true).length;
  const share = Math.max(Math.floor((maxTransactions ?? Number.POSITIVE_INFINITY) / 2 / inTransactions), 1);
  return Object.entries(handlers).map(([name, handler]) => {
    const where = `worker: handlers.${name}`;
    if (!isHandlerName(name))
      throw new TypeError(`${where}: a name is a letter, then at most 23 of a-z, 0-9, _ and -.`);
    assertOptionNames(where, handler, names as Readonly<Record<string, true | 'boolean' | 'function'>>);
    const isAlone = handler.transaction === true && maxTransactions === 1;
    const usual = isAlone ? defaultTimeoutAlone : defaultTimeout;
    const { events, since, concurrency = defaultConcurrency, timeout = usual, handle } = handler;
    if (typeof handle !== 'function') throw new TypeError(`${where}: handle is a function.`);
    if (!Array.isArray(events) || events.length === 0)
      throw new TypeError(`${where}: events are a list of at least one event type.`);
    const unknown = events.find((each) => !selectable.includes(each));
    if (unknown !== undefined)
      throw new TypeError(`${where}: events: no object of the kit has ${JSON.stringify(unknown)}.`);
    assertPositiveInteger(`${where}: concurrency`, concurrency);
    assertPositiveInteger(`${where}: timeout`, timeout);
    if (timeout > maxTimeout) throw new TypeError(`${where}: timeout is at most ${maxTimeout} ms.`);
    if (isAlone && timeout > maxTimeoutAlone)
      throw new TypeError(
        `${where}: timeout is at most ${maxTimeoutAlone} ms in a transaction of this storage: nothing else writes ` +
          'meanwhile. Call other services in a handler without transaction.',
      );
    if (since !== undefined && !(Number.isSafeInteger(since) && since >= 0))
      throw new TypeError(`${where}: since is a time in milliseconds since 1970.`);
    const registration = { name, events: [...new Set(events)], ...(since === undefined ? {} : { since }) };
    const slots = handler.transaction === true ? Math.min(concurrency, share) : concurrency;
    return { registration, concurrency: slots, timeout, isAlone, handler };
  });
};
