import type { Clock } from './clock.ts';
import type { DurationMs } from './time.ts';

/** Wakes sleeping loops. A wake without a waiter ends the next wait at once. */
export interface WakeSignal {
  /** Wakes every waiter. */
  wake(): void;
  /** Resolves at the next wake, or after `time` milliseconds. */
  wait(time?: DurationMs): Promise<void>;
}

/** @internal */
export const createWakeSignal = (clock: Clock): WakeSignal => {
  const wakes = new Set<() => void>();
  let isWoken = false;

  const untilWoken = (time: DurationMs | undefined, onWaiting: (wake: () => void) => void): Promise<void> => {
    if (time === undefined) return new Promise(onWaiting);
    const waiting = new AbortController();
    // With a reason: the default reason is an error, whose stack would be made each time.
    onWaiting(() => waiting.abort('woken'));
    return clock.sleep(time, waiting.signal);
  };

  return {
    wake: () => {
      isWoken = wakes.size === 0;
      for (const wake of [...wakes]) wake();
    },
    wait: async (time) => {
      if (isWoken) {
        isWoken = false;
        return;
      }
      let own: () => void = () => undefined;
      await untilWoken(time, (wake) => {
        own = wake;
        wakes.add(wake);
      });
      wakes.delete(own);
    },
  };
};
