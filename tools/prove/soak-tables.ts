// The tables of the last soak, for docs/operations/reliability.md.
import type { Books } from '../../bench/soak/books.ts';
import type { Memory } from '../../bench/soak/child.ts';
import type { Soaked } from '../../bench/soak/figures.ts';
import type { Sample } from '../../bench/soak/samples.ts';
import type { Recorded } from './proof-record.ts';

const count = (value: number): string => value.toLocaleString('en-US');
const known = (value: number | null): string => (value === null ? 'restarts' : count(value));

const bookRows: readonly (readonly [text: string, key: keyof Books])[] = [
  ['payments in the tables of the host', 'payments'],
  ['payments that were answered with success', 'confirmed'],
  ['events of these payments', 'events'],
  ['copies of them for the parent account', 'copies'],
  ['deliveries', 'deliveries'],
  ['delivered', 'delivered'],
  ['exhausted', 'exhausted'],
  ['expired: the endpoint was deleted, or held it for too long', 'expired'],
  ['POSTs that their receivers read', 'attempts'],
  ['of these, confirmed again', 'duplicates'],
];

const booksTable = ({ postgres, mariadb }: Soaked['books']): string =>
  [
    '| book | PostgreSQL | MariaDB |',
    '| --- | --- | --- |',
    ...bookRows.map(([text, key]) => `| ${text} | ${count(postgres[key])} | ${count(mariadb[key])} |`),
  ].join('\n');

const sizes = (memory: Memory): string => Object.values(memory).map(count).join(', ');

/** Number of rows of the memory curve. */
const maxRows = 16;

const samplesTable = (samples: readonly Sample[]): string => {
  const step = Math.ceil(samples.length / maxRows);
  const chosen = samples.filter((_, index) => (samples.length - 1 - index) % step === 0);
  return [
    '| minute | payments | POSTs | worker, MiB: resident, kept | host, MiB: resident, kept | connections: PostgreSQL, MariaDB, Redis | tables, MiB: PostgreSQL, MariaDB |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...chosen.map(
      ({ minute, payments, attempts, workerMiB, hostMiB, connections, tablesMiB }) =>
        `| ${minute} | ${count(payments)} | ${count(attempts)} | ${sizes(workerMiB)} | ${sizes(hostMiB)} | ` +
        `${[connections.postgres, connections.mariadb, connections.redis].map(known).join(', ')} | ` +
        `${[tablesMiB.postgres, tablesMiB.mariadb].map(known).join(', ')} |`,
    ),
  ].join('\n');
};

const spoken = (act: string): string => act.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const told = (all: Readonly<Record<string, number>>): string =>
  Object.entries(all)
    .map(([name, times]) => `${spoken(name)} ${count(times)}`)
    .join(', ');

/** What the last soak found. `wrapped` breaks prose into lines. */
export const soakTables = (
  soak: (Recorded & Soaked) | undefined,
  machine: (run: Recorded) => string,
  wrapped: (text: string) => string,
): string => {
  if (soak === undefined) return 'No run is recorded.';
  const { books, acts, answers, broken = [], samples, plantedSecrets, handledAgain, remark } = soak;
  return [
    wrapped(`\`${soak.command}\`: ${machine(soak)}.`),
    booksTable(books),
    wrapped(
      `**Broken laws:** ${broken.length === 0 ? 'none' : broken.join('; ')}. ${count(plantedSecrets)} secrets and access ` +
        `tokens were looked for in logs, tables and Redis. Events that a handler got more than once: ` +
        `${count(handledAgain)}.${remark === undefined ? '' : ` ${remark}.`}`,
    ),
    wrapped(`**Faults:** ${told(acts)}.`),
    wrapped(`**Answers to partners:** ${told(answers)}.`),
    samplesTable(samples),
  ].join('\n\n');
};
