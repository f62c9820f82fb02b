import { expect, test } from 'vitest';
import { minute } from '../../../../src/base/runtime/time.ts';
import type { ClaimedCommand } from '../../../../src/requests/stores/due-store.ts';
import { memoryRows } from '../../../../src/stores/rows/memory/memory-rows.ts';
import type { Plan, RowStore, RowTx, RunMode } from '../../../../src/stores/rows/port/row-store.ts';
import { rowDue } from '../../../../src/stores/rows/requests/due.ts';
import { requestDue } from '../../../../src/stores/rows/tables/requests.ts';
import { testClock } from '../../../support/clock.ts';

/** Due commands over rows, of which another worker claims all between the search of a claim and its locks. */
const overtaken = () => {
  const clock = testClock();
  const rows = memoryRows([requestDue], clock);
  let isOvertaken = false;
  /** What the other claim has left: its lease begins now. */
  const claimedElsewhere = (row: object | undefined) =>
    row && { ...row, attempts: 1, claimableAt: clock.now() + minute };
  const late = (tx: RowTx): RowTx => ({
    ...tx,
    get: ((table, keys, lock) =>
      (function* () {
        const found = yield* tx.get(table, keys, lock);
        return lock === 'free' && isOvertaken ? found.map(claimedElsewhere) : found;
      })()) as RowTx['get'],
  });
  const store: Pick<RowStore<object>, 'run' | 'join'> = {
    run: <T>(mode: RunMode, plan: (tx: RowTx) => Plan<T>) => rows.run(mode, (tx) => plan(late(tx))),
    join: rows.join as RowStore<object>['join'],
  };
  const due = rowDue(store);
  const plan = (count: number) =>
    rows.transaction((tx) =>
      due.plan(
        tx,
        Array.from({ length: count }, (_, nth) => ({
          ...({ kind: 'deposits', id: `d${nth}`, name: 'guaranteeEnding' } as const),
          ...{ accountId: 'acc_a', environment: 'prod', dueAt: 0, isReminder: false },
        })),
      ),
    );
  return {
    plan,
    claim: async (limit: number): Promise<readonly ClaimedCommand[]> => (await due.claim(limit, minute)).claimed,
    overtake: (is: boolean): void => {
      isOvertaken = is;
    },
  };
};

test.each([
  ['all that is due', 3],
  ['what takes turns', 2],
])('a claim of %s leaves out what another has claimed since it was found', async (_what, limit) => {
  const { plan, claim, overtake } = overtaken();
  await plan(3);
  overtake(true);
  expect(await claim(limit)).toEqual([]);
  overtake(false);
  expect(await claim(limit)).toHaveLength(limit);
});
