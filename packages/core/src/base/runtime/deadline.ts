import { type Clock, monotonicNow } from './clock.ts';
import type { DurationMs } from './time.ts';
import { yieldingOf } from './yielding.ts';

/**
 * Runs a call. Rejects with the error that `late` makes when the call has not settled in time; what becomes of the call
 * then has no effect. Calls that answer at once, one after the other, do not block the process.
 */
export type InTime = <T>(call: () => Promise<T> | T, late: () => Error) => Promise<T>;

/** A call that has not settled yet. */
interface RunningCall {
  readonly until: DurationMs;
  fail(): void;
}

/**
 * The last part of the time is slept separately: after the process was suspended, an answer that arrived meanwhile is
 * read before the call fails.
 */
const grace = 0.1;

/** Calls of caches and of memory settle within this many turns of the queue of microtasks: they need no timer. */
const turnsWithoutTimer = 5;

/** Limits the time of calls. One timer serves all running calls. */
export const createInTime = (clock: Clock, timeout: DurationMs): InTime => {
  /** In order of deadline. */
  const running = new Set<RunningCall>();
  const yielding = yieldingOf(clock);
  let isWatched = false;
  let sleeping: AbortController | undefined;

  const watch = async (): Promise<void> => {
    for (let turn = 0; turn < turnsWithoutTimer && running.size > 0; turn++) await undefined;
    for (let [next] = running; next; [next] = running) {
      sleeping = new AbortController();
      await clock.sleep(next.until - grace * timeout - monotonicNow(clock), sleeping.signal);
      await clock.sleep(grace * timeout, sleeping.signal);
      if (sleeping.signal.aborted) continue;
      // A sleep that ends early must not be repeated for ever.
      for (const call of running) if (call === next || call.until <= monotonicNow(clock)) call.fail();
    }
    isWatched = false;
  };
  const end = (call: RunningCall): void => {
    running.delete(call);
    // With a reason: the default reason is an error, whose stack would be made each time.
    if (running.size === 0) sleeping?.abort('answered');
  };

  return (call, late) =>
    new Promise((resolve, reject) => {
      const entry: RunningCall = {
        until: monotonicNow(clock) + timeout,
        fail: () => {
          end(entry);
          reject(late());
        },
      };
      running.add(entry);
      if (!isWatched) {
        isWatched = true;
        void watch();
      }
      const failed = (cause: unknown): void => {
        end(entry);
        const due = yielding.due();
        if (due) void due.then(() => reject(cause));
        else reject(cause);
      };
      try {
        Promise.resolve(call()).then((value) => {
          end(entry);
          const due = yielding.due();
          resolve(due ? due.then(() => value) : value);
        }, failed);
      } catch (cause) {
        failed(cause);
      }
    });
};
