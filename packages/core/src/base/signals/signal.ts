import type { DurationMs, EpochMs } from '../runtime/time.ts';
import type { Actor, ObjectKind } from './actor.ts';
import type { ClientChangeName, EndpointChangeName } from './change-names.ts';
import type { ErrorName } from './error-name.ts';
import type { EndpointHealthChange } from './health-change.ts';
import type { OutcomeCode } from './send-failure.ts';

/**
 * An event of operation, to log, count or alert on. A closed union: no member carries a secret, a payload or a message
 * of foreign code.
 * @public
 */
export type Signal =
  /** A login was answered. Alert on an unusual rate of `refused`. */
  | {
      readonly kind: 'login';
      /** `limited`: refused after too many failures, or beyond `limits.loginsPerClient`. */
      readonly outcome: 'granted' | 'refused' | 'limited';
      /**
       * The client, if it exists; else the request's value, if it has the form of an id of partnerkit. Absent: another
       * text, which may be a secret.
       */
      readonly clientId?: string;
    }
  /**
   * Failed logins of one client exceed `limits.failedLogins.signalPerClient`, over all addresses; nothing is blocked.
   * Contact the partner; rotate the secret if it may have leaked.
   */
  | {
      readonly kind: 'login_failures_high';
      /** The client whose logins fail. */
      readonly clientId: string;
    }
  /**
   * A body parser of the host read a login before partnerkit. Mount partnerkit before the parser: a parser shows a
   * malformed login, secret included, to the host's error handler, and accepts repeated parameters. Signalled once per
   * kit.
   */
  | { readonly kind: 'login_body_parsed' }
  /** A request failed with HTTP 500 or 503. Look up `requestId` among the errors of `onError`. */
  | {
      readonly kind: 'request_failed';
      /** The response carries it as `x-request-id`. */
      readonly requestId: string;
      /** 500 or 503. */
      readonly status: number;
      /** Name and code of the error. */
      readonly error: ErrorName;
    }
  /** A client was changed. The audit trail has an entry of it. */
  | {
      readonly kind: 'client';
      /** What was changed. */
      readonly change: ClientChangeName;
      /** The account of the client. */
      readonly accountId: string;
      readonly clientId: string;
      /** Who changed it. */
      readonly by: Actor;
    }
  /** An endpoint was changed, tested or replayed to. The audit trail has an entry of each change. */
  | {
      readonly kind: 'endpoint';
      /** What was changed. */
      readonly change: EndpointChangeName;
      /** The account of the endpoint. */
      readonly accountId: string;
      readonly endpointId: string;
      /** Who changed it. */
      readonly by: Actor;
    }
  /** A delivery was sent again on request. Log it. */
  | {
      readonly kind: 'delivery_sent_again';
      /** The account of the delivery. */
      readonly accountId: string;
      /** The delivery: a new one when the requested one was finished. */
      readonly deliveryId: string;
      /** Who requested it. */
      readonly by: Actor;
    }
  /**
   * An event that passed its schema was given to the storage, in a transaction that may still roll back.
   * Count it by `outcome`; alert on `no_transaction` and `unavailable`.
   */
  | {
      readonly kind: 'published';
      /** The account of the event. */
      readonly accountId: string;
      /** The event; with `replayed`, the event that holds the idempotency key. */
      readonly eventId: string;
      /** The object name of the event. */
      readonly objectName: string;
      /** The type of the event. */
      readonly type: string;
      /**
       * `stored` and `replayed`: success. `idempotency_conflict`, `no_transaction`, `unavailable`: nothing was stored,
       * nor were the events published in the same call.
       */
      readonly outcome: 'stored' | 'replayed' | 'idempotency_conflict' | 'no_transaction' | 'unavailable';
      /** When the storage was called. */
      readonly startedAt: EpochMs;
      /** Duration of the storage call, in milliseconds. */
      readonly durationMs: DurationMs;
      /** What the option `traceContext` returned. */
      readonly traceContext?: string;
    }
  /**
   * A command on an object of `createRequests` was committed; its history has it. In a transaction of the
   * host's own, it was applied: your rollback can still undo it.
   */
  | {
      readonly kind: 'command';
      /** The kind of the object. */
      readonly object: ObjectKind;
      /** The name of the command. */
      readonly command: string;
      /** The account of the object. */
      readonly accountId: string;
      readonly objectId: string;
      /** Who gave the command. */
      readonly by: Actor;
    }
  /**
   * A worker gave a command of `createRequests` whose time had come, or tried to. Alert on `refused` and `failed`, and
   * on a large `lateMs`: no worker ran, or the hook failed before.
   */
  | {
      readonly kind: 'due_command';
      /** The kind of the object. */
      readonly object: ObjectKind;
      /** The rule that gives it, such as `guaranteeExpired`. */
      readonly rule: string;
      /** The name of the command. */
      readonly command: string;
      /** The account of the object. */
      readonly accountId: string;
      readonly objectId: string;
      /**
       * `given`: it was committed. `refused`: by a rule or `onCommand`. `failed`: `onCommand` or the storage failed.
       * What was refused or failed is tried again, unless the object has ended.
       */
      readonly outcome: 'given' | 'refused' | 'failed';
      /** Of a refused one: the code. */
      readonly code?: string;
      /** When it was due, by the clock of the storage. */
      readonly dueAt: EpochMs;
      /** How much later a worker claimed it, in milliseconds. */
      readonly lateMs: DurationMs;
      /** The number of attempts, this one included. */
      readonly attempts: number;
    }
  /** A worker dispatched a batch of events: it dispatched them and made their deliveries. Count it for throughput. */
  | {
      readonly kind: 'dispatched';
      /** Number of events in the batch. */
      readonly events: number;
      /** When the batch began. */
      readonly startedAt: EpochMs;
      /** Duration of the batch, in milliseconds. */
      readonly durationMs: DurationMs;
      /** The events of the batch that have a trace context. */
      readonly traced: readonly TracedEvent[];
    }
  /** A delivery was attempted. Count it by `outcome` and `next`; alert on `exhausted`. */
  | {
      readonly kind: 'attempt';
      /** The account of the endpoint. */
      readonly accountId: string;
      readonly eventId: string;
      readonly deliveryId: string;
      readonly endpointId: string;
      /** Number of this attempt, 1 to 10. */
      readonly attempt: number;
      /** When the attempt started; of an `abandoned` one, when it was found. */
      readonly startedAt: EpochMs;
      /** Time to the response headers or to the failure, in milliseconds. */
      readonly durationMs: DurationMs;
      /** HTTP status of the response, or why there was none. */
      readonly outcome: OutcomeCode;
      /** State of the delivery afterwards. `gone`: the endpoint answered 410; the delivery is held. */
      readonly next: 'delivered' | 'exhausted' | 'retry' | 'gone';
      /** Trace context of the event. */
      readonly traceContext?: string;
    }
  /** A handler of the host was called. Count it by `outcome` and `next`; alert on `exhausted`. */
  | {
      readonly kind: 'handler_attempt';
      /** The name of the handler. */
      readonly handler: string;
      /** The account of the event. */
      readonly accountId: string;
      readonly eventId: string;
      /** Number of this attempt, 1 to 10. */
      readonly attempt: number;
      /** When the call started. */
      readonly startedAt: EpochMs;
      /** Duration of the call, in milliseconds. */
      readonly durationMs: DurationMs;
      /** `failed`: it rejected, or its transaction was not committed. `onError` received the error. */
      readonly outcome: 'handled' | 'failed' | 'timed_out';
      /** State of the delivery afterwards. */
      readonly next: 'handled' | 'retry' | 'exhausted';
      /** Trace context of the event. */
      readonly traceContext?: string;
    }
  /** The health of an endpoint changed. Notify the partner of `endpoint_disabled`. */
  | EndpointHealthChange
  /** Deliveries expired: they will not be sent. Notify the partner of `held_too_long`. */
  | {
      readonly kind: 'delivery_expired';
      /** The account of the endpoint. */
      readonly accountId: string;
      readonly endpointId: string;
      /** Number of deliveries. */
      readonly deliveries: number;
      /**
       * `held_too_long`: the endpoint was disabled for longer than `retention.held`. `out_of_reach`: the account of the
       * event is no longer a child of the endpoint's account.
       */
      readonly reason: 'held_too_long' | 'out_of_reach';
    }
  /**
   * The timestamp of an event is more than a minute ahead of the clock, because its object has more than one event a
   * second. Its deliveries wait; publish fewer events of that object.
   */
  | {
      readonly kind: 'timestamp_ahead';
      /** The account of the event. */
      readonly accountId: string;
      readonly eventId: string;
      /** How long its deliveries wait, in milliseconds. */
      readonly by: DurationMs;
    }
  /**
   * An event was dispatched to no endpoint, and `accounts.find` does not know its account: `publish` was given a wrong
   * `accountId`. Signalled at most once a minute for an account.
   */
  | {
      readonly kind: 'unknown_account';
      /** The account that `publish` was given. */
      readonly accountId: string;
      readonly eventId: string;
    }
  /**
   * A worker could not call its storage or the directory of accounts, or could not make a request; it retries. Equal
   * errors are signalled once a second. Look up the error that `onError` received.
   */
  | {
      readonly kind: 'worker_error';
      /** What the worker was doing. */
      readonly during:
        | 'heartbeat'
        | 'acquire'
        | 'release'
        | 'dispatch'
        | 'read'
        | 'attempt'
        | 'settle'
        | 'propagate'
        | 'due'
        | 'handle'
        | 'watch'
        | 'prune'
        | 'tell';
      /** Name and code of the error. */
      readonly error: ErrorName;
      /** Number of errors of this name and code since they were last signalled. */
      readonly count: number;
    }
  /**
   * This process publishes, and found no worker with a lease for a minute or longer: nothing is delivered. Start a
   * worker. Signalled at most once a minute, after a publish.
   */
  | {
      readonly kind: 'worker_absent';
      /** Time since this process first found no worker, in milliseconds. */
      readonly absentFor: DurationMs;
    };

/** An event that was published with a trace context. @public */
export interface TracedEvent {
  /** The account of the event. */
  readonly accountId: string;
  readonly eventId: string;
  /** What the option `traceContext` returned. */
  readonly traceContext: string;
}
