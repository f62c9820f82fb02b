import { describe, expect, test } from 'vitest';
import { retrySchedule } from '../../src/deliveries/retry-schedule.ts';
import { memoryStorage } from '../../src/memory/storage.ts';
import { testClock } from '../support/clock.ts';
import { platform } from '../support/kit.ts';

const event = (id: string, accountId = 'acc_a') =>
  ({ accountId, objectName: 'RequestPayment', type: 'payed', data: { id } }) as const;

describe('transaction', () => {
  test('resolves to what the work does, and rejects with its error', async () => {
    const storage = memoryStorage();
    expect(await storage.transaction(async () => 7)).toBe(7);
    const cause = new Error('no');
    await expect(storage.transaction(() => Promise.reject(cause))).rejects.toBe(cause);
    await expect(
      storage.transaction(() => {
        throw cause;
      }),
    ).rejects.toBe(cause);
  });
});

describe('the delivery log', () => {
  const world = async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const { kit } = platform({ clock, storage });
    const create = async (accountId: string, host: string) =>
      (await kit.endpoints.create(accountId, { url: `https://${host}/`, events: ['payed'] }))._unsafeUnwrap().endpoint;
    const [one, two, theirs] = [
      await create('acc_a', 'one.example'),
      await create('acc_a', 'two.example'),
      await create('acc_b', 'b.example'),
    ];
    for (const id of ['p', 'q']) await kit.events.publish(event(id), { tx: 'new' });
    await kit.events.publish(event('r', 'acc_b'), { tx: 'new' });
    (await kit.endpoints.disable('acc_a', two.id))._unsafeUnwrap();
    const worker = kit.worker();
    await worker.drain();
    (await kit.endpoints.enable('acc_a', two.id))._unsafeUnwrap();
    await kit.events.publish(event('s'), { tx: 'new' });
    await storage.queue.dispatch({
      worker: 'w',
      limit: 0,
      perEndpoint: 1,
      perAccount: 1,
      lease: 1,
      schedule: retrySchedule,
    });
    return { storage, log: storage.log, one, two, theirs, kit };
  };

  test('lists those of one account, by endpoint and by state', async () => {
    const { log, one, two, theirs } = await world();
    const states = async (filter: Parameters<typeof log.listDeliveries>[1], accountId = 'acc_a') =>
      (await log.listDeliveries(accountId, filter, {})).items.map(
        ({ endpointId, state }) =>
          `${endpointId === one.id ? 'one' : endpointId === two.id ? 'two' : 'theirs'} ${state}`,
      );
    expect(await states({})).toEqual(['one delivered', 'one delivered', 'one waiting', 'two waiting']);
    expect(await states({ endpointId: one.id })).toEqual(['one delivered', 'one delivered', 'one waiting']);
    expect(await states({ state: 'waiting' })).toEqual(['one waiting', 'two waiting']);
    expect(await states({ endpointId: two.id, state: 'delivered' })).toEqual([]);
    expect(await states({ endpointId: theirs.id })).toEqual([]);
    expect(await states({}, 'acc_b')).toEqual(['theirs delivered']);
  });

  test('is paged', async () => {
    const { log } = await world();
    const first = await log.listDeliveries('acc_a', {}, { limit: 3 });
    const second = await log.listDeliveries('acc_a', {}, { limit: 3, after: first.next as string });
    expect([first.items.length, second.items.length, second.next]).toEqual([3, 1, undefined]);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(4);
  });

  test('tells the attempts of a delivery to its account alone', async () => {
    const { log } = await world();
    const [delivery] = (await log.listDeliveries('acc_a', {}, {})).items;
    const id = delivery?.id as string;
    expect(await log.listAttempts('acc_a', id)).toHaveLength(1);
    expect(await log.listAttempts('acc_b', id)).toEqual([]);
    expect(await log.listAttempts('acc_a', 'none')).toEqual([]);
  });

  test('hands out copies: changing one changes no log', async () => {
    const { log } = await world();
    const [delivery] = (await log.listDeliveries('acc_a', {}, {})).items;
    const attempts = await log.listAttempts('acc_a', delivery?.id as string);
    (attempts as unknown[]).pop();
    expect(await log.listAttempts('acc_a', delivery?.id as string)).toHaveLength(1);
  });
});

test('events are read by their own account only, before and after dispatch', async () => {
  const { kit, storage } = platform();
  const { eventId } = await kit.events.publish(event('p'), { tx: 'new' });
  expect(await storage.events.findEvent('acc_a', eventId)).not.toHaveProperty('timestamp');
  expect(await storage.events.findEvent('acc_b', eventId)).toBeUndefined();
  await kit.worker().drain();
  expect(await storage.events.findEvent('acc_a', eventId)).toHaveProperty('timestamp');
  expect(await storage.events.findEvent('acc_b', eventId)).toBeUndefined();
  expect((await storage.events.listEvents('acc_b', {})).items).toEqual([]);
});
