// The figures of docs/operations/reliability.json, of which the page is made.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { root } from '../packages.ts';
import { writeJson } from '../write-json.ts';
import { reliabilityPage } from './page.ts';
import type { ProofRecord } from './proof-record.ts';

const files = { record: `${root}docs/operations/reliability.json`, page: `${root}docs/operations/reliability.md` };

/** The commit that is checked out. */
export const readCommit = (): string =>
  spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();

export const readRecord = (): ProofRecord => JSON.parse(readFileSync(files.record, 'utf8'));

/** Writes the page anew. */
export const writePage = (record: ProofRecord): void =>
  writeFileSync(files.page, reliabilityPage(readFileSync(files.page, 'utf8'), record));

/** Keeps the figures, and writes the page anew. */
export const writeRecord = (record: ProofRecord): void => {
  writeJson(files.record, record);
  writePage(record);
};
