#!/usr/bin/env node
// What a host installs: packs every published package, installs the tarballs outside the workspace, reads, type-checks
// and runs them.
//   --built       what is in dist is new: do not build
//   --from DIR    take the tarballs of this folder
//   --keep        leave the projects, to look at
//   --record      record what each package installs and what a newcomer meets, instead of comparing it
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { aloneFaults } from './shipped/alone.mjs';
import { contentFaults } from './shipped/contents.mjs';
import { contractFaults } from './shipped/contracts.mjs';
import { entryFaults } from './shipped/entries.mjs';
import { firstStepFaults } from './shipped/first-steps.mjs';
import { hostFaults } from './shipped/hosts.mjs';
import { migrationFaults } from './shipped/migrations.mjs';
import { installNodes, newestProject, oldestProject } from './shipped/projects.mjs';
import { proofFaults } from './shipped/proof.mjs';
import { rangeFaults } from './shipped/ranges.mjs';
import { skillWalkFaults } from './shipped/skills.mjs';
import { statementFaults } from './shipped/statements.mjs';
import { packAll, pnpm } from './shipped/tarballs.mjs';
import { typeFaults } from './shipped/types.mjs';

const { values } = parseArgs({
  options: {
    built: { type: 'boolean' },
    from: { type: 'string' },
    keep: { type: 'boolean' },
    record: { type: 'boolean' },
  },
});
const folder = await realpath(await mkdtemp(join(tmpdir(), 'partnerkit-shipped-')));
const newest = join(folder, 'newest');
const oldest = join(folder, 'oldest');

const started = performance.now();
const seconds = (since) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
let wrong = 0;

/** Runs one step; it returns a summary, or `faults`. */
const step = async (title, act) => {
  const since = performance.now();
  const { faults = [], told = '' } = await act();
  wrong += faults.length;
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${title}${told && `: ${told}`} (${seconds(since)})`);
  for (const fault of faults) console.log(`       ${fault.replaceAll('\n', '\n         ')}`);
};

try {
  let packages;
  let semver;
  let nodes;
  if (!values.built && !values.from)
    await step('build', async () => ({ told: await pnpm('run', 'build').then(() => '') }));
  await step('pack', async () => {
    packages = await packAll(folder, values.from && resolve(values.from));
    return { told: `${packages.length} packages` };
  });
  await step('each tarball holds what its exports lead to, a README and the licence, and nothing else', async () => ({
    faults: (await Promise.all(packages.map(contentFaults))).flat(),
  }));
  await step('install, with npm', async () => {
    semver = await newestProject(newest, packages);
    [nodes] = await Promise.all([
      installNodes(join(folder, 'nodes'), packages, semver),
      oldestProject(oldest, packages, semver),
    ]);
    return { told: `Node.js ${nodes.map(({ version }) => version).join(', ')}` };
  });
  await step('each package installs alone, with npm and pnpm, no larger than recorded', () =>
    aloneFaults({ folder: join(folder, 'alone'), nodes, packages, semver, record: values.record === true }),
  );
  await step('the first steps work as written, and a newcomer meets no more than recorded', () =>
    firstStepFaults({ folder: join(folder, 'first-steps'), packages, record: values.record === true }),
  );
  await step('the skills work as written, from an empty application to a webhook', () =>
    skillWalkFaults({ folder: join(folder, 'skills'), packages }),
  );
  await step('peers are accepted in the versions that they are tested with', async () => ({
    faults: rangeFaults(packages, semver),
  }));
  await step('the page of packages states the oldest Node.js and TypeScript', () => statementFaults(packages, semver));
  await step('released migrations are as they were released', async () => {
    const { migrations } = await import(
      pathToFileURL(join(newest, 'node_modules/@partnerkit/postgres/dist/index.js')).href
    );
    return { told: `${migrations.length} in all`, faults: await migrationFaults(migrations) };
  });
  await step('each entry resolves, gives the same names to import and require, and starts nothing', async () => ({
    faults: await entryFaults({ folder: newest, nodes, packages, semver }),
  }));
  await step('a host and the declarations of every entry type-check', () => typeFaults(newest, packages));
  const out = join(newest, 'out');
  await step('the hosts log in, publish, receive, and end', () =>
    hostFaults({ folder: newest, out, nodes, packages, semver }),
  );
  await step('sender and access tokens of node pass their contracts', () => contractFaults({ folder: newest, nodes }));
  await step('the packed proof of delivery holds', async () => ({
    faults: await proofFaults({ folder: newest, nodes }),
  }));
  await step('and so they do with the oldest peers, and without the optional ones', async () => {
    const here = { folder: oldest, nodes: nodes.slice(-1), packages, semver };
    await cp(out, join(oldest, 'out'), { recursive: true });
    const { told, faults } = await hostFaults({
      ...here,
      out: join(oldest, 'out'),
      frameworks: ['express', 'fastify'],
    });
    return { told, faults: [...faults, ...(await entryFaults(here))] };
  });
} finally {
  if (values.keep) console.log(`The projects are in ${folder}.`);
  else await rm(folder, { recursive: true, force: true });
}
console.log(wrong === 0 ? `Fit to be shipped (${seconds(started)}).` : `${wrong} faults (${seconds(started)}).`);
process.exitCode = wrong === 0 ? 0 : 1;
