// The table of contract suites and storages in docs/contributing/storages.md.
/** What one storage passes of each suite. */
export interface StoreRun {
  /** The date of the run. */
  readonly date: string;
  /** The commit that was checked out. */
  readonly commit: string;
  /** Number of cases that passed, by suite. A suite that is not run is absent. */
  readonly passed: Readonly<Record<string, number>>;
  /** Cases that are left out, by suite and reason. */
  readonly deviations: readonly {
    readonly suite: string;
    readonly reason: string;
    readonly names: readonly string[];
  }[];
}

/** docs/contributing/contracts.json: runs by storage. */
export type ContractRuns = Readonly<Record<string, StoreRun>>;

const cell = ({ passed, deviations }: StoreRun, suite: string): string => {
  const left = deviations.filter((each) => each.suite === suite).flatMap(({ names }) => names).length;
  const count = passed[suite];
  return count === undefined ? '' : left === 0 ? String(count) : `${count}, ${left} left out`;
};

const sum = ({ passed }: StoreRun): number => Object.values(passed).reduce((all, each) => all + each, 0);

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const tableOf = (suites: readonly string[], runs: ContractRuns): string => {
  const stores = Object.entries(runs);
  return [
    row(['suite', ...stores.map(([name]) => name)]),
    row(['---', ...stores.map(() => '---')]),
    ...suites.map((suite) => row([suite, ...stores.map(([, run]) => cell(run, suite))])),
    row(['all', ...stores.map(([, run]) => String(sum(run)))]),
    row(['run', ...stores.map(([, { date, commit }]) => `${date}, \`${commit}\``)]),
  ].join('\n');
};

const deviationsOf = (runs: ContractRuns): string => {
  const all = Object.entries(runs).flatMap(([store, { deviations }]) =>
    deviations.map(({ suite, reason, names }) => row([store, suite, String(names.length), reason])),
  );
  return [row(['storage', 'suite', 'cases left out', 'reason']), row(['---', '---', '---', '---']), ...all].join('\n');
};

/** The page with its table written anew. */
export const contractsPage = (page: string, suites: readonly string[], runs: ContractRuns): string => {
  const [begin, end] = ['<!-- contracts -->', '<!-- end of contracts -->'];
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`The page has no table: write ${begin} and ${end}.`);
  const content = `${tableOf(suites, runs)}\n\n${deviationsOf(runs)}`;
  return `${page.slice(0, start + begin.length)}\n\n${content}\n\n${page.slice(stop)}`;
};
