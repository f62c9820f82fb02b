import { expect, test } from 'vitest';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { beginTransaction } from '../../support/transaction.ts';

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
