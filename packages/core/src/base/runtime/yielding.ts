import { type Clock, monotonicNow } from './clock.ts';
import { systemClock } from './system.ts';
import type { DurationMs } from './time.ts';

/** How long loops run before a turn of the event loop is asked for, and again until they wait for it. */
const slice: DurationMs = 5;

/**
 * Lets timers and I/O run beside loops over ports that answer at once, such as a storage in this process: such a loop
 * waits for promises alone, which run before any timer.
 * @public
 */
export interface Yielding {
  /**
   * What a loop waits for before it goes on; `undefined`: it goes on at once. Only loops that have blocked the process
   * for 5 to 10 milliseconds wait: one of them goes on in each turn. Costs one reading of the clock, and at most one
   * turn of the event loop in 5 milliseconds.
   */
  due(): Promise<void> | undefined;
}

const create = (clock: Clock): Yielding => {
  const waiting: (() => void)[] = [];
  /** When the turn that is asked for began to be waited for. */
  let since: DurationMs | undefined;
  let endedAt: DurationMs = Number.NEGATIVE_INFINITY;

  const run = async (): Promise<void> => {
    while (since !== undefined) {
      await (clock.yield ?? systemClock.yield)();
      endedAt = monotonicNow(clock);
      waiting.shift()?.();
      since = waiting.length > 0 ? endedAt : undefined;
    }
  };

  return {
    due: () => {
      const now = monotonicNow(clock);
      if (since !== undefined)
        return now - since < slice ? undefined : new Promise((resolve) => void waiting.push(resolve));
      if (now - endedAt >= slice) {
        since = now;
        void run();
      }
      return undefined;
    },
  };
};

const known = new WeakMap<Clock, Yielding>();

/**
 * The one of a clock: all loops of a process share its time.
 * @example
 * const yielding = yieldingOf(systemClock);
 * for (const each of ['a long', 'list']) {
 *   show(each);
 *   await yielding.due();
 * }
 * @public
 */
export const yieldingOf = (clock: Clock): Yielding => {
  const found = known.get(clock) ?? create(clock);
  known.set(clock, found);
  return found;
};
