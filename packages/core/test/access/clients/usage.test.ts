import { expect, test } from 'vitest';
import { day, minute } from '../../../src/base/runtime/time.ts';
import { start, type TestClock } from '../../support/clock.ts';
import { loginToken, me } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const world = async (options: Parameters<typeof platform>[0] = {}) => {
  const made = platform(options);
  const added = (await made.kit.clients.create('acc_a', { name: 'Reports', rights: ['events:read'] }))._unsafeUnwrap();
  const { id } = added.client;
  const find = async () => (await made.kit.clients.find('acc_a', id))._unsafeUnwrap();
  const token = async () => (await loginToken(made.kit, added)) as string;
  return { ...made, clock: made.clock as TestClock, id, find, token };
};

test('calls are counted with and without a right, and calls without a valid token are not', async () => {
  const { kit, clock, find, token } = await world();
  const own = await token();
  expect((await find()).usage).toEqual({ calls: 0, days: [], isUnused: false });
  for (const account of ['acc_a', 'acc_child', 'acc_b']) await me(kit, own, account);
  for (const wrong of [`${own}x`, 'none']) expect((await me(kit, wrong, 'acc_a')).status).toBe(401);
  clock.set(start + day);
  await me(kit, own, 'acc_a');
  await kit.clients.flushUsage();
  expect((await find()).usage).toEqual({
    lastCallAt: start + day,
    calls: 4,
    days: [
      { date: '2024-11-21', calls: 3 },
      { date: '2024-11-22', calls: 1 },
    ],
    isUnused: false,
  });
});

test('a page of keys is read with one call for their usage', async () => {
  const { kit, storage, id, token } = await world();
  for (let count = 0; count < 5; count++) (await kit.clients.create('acc_a', { name: `${count}` }))._unsafeUnwrap();
  await me(kit, await token(), 'acc_a');
  await kit.clients.flushUsage();
  const { readUsage } = storage.clients;
  const asked: (readonly string[])[] = [];
  storage.clients.readUsage = (ids) => {
    asked.push(ids);
    return readUsage(ids);
  };
  const { items } = (await kit.clients.list('acc_a'))._unsafeUnwrap();
  expect(items.map(({ usage }) => usage?.calls)).toEqual([1, 0, 0, 0, 0, 0]);
  expect(asked).toEqual([items.map((each) => each.id)]);
  expect(items[0]?.id).toBe(id);
  (await kit.clients.list('acc_empty'))._unsafeUnwrap();
  expect(asked).toHaveLength(1);
});

test('the last refusal tells a limit', async () => {
  const { kit, find, token } = await world({ limits: { callsPerClient: { points: 1, window: minute } } });
  const own = await token();
  const answers = [await me(kit, own, 'acc_a'), await me(kit, own, 'acc_a')];
  expect(answers.map(({ status }) => status)).toEqual([200, 429]);
  await kit.clients.flushUsage();
  const { usage } = await find();
  expect(usage).toMatchObject({ calls: 2, lastRefusal: { at: start, reason: 'too_many_requests' } });
});

test('the last refusal tells a right that is missing', async () => {
  const { kit, find, token } = await world();
  const bearer = { headers: { authorization: `Bearer ${await token()}` } };
  const admitted = await kit.authenticate({ method: 'GET', target: '/x', ...bearer }, 'acc_a', 'requests:read');
  expect(admitted.isErr() && admitted.error.code).toBe('insufficient_scope');
  await kit.clients.flushUsage();
  expect((await find()).usage?.lastRefusal).toEqual({ at: start, reason: 'insufficient_scope' });
});

test('a key is unused 90 days after its creation, its last login or its last call', async () => {
  const { kit, clock, find, token } = await world();
  const unusedFrom = async (at: number) => {
    const seen: (boolean | undefined)[] = [];
    for (const now of [at - 1, at]) {
      clock.set(now);
      seen.push((await find()).usage?.isUnused);
    }
    return seen;
  };
  expect(await unusedFrom(start + 90 * day)).toEqual([false, true]);
  const loggedIn = start + 100 * day;
  clock.set(loggedIn);
  const own = await token();
  expect(await unusedFrom(loggedIn + 90 * day)).toEqual([false, true]);
  const called = loggedIn + 20 * day;
  clock.set(called);
  await me(kit, own, 'acc_a');
  await kit.clients.flushUsage();
  expect(await unusedFrom(called + 90 * day)).toEqual([false, true]);
  // The day is no longer one of the last 30, and its last call stays.
  expect((await find()).usage).toEqual({ lastCallAt: called, calls: 0, days: [], isUnused: true });
});

test('a worker that stops writes what was counted', async () => {
  const { kit, find, token } = await world();
  const own = await token();
  const worker = kit.worker();
  worker.start();
  for (let count = 0; count < 3; count++) await me(kit, own, 'acc_a');
  await worker.stop();
  expect((await find()).usage?.calls).toBe(3);
});
