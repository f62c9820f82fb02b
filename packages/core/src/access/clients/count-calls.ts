import { tryCall } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { day, type EpochMs, minute } from '../../base/runtime/time.ts';
import type { ClientStore } from './client-store.ts';
import type { CallRefusal, RefusedCall, UsageDay } from './client-usage.ts';
import { dateOf, firstDate } from './usage.ts';

/** Interval of writes. */
const writeEvery = minute;
/** Maximum number of clients of one write. */
const batch = 500;

/** The calls of a client that are not written. */
interface Counted {
  calls: number;
  lastCallAt: EpochMs;
  lastRefusal: RefusedCall | undefined;
}

/** Counts the calls of clients in memory. */
export interface CallCounter {
  /**
   * Counts a call. The first call after a minute also starts a write of all counts. No call waits for it.
   * @param refusal - why the call is refused
   */
  count(clientId: string, refusal?: CallRefusal): void;
  /** Writes what was counted if a minute has passed since the last write. */
  writeIfDue(): void;
  /** Writes what was counted, and waits for it. What cannot be written is lost. */
  flush(): Promise<void>;
}

export interface CallCounterDeps {
  readonly store: Pick<ClientStore, 'addUsage'>;
  readonly clock: Clock;
  /** Receives what the store rejected with. */
  readonly onError: (cause: unknown) => void;
}

export const createCallCounter = ({ store, clock, onError }: CallCounterDeps): CallCounter => {
  let counted = new Map<string, Counted>();
  /** The day of all that is counted. */
  let date = '';
  let writeAt: EpochMs = 0;
  let writing: Promise<void> = Promise.resolve();

  const add = async (days: readonly UsageDay[], since: string): Promise<void> => {
    for (let at = 0; at < days.length; at += batch) {
      const written = await tryCall(() => store.addUsage(days.slice(at, at + batch), since));
      // Written or not, it is unknown: to repeat it could count twice.
      if (written.isErr()) onError(written.error.cause);
    }
  };

  const write = (now: EpochMs): void => {
    if (counted.size === 0) return;
    const days = [...counted].map(([clientId, { calls, lastCallAt, lastRefusal }]): UsageDay => {
      const used = { clientId, date, calls, lastCallAt };
      return lastRefusal ? { ...used, lastRefusal } : used;
    });
    counted = new Map();
    const since = firstDate(now);
    writing = writing.then(() => add(days, since));
  };

  /** Also when the clock was set back. */
  const isDue = (now: EpochMs): boolean => now >= writeAt || writeAt - now > writeEvery;

  /** Begins an interval, which ends with the day. */
  const begin = (now: EpochMs): void => {
    const today = dateOf(now);
    if (today !== date) write(now);
    date = today;
    writeAt = Math.min(now + writeEvery, (Math.floor(now / day) + 1) * day);
  };

  return {
    count: (clientId, refusal) => {
      const now = clock.now();
      const due = isDue(now);
      if (due) begin(now);
      const known = counted.get(clientId);
      if (known) {
        known.calls++;
        known.lastCallAt = now;
        if (refusal !== undefined) known.lastRefusal = { at: now, reason: refusal };
      } else {
        const lastRefusal = refusal === undefined ? undefined : { at: now, reason: refusal };
        counted.set(clientId, { calls: 1, lastCallAt: now, lastRefusal });
      }
      if (due) write(now);
    },
    writeIfDue: () => {
      const now = clock.now();
      if (counted.size === 0 || !isDue(now)) return;
      begin(now);
      write(now);
    },
    flush: () => {
      write(clock.now());
      return writing;
    },
  };
};
