import type { EpochMs, EpochSeconds } from '../../base/runtime/time.ts';

/**
 * An event as `publish` stores it, before the dispatcher adds its timestamp.
 * @public
 */
export interface NewEvent {
  /** UUIDv7. */
  readonly id: string;
  /** The account whose endpoints receive it. */
  readonly accountId: string;
  /** The kind of the object. */
  readonly objectName: string;
  /** `data.id`. */
  readonly objectId: string;
  /** The event type. */
  readonly type: string;
  /** When it happened. Absent: when it was stored, by the store's clock. */
  readonly occurredAt?: EpochMs;
  /**
   * The text of the envelope after its timestamp. In a kit with other envelopes, their texts stand before it, on a line
   * of their own: stores keep it as it is.
   */
  readonly bodyTail: string;
  /** The idempotency key of the publish call. */
  readonly idempotencyKey?: string;
  /** The only endpoint that receives it, whatever it selects: a test event. Absent: every endpoint that selects it. */
  readonly onlyTo?: string;
  /**
   * The child account of the original event. This event is its copy for the parent, under the same id; only endpoints
   * with `includeChildren` receive it. Absent: the original. The body does not contain it.
   */
  readonly origin?: string;
  /** What the option `traceContext` returned at publish; it is never sent. */
  readonly traceContext?: string;
}

/**
 * An event after dispatch. Its bytes never change.
 * @public
 */
export interface DispatchedEvent extends NewEvent {
  /** Strictly increasing for one `data.id` within one account. */
  readonly timestamp: EpochSeconds;
  /** The envelope of the specification (`envelopeText`): unless a profile has another, signed and sent unchanged. */
  readonly body: string;
}

/**
 * An event of a list: without its body, which may have 256 KiB.
 * @public
 */
export interface ListedEvent extends Omit<NewEvent, 'bodyTail'> {
  /** The timestamp of the envelope. Absent: not dispatched yet. */
  readonly timestamp?: EpochSeconds;
}
