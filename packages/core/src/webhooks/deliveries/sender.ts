import type { DurationMs } from '../../base/runtime/time.ts';
import type { SendFailure } from '../../base/signals/send-failure.ts';

/**
 * One HTTP POST of a delivery.
 * @public
 */
export interface DeliveryRequest {
  /** The endpoint's URL, as it was registered: not in its normal form. */
  readonly url: string;
  /** HTTP headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, sent as UTF-8. */
  readonly body: string;
  /** Maximum duration in milliseconds, from the start of the DNS lookup to the end of the response headers. */
  readonly deadline: DurationMs;
}

/**
 * The outcome of a POST.
 * @public
 */
export type SendOutcome = {
  /** Duration in milliseconds, until the response headers or the failure. */
  readonly durationMs: DurationMs;
} & (
  | {
      /** The receiver returned a status. */
      readonly kind: 'answered';
      /** HTTP status. */
      readonly status: number;
      /** The `Retry-After` header as received. */
      readonly retryAfter?: string;
      /** The first 4 KiB, as received within 2 s. Never changes the outcome. */
      readonly body: string;
    }
  | {
      /** The receiver returned no status. */
      readonly kind: 'failed';
      /** Why. */
      readonly reason: SendFailure;
    }
);

/**
 * Port: sends webhooks.
 * @public
 */
export interface Sender {
  /**
   * Sends one POST.
   *
   * - HTTPS only, and only to public addresses, checked at each call. In development also HTTP to `localhost` and to
   *   literal loopback addresses.
   * - Follows no redirects.
   * - Resolves for every network failure.
   * - Sends nothing after the deadline.
   * - May send the same bytes once more when the receiver closed a reused connection before a byte of the response.
   */
  send(post: DeliveryRequest): Promise<SendOutcome>;
  /**
   * Returns `false` when nothing can ever be sent to the URL, such as one with a literal private address; such an
   * endpoint is refused. Uses no network. Absent: every URL is accepted.
   */
  canReach?(url: string): boolean;
  /**
   * A sender for development: no retry and no pause of the breaker takes longer than 5 seconds, and endpoints of this
   * machine can have HTTP, where `canReach` agrees. Never in production. @defaultValue false
   */
  readonly development?: boolean;
}
