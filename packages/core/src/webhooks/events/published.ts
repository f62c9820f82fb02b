import { brand } from '../../base/runtime/brand.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import type { Failure } from '../../base/runtime/failure.ts';
import type { EventFailure } from './prepare.ts';

/** Why an event was not published. Nothing was stored. @public */
export type PublishFailure =
  | EventFailure
  /** The idempotency key belongs to an event with other content. */
  | (Failure<'idempotency_conflict'> & {
      /** The event that has the key. */
      readonly eventId: string;
    })
  /** `tx` is not an open transaction: a pool, a client without `begin`, or a transaction that has ended. */
  | Failure<'no_transaction'>
  | Unavailable;

/**
 * The error of {@link Events.publish}.
 * @example
 * try {
 *   await kit.events.publish(event, { tx });
 * } catch (cause) {
 *   if (cause instanceof PublishError) console.error(cause.failure.code);
 *   throw cause; // rolls the transaction back
 * }
 * @public
 */
export class PublishError extends Error {
  override readonly name = 'PublishError';
  /** The failure, as `tryPublish` returns it. */
  readonly failure: PublishFailure;
  /** Wraps a failure; its message begins with the code. */
  constructor(failure: PublishFailure) {
    super(`${failure.code}: ${failure.message}`, failure.code === 'unavailable' ? { cause: failure.cause } : undefined);
    this.failure = failure;
    brand(this, 'PublishError');
  }
  /** The stable code of the failure. */
  get code(): PublishFailure['code'] {
    return this.failure.code;
  }
}

/**
 * A published event.
 * @public
 */
export interface Published {
  readonly eventId: string;
  /** Whether an earlier call with this idempotency key and content published it. */
  readonly replayed: boolean;
}
