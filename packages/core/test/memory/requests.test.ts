import { expect, test } from 'vitest';
import { memoryStorage } from '../../src/memory/storage.ts';
import { createLocks, type OpenTransaction, openTransaction } from '../../src/memory/transaction.ts';
import { beginTransaction } from '../support/transaction.ts';

const key = (name: string) => ({ accountId: 'acc_a', clientId: 'client', key: name });

test('a deadlock is refused, and the other transaction continues', async () => {
  const storage = memoryStorage();
  const { idempotency } = storage.requests;
  const [first, second] = [await beginTransaction(storage), await beginTransaction(storage)];
  await idempotency.claim(first.tx, key('a'));
  await idempotency.claim(second.tx, key('b'));
  const waiting = idempotency.claim(first.tx, key('b'));
  await expect(idempotency.claim(second.tx, key('a'))).rejects.toThrow('Deadlock');
  await second.rollback();
  expect(await waiting).toBeUndefined();
  await first.commit();
});

test('a lock is free when its holder has ended, however many wait', async () => {
  const locks = createLocks();
  const holders = Array.from({ length: 5 }, openTransaction);
  const order: number[] = [];
  const all = holders.map(async ({ tx, end }, index) => {
    await locks.hold('one', tx);
    order.push(index);
    end();
  });
  await Promise.all(all);
  expect(order).toHaveLength(5);
  const ended = holders[0]?.tx as OpenTransaction;
  await expect(locks.hold('one', ended)).rejects.toThrow(TypeError);
});
