import { expect, test } from 'vitest';
import { memoryStorage } from '../../../core/src/memory.ts';
import { payDuring } from '../../src/processes/index.ts';

/** A host in memory. `faults`: payments that it confirms and does not store, by their turn. */
const booksWith = (faults: readonly ('without its event' | 'with its event' | undefined)[]) => {
  const storage = memoryStorage();
  const stored = new Set<string>();
  let paid = 0;
  const host = {
    storages: [storage],
    pay: async (id: string, publish: (tx: object) => Promise<unknown>) => {
      const fault = faults[paid++];
      // Room for the worker.
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (fault !== 'without its event') await storage.transaction(publish);
      if (fault === undefined) stored.add(id);
    },
    payments: async () => [...stored],
  };
  return payDuring(host as never, async () => {}, 50);
};

test('a host without a fault has books without one', async () => {
  const books = await booksWith([]);
  expect(books.acknowledged).toBeGreaterThanOrEqual(8);
  expect(books).toMatchObject({ lost: 0, withoutPayment: 0, undelivered: 0, repeated: 0, otherTimestamp: 0 });
});

test('payments that are gone are lost; if their event was sent, it has no payment', async () => {
  const books = await booksWith([undefined, 'with its event', undefined, 'without its event']);
  expect(books).toMatchObject({ lost: 2, withoutPayment: 1, undelivered: 0 });
});
