import { AssertionError } from 'node:assert';
import { type DurationMs, second } from '@partnerkit/core';

/** Number of simultaneous calls. */
export const racers = 20;

/** Starts `count` calls before any of them has ended. */
export const race = <T>(call: (index: number) => T | Promise<T>, count: number = racers): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

/** The number of calls that resolved; the others rejected. */
export const raceToResolve = async (call: (index: number) => Promise<unknown>): Promise<number> =>
  (await Promise.allSettled(Array.from({ length: racers }, (_, index) => call(index)))).filter(
    ({ status }) => status === 'fulfilled',
  ).length;

const timeout: DurationMs = 5 * second;

/** Fails with a sentence, instead of blocking the run, when a store waits although it must not. */
export const soon = async <T>(promise: Promise<T>, what: string): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AssertionError({ message: `${what}: not within 5 seconds` })), timeout);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};
