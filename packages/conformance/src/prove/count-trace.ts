import type { Trace } from '../simulator/trace.ts';

/** What happened in simulated histories. */
export interface HistoryCounts {
  /** Events whose transaction committed. */
  readonly events: number;
  /** Events whose transaction was rolled back. */
  readonly rolledBack: number;
  /** POSTs of deliveries. */
  readonly attempts: number;
  /** POSTs that were not answered with 2xx. */
  readonly failedAttempts: number;
  /** Processes that died without `stop()`. */
  readonly crashes: number;
  /** Times for which a process stood still. */
  readonly pauses: number;
  /** Calls of the storage without effect. */
  readonly failedCalls: number;
  /** Calls of the storage that took effect, and whose caller got an error or no answer. */
  readonly lostAnswers: number;
  /** Changes of the clock of a machine or of the storage. */
  readonly clockJumps: number;
  /** Simulated days. */
  readonly days: number;
}

/** No history. */
export const noCounts: HistoryCounts = {
  events: 0,
  rolledBack: 0,
  attempts: 0,
  failedAttempts: 0,
  crashes: 0,
  pauses: 0,
  failedCalls: 0,
  lostAnswers: 0,
  clockJumps: 0,
  days: 0,
};

const day = 86_400_000;

/** Counts the faults of one history, and what happened in spite of them. */
export const countTrace = ({ history, calls, posts, lives, published, startedAt, endedAt }: Trace): HistoryCounts => ({
  events: published.filter(({ committedAt }) => committedAt !== undefined).length,
  rolledBack: published.filter(({ end }) => end === 'rolled back').length,
  attempts: posts.length,
  failedAttempts: posts.filter(
    ({ outcome }) => !(outcome?.kind === 'answered' && outcome.status >= 200 && outcome.status < 300),
  ).length,
  // Whatever lives at the end of a history is ended then.
  crashes: lives.filter(
    ({ diedAt = endedAt, stoppedAt }) => stoppedAt === undefined && diedAt > startedAt && diedAt < endedAt,
  ).length,
  pauses: lives.reduce((sum, life) => sum + life.pauses.length, 0),
  failedCalls: calls.filter(({ learned, effectAt }) => learned === 'error' && effectAt === undefined).length,
  lostAnswers: calls.filter(({ learned, effectAt }) => learned !== 'answer' && effectAt !== undefined).length,
  clockJumps: history.storeJumps.length + history.machineEvents.filter(({ kind }) => kind === 'clock').length,
  days: (endedAt - startedAt) / day,
});

/** The sum of two counts. */
export const addCounts = (one: HistoryCounts, other: HistoryCounts): HistoryCounts => ({
  events: one.events + other.events,
  rolledBack: one.rolledBack + other.rolledBack,
  attempts: one.attempts + other.attempts,
  failedAttempts: one.failedAttempts + other.failedAttempts,
  crashes: one.crashes + other.crashes,
  pauses: one.pauses + other.pauses,
  failedCalls: one.failedCalls + other.failedCalls,
  lostAnswers: one.lostAnswers + other.lostAnswers,
  clockJumps: one.clockJumps + other.clockJumps,
  days: one.days + other.days,
});
