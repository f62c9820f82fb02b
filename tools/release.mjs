#!/usr/bin/env node
// Publishes what is committed: every check but the tests, which have to be green before, then exactly the tarballs that
// were checked.
//   --dry-run      everything but the publishing, from any tree
//   --provenance   with a statement of where it was built: only where CI can sign one. The default where it can
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrations } from '../packages/postgres/src/migrations/index.ts';
import { readPackages, root } from './packages.ts';
import { addBundled } from './shipped/bills.mjs';
import { preRelease, waitingChangesets } from './shipped/changelog.mjs';
import { pinned } from './shipped/migrations.mjs';
import { mustRun } from './shipped/run.mjs';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, provenance: { type: 'boolean' } } });
const dryRun = values['dry-run'] === true;
const folder = join(root, '.pack/release');
const packages = readPackages();
const { version } = packages[0].source;

/** Runs a command with visible output; ends with its exit code unless that is 0. */
const show = async (args, env = {}) => {
  console.log(`\n> pnpm ${args.join(' ')}`);
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } };
  const [code] = await once(spawn(process.execPath, [join(root, 'tools/pnpm.mjs'), ...args], options), 'exit');
  if (code === 0) return;
  console.error(`Nothing more was done: pnpm ${args.join(' ')} ended with ${code}.`);
  process.exit(1);
};

const { out: changes } = await mustRun('git', ['status', '--porcelain'], { cwd: root });
const obstacles = [
  changes !== '' && 'the tree holds what is not committed',
  packages.some(({ source }) => source.version !== version) && 'the packages have different versions',
  version === '0.0.0' && 'the version is 0.0.0: run release:version',
  (await waitingChangesets()).length > 0 && 'changesets wait: run release:version',
  (await pinned()).length !== migrations.length && 'a migration is not frozen: run release:version',
].filter(Boolean);
for (const obstacle of obstacles) console.log(`${dryRun ? 'A release would be refused' : 'Refused'}: ${obstacle}.`);
if (obstacles.length > 0 && !dryRun) process.exit(1);

await show(['run', 'verify:all']);

// Publishing again skips published packages.
const tag = (await preRelease())?.tag ?? 'latest';
const release = ({ name }) => ({ kind: 'publish', name, version, access: 'public', tag });
const isCore = ({ name }) => name === '@partnerkit/core';
const plan = [packages.filter(isCore).map(release), packages.filter((each) => !isCore(each)).map(release)];
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'wanted.json'), JSON.stringify({ version: 1, plan }));
await show(['exec', 'changeset', 'pack', '--from-publish-plan', join(folder, 'wanted.json'), '--out-dir', folder]);
await show(['run', 'check:shipped', '--from', join(folder, 'packages')]);

// The bill of materials of each package: what it installs and what it contains.
const bills = join(folder, 'sbom');
await show([
  ...['--filter', './packages/*', 'sbom', '--sbom-format', 'cyclonedx', '--prod', '--split'],
  ...['--out', join(bills, '%s.cdx.json')],
]);
const billed = await readdir(bills);
const unbilled = packages.filter(({ folder: name }) => !billed.includes(`partnerkit-${name}.cdx.json`));
if (unbilled.length > 0) {
  console.error(`Nothing more was done: no bill of materials of ${unbilled.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
for (const { folder: name } of packages) {
  const notice = await readFile(join(root, 'packages', name, 'dist/NOTICE'), 'utf8').catch(() => undefined);
  if (notice !== undefined) await addBundled(join(bills, `partnerkit-${name}.cdx.json`), notice);
}

if (dryRun) {
  console.log(`\nThese would be published, tagged ${tag}:`);
  for (const { name } of packages) {
    const { size } = await stat(join(folder, 'packages', `${name.slice(1).replace('/', '-')}-${version}.tgz`));
    console.log(`  ${name}@${version}  ${(size / 1_024).toFixed(1)} KiB`);
  }
} else {
  // GitHub Actions and GitLab hand out the token that signs the statement.
  const canSign = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'SIGSTORE_ID_TOKEN'].some((name) => process.env[name] !== undefined);
  const provenance = String(values.provenance === true || canSign);
  const env = { npm_config_provenance: provenance, pnpm_config_provenance: provenance };
  await show(['exec', 'changeset', 'publish', '--from-pack-dir', folder], env);
  console.log('\nPublished and tagged. Now: git push --follow-tags');
}
