import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import type { Plan, RowTx, ShardWake } from '@partnerkit/core/adapter';
import { concurrently } from '../support/contract.ts';
import { whileBothOpen, whileOpen } from '../support/open-transaction.ts';
import { racers, soon } from '../support/racers.ts';
import { amountOf, insertOrder, raise, type World, type WorldCases } from './acts.ts';
import { jobs, order, orders } from './tables.ts';

const join = <T>({ store }: World, tx: object, plan: (rows: RowTx) => Plan<T>): Promise<T> => store.join(tx, plan);

/** Locks a job, as `get` does. */
const lockJob = (id: number, lock: 'keep' | 'share' | 'update' | 'free') =>
  function* (tx: RowTx): Plan<boolean> {
    const [row] = yield* tx.get(jobs, [[id]], lock);
    return row !== undefined;
  };

const changeJob = (id: number) =>
  function* (tx: RowTx): Plan<void> {
    yield* tx.put(jobs, [{ id, state: 'done', owner: undefined }]);
  };

const deleteJob = (id: number) =>
  function* (tx: RowTx): Plan<boolean> {
    const [isGone] = yield* tx.delete(jobs, [[id]]);
    return isGone === true;
  };

/** Whether a call is still waiting after others had their turn. */
const isWaiting = async (call: Promise<unknown>): Promise<boolean> => {
  const later = new Promise<'waiting'>((resolve) => setTimeout(() => resolve('waiting'), 30));
  return (await Promise.race([call, later])) === 'waiting';
};

