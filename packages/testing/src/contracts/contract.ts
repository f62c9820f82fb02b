import { type DurationMs, hour } from '@partnerkit/core';

/**
 * What a case is given: one fresh instance of the port, for it alone.
 * @public
 */
export interface Fixture {
  /** Ends it; called when the case is over, however it ended. */
  close?(): Promise<void>;
}

/**
 * What a case asks of a fixture.
 * @public
 */
export interface FixtureSettings {
  /** How far the store's clock is to be ahead of this process's, in milliseconds; negative when behind. Mostly 0. */
  readonly storeAhead: DurationMs;
}

/**
 * What a contract suite needs of an adapter and of a test runner.
 * @example
 * const known = [{ id: 'a', name: 'A', status: 'active', environment: 'prod' }];
 * const options: ContractOptions<AccountDirectoryFixture> = {
 *   test,
 *   create: async () => ({ accounts: memoryAccounts(known), known }),
 *   deviations: { 'many that are asked for at once are not mixed up': 'this directory is asked by one at a time' },
 * };
 * accountDirectoryContract(options);
 * @public
 */
export interface ContractOptions<F extends Fixture> {
  /** The runner's `test`. */
  readonly test: (name: string, run: () => Promise<void>) => void;
  /** Makes a fresh, empty instance: called once in each case. */
  readonly create: (settings: FixtureSettings) => Promise<F>;
  /** Cases that are not asserted, and why. By the name of the case; the reason shows in the name of its test. */
  readonly deviations?: Readonly<Record<string, string>>;
}

type Run<F extends Fixture> = (fixture: F) => Promise<void>;

/** The cases of a contract, by the law that each one states. @internal */
export type Cases<F extends Fixture> = Readonly<
  Record<string, Run<F> | { readonly storeAhead: DurationMs; run: Run<F> }>
>;

/** The same case for a store whose clock is ahead of the host's, and for one whose clock is behind. @internal */
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
 * Hands every case to the runner's `test`.
 * @throws TypeError when a deviation names no case.
 * @internal
 */
export const runCases = <F extends Fixture>(
  cases: Cases<F>,
  { test, create, deviations = {} }: ContractOptions<F>,
): void => {
  const unknown = Object.keys(deviations).find((name) => !Object.hasOwn(cases, name));
  if (unknown !== undefined) throw new TypeError(`deviations: there is no case "${unknown}".`);
  for (const [name, each] of Object.entries(cases)) {
    const { storeAhead, run } = typeof each === 'function' ? { storeAhead: 0, run: each } : each;
    const reason = deviations[name];
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
