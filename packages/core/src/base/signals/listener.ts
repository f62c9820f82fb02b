import { isThenable } from '../runtime/brand.ts';
import type { Signal } from './signal.ts';

/**
 * Receives every signal, synchronously and in order. An error that it throws or rejects with is ignored.
 * @public
 */
export type Observer = (signal: Signal) => void;

/**
 * Receives the errors that signals only name: those of a port, or of a route of the host. Their messages may quote
 * anything.
 * @public
 */
export type ErrorListener = (
  cause: unknown,
  context: {
    /**
     * Of an HTTP request that was answered 500 or 503: the `x-request-id` of the response and `requestId` of the
     * signal.
     */
    readonly requestId?: string;
    /** Of a delivery that could not be attempted. */
    readonly deliveryId?: string;
    /** What a worker was doing, as in the signal `worker_error`. */
    readonly during?: Extract<Signal, { readonly kind: 'worker_error' }>['during'];
    /** Of a worker: number of errors of this name and code since they were last reported; `cause` is the last one. */
    readonly count?: number;
  },
) => void;

/** Wraps a listener of the host: an error that it throws or rejects with is ignored. */
export const safeListener =
  <A extends readonly unknown[]>(listen: ((...args: A) => unknown) | undefined): ((...args: A) => void) =>
  (...args) => {
    try {
      const returned: unknown = listen?.(...args);
      if (isThenable(returned)) returned.then(undefined, () => undefined);
    } catch {
      // A listener must not change the outcome that it observes.
    }
  };
