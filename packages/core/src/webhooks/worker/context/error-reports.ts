import type { Clock } from '../../../base/runtime/clock.ts';
import { type DurationMs, second } from '../../../base/runtime/time.ts';
import { errorName } from '../../../base/signals/error-name.ts';
import type { ErrorListener, Observer } from '../../../base/signals/listener.ts';
import type { Signal } from '../../../base/signals/signal.ts';

/** What a worker was doing when something failed. */
export type During = Extract<Signal, { readonly kind: 'worker_error' }>['during'];

type Context = Parameters<ErrorListener>[1];

/** Signals an error by name, and passes it to `onError`. */
export type ReportError = (during: During, cause: unknown, context?: Context) => void;

/** Equal errors are reported once in this time. */
const every: DurationMs = second;
/** Errors are told apart up to this number of kinds at a time. */
const maxKinds = 100;
const never = new AbortController().signal;

/** Errors that were not reported yet. */
interface Unreported {
  count: number;
  last: () => void;
}

/**
 * Reports the errors of workers. The first of its kind is reported at once; equal ones that follow, with the same name
 * and code during the same activity, are reported as one a second, with their number: 100,000 failing deliveries must
 * not call `onError` 100,000 times.
 */
export const createErrorReports = ({
  clock,
  observe,
  onError,
}: {
  readonly clock: Clock;
  readonly observe: Observer | undefined;
  readonly onError: ErrorListener;
}): ReportError => {
  const kinds = new Map<string, Unreported>();

  const report = (during: During, cause: unknown, context: Context, count: number): void => {
    observe?.({ kind: 'worker_error', during, error: errorName(cause), count });
    onError(cause, { ...context, during, count });
  };

  const collect = async (key: string, unreported: Unreported): Promise<void> => {
    for (;;) {
      await clock.sleep(every, never);
      if (unreported.count === 0) break;
      unreported.last();
    }
    kinds.delete(key);
  };

  return (during, cause, context = {}) => {
    const { name, code = '' } = errorName(cause);
    const key = `${during} ${name} ${code}`;
    const known = kinds.get(key);
    if (!known) {
      report(during, cause, context, 1);
      if (kinds.size >= maxKinds) return;
      const unreported: Unreported = { count: 0, last: () => undefined };
      kinds.set(key, unreported);
      void collect(key, unreported);
      return;
    }
    known.count++;
    known.last = () => {
      const { count } = known;
      known.count = 0;
      report(during, cause, context, count);
    };
  };
};
