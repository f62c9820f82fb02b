import type { Clock } from './clock.ts';
import type { DurationMs } from './time.ts';

/** Lets loops sleep until something happens. A ring that nobody waits for is remembered. @internal */
export interface Bell {
  ring(): void;
  /** Resolves when it rings, or after `time` if one is given. */
  wait(time?: DurationMs): Promise<void>;
}

/** @internal */
export const createBell = (clock: Clock): Bell => {
  const wakes = new Set<() => void>();
  let rung = false;

  const untilRung = (time: DurationMs | undefined, onWaiting: (wake: () => void) => void): Promise<void> => {
    if (time === undefined) return new Promise(onWaiting);
    const waiting = new AbortController();
    // A reason of its own: the default one is an error, with a stack to be made each time.
    onWaiting(() => waiting.abort('rung'));
    return clock.sleep(time, waiting.signal);
  };

  return {
    ring: () => {
      rung = wakes.size === 0;
      for (const wake of [...wakes]) wake();
    },
    wait: async (time) => {
      if (rung) {
        rung = false;
        return;
      }
      let own: () => void = () => undefined;
      await untilRung(time, (wake) => {
        own = wake;
        wakes.add(wake);
      });
      wakes.delete(own);
    },
  };
};
