import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { raceToResolve } from '../support/racers.ts';
import { amountOf, insertOrder, raise, type WorldCases } from './acts.ts';
import { jobs, order, orders, queue } from './tables.ts';

/** Writes of rows. */
export const writingCases: WorldCases = {
  'the store assigns positions, which grow': async ({ add, read }) => {
    await add(order('c'), order('b'));
    await add(order('a'));
    const found = await read(function* (tx) {
      return yield* tx.scan(orders, 'list', [{ prefix: ['a'] }]);
    });
    deepStrictEqual(
      found.map(({ id }) => id),
      ['c', 'b', 'a'],
    );
    const positions = found.map(({ position }) => position);
    ok(positions.every((position, index) => Number.isSafeInteger(position) && position > (positions[index - 1] ?? -1)));
  },
  'a position is not used again after its row was deleted': async ({ add, read, write }) => {
    await add(order('1'), order('2'));
    const last = () =>
      read(function* (tx) {
        const [row] = yield* tx.scan(orders, 'list', [{ prefix: ['a'] }], { newestFirst: true, limit: 1 });
        return row?.position ?? -1;
      });
    const before = await last();
    await write(function* (tx) {
      yield* tx.delete(orders, [['a', '2']]);
    });
    await add(order('3'));
    ok((await last()) > before);
  },
  'an insert of a known key fails, and the whole plan with it': async ({ add, ids, write }) => {
    await add(order('1'));
    await rejects(
      write(function* (tx) {
        yield* tx.insert(orders, [order('2')], 'fail');
        yield* tx.insert(orders, [order('3'), order('1')], 'fail');
      }),
    );
    deepStrictEqual(await ids(), ['1']);
  },
  'an insert that ignores known keys tells which rows it added': async ({ add, ids, write, read }) => {
    await add(order('2', { amount: 5 }));
    const added = await write(function* (tx) {
      return yield* tx.insert(orders, [order('1'), order('2'), order('3'), order('1')], 'ignore');
    });
    deepStrictEqual(added, [true, false, true, false]);
    deepStrictEqual((await ids()).toSorted(), ['1', '2', '3']);
    strictEqual(await read(amountOf('2')), 5);
  },
  'a unique index refuses a second row, by any operation': async ({ add, ids, write }) => {
    await add(order('1', { note: 'only' }), order('2'), order('3'));
    for (const onConflict of ['fail', 'ignore'] as const)
      await rejects(
        write(function* (tx) {
          yield* tx.insert(orders, [order('4', { note: 'only' })], onConflict);
        }),
      );
    await rejects(
      write(function* (tx) {
        const [row] = yield* tx.get(orders, [['a', '2']], 'update');
        if (row) yield* tx.put(orders, [{ ...row, note: 'only' }]);
      }),
    );
    deepStrictEqual(await ids(), ['1', '2', '3']);
  },
  'a row is replaced as a whole, and keeps its position': async ({ add, read, write }) => {
    await add(order('1', { note: 'note', amount: 3, data: { a: 1 } }), order('2'));
    const replaced = await write(function* (tx) {
      const [row] = yield* tx.get(orders, [['a', '1']], 'update');
      const changed = { ...order('1', { dueAt: 9 }), position: row?.position ?? 0 };
      yield* tx.put(orders, [changed]);
      return changed;
    });
    const found = await read(function* (tx) {
      return yield* tx.scan(orders, 'list', [{ prefix: ['a'] }]);
    });
    deepStrictEqual(found[0], replaced);
    strictEqual(found.length, 2);
  },
  'a row that is put is added when there was none': async ({ read, write }) => {
    await write(function* (tx) {
      yield* tx.put(jobs, [{ id: 9, state: 'open', owner: 'worker' }]);
    });
    const found = await read(function* (tx) {
      return yield* tx.get(jobs, [[9]]);
    });
    deepStrictEqual(found, [{ id: 9, state: 'open', owner: 'worker' }]);
  },
  'a delete tells which rows there were': async ({ add, ids, write }) => {
    await add(order('1'), order('2'), order('3'));
    const deleted = await write(function* (tx) {
      return yield* tx.delete(orders, [
        ['a', '3'],
        ['a', '4'],
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
      ]);
    });
    deepStrictEqual(deleted, [true, false, true, false, false]);
    deepStrictEqual(await ids(), ['2']);
  },
  'positions of 16 digits are stored and found, up to the last safe integer': async ({ read, write }) => {
    const last = Number.MAX_SAFE_INTEGER;
    const far = [last, last - 1, 2 ** 50 + 2 ** 48, 1].map((position) => ({ ...order(`${position}`), position }));
    await write(function* (tx) {
      yield* tx.put(orders, far);
    });
    const found = await read(function* (tx) {
      const all = yield* tx.scan(orders, 'list', [{ prefix: ['a'] }]);
      const after = yield* tx.scan(orders, 'list', [{ prefix: ['a'], after: [last - 1] }]);
      const before = yield* tx.scan(orders, 'list', [{ prefix: ['a'], before: [last] }], {
        newestFirst: true,
        limit: 1,
      });
      return [all, after, before];
    });
    deepStrictEqual(
      found.map((rows) => rows.map((row) => row?.position)),
      [[1, 2 ** 50 + 2 ** 48, last - 1, last], [last], [last - 1]],
    );
  },
  'the store assigns positions in a key, by which rows are found': async ({ queued, read, write }) => {
    const added = await write(function* (tx) {
      return yield* tx.insert(
        queue,
        ['c', 'a', 'b'].map((id) => ({ account: 'a', id })),
        'fail',
      );
    });
    const found = await queued();
    deepStrictEqual(
      [added, found.map(({ id }) => id)],
      [
        [true, true, true],
        ['c', 'a', 'b'],
      ],
    );
    const keys = found.map(({ account, position }) => [account, position] as const);
    const read3 = await read(function* (tx) {
      return yield* tx.get(queue, keys);
    });
    deepStrictEqual(read3, found);
    const [first, second, third] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]];
    const deleted = await write(function* (tx) {
      return yield* tx.delete(queue, [second, ['a', third[1] + 1], first, second]);
    });
    deepStrictEqual([deleted, await queued()], [[true, false, true, false], [found[2]]]);
  },
  'a plan sees its own writes': async ({ add, write }) => {
    await add(order('1'), order('2'));
    const seen = await write(function* (tx) {
      yield* tx.insert(orders, [order('3')], 'fail');
      yield* tx.delete(orders, [['a', '1']]);
      yield* raise('2', 5)(tx);
      const found = yield* tx.scan(orders, 'largest', [{ prefix: ['a'] }]);
      const [counted] = yield* tx.count(orders, 'list', [{ prefix: ['a'] }]);
      return [found.map(({ id }) => id), counted, yield* amountOf('2')(tx)];
    });
    deepStrictEqual(seen, [['2', '3'], 2, 6]);
  },
  'a plan that throws leaves nothing behind': async ({ add, ids, queued, read, write }) => {
    await add(order('1'), order('2'));
    const cause = new Error('on purpose');
    await rejects(
      write(function* (tx) {
        yield* tx.insert(orders, [order('3')], 'fail');
        // Twice: it is taken back to what was there first.
        yield* tx.put(jobs, [{ id: 1, state: 'done', owner: undefined }]);
        yield* tx.put(jobs, [{ id: 1, state: 'done', owner: 'worker' }]);
        yield* tx.insert(queue, [{ account: 'a', id: '1' }], 'fail');
        yield* tx.delete(orders, [['a', '2']]);
        throw cause;
      }),
      (thrown) => thrown === cause,
    );
    deepStrictEqual([await ids(), await queued()], [['1', '2'], []]);
    const jobsLeft = await read(function* (tx) {
      return yield* tx.count(jobs, 'open', [{ prefix: [] }]);
    });
    deepStrictEqual(jobsLeft, [3]);
    await add(order('3'));
    deepStrictEqual(await ids(), ['1', '2', '3']);
  },
  'exactly one of many simultaneous inserts of a key succeeds': async ({ ids, write }) => {
    strictEqual(
      await raceToResolve(() =>
        write(function* (tx) {
          yield* tx.insert(orders, [order('1')], 'fail');
        }),
      ),
      1,
    );
    const added = await Promise.all(Array.from({ length: 20 }, () => write(insertOrder('2'))));
    strictEqual(added.filter(Boolean).length, 1);
    deepStrictEqual(await ids(), ['1', '2']);
  },
};
