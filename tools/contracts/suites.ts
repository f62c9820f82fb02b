import {
  inboxContract,
  latestTimestampsContract,
  rowStoreContract,
  seenKeysContract,
  storageContracts,
} from '../../packages/conformance/src/contracts/index.ts';

interface Listing {
  readonly test: (name: string) => void;
  readonly create: () => Promise<never>;
}

const contracts = {
  ...storageContracts,
  'seen keys': seenKeysContract,
  inbox: inboxContract,
  'latest timestamps': latestTimestampsContract,
  rows: rowStoreContract,
} as unknown as Readonly<Record<string, (options: Listing) => void>>;

/** The suites of a storage. */
export const suites: readonly string[] = Object.keys(contracts);

const named = Object.entries(contracts).flatMap(([suite, contract]) => {
  const names: string[] = [];
  contract({ test: (name) => names.push(name), create: () => Promise.reject(new Error('Nothing is run.')) });
  return names.map((name) => ({ name, suite }));
});

/** The suites of each case, by its name: most names are of one suite. */
export const suitesOfCase: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(named, ({ name }) => name)].map(([name, all]) => [name, all.map(({ suite }) => suite)]),
);
