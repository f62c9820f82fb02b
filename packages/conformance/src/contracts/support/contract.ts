import { type DurationMs, hour } from '@partnerkit/core';

/**
 * A fresh instance of the port, for one case.
 * @public
 */
export interface Fixture {
  /** Ends it; called after the case, whether it passed or failed. */
  close?(): Promise<void>;
}

/**
 * Settings of a fixture.
 * @public
 */
export interface FixtureSettings {
  /** Milliseconds by which the clock of the store is ahead of that of this process; negative when behind. Mostly 0. */
  readonly storeAhead: DurationMs;
}

/**
 * Options of a contract suite.
 * @example
 * const known = [{ id: 'a', name: 'A', status: 'active', environment: 'prod' }];
 * const options: ContractOptions<AccountDirectoryFixture> = {
 *   test,
 *   create: async () => ({ accounts: memoryAccounts(known), known }),
 *   deviations: { 'simultaneous lookups are not confused': 'this directory has one caller at a time' },
 * };
 * accountDirectoryContract(options);
 * @public
 */
export interface ContractOptions<F extends Fixture> {
  /** The `test` function of the runner. */
  readonly test: (name: string, run: () => Promise<void>) => void;
  /** Creates a fresh, empty instance; called once per case. */
  readonly create: (settings: FixtureSettings) => Promise<F>;
  /** Cases to skip, by their name, with the reason. The reason appears in the title of the test. @defaultValue none */
  readonly deviations?: Readonly<Record<string, string>>;
  /**
   * Whether several open transactions can write at once. `false`, for a database with one writer: cases that need it
   * are skipped, and their titles say so.
   * @defaultValue true
   */
  readonly concurrentTransactions?: boolean;
}

type Run<F> = (fixture: F) => Promise<void>;

/** A case, with what it needs. */
export type Case<F> =
  | Run<F>
  | {
      /** See {@link FixtureSettings}. @defaultValue 0 */
      readonly storeAhead?: DurationMs;
      /** Whether several transactions of it write at once. @defaultValue false */
      readonly isConcurrent?: true;
      readonly run: Run<F>;
    };

/** The cases of a contract, by the rule that each asserts. */
export type Cases<F extends Fixture> = Readonly<Record<string, Case<F>>>;

/** A case of several open transactions that write at once. */
export const concurrently = <F>(run: Run<F>): Case<F> => ({ isConcurrent: true, run });

/** The same case for a store with its clock ahead of the host, and with its clock behind. */
export const whateverTheClocks = <F extends Fixture>(
  law: string,
  run: (fixture: F, storeAhead: DurationMs) => Promise<void>,
): Cases<F> =>
  Object.fromEntries(
    [3 * hour, -3 * hour].map((storeAhead) => [
      `${law}: a store's clock 3 hours ${storeAhead > 0 ? 'ahead' : 'behind'}`,
      { storeAhead, run: (fixture: F) => run(fixture, storeAhead) },
    ]),
  );

/**
 * Passes every case to `test` of the runner.
 * @throws TypeError when a deviation names no case.
 */
export const runCases = <F extends Fixture>(
  cases: Cases<F>,
  { test, create, deviations = {}, concurrentTransactions = true }: ContractOptions<F>,
): void => {
  const unknown = Object.keys(deviations).find((name) => !Object.hasOwn(cases, name));
  if (unknown !== undefined) throw new TypeError(`deviations: there is no case "${unknown}".`);
  for (const [name, each] of Object.entries(cases)) {
    const { storeAhead = 0, isConcurrent, run } = typeof each === 'function' ? { run: each } : each;
    const oneWriter = isConcurrent && !concurrentTransactions ? 'one transaction writes at a time' : undefined;
    const reason = deviations[name] ?? oneWriter;
    if (reason !== undefined) {
      test(`${name} (deviates: ${reason})`, async () => undefined);
      continue;
    }
    test(name, async () => {
      const fixture = await create({ storeAhead });
      try {
        await run(fixture);
      } finally {
        await fixture.close?.();
      }
    });
  }
};
