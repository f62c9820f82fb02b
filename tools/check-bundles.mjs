#!/usr/bin/env node
// Bundles what each package registers, without peers. Fails if a bundle is more than 5 % larger than recorded, or
// contains a forbidden word. `--record` records the sizes instead, and registers entries that are new.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { readPackages, root, startableOf } from './packages.ts';

const growth = 1.05;
const records = process.argv.includes('--record');

/** A bundle of everything that a package lets others import or start, and those that it registers besides. */
const bundlesOf = (pack) => {
  const { bundles = [], external = [] } = pack.source.partnerkit ?? {};
  return startableOf(pack).flatMap(({ entry, file }) => {
    const registered = bundles.filter((each) => each.entry === entry);
    return (registered.length > 0 ? registered : [{ entry }]).map((bundle) => ({
      ...{ pack, bundle, file },
      external: [...Object.keys(pack.source.peerDependencies ?? {}), ...external],
    }));
  });
};

const measure = async ({ pack, bundle, file, external }) => {
  const { only, forbidden = [] } = bundle;
  const { outputFiles } = await build({
    ...(only
      ? { stdin: { contents: `export { ${only.join(', ')} } from './${file}';`, resolveDir: root } }
      : { entryPoints: [file] }),
    absWorkingDir: root,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'node',
    external,
    logLevel: 'error',
  });
  const text = outputFiles[0].text;
  const name = only ? `${file} (${only.join(', ')})` : file;
  const found = forbidden.filter((word) => text.includes(word));
  return { pack, bundle, name, size: gzipSync(text).length, found };
};

const faultsOf = ({ bundle: { bytes }, size, found }) => {
  const words = found.map((word) => `contains ${word}`);
  if (records) return words;
  if (bytes === undefined) return [...words, 'is not recorded: run check:bundles --record'];
  if (size <= bytes * growth) return words;
  return [
    ...words,
    `is more than 5 % larger than the recorded ${bytes}: make it smaller, or run check:bundles --record`,
  ];
};

const packages = readPackages();
const measured = await Promise.all(packages.flatMap(bundlesOf).map(measure));
let wrong = 0;
for (const each of measured) {
  const faults = faultsOf(each);
  wrong += faults.length;
  console.log([`${faults.length > 0 ? 'FAIL' : 'ok  '} ${each.name}: ${each.size} bytes`, ...faults].join('; '));
}
if (records) {
  for (const { folder, name } of packages) {
    const own = measured.filter(({ pack }) => pack.name === name);
    const file = `${root}packages/${folder}/package.json`;
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    const bundles = own.map(({ bundle, size }) => ({ ...bundle, bytes: size }));
    writeFileSync(
      file,
      `${JSON.stringify({ ...manifest, partnerkit: { ...manifest.partnerkit, bundles } }, null, 2)}\n`,
    );
  }
}
process.exitCode = wrong > 0 ? 1 : 0;
