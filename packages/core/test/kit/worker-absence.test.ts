import { expect, test } from 'vitest';
import { minute, second } from '../../src/base/runtime/time.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { settled, testClock } from '../support/clock.ts';
import { platform } from '../support/kit.ts';

/** A platform that publishes, over a storage that counts how often it is asked for workers. */
const publisher = ({ fails = false } = {}) => {
  const clock = testClock();
  const stored = memoryStorage({ clock });
  let asked = 0;
  const hasWorkers = async () => {
    asked += 1;
    if (fails) throw new Error('The database is down.');
    return stored.shards.hasWorkers();
  };
  const storage = { ...stored, shards: { ...stored.shards, hasWorkers } };
  const { kit, signals } = platform({ clock, storage });
  const publish = async (after: number) => {
    await clock.advance(after);
    const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } } as const;
    await kit.events.publish(event, { tx: 'new' });
    await settled();
  };
  const absent = () => signals.flatMap((signal) => (signal.kind === 'worker_absent' ? [signal.absentFor] : []));
  return { publish, absent, storage: stored, asked: () => asked };
};

test('without a worker, a process that publishes signals it, once a minute and with one read a minute', async () => {
  const { publish, absent, asked } = publisher();
  await publish(0);
  await publish(59 * second);
  expect(asked()).toBe(0);
  await publish(second);
  expect([asked(), absent()]).toEqual([1, []]);
  for (let nth = 0; nth < 59; nth++) await publish(second);
  expect([asked(), absent()]).toEqual([1, []]);
  await publish(second);
  expect([asked(), absent()]).toEqual([2, [minute]]);
  await publish(10 * minute);
  expect([asked(), absent()]).toEqual([3, [minute, 11 * minute]]);
});

test('a worker of any process ends the absence, which then begins anew', async () => {
  const { publish, absent, storage } = publisher();
  await publish(0);
  await publish(minute);
  await storage.shards.join('elsewhere', 90 * second);
  await publish(minute);
  await publish(minute);
  expect(absent()).toEqual([]);
  await publish(minute);
  expect(absent()).toEqual([minute]);
});

test('a storage that fails says nothing about workers', async () => {
  const { publish, absent, asked } = publisher({ fails: true });
  for (let nth = 0; nth < 5; nth++) await publish(minute);
  expect([asked(), absent()]).toEqual([4, []]);
});
