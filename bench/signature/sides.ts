import type { Side } from '../measure.ts';
import { metered, rateOf } from '../meter.ts';

/** Repeats a call; `isDone` is checked for the last value. */
export const repeated =
  (times: number, call: () => unknown, isDone: (value: unknown) => boolean): Side =>
  async () => {
    let last: unknown;
    const sample = await metered(() =>
      rateOf(times, async () => {
        for (let left = times; left > 0; left--) {
          const value = call();
          last = value instanceof Promise ? await value : value;
        }
      }),
    );
    if (!isDone(last)) throw new Error(`The result is ${JSON.stringify(last)}.`);
    return sample;
  };
