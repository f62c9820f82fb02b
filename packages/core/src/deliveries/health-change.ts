import type { DurationMs } from '../runtime/time.ts';

/**
 * How the health of an endpoint changed.
 *
 * `endpoint_failing`: enough attempts failed in a row to open the breaker, for the first time since the last success.
 * `endpoint_recovered`: a success closed it. `endpoint_disabled`: nothing is sent any more until somebody enables it.
 * @public
 */
export type HealthChange = {
  /** How many attempts failed in a row. */
  readonly failures: number;
  /** How long ago the first of them ended, in milliseconds. */
  readonly failingFor: DurationMs;
  /** The last outcome: the status that was answered, or why there was none. */
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
 * A {@link HealthChange} of an endpoint: signalled once, by the worker that stored it.
 * @public
 */
export type EndpointHealthChange = HealthChange & {
  readonly accountId: string;
  readonly endpointId: string;
  /** How many of its deliveries wait or are held, counted to {@link maxCounted}. */
  readonly unfinished: number;
};

/** The largest number that counts of deliveries and events reach. @public */
export const maxCounted = 10_000;
