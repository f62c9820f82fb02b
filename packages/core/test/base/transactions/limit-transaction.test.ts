import { expect, test } from 'vitest';
import { createPortLimit } from '../../../src/base/runtime/port-limit.ts';
import { hour, second } from '../../../src/base/runtime/time.ts';
import { limitTransaction } from '../../../src/base/transactions/limit-transaction.ts';
import type { Storage } from '../../../src/stores/storage/storage.ts';
import { settled, testClock } from '../../support/clock.ts';

const hang = (): Promise<never> => new Promise(() => undefined);
const tx = { of: 'the test' };
const never = new AbortController().signal;
const cause = new Error('the work failed');

/** A storage whose steps the test decides, and what happened in it. */
const limited = (steps: {
  begin?: () => Promise<void>;
  commit?: () => Promise<void>;
  rollBack?: () => Promise<void>;
}) => {
  const clock = testClock();
  const log: string[] = [];
  const transaction: Storage<object>['transaction'] = async (work) => {
    await steps.begin?.();
    try {
      const value = await work(tx);
      await steps.commit?.();
      log.push('committed');
      return value;
    } catch (failed) {
      await steps.rollBack?.();
      log.push('rolled back');
      throw failed;
    }
  };
  return { clock, log, transact: limitTransaction(createPortLimit(clock, 10 * second), { transaction }) };
};
/** Its value, or its error. */
const outcomeOf = (running: Promise<unknown>): Promise<unknown> => running.catch((failed: unknown) => failed);
/** The same, as it is by now. */
const presentOutcome = (outcome: Promise<unknown>) => Promise.race([outcome, settled().then(() => 'no answer')]);
const givenUp = (isOutcomeUnknown: boolean) => ({ name: 'PortTimeout', port: 'storage.transaction', isOutcomeUnknown });

test('a transaction in time commits its value, or rolls back with the error of its work', async () => {
  const { transact, log, clock } = limited({});
  expect(await transact(async (given) => (given === tx ? 'a value' : 'another transaction'))).toBe('a value');
  expect(await outcomeOf(transact(() => Promise.reject(cause)))).toBe(cause);
  expect(log).toEqual(['committed', 'rolled back']);
  expect(clock.sleepers()).toBe(0);
});

test('one that begins too late is rolled back at once: its work is never done', async () => {
  let begin: () => void = () => undefined;
  const { transact, log, clock } = limited({ begin: () => new Promise((resolve) => (begin = resolve)) });
  const outcome = outcomeOf(transact(async () => log.push('worked')));
  await clock.advance(10 * second);
  expect(await presentOutcome(outcome)).toMatchObject(givenUp(false));
  begin();
  await settled();
  expect(log).toEqual(['rolled back']);
});

test('one that cannot begin fails with the error of the storage', async () => {
  const { transact } = limited({ begin: () => Promise.reject(cause) });
  expect(await outcomeOf(transact(async () => 'a value'))).toBe(cause);
});

test('the calls inside have limits of their own: the work as a whole has none', async () => {
  const { transact, log, clock } = limited({});
  const outcome = outcomeOf(transact(() => clock.sleep(hour, never)));
  await clock.advance(hour);
  expect(await presentOutcome(outcome)).toBe(undefined);
  expect(log).toEqual(['committed']);
});

test('the outcome of a commit that hangs is unknown; a commit that fails has failed', async () => {
  const hanging = limited({ commit: hang });
  const outcome = outcomeOf(hanging.transact(async () => 'a value'));
  await hanging.clock.advance(10 * second);
  expect(await presentOutcome(outcome)).toMatchObject(givenUp(true));
  const failing = limited({ commit: () => Promise.reject(cause) });
  expect(await outcomeOf(failing.transact(async () => 'a value'))).toBe(cause);
});

test('a rollback that hangs changes nothing: the error of the work is known', async () => {
  const { transact, clock } = limited({ rollBack: hang });
  const outcome = outcomeOf(transact(() => Promise.reject(cause)));
  await clock.advance(10 * second);
  expect(await presentOutcome(outcome)).toBe(cause);
});
