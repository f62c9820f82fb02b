import type { DurationMs } from '../runtime/time.ts';
import type { OutcomeCode } from './send-failure.ts';

/**
 * The last attempt of an endpoint that failed: which event, and why. Never a body.
 * @public
 */
export interface LastFailure {
  /** The kind of object. */
  readonly objectName: string;
  /** The event type. */
  readonly type: string;
  readonly eventId: string;
  /** The HTTP status of the response, or why there was none. */
  readonly outcome: OutcomeCode;
}

/**
 * A change of the health of an endpoint.
 * @public
 */
export type HealthChange = {
  /** Number of attempts that failed in a row. */
  readonly failures: number;
  /** Time since the first of them ended, in milliseconds. */
  readonly failingFor: DurationMs;
  /** Last outcome: the HTTP status of the response, or why there was none. */
  readonly outcome: OutcomeCode;
} /** The breaker opened, for the first time since the last success. Watch the endpoint; retries go on. */ & (
  | { readonly kind: 'endpoint_failing'; readonly lastFailure: LastFailure }
  /** A success closed the breaker. Nothing to do. */
  | { readonly kind: 'endpoint_recovered' }
  /** Nothing is sent until the endpoint is enabled again. Notify the partner. */
  | {
      readonly kind: 'endpoint_disabled';
      /** `gone`: the endpoint answered 410. `failing`: it failed for days. */
      readonly reason: 'gone' | 'failing';
      readonly lastFailure: LastFailure;
    }
);

/**
 * A {@link HealthChange} of an endpoint. Signalled once, by the worker that stored it.
 * @public
 */
export type EndpointHealthChange = HealthChange & {
  /** The account of the endpoint. */
  readonly accountId: string;
  readonly endpointId: string;
  /** Number of its deliveries that wait or are held, at most {@link maxCounted}. */
  readonly unfinished: number;
};

/** Upper limit of counts of deliveries and events: 10,000 means 10,000 or more. @public */
export const maxCounted = 10_000;
