import type { DurationMs } from '../runtime/time.ts';

/**
 * How an endpoint turned.
 *
 * `endpoint_failing`: so many attempts failed in a row that the breaker opened, for the first time since the last success.
 * `endpoint_recovered`: a success closed it. `endpoint_disabled`: nothing is sent any more until somebody enables it.
 * @public
 */
export type Turn = {
  /** How many attempts failed in a row. */
  readonly failures: number;
  /** How long ago the first of them ended, in milliseconds. */
  readonly failingFor: DurationMs;
  /** What came last: the status that was answered, or why there was none. */
  readonly outcome: number | string;
} & (
  | { readonly kind: 'endpoint_failing' }
  | { readonly kind: 'endpoint_recovered' }
  | {
      readonly kind: 'endpoint_disabled';
      /** It answered 410, or failed for days. */
      readonly reason: 'gone' | 'failing';
    }
);

/**
 * A {@link Turn} of an endpoint: told once, by the settlement that brought it about, and the signal of its kind.
 * @public
 */
export type EndpointTurn = Turn & {
  readonly accountId: string;
  readonly endpointId: string;
  /** How many of its deliveries wait or are held; counted to {@link mostCounted}. */
  readonly unfinished: number;
};

/** An {@link EndpointTurn} counts no more deliveries than this. @public */
export const mostCounted = 10_000;
