import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

/** `setTimeout` takes a signed 32-bit number of milliseconds: longer waits are split. */
const longestTimer = 2 ** 31 - 1;

/** Not every runtime has it. Taken here: tests of hosts replace timers later. */
const immediately =
  (globalThis as { readonly setImmediate?: (call: () => void) => unknown }).setImmediate ??
  ((call: () => void) => setTimeout(call, 0));

/** The system clock. @public */
export const systemClock: Clock & Required<Pick<Clock, 'yield'>> = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (time, signal) =>
    new Promise((resolve) => {
      let left = time;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      // Counts down instead of reading the clock, which may be set back meanwhile.
      const wait = (): void => {
        const slice = Math.min(left, longestTimer);
        left -= slice;
        timer = setTimeout(left > 0 ? wait : done, slice);
      };
      if (signal.aborted || time <= 0) resolve();
      else {
        signal.addEventListener('abort', done);
        wait();
      }
    }),
  yield: () =>
    new Promise((resolve) => {
      immediately(resolve);
    }),
};

const poolSize = 4_096;
const pool = new Uint8Array(poolSize);
let used = poolSize;

/** The cryptographic random generator of the system, read in blocks of 4096 bytes for speed. @public */
export const systemRandom: Random = {
  bytes: (length) => {
    if (length > poolSize) throw new RangeError(`At most ${poolSize} random bytes at a time.`);
    if (used + length > poolSize) {
      globalThis.crypto.getRandomValues(pool);
      used = 0;
    }
    const taken = pool.slice(used, used + length);
    pool.fill(0, used, used + length);
    used += length;
    return taken;
  },
};
