import { type Case, type Cases, type ContractOptions, runCases } from '../support/contract.ts';
import { openWorld, type RowStoreFixture, type World, type WorldCases } from './acts.ts';
import { lockingCases } from './locking.ts';
import { readingCases } from './reading.ts';
import { contractTables } from './tables.ts';
import { writingCases } from './writing.ts';

const worldCases: WorldCases = { ...readingCases, ...writingCases, ...lockingCases };

const opened = (each: Case<World>): Case<RowStoreFixture> => {
  const run = typeof each === 'function' ? each : each.run;
  const act = async ({ open, storeNow }: RowStoreFixture): Promise<void> =>
    run(openWorld(await open(contractTables), storeNow));
  return typeof each === 'function' ? act : { ...each, run: act };
};

const cases: Cases<RowStoreFixture> = Object.fromEntries(
  Object.entries(worldCases).map(([name, each]) => [name, opened(each)]),
);

/**
 * Tests the obligations of a `RowStore`: columns, keys, ranges of indexes, locks, transactions, wakes.
 * @example
 * // `create` as {@link RowStoreFixture} shows it.
 * rowStoreContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const rowStoreContract = (options: ContractOptions<RowStoreFixture>): void => runCases(cases, options);
