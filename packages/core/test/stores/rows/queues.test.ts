import { expect, test } from 'vitest';
import { readQueues } from '../../../src/stores/rows/log/backlog.ts';
import { done, performNow } from '../../../src/stores/rows/port/plan.ts';
import type { RowTx } from '../../../src/stores/rows/port/row-store.ts';

const count = 1_050;
const names = Array.from({ length: count }, (_, nth) => ({
  shard: 1,
  accountId: 'acc_a',
  endpointId: `e${10_000 + nth}`,
}));

/** Rows of a thousand endpoints with unfinished deliveries, and how many each read has read. */
const open = (yields: boolean) => {
  const read: number[] = [];
  let turns = 0;
  const answer = <T>(found: readonly T[]) => {
    read.push(found.length);
    return done(found);
  };
  const rows = {
    get: (_table: object, keys: readonly unknown[]) => answer(keys.map(() => ({ endpoint: { state: 'enabled' } }))),
    scan: (
      _table: object,
      _index: string,
      ranges: readonly { after?: readonly unknown[] }[],
      { distinct, limit = 0 }: { distinct?: number; limit?: number },
    ) => {
      if (distinct === undefined) return answer(ranges.map((_, nth) => ({ dueAt: nth })));
      const last = ranges[0]?.after?.at(-1);
      return answer(names.filter(({ endpointId }) => last === undefined || endpointId > String(last)).slice(0, limit));
    },
    ...(yields ? { yield: () => done(void turns++) } : {}),
  } as unknown as RowTx;
  return { rows, read, turns: () => turns };
};

test('a store that answers at once reads queues by the hundred, and others go on in between', () => {
  const { rows, read, turns } = open(true);
  const found = performNow(readQueues(rows, { prefix: [] }));
  expect(found.map(({ endpointId }) => endpointId)).toEqual(names.map(({ endpointId }) => endpointId));
  expect(Math.max(...read)).toBe(100);
  expect(turns()).toBe(33);
});

test('of one account, too', () => {
  const { rows, read } = open(true);
  expect(performNow(readQueues(rows, { prefix: [1, 'acc_a'] }))).toHaveLength(count);
  expect(Math.max(...read)).toBe(100);
});

test('any other store reads them by three statements', () => {
  const { rows, read } = open(false);
  expect(performNow(readQueues(rows, { prefix: [] }))).toHaveLength(count);
  expect(read).toEqual([count, count, count]);
});
