import { describe, expect, test } from 'vitest';
import { openTransaction, waitFor } from '../../src/memory/transaction.ts';
import { settled } from '../support/clock.ts';

describe('waitFor', () => {
  test('resolves when the awaited transaction ends', async () => {
    const [holder, waiter] = [openTransaction(), openTransaction()];
    let done = false;
    const waiting = waitFor(holder.tx, waiter.tx).then(() => {
      done = true;
    });
    await settled();
    expect([done, waiter.tx.waitsFor]).toEqual([false, holder.tx]);
    holder.end();
    await waiting;
    expect([done, waiter.tx.waitsFor, holder.tx.open]).toEqual([true, undefined, false]);
  });

  test('a wait that would close a cycle is refused, whatever its length', async () => {
    for (let length = 1; length <= 5; length++) {
      const all = Array.from({ length }, () => openTransaction());
      const waits = all.slice(1).map(({ tx }, index) => waitFor(tx, (all[index] as (typeof all)[number]).tx));
      const [first, last] = [all[0], all.at(-1)] as [(typeof all)[number], (typeof all)[number]];
      await expect(waitFor(first.tx, last.tx)).rejects.toThrow('Deadlock');
      for (const { end } of all) end();
      await Promise.all(waits);
    }
  });

  test('two may wait for one', async () => {
    const [holder, one, two] = [openTransaction(), openTransaction(), openTransaction()];
    const waits = Promise.all([waitFor(holder.tx, one.tx), waitFor(holder.tx, two.tx)]);
    holder.end();
    await waits;
    expect([one.tx.open, two.tx.open]).toEqual([true, true]);
  });
});
