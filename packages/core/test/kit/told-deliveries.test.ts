import { describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/base/runtime/time.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { start, testClock } from '../support/clock.ts';
import { answered } from '../support/deliveries.ts';
import { platform } from '../support/kit.ts';

/** An endpoint whose receiver refuses; each delivery is exhausted by its first attempt, at a quarter past the hour. */
const world = async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const options = {
    ...{ clock, storage, sender: memorySender(() => answered(500)) },
    webhooks: { delivery: { retrySchedule: [] } },
  };
  const { kit } = platform(options);
  const hook = { url: 'https://partner.example/hooks', events: ['payed'] } as const;
  const { id } = (await kit.endpoints.create('acc_a', hook))._unsafeUnwrap().endpoint;
  const told: unknown[] = [];
  const handlers = {
    alerts: {
      events: ['Operations.delivery.exhausted', 'Operations.delivery.expired'] as const,
      handle: async ({ type, data }: { type: string; data: unknown }) => told.push([type, data]),
    },
  };
  const worker = kit.worker({ handlers });
  let payments = 0;
  const fail = async (count: number): Promise<void> => {
    for (let nth = 0; nth < count; nth++) {
      const data = { id: `p${++payments}` };
      await kit.events.publish(
        { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data },
        { tx: 'new' },
      );
    }
    await worker.drain();
  };
  const entries = async () =>
    (await kit.audit.list('acc_a'))
      ._unsafeUnwrap()
      .items.filter(({ type }) => type.startsWith('delivery.'))
      .map(({ type, subjectId, data }) => [type, subjectId, data]);
  await clock.advance(15 * minute);
  return { clock, storage, options, kit, id, told, worker, fail, entries };
};
const first = { count: 3, from: start, to: start + hour };

describe('deliveries that are exhausted', () => {
  test('are told once for each endpoint and hour, with their number, after the hour', async () => {
    const { clock, id, told, worker, fail, entries } = await world();
    await fail(2);
    await fail(1);
    await clock.advance(49 * minute);
    await worker.drain();
    expect([await entries(), told]).toEqual([[], []]);
    await clock.advance(11 * minute);
    await fail(1);
    await worker.drain();
    expect(await entries()).toEqual([['delivery.exhausted', id, first]]);
    await clock.advance(2 * hour);
    await worker.drain();
    await worker.drain();
    const second = { count: 1, from: start + hour, to: start + 2 * hour };
    expect(await entries()).toEqual([
      ['delivery.exhausted', id, first],
      ['delivery.exhausted', id, second],
    ]);
    const by = { type: 'rule', command: 'delivery' };
    expect(told).toEqual([
      ['delivery.exhausted', { id, by, ...first }],
      ['delivery.exhausted', { id, by, ...second }],
    ]);
  });

  test.each([
    ['before the entry is stored', 'tell'],
    ['after the entry is stored', 'deleteFailedHours'],
  ])('are told once when the worker dies %s', async (_when, method) => {
    const { clock, storage, options, id, fail, entries } = await world();
    await fail(3);
    await clock.advance(hour);
    const fails = async () => Promise.reject(new Error('killed'));
    const dying = {
      ...storage,
      audit: { ...storage.audit, ...(method === 'tell' ? { tell: fails } : {}) },
      log: { ...storage.log, ...(method === 'tell' ? {} : { [method]: fails }) },
    };
    const killed = platform({ ...options, storage: dying as never }).kit.worker();
    await expect(killed.drain()).rejects.toThrow('the storage failed');
    await platform(options).kit.worker().drain();
    await platform(options).kit.worker().drain();
    expect(await entries()).toEqual([['delivery.exhausted', id, first]]);
    expect(await storage.log.readFailedHours(0, { limit: 10 })).toEqual([]);
  });

  test('are told by the worker that has their account, however late it comes', async () => {
    const { clock, options, id, fail, entries } = await world();
    await fail(3);
    await clock.advance(40 * day);
    await platform(options).kit.worker().drain();
    expect(await entries()).toEqual([['delivery.exhausted', id, first]]);
  });
});

test('deliveries that were held too long are told as expired', async () => {
  const { clock, kit, id, worker, entries } = await world();
  const data = { id: 'p1' };
  (await kit.endpoints.disable('acc_a', id, { actor: { type: 'user', id: 'u1' } }))._unsafeUnwrap();
  (await kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
  await kit.events.publish({ accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data }, { tx: 'new' });
  (await kit.sending.pause({ accountId: 'acc_a' }))._unsafeUnwrap();
  await worker.drain();
  (await kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
  await clock.advance(14 * day + minute);
  await worker.drain();
  await clock.advance(hour);
  await worker.drain();
  const from = start + 14 * day;
  expect(await entries()).toEqual([['delivery.expired', id, { count: 1, from, to: from + hour }]]);
});
