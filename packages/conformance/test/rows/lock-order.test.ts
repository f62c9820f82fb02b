import { type Plan, type RowTx, rowTables, type Table } from '@partnerkit/core/adapter';
import { memoryRows } from '@partnerkit/core/memory';
import { expect, test } from 'vitest';
import { inLockOrder } from './lock-order.ts';

const named = (name: string): Table => {
  const found = rowTables.find((each) => each.name === name);
  if (!found) throw new Error(`There is no table ${name}.`);
  return found;
};
const rows = inLockOrder(memoryRows(rowTables, { now: () => 0, sleep: async () => {} }));
const lock = (name: string, ...keys: readonly (readonly unknown[])[]) =>
  function* (tx: RowTx): Plan<unknown> {
    return yield* tx.get(named(name), keys as never, 'update');
  };
const inTurn = (...plans: readonly ((tx: RowTx) => Plan<unknown>)[]) =>
  rows.run('write', function* (tx) {
    for (const plan of plans) yield* plan(tx);
  });

test('locks in the order of tables and keys are accepted', async () => {
  const again = lock('shards', [1]);
  await inTurn(lock('workers', ['w']), again, lock('shards', [2], [10]), lock('endpoints', ['a', 'b']), again);
});

test('a lock of an earlier table or key is found', async () => {
  await expect(inTurn(lock('endpoints', ['a', 'b']), lock('shards', [1]))).rejects.toThrow('of shards after rows of');
  await expect(inTurn(lock('shards', [10], [2]))).rejects.toThrow('the lock "update" of ["shards",2] after [10]');
  await expect(inTurn(lock('pending', ['a', 'b', 'c', 0]), lock('workers', ['w']))).rejects.toThrow('of workers after');
});

test('a lock or a write in a plan that reads is found', async () => {
  await expect(rows.run('read', lock('shards', [1]))).rejects.toThrow('in a plan that reads');
  await expect(
    rows.run('read', function* (tx) {
      yield* tx.delete(named('shards'), [[1]] as never);
    }),
  ).rejects.toThrow('a delete of shards in a plan that reads');
});
