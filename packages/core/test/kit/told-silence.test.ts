import { expect, test } from 'vitest';
import { day, hour, minute } from '../../src/base/runtime/time.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { start, testClock } from '../support/clock.ts';
import { platform } from '../support/kit.ts';

/** A pull endpoint whose program has asked at the start, and has read everything. */
const world = async () => {
  const clock = testClock();
  const options = { clock, storage: memoryStorage({ clock }) };
  const { kit } = platform(options);
  const { id } = (await kit.endpoints.create('acc_a', { kind: 'pull', events: ['payed'] }))._unsafeUnwrap().endpoint;
  const told: unknown[] = [];
  const events = ['Operations.endpoint.silent'] as const;
  const handle = async ({ data }: { data: unknown }) => told.push(data);
  const worker = kit.worker({ handlers: { alerts: { events, handle } } });
  let payments = 0;
  const publish = async (objectName: 'RequestPayment' | 'Deposit' = 'RequestPayment', type = 'payed') => {
    const data = { id: `p${++payments}` };
    await kit.events.publish({ accountId: 'acc_a', objectName, type, data } as never, { tx: 'new' });
    await worker.drain();
  };
  let cursor: string | undefined;
  const ask = async (): Promise<void> => {
    cursor = (await kit.events.pull('acc_a', id, { after: cursor }))._unsafeUnwrap().next;
    await clock.advance(minute);
    cursor = (await kit.events.pull('acc_a', id, { after: cursor }))._unsafeUnwrap().next;
  };
  /** Works every hour until a time after the start. */
  const until = async (time: number): Promise<void> => {
    for (let left = start + time - clock.now(); left > 0; left = start + time - clock.now()) {
      await clock.advance(Math.min(left, hour));
      await worker.drain();
    }
  };
  const entries = async () =>
    (await kit.audit.list('acc_a'))
      ._unsafeUnwrap()
      .items.filter(({ type }) => type === 'endpoint.silent')
      .map(({ subjectId, data }) => [subjectId, data]);
  return { kit, clock, options, id, told, worker, publish, ask, until, entries };
};

test('a pull endpoint for which nobody asks for 24 hours, while an event waits as long, is told once', async () => {
  const { id, options, told, publish, ask, until, entries } = await world();
  await publish();
  await ask();
  await until(2 * hour);
  await publish();
  await publish();
  await until(day + 2 * hour - minute);
  expect(await entries()).toEqual([]);
  await until(day + 3 * hour);
  const data = { silentSince: start + minute, waiting: 2 };
  expect(await entries()).toEqual([[id, data]]);
  await publish();
  await until(9 * day);
  await platform(options).kit.worker().drain();
  expect(await entries()).toEqual([[id, data]]);
  expect(told).toEqual([{ id, by: { type: 'rule', command: 'endpoint.silent' }, ...data }]);
});

test('it is told again when somebody asked in between', async () => {
  const { publish, ask, until, entries } = await world();
  await publish();
  await ask();
  await publish();
  await until(2 * day);
  expect(await entries()).toHaveLength(1);
  await ask();
  await publish();
  await until(3 * day - hour);
  expect(await entries()).toHaveLength(1);
  await until(3 * day + 2 * hour);
  expect(await entries()).toHaveLength(2);
  expect((await entries()).at(-1)).toMatchObject([
    expect.any(String),
    { silentSince: start + 2 * day + minute, waiting: 1 },
  ]);
});

test.each([
  ['nothing waits', async ({ ask }: Awaited<ReturnType<typeof world>>) => ask()],
  ['its events were never read', async ({ publish }: Awaited<ReturnType<typeof world>>) => publish()],
  [
    'it is disabled',
    async ({ kit, id, publish, ask }: Awaited<ReturnType<typeof world>>) => {
      await ask();
      await publish();
      (await kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
    },
  ],
  [
    'its program asks, and leaves events where they are',
    async ({ kit, id, publish, ask, until }: Awaited<ReturnType<typeof world>>) => {
      await ask();
      await publish();
      for (let days = 1; days < 5; days++) {
        await until(days * (day - hour));
        (await kit.events.pull('acc_a', id, {}))._unsafeUnwrap();
      }
    },
  ],
])('it is not told while %s', async (_when, live) => {
  const made = await world();
  await live(made);
  await made.until(made.clock.now() - start + 22 * hour);
  expect(await made.entries()).toEqual([]);
});

test('a feed is read only while somebody is silent and events wait', async () => {
  const { clock, options, publish, ask, until } = await world();
  let reads = 0;
  const { storage } = options;
  const readFeed: typeof storage.feeds.readFeed = (...args) => {
    reads++;
    return storage.feeds.readFeed(...args);
  };
  const { kit } = platform({ ...options, storage: { ...storage, feeds: { ...storage.feeds, readFeed } } });
  await publish();
  await ask();
  await until(2 * day);
  await kit.worker().drain();
  expect(reads).toBe(0);
  await publish();
  await clock.advance(hour);
  await kit.worker().drain();
  expect(reads).toBe(1);
});
