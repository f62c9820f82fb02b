// The generated parts of docs/operations/reliability.md.
import type { ProvedProcesses } from '../../packages/conformance/src/prove/processes/prove-processes.ts';
import { promises } from './promises.ts';
import type { ProofRecord, Recorded } from './proof-record.ts';
import { soakTables } from './soak-tables.ts';

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const laws = (all: readonly string[]): string => (all.length === 0 ? '' : String(all.length));

const promisesTable = (): string =>
  [
    '| promise | laws of the simulator | killed processes, SQLite and MariaDB | killed processes, PostgreSQL |',
    '| --- | --- | --- | --- |',
    ...promises.map(
      ({ promise, simulator, processes, postgres }) =>
        `| ${promise} | ${laws(simulator)} | ${laws(processes)} | ${laws(postgres)} |`,
    ),
  ].join('\n');

const wrapped = (text: string, indent: string): string =>
  text.split(' ').reduce((lines, word) => {
    const last = lines.slice(lines.lastIndexOf('\n') + 1);
    return last.length + word.length < 119 ? `${lines} ${word}` : `${lines}\n${indent}${word}`;
  });

const lawsList = (): string =>
  promises
    .map(({ promise, simulator, processes, postgres }) =>
      [
        `**${promise}**`,
        '',
        ...[...new Set([...simulator, ...processes, ...postgres])].map((law) => wrapped(`- ${law}`, '  ')),
      ].join('\n'),
    )
    .join('\n\n');

const machine = ({ date, commit, cores, memoryGiB, node, seconds }: Recorded): string =>
  `${date}, commit \`${commit}\`, ${cores} cores, ${memoryGiB} GiB, Node.js ${node}, ${count(seconds)} s`;

const broken = (found: unknown): string => (found === undefined ? 'none' : '**yes**');

const processesRow = (storage: string, of: Recorded & ProvedProcesses): string =>
  `| processes on ${storage} | ${count(of.committed)} events committed, ${count(of.rolledBack)} rolled back, ` +
  `${count(of.interrupted)} interrupted; ${count(of.deliveries)} deliveries, ${count(of.attempts)} attempts; ` +
  `${count(of.effects)} effects and ${count(of.calls)} calls of handlers | ` +
  `\`kill -9\` of ${count(of.killedWorkers)} workers, ${count(of.killedPublishers)} publishers and ` +
  `${count(of.killedPullers)} programs that pull, ` +
  `${count(of.failedAttempts)} failed attempts | ${broken(of.broken)} | ${machine(of)} | \`${of.command}\` |`;

const rows = ({
  simulator,
  processes,
  mariadb,
  postgres,
  'postgres-processes': killed,
}: ProofRecord): readonly string[] => [
  ...(simulator
    ? [
        `| simulator | ${count(simulator.histories)} histories of ${count(simulator.counts.days)} simulated days: ` +
          `${count(simulator.counts.events)} events, ${count(simulator.counts.attempts)} attempts | ` +
          `${count(simulator.counts.crashes)} crashes, ${count(simulator.counts.pauses)} pauses, ` +
          `${count(simulator.counts.failedCalls)} failed calls and ${count(simulator.counts.lostAnswers)} lost answers ` +
          `of the storage, ${count(simulator.counts.clockJumps)} clock jumps, ` +
          `${count(simulator.counts.failedAttempts)} failed attempts | ${broken(simulator.broken)} | ` +
          `${machine(simulator)} | \`${simulator.command}\` |`,
      ]
    : []),
  ...(processes ? [processesRow('SQLite', processes)] : []),
  ...(mariadb ? [processesRow('MariaDB', mariadb)] : []),
  ...(killed ? [processesRow('PostgreSQL', killed)] : []),
  ...(postgres
    ? [
        `| processes and connections of PostgreSQL | ${count(postgres.events['committed'] ?? 0)} events committed, ` +
          `${count(postgres.events['rolled_back'] ?? 0)} rolled back, ${count(postgres.events['unknown'] ?? 0)} ` +
          `interrupted; ${count(postgres.deliveries['delivered'] ?? 0)} deliveries delivered, ` +
          `${count(postgres.posts)} attempts | ${Object.entries(postgres.acts)
            .map(([act, times]) => `${act.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${times}`)
            .join(', ')}; ${count(postgres.shardsTaken)} shards taken over | none | ` +
          `${machine(postgres)} | \`${postgres.command}\` |`,
      ]
    : []),
];

const figuresTable = (record: ProofRecord): string =>
  [
    '| proof | work | faults | broken laws | run | command |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows(record),
  ].join('\n');

const mutantsTable = ({ mutants = {} }: ProofRecord): string =>
  [
    '| rules | lines | mutants | killed | equivalent | survived | score | run |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...Object.entries(mutants).map(([name, { sample, killed, equivalent, survived, date, commit }]) => {
      const lines = sample === undefined ? 'all' : `one in ${sample}`;
      const score = `${((100 * killed) / (killed + survived)).toFixed(1)} %`;
      const figures = [killed + equivalent + survived, killed, equivalent, survived].map(count).join(' | ');
      return `| ${name} | ${lines} | ${figures} | ${score} | ${date}, commit \`${commit}\` |`;
    }),
  ].join('\n');

const part = (page: string, name: string, content: string): string => {
  const [begin, end] = [`<!-- prove:${name} -->`, `<!-- end of prove:${name} -->`];
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`The page has no part "${name}": write ${begin} and ${end}.`);
  return `${page.slice(0, start + begin.length)}\n\n${content}\n\n${page.slice(stop)}`;
};

/** The page with its generated parts written anew. */
export const reliabilityPage = (page: string, record: ProofRecord): string =>
  Object.entries({
    promises: promisesTable(),
    figures: figuresTable(record),
    soak: soakTables(record.soak, machine, (text) => wrapped(text, '')),
    mutants: mutantsTable(record),
    laws: lawsList(),
  }).reduce((text, [name, content]) => part(text, name, content), page);
