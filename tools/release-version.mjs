#!/usr/bin/env node
// Turns the pending changesets into a version and changelogs, and freezes the migrations of the release. Review its
// changes, commit them, and run `release`.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrations } from '../packages/postgres/src/migrations/index.ts';
import { readPackages, root } from './packages.ts';
import { waitingChangesets, withRelease } from './shipped/changelog.mjs';
import { pin } from './shipped/migrations.mjs';
import { pnpm } from './shipped/tarballs.mjs';

const changesets = await waitingChangesets();
if (changesets.length === 0) {
  console.error('No changeset waits: write one with `pnpm changeset`.');
  process.exit(1);
}
await pnpm('exec', 'changeset', 'version');

const packages = readPackages();
const versions = [...new Set(packages.map(({ source }) => source.version))];
if (versions.length !== 1) throw new Error(`All packages have one version, and these have ${versions.join(', ')}.`);
const [version] = versions;

const file = join(root, 'CHANGELOG.md');
const before = await readFile(file, 'utf8');
await writeFile(file, withRelease(before, { version, all: packages.length, changesets }));

const frozen = await pin(migrations, version);
console.log(`${version}: ${changesets.length} in the changelog, ${frozen.length} migrations frozen.`);
console.log('Look at it, and commit it.');
