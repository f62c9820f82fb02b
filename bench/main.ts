import { readFileSync, writeFileSync } from 'node:fs';
import { dedup } from './dedup/group.ts';
import { deliver } from './deliver/group.ts';
import { http } from './http/group.ts';
import { describePeers, describeRun } from './machine.ts';
import type { Line } from './measure.ts';
import { readPart, withRun, writePart } from './page.ts';
import { postgres } from './postgres/group.ts';
import { publish } from './publish.ts';
import { requests } from './requests/group.ts';
import { signature } from './signature/group.ts';
import { fullSize, type Sized, smokeSize } from './sizes.ts';
import { start } from './start/group.ts';
import { stores } from './stores/group.ts';
import { printed, tablesOf } from './table.ts';

// npm run bench                  every group; writes the tables of docs/operations/performance.md
// npm run bench -- signature     one group; writes its tables
// npm run bench -- postgres-pull one table of a group; writes it
// npm run bench -- --json        one JSON line for each figure, too
// npm run bench -- --smoke       every side once, at a small size; measures nothing

/** The lines of a group, in order: those of wanted parts. A line with a part belongs to a table of that name. */
type Group = (sized: Sized, wants: (part: string) => boolean) => AsyncIterable<Line & { readonly part?: string }>;

const groups: Readonly<Record<string, Group>> = {
  start,
  signature,
  http,
  publish,
  deliver,
  dedup,
  postgres,
  stores,
  requests,
};
const pageUrl = new URL('../docs/operations/performance.md', import.meta.url);

const words = process.argv.slice(2);
const [isSmoke, isJson] = ['--smoke', '--json'].map((flag) => words.includes(flag));
const names = words.filter((word) => !['--smoke', '--json'].includes(word));
const tableNames = [...readFileSync(pageUrl, 'utf8').matchAll(/<!-- bench:(\S+) -->/g)].map(([, name]) => name);
const unknown = names.find((name) => !Object.hasOwn(groups, name) && !tableNames.includes(name));
if (unknown !== undefined) {
  const known = Object.keys(groups).join(', ');
  console.error(`There is no group or table "${unknown}". Groups: ${known}. Tables: ${tableNames.join(', ')}.`);
  process.exit(2);
}

/** Errors from the outermost to the first. */
const causesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : causesOf(error.cause))]
    : [String(error)];

const report = (line: Line): void => {
  if (isJson) console.log(JSON.stringify(line));
  else console.log(printed(line));
  if (line.kind === 'figure' && !line.holds) process.exitCode = 1;
};

/** The words that ask for this group: its name, or those of its tables. */
const askedOf = (group: string): readonly string[] =>
  names.filter((name) => name === group || name.startsWith(`${group}-`));

const wantedOf =
  (group: string) =>
  (part: string): boolean =>
    names.length === 0 || names.includes(group) || names.includes(`${group}-${part}`);

/** Runs a group, and resolves to the tables of the page by name. */
const measure = async (name: string, group: Group): Promise<ReadonlyMap<string, readonly Line[]>> => {
  const tables = new Map<string, readonly Line[]>();
  for await (const { part, ...line } of group(fullSize, wantedOf(name))) {
    report(line as Line);
    const table = part === undefined ? name : `${name}-${part}`;
    tables.set(table, [...(tables.get(table) ?? []), line as Line]);
  }
  return tables;
};

const smoke = async (name: string, group: Group): Promise<void> => {
  for await (const line of group(smokeSize, wantedOf(name))) {
    const other = line.kind === 'figure' && line.other ? `, and ${line.other.name}` : '';
    if (line.kind === 'figure') console.log(`${name}: ${line.name}${other}: done`);
  }
};

const run = isSmoke ? '' : await describeRun();
for (const [name, group] of Object.entries(groups)) {
  if (names.length > 0 && askedOf(name).length === 0) continue;
  try {
    if (isSmoke) {
      await smoke(name, group);
      continue;
    }
    const tables = await measure(name, group);
    let page = readFileSync(pageUrl, 'utf8');
    for (const [table, lines] of tables) page = writePart(page, table, tablesOf(lines));
    page = writePart(page, 'runs', withRun(readPart(page, 'runs'), names.length > 0 ? askedOf(name) : [name], run));
    writeFileSync(pageUrl, writePart(page, 'peers', describePeers()));
  } catch (error) {
    console.error(`\nThe group "${name}" failed. ${causesOf(error).join(' ')}`);
    process.exit(1);
  }
}
if (isSmoke) console.log('Every side did its work.');
