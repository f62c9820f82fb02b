import { expect, test } from 'vitest';
import { day, hour } from '../../src/base/runtime/time.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { createPushFacts } from '../../src/webhooks/log/push-facts.ts';
import { start, testClock } from '../support/clock.ts';
import { answered } from '../support/deliveries.ts';
import { platform } from '../support/kit.ts';

/** An endpoint with a URL, and a worker that works once an hour. */
const world = async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  let status = 200;
  const sender = memorySender(() => answered(status));
  const options = { clock, storage, sender };
  const { kit } = platform(options);
  const hook = { url: 'https://partner.example/hooks', events: ['payed'] } as const;
  const { id } = (await kit.endpoints.create('acc_a', hook))._unsafeUnwrap().endpoint;
  const told: unknown[] = [];
  const events = ['Operations.endpoint.silent'] as const;
  const handle = async ({ data }: { data: unknown }) => told.push(data);
  const worker = kit.worker({ handlers: { alerts: { events, handle } } });
  await worker.drain();
  let payments = 0;
  const publish = async (): Promise<void> => {
    const data = { id: `p${++payments}` };
    await kit.events.publish({ accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data }, { tx: 'new' });
  };
  const until = async (time: number): Promise<void> => {
    while (clock.now() < start + time) {
      await clock.advance(Math.min(start + time - clock.now(), hour));
      await worker.drain();
    }
  };
  /** Publishes at the start of each of these days. */
  const deliverOn = async (...days: readonly number[]): Promise<void> => {
    for (const nth of days) {
      await until(nth * day);
      await publish();
      await worker.drain();
    }
  };
  const pause = async () => (await kit.sending.pause({ accountId: 'acc_a' }))._unsafeUnwrap();
  const entries = async () =>
    (await kit.audit.list('acc_a'))
      ._unsafeUnwrap()
      .items.filter(({ type }) => type === 'endpoint.silent')
      .map(({ subjectId, data }) => [subjectId, data]);
  const answer = (next: number): void => {
    status = next;
  };
  return { kit, clock, options, id, told, worker, publish, until, deliverOn, pause, entries, answer };
};

/** The last confirmed delivery is that of the sixth day; figures are of whole hours. */
const silentSince = start + 6 * day + hour;

test('an endpoint that nothing is sent to for 24 hours, while a delivery is due as long, is told once', async () => {
  const { id, options, told, pause, publish, deliverOn, until, entries } = await world();
  await deliverOn(1, 2, 3, 4, 5, 6);
  await pause();
  await until(6 * day + 3 * hour);
  await publish();
  await publish();
  await until(7 * day + 2 * hour);
  expect(await entries()).toEqual([]);
  await until(7 * day + 4 * hour);
  const data = { silentSince, waiting: 2 };
  expect(await entries()).toEqual([[id, data]]);
  await publish();
  await until(12 * day);
  await platform(options).kit.worker().drain();
  expect(await entries()).toEqual([[id, data]]);
  expect(told).toEqual([{ id, by: { type: 'rule', command: 'endpoint.silent' }, ...data }]);
});

test('it is told again after deliveries were confirmed in between', async () => {
  const { kit, pause, publish, deliverOn, until, entries } = await world();
  await deliverOn(1, 2, 3, 4, 5, 6);
  await pause();
  await publish();
  await until(8 * day);
  (await kit.sending.resume({ accountId: 'acc_a' }))._unsafeUnwrap();
  await until(8 * day + 2 * hour);
  await pause();
  await publish();
  await until(10 * day);
  expect((await entries()).map(([, data]) => data)).toEqual([
    { silentSince, waiting: 1 },
    { silentSince: start + 8 * day + 2 * hour, waiting: 1 },
  ]);
});

type World = Awaited<ReturnType<typeof world>>;

test.each([
  [
    'no event is for it',
    async ({ deliverOn, pause }: World) => {
      await deliverOn(1, 2, 3, 4, 5, 6);
      await pause();
    },
  ],
  [
    'its deliveries were confirmed on four days of seven',
    async ({ deliverOn, pause, publish }: World) => {
      await deliverOn(1, 2, 4, 6);
      await pause();
      await publish();
    },
  ],
  [
    'the fifth day of confirmed deliveries was a week before the last one',
    async ({ deliverOn, pause, publish }: World) => {
      await deliverOn(1, 2, 6, 7, 8);
      await pause();
      await publish();
    },
  ],
  [
    'it is disabled',
    async ({ kit, id, deliverOn, pause, publish }: World) => {
      await deliverOn(1, 2, 3, 4, 5, 6);
      await pause();
      await publish();
      (await kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
    },
  ],
  [
    'it fails, which is told as such',
    async ({ deliverOn, answer, publish }: World) => {
      await deliverOn(1, 2, 3, 4, 5, 6);
      answer(500);
      await publish();
    },
  ],
])('it is not told while %s', async (_when, live) => {
  const made = await world();
  await live(made);
  await made.until(made.clock.now() - start + 2 * day);
  expect(await made.entries()).toEqual([]);
});

test('statistics are read only of accounts whose deliveries are due for a day', async () => {
  const { kit: first, clock, options, pause, publish, until } = await world();
  (await first.endpoints.create('acc_b', { url: 'https://b.example/', events: ['payed'] }))._unsafeUnwrap();
  const { storage } = options;
  const reads: string[] = [];
  const countBacklog: typeof storage.log.countBacklog = (accountId) => {
    reads.push(`backlog ${accountId ?? 'of all'}`);
    return storage.log.countBacklog(accountId);
  };
  const readStatistics: typeof storage.log.readStatistics = (...args) => {
    reads.push(`statistics ${args[0]}`);
    return storage.log.readStatistics(...args);
  };
  const { kit } = platform({
    ...options,
    storage: { ...storage, log: { ...storage.log, countBacklog, readStatistics } },
  });
  await pause();
  await publish();
  await until(day - hour);
  await kit.worker().drain();
  expect(reads).toEqual(['backlog of all']);
  await clock.advance(2 * hour);
  await kit.worker().drain();
  expect(reads.toSorted()).toEqual([
    'backlog acc_a',
    'backlog acc_b',
    'backlog of all',
    'backlog of all',
    'statistics acc_a',
  ]);
});

test.each([
  [24, 24, true],
  [24, 23, false],
  [23, 24, false],
])('confirmed %i hours ago, and another one due for %i hours: told, %s', async (confirmed, due, isTold) => {
  const now = 20 * day;
  const buckets = Array.from({ length: 7 }, (_none, nth) => ({
    ...{ at: now - hour - confirmed * hour - (6 - nth) * day, delivered: 1 },
    failed: { clientError: 0, serverError: 0, otherStatus: 0, timeout: 0, connection: 0, tls: 0, platform: 0 },
  }));
  const statistics = { endpointId: 'e1', buckets, waiting: 3, held: 0, dueAt: now - due * hour };
  const made: unknown[] = [];
  const source = createPushFacts({
    clock: { now: () => now },
    auditor: { fact: (at, { data }) => made.push([at, data]) as never },
    endpoints: { listAllEndpoints: async () => ({ items: [{ id: 'e1', accountId: 'acc_a' }] }) as never },
    log: {
      countBacklog: async () => ({ undispatched: 0, waiting: 3, held: 0, oldestDue: 2 * day }),
      readStatistics: async () => ({ endpoints: [statistics], isComplete: true }),
    },
  });
  await source.readFacts(() => true, undefined);
  expect(made).toEqual(isTold ? [[now, { silentSince: now - day, waiting: 3 }]] : []);
});
