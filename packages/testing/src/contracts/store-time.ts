import { ok } from 'node:assert';
import { type DurationMs, type EpochMs, second } from '@partnerkit/core';

/**
 * The hand that a suite has on a store's time.
 * @public
 */
export interface StoreTime {
  /**
   * Lets so much of the store's time pass, without waiting for it: its clock is set, or all times that it keeps are moved
   * back, but for the seconds of stamped events. Milliseconds.
   */
  elapse(time: DurationMs): Promise<void>;
}

/** What a real store's own clock may run on while a case is at work: no case decides on less. @internal */
export const slack: DurationMs = 10 * second;

/** Asserts that something was done by the clock of the store, which stood at these times before and after. @internal */
export const assertBetween = (at: EpochMs, from: EpochMs, to: EpochMs): void =>
  ok(at >= Math.floor(from) && at <= Math.ceil(to), `${at} is not between ${from} and ${to} of the store`);
