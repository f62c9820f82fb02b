import type { DurationMs } from '../runtime/time.ts';

/**
 * One HTTP POST of a delivery.
 * @public
 */
export interface Post {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the start of the name look-up to the end of the answer's headers. */
  readonly deadline: DurationMs;
}

/**
 * Why there was no answer. `abandoned`: the worker died, or its lease lapsed. `internal`: the platform could not make the
 * request, and the signal `worker_error` says why.
 * @public
 */
export type SendFailure =
  | 'timeout'
  | 'dns'
  | 'forbidden_address'
  | 'connect'
  | 'tls'
  | 'reset'
  | 'abandoned'
  | 'internal'
  | 'out_of_reach';

/**
 * What became of a POST.
 * @public
 */
export type SendOutcome = {
  /** Until the answer's headers, or the failure. */
  readonly took: DurationMs;
} & (
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The `Retry-After` header as it came. */
      readonly retryAfter?: string;
      /** The first 4 KiB, as far as they came within 2 s; never changes the outcome. */
      readonly body: string;
    }
  | { readonly kind: 'failed'; readonly reason: SendFailure }
);

/**
 * Port: sends webhooks.
 * @public
 */
export interface Sender {
  /**
   * One POST over HTTPS, to public addresses only, whatever was true when the URL was accepted. No redirects. Resolves for
   * every failure of the network; nothing is sent after the deadline.
   */
  send(post: Post): Promise<SendOutcome>;
  /**
   * `false` when nothing can ever be sent to this URL, whatever its name resolves to: to a literal private address, say. An endpoint with
   * such a URL is refused when it is made. Asks no network. Left out: no URL is refused.
   */
  canReach?(url: string): boolean;
  /** A sender that is not for production: each retry comes after 5 seconds at most. @defaultValue false */
  readonly development?: boolean;
}
