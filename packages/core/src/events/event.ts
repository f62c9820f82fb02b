import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import type { EpochMs, EpochSeconds } from '../runtime/time.ts';

/**
 * An event as `publish` writes it: everything but the second, which the dispatcher stamps.
 * @public
 */
export interface NewEvent {
  readonly id: string;
  readonly accountId: string;
  readonly objectName: ObjectName;
  /** `data.id`. */
  readonly objectId: string;
  readonly type: EventType;
  /** When it happened. Absent: when it was stored, by the store's clock. */
  readonly occurredAt?: EpochMs;
  /** The envelope's text after its timestamp, made once. */
  readonly bodyTail: string;
  readonly idempotencyKey?: string;
  /** The one endpoint that it is for, whatever that one takes: a test event. Absent: for all that take its type. */
  readonly onlyTo?: string;
  /**
   * The child account that it happened to: this is its copy among the events of the parent, under the same id, and only endpoints that
   * take the events of children receive it. Absent: it happened to `accountId`. What is signed and sent does not tell.
   */
  readonly origin?: string;
  /**
   * The trace that it was published in, as the option `traceContext` gave it. For our own process and workers: it is no part of
   * what is signed and sent.
   */
  readonly traceContext?: string;
}

/**
 * An event after dispatch. Its bytes never change again.
 * @public
 */
export interface StampedEvent extends NewEvent {
  /** Within one account, the timestamps of one `data.id` strictly increase. */
  readonly timestamp: EpochSeconds;
  /** `{"timestamp":` + timestamp + `bodyTail`: signed and sent as it is, on every attempt. */
  readonly body: string;
}
