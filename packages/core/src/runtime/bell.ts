import type { Clock } from './clock.ts';
import type { DurationMs } from './time.ts';

/** Lets one loop sleep until something happens. A ring that nobody waits for is remembered. @internal */
export interface Bell {
  ring(): void;
  /** Resolves when it rings, or after `time` if one is given. */
  wait(time?: DurationMs): Promise<void>;
}

/** @internal */
export const createBell = (clock: Clock): Bell => {
  let rung = false;
  let wake: (() => void) | undefined;
  const untilRung = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const untilRungOr = (time: DurationMs): Promise<void> => {
    const waiting = new AbortController();
    wake = () => waiting.abort();
    return clock.sleep(time, waiting.signal);
  };
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    wait: async (time) => {
      if (!rung) await (time === undefined ? untilRung() : untilRungOr(time));
      rung = false;
      wake = undefined;
    },
  };
};
