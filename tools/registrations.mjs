#!/usr/bin/env node
// A package registers itself in its package.json, under `partnerkit`: see `Registration` in packages.ts. Fails if a
// package forgot something, or if a page that lists packages lacks it.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { modulesOf, readers, readersOf, readPackages, root, startableOf, testProjects } from './packages.ts';

const read = (file) => readFileSync(`${root}${file}`, 'utf8');
const page = 'docs/start/packages.md';
const listed = read(page);
const changesets = globSync('.changeset/*.md', { cwd: root }).map(read);
const keys = ['tests', 'readers', 'isStandalone', 'external', 'bundles'];

const referenceFaults = (each, { readers: registered = {} }) => {
  const modules = modulesOf(each);
  return [
    ...Object.keys(registered)
      .filter((path) => !modules.some((module) => module.path === path))
      .map((path) => `readers names ${path}, which is no module`),
    ...modules.flatMap(({ path, name, file }) => [
      !readers.includes(readersOf(each, path)) && `readers of ${path} is none of ${readers.join(', ')}`,
      !existsSync(`${root}${file}`) && `${file} is missing`,
      existsSync(`${root}${file}`) &&
        !new RegExp(`@module ${name}$`, 'm').test(read(file)) &&
        `${file} does not begin with a comment with "@module ${name}"`,
    ]),
  ];
};

const bundleFaults = (each, { bundles = [] }) => {
  const entries = startableOf(each).map(({ entry }) => entry);
  const unmeasured = entries.filter((entry) => !bundles.some((bundle) => bundle.entry === entry));
  const gone = bundles.filter(({ entry }) => !entries.includes(entry));
  return [
    ...unmeasured.map((entry) => `bundles lacks ${entry}: run check:bundles --record`),
    ...gone.map(({ entry }) => `bundles names ${entry}, which is neither an entry nor a command`),
  ];
};

const faultsOf = (each) => {
  const { name, folder, source } = each;
  const { partnerkit } = source;
  if (!partnerkit) return ['package.json has no key "partnerkit"'];
  return [
    name !== `@partnerkit/${folder}` && `the name is not @partnerkit/${folder}`,
    ...Object.keys(partnerkit)
      .filter((key) => !keys.includes(key))
      .map((key) => `${key} is unknown`),
    !testProjects.includes(partnerkit.tests) && `tests is none of ${testProjects.join(', ')}`,
    ...referenceFaults(each, partnerkit),
    ...bundleFaults(each, partnerkit),
    !new RegExp(`/packages/${folder}(/README)?\\.md\\)`).test(listed) && `the table of ${page} lacks it`,
    source.version === '0.0.0' &&
      !changesets.some((text) => text.includes(`"${name}":`)) &&
      'no changeset names it: run pnpm changeset',
  ];
};

const packages = readPackages();
const faults = packages.flatMap((each) =>
  faultsOf(each)
    .filter(Boolean)
    .map((fault) => `packages/${each.folder}: ${fault}`),
);
for (const fault of faults) console.error(`FAIL ${fault}`);
console.log(`registrations: ${packages.length} packages, ${faults.length} problems.`);
process.exitCode = faults.length > 0 ? 1 : 0;
