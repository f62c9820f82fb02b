import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { later, type RowTx } from '@partnerkit/core/adapter';
import { assertBetween } from '../support/store-time.ts';
import type { WorldCases } from './acts.ts';
import { jobs, order, orders } from './tables.ts';

const idsOf = (rows: readonly { readonly id: unknown }[]): readonly unknown[] => rows.map(({ id }) => id);

/** Reads of rows. */
export const readingCases: WorldCases = {
  'a row is read as it was stored': async ({ add, read }) => {
    const data = { text: 'é “🏡” \u2028 \0 \ud800', list: [1.5, null, true], nested: { a: {} }, empty: '' };
    const full = order('full', { amount: 2 ** 53 - 1, dueAt: 0.1 + 0.2, isPaid: true, note: 'Clé 🗝 \\ \'"%_', data });
    const bare = order('bare', { amount: -5, dueAt: Number.POSITIVE_INFINITY, data: null });
    await add(full, bare);
    const found = await read(function* (tx) {
      return yield* tx.get(orders, [
        ['a', 'full'],
        ['a', 'bare'],
      ]);
    });
    deepStrictEqual(
      found.map((row) => ({ ...row, position: 0 })),
      [full, bare].map((row) => ({ ...row, position: 0 })),
    );
  },
  'rows are read by key in the order of the keys, absent and repeated ones too': async ({ add, read }) => {
    await add(order('1'), order('2'), order('12'), order('1', { account: 'b' }));
    const found = await read(function* (tx) {
      return yield* tx.get(orders, [
        ['a', '2'],
        ['a', '3'],
        ['a', '12'],
        ['a1', '2'],
        ['b', '1'],
        ['a', '2'],
        ['b', '2'],
      ]);
    });
    deepStrictEqual(
      found.map((row) => row && [row.account, row.id]),
      [['a', '2'], undefined, ['a', '12'], undefined, ['b', '1'], ['a', '2'], undefined],
    );
  },
  'no keys and no ranges are no rows': async ({ read, write }) => {
    const found = await read(function* (tx) {
      return [yield* tx.get(orders, []), yield* tx.scan(orders, 'list', [])];
    });
    deepStrictEqual(found, [[], []]);
    const changed = await write(function* (tx) {
      yield* tx.put(orders, []);
      return [
        yield* tx.insert(orders, [], 'fail'),
        yield* tx.insert(orders, [], 'ignore'),
        yield* tx.delete(orders, []),
      ];
    });
    deepStrictEqual(changed, [[], [], []]);
  },
  'a plan that reads, and waits in between, reads one moment while others write': async ({ add, read, ids }) => {
    await add(order('1'));
    let written: Promise<void> | undefined;
    const meanwhile = async (): Promise<void> => {
      // Not in the turn of the plan: a store in this process runs one at a time.
      await undefined;
      written ??= add(order('2'));
      await written;
    };
    const [before, after] = await read(function* (tx) {
      const first = yield* tx.scan(orders, 'list', [{ prefix: ['a'] }]);
      // Plans wait in no other store.
      if (tx.yield) {
        yield* later(meanwhile());
        yield* tx.yield();
      }
      return [idsOf(first), idsOf(yield* tx.scan(orders, 'list', [{ prefix: ['a'] }]))];
    });
    deepStrictEqual(after, before);
    await meanwhile();
    deepStrictEqual(await ids(), ['1', '2']);
  },
  'a table begins with its rows': async ({ read }) => {
    const found = await read(function* (tx) {
      return yield* tx.scan(jobs, 'all', [{ prefix: [] }]);
    });
    deepStrictEqual(
      found,
      [1, 2, 3].map((id) => ({ id, state: 'open', owner: undefined })),
    );
  },
  'text is ordered by its UTF-8 bytes': async ({ add, ids, read }) => {
    // In UTF-16 order, the last two change places; in that of a language, most do.
    const sorted = ['', ' ', 'A', 'Z', '_', 'a', 'aa', 'a\u0301', 'z', 'é', 'ﬀ', 'ｱ', '😀'];
    await add(...sorted.toReversed().map((id) => order(id)));
    deepStrictEqual(await ids(), sorted.toReversed());
    const found = await read(function* (tx) {
      return yield* tx.scan(orders, 'open', [{ prefix: ['a'] }]);
    });
    deepStrictEqual(idsOf(found), sorted);
    const between = await read(function* (tx) {
      return yield* tx.scan(orders, 'open', [{ prefix: ['a'], after: ['a'], before: ['é'] }]);
    });
    deepStrictEqual(idsOf(between), ['aa', 'a\u0301', 'z']);
  },
  'texts that differ in case, accent form or trailing space are different keys': async ({ add, read }) => {
    const ids = ['key', 'Key', 'key ', 'kéy', 'ke\u0301y', 'key%', 'k_y'];
    await add(...ids.map((id, amount) => order(id, { amount })));
    const found = await read(function* (tx) {
      return yield* tx.get(
        orders,
        ids.map((id) => ['a', id] as const),
      );
    });
    deepStrictEqual(
      found.map((row) => row?.amount),
      ids.map((_, amount) => amount),
    );
  },
  'numbers are ordered as numbers, infinity last': async ({ add, read }) => {
    const sorted = [Number.NEGATIVE_INFINITY, -10, -9.5, 0, 0.1, 9, 10, 1e15, Number.POSITIVE_INFINITY];
    await add(...sorted.toReversed().map((dueAt, index) => order(String(index), { dueAt })));
    const dueAts = async (bounds: object) => {
      const found = await read(function* (tx) {
        return yield* tx.scan(orders, 'due', [{ prefix: ['a'], ...bounds }]);
      });
      return found.map(({ dueAt }) => dueAt);
    };
    deepStrictEqual(await dueAts({}), sorted);
    deepStrictEqual(await dueAts({ from: [-9.5], to: [9] }), [-9.5, 0, 0.1, 9]);
    deepStrictEqual(await dueAts({ after: [10] }), [1e15, Number.POSITIVE_INFINITY]);
  },
  'a range has its inclusive and exclusive bounds, of one column or more': async ({ add, read }) => {
    const rows = ['1', '2', '3'].flatMap((id) => [1, 2, 3].map((dueAt) => order(`${id}${dueAt}`, { dueAt })));
    await add(...rows, order('other', { account: 'b', dueAt: 2 }));
    const ids = async (bounds: object) =>
      idsOf(
        await read(function* (tx) {
          return yield* tx.scan(orders, 'due', [{ prefix: ['a'], ...bounds }]);
        }),
      );
    deepStrictEqual(await ids({ from: [2], before: [3] }), ['12', '22', '32']);
    deepStrictEqual(await ids({ after: [1], to: [2] }), ['12', '22', '32']);
    deepStrictEqual(await ids({ from: [1, '21'], to: [2, '12'] }), ['11', '21', '31', '12'].slice(1));
    deepStrictEqual(await ids({ after: [1, '21'], before: [2, '22'] }), ['31', '12']);
    deepStrictEqual(await ids({ from: [3, '23'] }), ['23', '33']);
    deepStrictEqual(await ids({ from: [3], before: [3] }), []);
    deepStrictEqual(await ids({ from: undefined, limit: undefined, to: [0.5] }), []);
  },
  'ranges come in the given order, each in the order of its index, in both directions': async ({ add, read }) => {
    await add(...['1', '2', '3'].flatMap((id) => [order(id), order(id, { account: 'b' })]));
    const scan = (newestFirst: boolean) =>
      read(function* (tx) {
        const ranges = [{ prefix: ['b'] }, { prefix: ['a'], from: ['2'] }, { prefix: ['c'] }] as const;
        return yield* tx.scan(orders, 'open', ranges, { newestFirst });
      });
    const names = (rows: readonly { account: string; id: string }[]) => rows.map(({ account, id }) => account + id);
    deepStrictEqual(names(await scan(false)), ['b1', 'b2', 'b3', 'a2', 'a3']);
    deepStrictEqual(names(await scan(true)), ['b3', 'b2', 'b1', 'a3', 'a2']);
  },
  'each range has its own limit, beside that of all': async ({ add, read }) => {
    await add(
      ...['1', '2', '3'].flatMap((id) => [order(id), order(id, { account: 'b' }), order(id, { account: 'c' })]),
    );
    const scan = (limit: number | undefined, newestFirst = false) =>
      read(function* (tx) {
        const ranges = [
          { prefix: ['a'], limit: 2 },
          { prefix: ['b'], limit: 0 },
          { prefix: ['c'], limit: 9 },
        ] as const;
        const found = yield* tx.scan(
          orders,
          'open',
          ranges,
          limit === undefined ? { newestFirst } : { limit, newestFirst },
        );
        return found.map(({ account, id }) => account + id);
      });
    deepStrictEqual(await scan(undefined), ['a1', 'a2', 'c1', 'c2', 'c3']);
    deepStrictEqual(await scan(undefined, true), ['a3', 'a2', 'c3', 'c2', 'c1']);
    deepStrictEqual(await scan(3), ['a1', 'a2', 'c1']);
    deepStrictEqual(await scan(0), []);
  },
  'ranges that follow each other keep their own limits, beside that of all': async ({ add, read }) => {
    await add(...[1, 2, 3].flatMap((dueAt) => ['x', 'y', 'z'].map((id) => order(`${dueAt}${id}`, { dueAt }))));
    const scan = (own: number, limit?: number) =>
      read(function* (tx) {
        const ranges = [1, 2, 3].map((dueAt) => ({ prefix: ['a', dueAt] as const, limit: own }));
        return idsOf(yield* tx.scan(orders, 'due', ranges, limit === undefined ? {} : { limit }));
      });
    deepStrictEqual(await scan(1), ['1x', '2x', '3x']);
    deepStrictEqual(await scan(2, 5), ['1x', '1y', '2x', '2y', '3x']);
    deepStrictEqual(await scan(1, 2), ['1x', '2x']);
    deepStrictEqual(await scan(4, 4), ['1x', '1y', '1z', '2x']);
  },
  'the first row of each range is read with the columns that are asked for': async ({ add, read }) => {
    const notes = { a3: 'last', b9: 'only' };
    await add(
      ...Object.entries({ a: [2, 1, 3], b: [9], c: [5, 4] }).flatMap(([account, numbers]) =>
        numbers.map((dueAt) => {
          const note = notes[`${account}${dueAt}` as keyof typeof notes];
          return order(`${account}${dueAt}`, { account, dueAt, amount: dueAt, note });
        }),
      ),
    );
    const ranges = ['c', 'a', 'none', 'a\0', 'b', 'a'].map((account) => ({ prefix: [account] as const, limit: 1 }));
    const scan = (index: 'due' | 'largest', column: 'dueAt' | 'amount' | 'note', newestFirst = false, limit = 9) =>
      read(function* (tx) {
        const columns = ['account', column] as const;
        const found = yield* tx.scan(orders, index, ranges, { newestFirst, limit, columns });
        return found.map((row) => [row.account, row[column]]);
      });
    const smallest = [
      ['c', 4],
      ['a', 1],
      ['b', 9],
      ['a', 1],
    ];
    const largest = [
      ['c', 5],
      ['a', 3],
      ['b', 9],
      ['a', 3],
    ];
    deepStrictEqual(await scan('due', 'dueAt'), smallest);
    deepStrictEqual(await scan('due', 'dueAt', true), largest);
    deepStrictEqual(await scan('largest', 'amount'), largest);
    deepStrictEqual(await scan('largest', 'amount', true), smallest);
    deepStrictEqual(await scan('due', 'dueAt', false, 2), smallest.slice(0, 2));
    deepStrictEqual(await scan('due', 'note', true), [
      ['c', undefined],
      ['a', 'last'],
      ['b', 'only'],
      ['a', 'last'],
    ]);
    const accounts = await read(function* (tx) {
      return yield* tx.scan(orders, 'due', ranges, { columns: ['account'] });
    });
    deepStrictEqual(
      accounts.map(({ account }) => account),
      ['c', 'a', 'b', 'a'],
    );
  },
  'the first row of each range is one that the index has': async ({ read, write }) => {
    await write(function* (tx) {
      yield* tx.put(jobs, [
        { id: 2, state: 'done', owner: 'w1' },
        { id: 3, state: 'open', owner: 'w1' },
      ]);
    });
    const [open, owned] = await read(function* (tx) {
      const each = [1, 2, 3].map((id) => ({ prefix: [id] as const, limit: 1 }));
      const owners = ['w1', 'w2'].map((owner) => ({ prefix: [owner] as const, limit: 1 }));
      return [
        yield* tx.scan(jobs, 'open', each, { columns: ['id'] }),
        yield* tx.scan(jobs, 'owner', owners, { columns: ['id'] }),
      ];
    });
    deepStrictEqual([idsOf(open), idsOf(owned)], [[1, 3], [2]]);
  },
  'many ranges are read at once': async ({ add, read }) => {
    const ids = Array.from({ length: 500 }, (_, index) => String(index).padStart(3, '0'));
    await add(...ids.map((id) => order(id)));
    const wanted = ids.filter((_, index) => index % 2 === 0).toReversed();
    const found = await read(function* (tx) {
      return yield* tx.scan(
        orders,
        'open',
        wanted.map((id) => ({ prefix: ['a', id] as const, limit: 1 })),
      );
    });
    deepStrictEqual(idsOf(found), wanted);
  },
  'a descending column is in descending order, and in ascending order from the end': async ({ add, read }) => {
    await add(
      order('x', { amount: 1 }),
      order('b', { amount: 3 }),
      order('a', { amount: 3 }),
      order('y', { amount: -2 }),
    );
    const scan = (newestFirst: boolean) =>
      read(function* (tx) {
        return yield* tx.scan(orders, 'largest', [{ prefix: ['a'] }], { newestFirst });
      });
    deepStrictEqual(idsOf(await scan(false)), ['a', 'b', 'x', 'y']);
    deepStrictEqual(idsOf(await scan(true)), ['y', 'x', 'b', 'a']);
  },
  'the requested columns are read': async ({ add, read }) => {
    await add(order('1', { amount: 7 }));
    const found = await read(function* (tx) {
      return yield* tx.scan(orders, 'list', [{ prefix: ['a'] }], { columns: ['id', 'note', 'amount'] });
    });
    deepStrictEqual(
      found.map(({ id, note, amount }) => ({ id, note, amount })),
      [{ id: '1', note: undefined, amount: 7 }],
    );
  },
  'the first of the rows that agree in some columns is read, in both directions': async ({ add, read }) => {
    await add(...['a', 'b', 'c'].flatMap((account) => ['1', '2', '3'].map((id) => order(id, { account }))));
    const scan = (newestFirst: boolean, limit: number) =>
      read(function* (tx: RowTx) {
        const found = yield* tx.scan(orders, 'open', [{ prefix: [], limit }], { distinct: 1, newestFirst });
        return found.map(({ account, id }) => account + id);
      });
    deepStrictEqual(await scan(false, 9), ['a1', 'b1', 'c1']);
    deepStrictEqual(await scan(true, 9), ['c3', 'b3', 'a3']);
    deepStrictEqual(await scan(false, 2), ['a1', 'b1']);
    const after = await read(function* (tx) {
      const range = { prefix: [], after: ['a', '2'], before: ['c'] } as const;
      return yield* tx.scan(orders, 'open', [range], { distinct: 1, columns: ['account', 'id'] });
    });
    deepStrictEqual(
      after.map(({ account, id }) => account + id),
      ['a3', 'b1'],
    );
    const ofEach = await read(function* (tx) {
      const ranges = [
        { prefix: ['a'] as const, to: ['2'] as const },
        { prefix: ['a'] as const, after: ['2'] as const },
      ];
      return yield* tx.scan(orders, 'open', ranges, { distinct: 1 });
    });
    deepStrictEqual(idsOf(ofEach), ['1', '3']);
    const accounts = await read(function* (tx) {
      const ranges = [
        { prefix: [], from: ['b'] as const, limit: 1 },
        { prefix: [], before: ['c'] as const },
      ] as const;
      return yield* tx.scan(orders, 'open', ranges, { distinct: 1, columns: ['account'] });
    });
    deepStrictEqual(
      accounts.map(({ account }) => account),
      ['b', 'a', 'b'],
    );
  },
  'a partial index has only its rows, as they are now': async ({ read, write }) => {
    const open = () =>
      read(function* (tx) {
        return (yield* tx.scan(jobs, 'open', [{ prefix: [] }])).map(({ id }) => id);
      });
    deepStrictEqual(await open(), [1, 2, 3]);
    await write(function* (tx) {
      yield* tx.put(jobs, [{ id: 2, state: 'done', owner: undefined }]);
    });
    deepStrictEqual(await open(), [1, 3]);
    await write(function* (tx) {
      yield* tx.put(jobs, [{ id: 2, state: 'open', owner: undefined }]);
    });
    deepStrictEqual(await open(), [1, 2, 3]);
  },
  'a row without a value is not in an index of its column': async ({ read, write }) => {
    await write(function* (tx) {
      yield* tx.put(jobs, [
        { id: 1, state: 'open', owner: 'worker' },
        { id: 3, state: 'open', owner: '' },
      ]);
    });
    const found = await read(function* (tx) {
      return yield* tx.scan(jobs, 'owner', [{ prefix: [] }]);
    });
    deepStrictEqual(idsOf(found), [3, 1]);
  },
  'rows of each range are counted, up to its limit': async ({ add, read }) => {
    await add(...['1', '2', '3'].map((id) => order(id)), order('4', { account: 'b' }));
    const counts = await read(function* (tx) {
      return yield* tx.count(orders, 'open', [
        { prefix: ['a'] },
        { prefix: ['a'], limit: 2 },
        { prefix: ['a'], limit: 0 },
        { prefix: ['a'], after: ['1'] },
        { prefix: ['c'] },
        { prefix: [] },
      ]);
    });
    deepStrictEqual(counts, [3, 2, 0, 2, 0, 4]);
    const none = await read(function* (tx) {
      return yield* tx.count(orders, 'open', []);
    });
    deepStrictEqual(none, []);
  },
  'a plan of one operation reads what is committed': async ({ add, store }) => {
    await add(order('1'), order('2'));
    const found = await store.run('one', function* (tx) {
      return yield* tx.get(orders, [['a', '2']]);
    });
    deepStrictEqual(idsOf(found.filter((row) => row !== undefined)), ['2']);
    const listed = await store.run('one', function* (tx) {
      return yield* tx.scan(orders, 'open', [{ prefix: ['a'] }], { limit: 2, newestFirst: true });
    });
    deepStrictEqual(idsOf(listed), ['2', '1']);
  },
  'the time is that of the store': async ({ read, storeNow }) => {
    const before = await storeNow();
    const now = await read(function* (tx) {
      return yield* tx.now();
    });
    assertBetween(now, before, await storeNow());
  },
  'a plan that reads sees one moment': async ({ add, store, write }) => {
    await add(order('1', { amount: 0 }), order('2', { amount: 0 }));
    const sums = Array.from({ length: 20 }, (_, turn) =>
      turn % 2
        ? store.run('read', function* (tx) {
            const [first] = yield* tx.get(orders, [['a', '1']]);
            const [second] = yield* tx.get(orders, [['a', '2']]);
            return (first?.amount ?? 0) + (second?.amount ?? 0);
          })
        : write(function* (tx) {
            const rows = yield* tx.get(
              orders,
              [
                ['a', '1'],
                ['a', '2'],
              ],
              'update',
            );
            const changed = rows.filter((row) => row !== undefined);
            yield* tx.put(
              orders,
              changed.map((row, index) => ({ ...row, amount: row.amount + (index ? 1 : -1) })),
            );
            return 0;
          }),
    );
    ok((await Promise.all(sums)).every((sum) => sum === 0));
    strictEqual(sums.length, 20);
  },
};
