import { ok } from 'node:assert';
import { type DurationMs, type EpochMs, second } from '@partnerkit/core';

/**
 * Control over the time of a store.
 * @public
 */
export interface StoreTime {
  /**
   * Advances the time of the store by `time` milliseconds, without waiting. It sets the clock of the store, or moves
   * every stored time back, except the timestamps of dispatched events.
   */
  elapse(time: DurationMs): Promise<void>;
}

/** Time that the own clock of a real store may advance during a case; no assertion depends on less. */
export const slack: DurationMs = 10 * second;

/** Asserts that a time is from the clock of the store, between these times. */
export const assertBetween = (at: EpochMs, from: EpochMs, to: EpochMs): void =>
  ok(at >= Math.floor(from) && at <= Math.ceil(to), `${at} is not between ${from} and ${to} of the store`);
