import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { platform } from '../../support/kit.ts';

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

test('listAttempts hands out copies: changing one changes no log', async () => {
  const { kit, storage } = platform();
  const { endpoint } = (
    await kit.endpoints.create('acc_a', { url: 'https://one.example/', events: ['payed'] })
  )._unsafeUnwrap();
  const { eventId } = await kit.events.publish(event('p'), { tx: 'new' });
  await kit.worker().drain();
  const key = { accountId: 'acc_a', eventId, endpointId: endpoint.id, replay: 0 };
  const attempts = await storage.log.listAttempts(key);
  (attempts as unknown[]).pop();
  expect(await storage.log.listAttempts(key)).toHaveLength(1);
});

test('events are read by their own account only, before and after dispatch', async () => {
  const { kit, storage } = platform();
  const { eventId } = await kit.events.publish(event('p'), { tx: 'new' });
  const listed = async (accountId: string) => (await storage.events.listEvents(accountId, {})).items;
  for (const isDispatched of [false, true]) {
    if (isDispatched) await kit.worker().drain();
    const own = await listed('acc_a');
    expect(own.map((each) => [each.id, 'timestamp' in each])).toEqual([[eventId, isDispatched]]);
    expect(await listed('acc_b')).toEqual([]);
  }
});