/** Locks and transactions of the host. */
export const lockingCases: WorldCases = {
  'simultaneous changes of a locked row are all counted': async ({ add, read, write }) => {
    await add(order('1', { amount: 0 }));
    await Promise.all(Array.from({ length: racers }, () => write(raise('1', 1))));
    strictEqual(await read(amountOf('1')), racers);
  },
  'a lock reads what another transaction committed meanwhile': async (world) => {
    await world.add(order('1', { amount: 1 }));
    await whileOpen(world.store, async (open) => {
      strictEqual(await join(world, open.tx, raise('1', 1)), 2);
      const late = world.write(raise('1', 1));
      await open.commit();
      strictEqual(await late, 3);
    });
  },
  'rows that another transaction took meanwhile are told to it alone': async (world) => {
    const keys = [
      ['a', '1'],
      ['a', '2'],
    ] as const;
    const remove = function* (tx: RowTx) {
      return yield* tx.delete(orders, keys);
    };
    await world.add(order('1'), order('2'));
    await whileOpen(world.store, async (open) => {
      deepStrictEqual(await join(world, open.tx, remove), [true, true]);
      const late = world.write(remove);
      ok(await isWaiting(late));
      await open.commit();
      deepStrictEqual(await late, [false, false]);
    });
  },
  'a lock goes on after a rollback': async (world) => {
    await world.add(order('1', { amount: 1 }));
    await whileOpen(world.store, async (open) => {
      await join(world, open.tx, raise('1', 7));
      const late = world.write(raise('1', 1));
      ok(await isWaiting(late));
      await open.rollback();
      strictEqual(await late, 2);
    });
  },
  'readers do not wait for a transaction that changes their rows': async (world) => {
    await world.add(order('1', { amount: 1 }), order('2'));
    await whileOpen(world.store, async (open) => {
      await join(world, open.tx, raise('1', 1));
      await join(world, open.tx, insertOrder('3'));
      strictEqual(await soon(world.read(amountOf('1')), 'a read of a changed row'), 1);
      deepStrictEqual(await soon(world.ids(), 'a read of a range'), ['1', '2']);
      await open.commit();
    });
    deepStrictEqual([await world.read(amountOf('1')), await world.ids()], [2, ['1', '2', '3']]);
  },
  'an insert waits for a transaction that inserted the key': async (world) => {
    for (const how of ['commit', 'rollback'] as const)
      await whileOpen(world.store, async (open) => {
        strictEqual(await join(world, open.tx, insertOrder(how)), true);
        const late = world.write(insertOrder(how));
        ok(await isWaiting(late));
        await open[how]();
        strictEqual(await late, how === 'rollback');
      });
  },
  'rows that another transaction locked count as absent to `free`': concurrently(async (world: World) => {
    await whileOpen(world.store, async (open) => {
      await join(world, open.tx, lockJob(1, 'keep'));
      await join(world, open.tx, lockJob(2, 'update'));
      const found = await soon(
        world.write(function* (tx) {
          return yield* tx.get(jobs, [[3], [1], [2]], 'free');
        }),
        'a read of free rows',
      );
      deepStrictEqual(
        found.map((row) => row?.id),
        [3, undefined, undefined],
      );
      await open.rollback();
    });
    strictEqual(await world.write(lockJob(1, 'free')), true);
  }),
  'a lock that two transactions share lasts until both have ended': concurrently(async (world: World) => {
    await whileBothOpen(world.store, async (first, second) => {
      await join(world, first.tx, lockJob(1, 'share'));
      await join(world, second.tx, lockJob(1, 'share'));
      await first.rollback();
      const late = world.write(lockJob(1, 'update'));
      ok(await isWaiting(late));
      await second.rollback();
      strictEqual(await late, true);
    });
  }),
  'a unique value may pass from one row to another in a transaction of the host': async (world) => {
    await world.add(order('1', { note: 'only' }), order('2'));
    const changeNote = (note: string | undefined) =>
      function* (tx: RowTx): Plan<void> {
        const [row] = yield* tx.get(orders, [['a', '2']], 'update');
        if (row) yield* tx.put(orders, [{ ...row, note }]);
      };
    await whileOpen(world.store, async (open) => {
      await join(world, open.tx, changeNote('other'));
      await join(world, open.tx, function* (tx) {
        yield* tx.delete(orders, [['a', '1']]);
      });
      await join(world, open.tx, changeNote('only'));
      await open.commit();
    });
    deepStrictEqual(await world.ids(), ['2']);
  },
  'a row that is kept is changed by others, and not deleted': concurrently(async (world: World) => {
    await whileOpen(world.store, async (open) => {
      await join(world, open.tx, lockJob(1, 'keep'));
      await soon(world.write(lockJob(1, 'update')), 'a lock');
      await soon(world.write(changeJob(1)), 'a change');
      const deleted = world.write(deleteJob(1));
      ok(await isWaiting(deleted));
      await open.rollback();
      strictEqual(await deleted, true);
    });
  }),
  'a shared row is shared, and not changed': concurrently(async (world: World) => {
    await whileOpen(world.store, async (open) => {
      await join(world, open.tx, lockJob(1, 'share'));
      await soon(world.write(lockJob(1, 'share')), 'a second share');
      const changed = world.write(changeJob(1));
      ok(await isWaiting(changed));
      await open.rollback();
      await changed;
    });
  }),
  'writers of different rows do not wait for each other': concurrently(async (world: World) => {
    await world.add(order('1'), order('2'));
    await whileBothOpen(world.store, async (first, second) => {
      await join(world, first.tx, raise('1', 1));
      await soon(join(world, second.tx, raise('2', 1)), 'a change of another row');
      await soon(join(world, second.tx, insertOrder('3')), 'a new row');
      await first.commit();
      await second.commit();
    });
    deepStrictEqual(await world.ids(), ['1', '2', '3']);
  }),

  'a transaction of the host commits or rolls back with all plans that joined it': async (world) => {
    await whileOpen(world.store, async (open) => {
      await join(world, open.tx, insertOrder('1'));
      await join(world, open.tx, raise('1', 1));
      strictEqual(await join(world, open.tx, amountOf('1')), 2);
      await open.rollback();
    });
    deepStrictEqual(await world.ids(), []);
    await whileOpen(world.store, async (open) => {
      await join(world, open.tx, insertOrder('1'));
      await join(world, open.tx, raise('1', 1));
      await open.commit();
    });
    strictEqual(await world.read(amountOf('1')), 2);
  },
  'a plan that joined and throws leaves nothing, while the transaction goes on': async (world) => {
    await world.add(order('1', { amount: 1 }));
    await world.store.transaction(async (tx) => {
      await join(world, tx, insertOrder('2'));
      await rejects(
        join(world, tx, function* (rows) {
          yield* rows.insert(orders, [order('3')], 'fail');
          yield* raise('1', 5)(rows);
          yield* raise('2', 5)(rows);
          yield* rows.insert(orders, [order('1')], 'fail');
        }),
      );
      strictEqual(await join(world, tx, amountOf('2')), 1);
      await join(world, tx, insertOrder('4'));
    });
    deepStrictEqual([await world.ids(), await world.read(amountOf('1'))], [['1', '2', '4'], 1]);
  },
  'a transaction that has ended joins no plan': async (world) => {
    for (const how of ['commit', 'rollback'] as const)
      await whileOpen(world.store, async (open) => {
        await open[how]();
        await rejects(join(world, open.tx, insertOrder('1')), { code: 'no_transaction' });
      });
    deepStrictEqual(await world.ids(), []);
  },
  'a transaction that is aborted stores nothing, however long its work goes on': async (world) => {
    const abort = new AbortController();
    const reason = new Error('given up');
    let late: Promise<unknown> = Promise.resolve();
    const working = world.store.transaction(
      async (tx) => {
        await join(world, tx, insertOrder('1'));
        abort.abort(reason);
        late = new Promise((resolve) => setTimeout(resolve, 20)).then(() =>
          join(world, tx, insertOrder('2')).catch(() => undefined),
        );
        await late;
      },
      { signal: abort.signal },
    );
    await rejects(working, (thrown) => thrown === reason);
    await late;
    await world.add(order('3'));
    deepStrictEqual(await world.ids(), ['3']);
  },
  'watchers are woken after the commit, and not after a plan that throws': async (world) => {
    const woken: ShardWake[] = [];
    const stop = await world.store.watch((wake) => {
      woken.push(wake);
    });
    const wake = function* (tx: RowTx): Plan<void> {
      yield* tx.wake({ kind: 'events', shards: [7] });
      strictEqual(woken.length, 0, 'before the commit, there is nothing to read');
    };
    await rejects(
      world.write(function* (tx) {
        yield* wake(tx);
        throw new Error('on purpose');
      }),
    );
    strictEqual(woken.length, 0);
    await world.write(wake);
    const isWoken = async (): Promise<void> => {
      while (woken.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await soon(isWoken(), 'a wake');
    deepStrictEqual(woken[0]?.kind, 'events');
    stop();
    woken.length = 0;
    await world.write(wake);
    strictEqual(woken.length, 0);
  },
};
