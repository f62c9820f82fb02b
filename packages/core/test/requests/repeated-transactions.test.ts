import { expect, test, vi } from 'vitest';
import { ok } from '#result';
import { afterCommit, transact } from '../../src/requests/commands/transact.ts';

test('what a try of a transaction notes counts only if that try was committed', async () => {
  const told = vi.fn();
  let tries = 0;
  const work = async (tx: object) => {
    const nth = ++tries;
    afterCommit(tx, () => told(nth));
    return ok(nth);
  };
  // The first try loses a conflict.
  const storage = { transaction: async <T>(run: (tx: object) => Promise<T>) => run({}).then(() => run({})) };
  expect((await transact(storage, work))._unsafeUnwrap()).toBe(2);
  expect(told.mock.calls).toEqual([[2]]);
});
