import type { DurationMs, EpochMs } from '@partnerkit/core';
import type { History } from './history.ts';
import type { Machines } from './machines.ts';
import type { Plan } from './plan.ts';
import type { Prng } from './prng.ts';
import type { Scheduler } from './scheduler.ts';

export interface LeapsDeps {
  readonly history: History;
  readonly scheduler: Scheduler;
  readonly prng: Prng;
  readonly plan: Plan;
  readonly machines: Pick<Machines<never>, 'workers' | 'stop' | 'start' | 'crash' | 'pause'>;
  readonly startedAt: EpochMs;
  /** Whether nothing is in progress. */
  readonly isCalm: () => boolean;
  /** The time of the next scripted event. */
  readonly nextScripted: () => EpochMs | undefined;
  readonly hasBacklog: () => Promise<boolean>;
}

/** Shorter waits are simulated in full. */
const worthwhile: DurationMs = 120_000;
/** A history that needs more ends early. */
const maxLeaps = 60;
/** Interval between checks whether to leap or to end. */
const every: DurationMs = 500;
/** Maximum time without progress while something is pending. */
const timeout: DurationMs = 300_000;
/** Time before a due moment at which a leap ends. */
const leads: readonly DurationMs[] = [1_000, 30_000, 90_000];

/**
 * Workers beat and poll every few seconds, but retries take days. So time leaps to the next due moment while all
 * workers are paused, stopped or dead.
 */
export const createLeaps = ({
  history,
  scheduler,
  prng,
  plan,
  machines,
  startedAt,
  isCalm,
  nextScripted,
  hasBacklog,
}: LeapsDeps) => {
  let leaps = 0;
  let isLeaping = false;
  let checkedAt = startedAt;
  let restsSince: EpochMs | undefined;
  /** Long enough for at least one poll of each worker. */
  const calm: DurationMs = history.pollEvery + 5_000;
  const endsAt = history.endsAt === undefined ? undefined : startedAt + history.endsAt;

  const stopAll = async (to: EpochMs): Promise<void> => {
    isLeaping = true;
    const down = new Set<number>();
    // Others may have been started meanwhile.
    for (let up = machines.workers(); up.length > 0; up = machines.workers()) {
      for (const machine of up) down.add(machine);
      await Promise.all(up.map((machine) => machines.stop(machine)));
    }
    scheduler.leap(to);
    for (const machine of down) machines.start(machine);
    isLeaping = false;
  };

  const leap = (to: EpochMs): void => {
    leaps++;
    const length = to - scheduler.now();
    const kind = prng.below(3);
    if (kind === 0) return void stopAll(to);
    for (const machine of machines.workers()) {
      const late = prng.below(3_000);
      if (kind === 1) machines.pause(machine, length + late);
      else machines.crash(machine, length + late);
    }
    scheduler.leap(to);
  };

  const next = (now: EpochMs): EpochMs | undefined => {
    const moments = [nextScripted(), plan.nextAt(now), startedAt + history.lasts, endsAt].filter(
      (at) => at !== undefined && at > now,
    );
    return moments.length === 0 ? undefined : Math.min(...(moments as EpochMs[]));
  };

  return {
    isDone: async (): Promise<boolean> => {
      const now = scheduler.now();
      if (endsAt !== undefined && now >= endsAt) return true;
      if (isLeaping || now - checkedAt < every || !isCalm()) return false;
      checkedAt = now;
      if (plan.isDue(now)) return false;
      const at = next(now);
      if (at === undefined) {
        restsSince ??= now;
        return now - restsSince > ((await hasBacklog()) ? timeout : calm);
      }
      restsSince = undefined;
      const to = at - prng.below(leads[prng.below(leads.length)] ?? 0);
      if (to - now < worthwhile) return false;
      if (leaps >= maxLeaps) return true;
      leap(to);
      return false;
    },
  };
};
