#!/usr/bin/env node
// Mutation tests: changes one expression after the other, and asks whether a test beside the rule fails.
//   npm run mutants                       all parts, one after the other
//   npm run mutants -- signature money    some parts
//   npm run mutants -- --record           keep the figures in docs/operations/reliability.json, and write the page anew
// Of large parts, a sample of the lines is mutated: the same ones in each run.
// Exits with 1 if a part is below 90 %, or if a survivor is not named in mutants/equivalent.json with its reason; for a
// sample, only the first.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../packages/conformance/src/prove/machine.ts';
import { root } from './packages.ts';
import { readCommit, readRecord, writeRecord } from './prove/record.ts';

const core = (...files) => files.map((file) => `packages/core/src/${file}`).join(',');
const tests = (...folders) => folders.map((folder) => `packages/${folder}`).join(',');

const blockLength = 10;
/** One of `sample` blocks of lines of the files, through which it counts on: short files are not left out. */
const blocksOf = (patterns, sample) => {
  let nth = 0;
  return globSync(patterns.split(','), { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const blocks = Math.ceil(readFileSync(join(root, file), 'utf8').split('\n').length / blockLength);
      return Array.from(
        { length: blocks },
        (_, block) => `${file}:${block * blockLength + 1}-${(block + 1) * blockLength}`,
      ).filter(() => nth++ % sample === 0);
    })
    .join(',');
};

/** What is mutated, and the tests beside it that must notice. The last ones take up to an hour each. */
const parts = {
  accounts: {
    mutate: core('base/accounts/*.ts'),
    tests: tests('core/test/base/accounts', 'core/test/api/partner', 'core/test/webhooks/worker/children.test.ts'),
  },
  deduplication: { mutate: core('stores/receiver/*.ts'), tests: tests('core/test/stores/receiver', 'receiver/test') },
  signatures: {
    mutate: core('webhooks/signature/webhook-signature.ts', 'webhooks/signature/standard-webhooks.ts'),
    tests: tests(
      'core/test/webhooks/signature/webhook-signature.test.ts',
      'core/test/webhooks/signature/standard-webhooks.test.ts',
    ),
  },
  tokens: {
    mutate: core('access/tokens/verified-tokens.ts', 'access/tokens/address-key.ts'),
    tests: tests('core/test/access/tokens/verified-tokens.test.ts', 'core/test/access/tokens/address-key.test.ts'),
  },
  login: {
    mutate: core('access/tokens/grant.ts', 'access/tokens/credentials.ts'),
    tests: tests('core/test/access/tokens', 'core/test/kit/imports'),
  },
  schemes: {
    mutate: core('webhooks/signature/*.ts'),
    tests: tests(
      'core/test/webhooks/signature',
      'receiver/test/profiles.test.ts',
      'conformance/test/openapi/profiles.test.ts',
    ),
  },
  delivery: { mutate: core('webhooks/delivery-rules/*.ts'), tests: tests('core/test/webhooks/delivery-rules') },
  money: {
    mutate: core(
      'requests/fields/money.ts',
      'requests/kinds/sum.ts',
      'requests/books/books.ts',
      'requests/books/laws.ts',
    ),
    tests: tests(
      ...['core/test/requests/fields/money.test.ts', 'core/test/requests/kinds/sum.test.ts'],
      ...['core/test/requests/books/books.test.ts', 'core/test/requests/books/transactions.test.ts'],
    ),
  },
  receiver: { mutate: 'packages/receiver/src/**/*.ts', tests: tests('receiver/test') },
  management: {
    ...{ mutate: core('api/management/*.ts'), sample: 3 },
    tests: tests('core/test/api/management', 'conformance/test/http-suite/management'),
  },
  worker: { mutate: core('webhooks/worker/**/*.ts'), sample: 10, tests: tests('core/test/webhooks/worker') },
  requests: {
    ...{ mutate: core('requests/**/*.ts'), sample: 16 },
    tests: tests('core/test/requests', 'conformance/test/http-suite/requests'),
  },
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { record: { type: 'boolean' } } });
const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". Parts: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}

const named = JSON.parse(readFileSync(new URL('mutants/equivalent.json', import.meta.url), 'utf8'));
/** A mutant, by what it changes: lines move. */
const nameOf = (file, source, { location, mutatorName, replacement }) => ({
  file,
  line: source.split('\n')[location.start.line - 1].trim(),
  change: `${mutatorName}: ${(replacement ?? '').replaceAll(/\s+/g, ' ')}`,
});
const isNamed = (mutant) =>
  named.some(({ file, line, change }) => file === mutant.file && line === mutant.line && change === mutant.change);

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-mutants-'));
const measure = (name) => {
  const report = join(folder, `${name}.json`);
  const { mutate, sample, tests } = parts[name];
  const mutated = sample === undefined ? mutate : blocksOf(mutate, sample);
  const env = { ...process.env, MUTATE: mutated, TESTS: tests, MUTANTS_REPORT: report };
  const stryker = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const ended = spawnSync(process.execPath, [stryker, 'run', 'tools/mutants/stryker.config.mjs'], {
    ...{ cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] },
  });
  if (ended.status !== 0) throw new Error(`The mutants of ${name} could not be tested.`);
  const mutants = Object.entries(JSON.parse(readFileSync(report, 'utf8')).files).flatMap(
    ([file, { source, mutants }]) => mutants.map((each) => ({ status: each.status, ...nameOf(file, source, each) })),
  );
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const survivors = mutants.filter(({ status }) => ['Survived', 'NoCoverage'].includes(status));
  const unnamed = survivors.filter((mutant) => !isNamed(mutant));
  for (const { status, file, line, change } of unnamed) console.log(`${status} ${file}\n  ${line}\n  ${change}`);
  return {
    killed: count('Killed', 'Timeout'),
    equivalent: survivors.length - unnamed.length,
    survived: unnamed.length,
  };
};

const kept = { ...readRecord() };
const commit = readCommit();
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
    const since = Date.now();
    const figures = measure(name);
    const { killed, equivalent, survived } = figures;
    const score = (100 * killed) / (killed + survived);
    console.log(`${name}: ${killed} killed, ${equivalent} equivalent, ${survived} survived: ${score.toFixed(1)} %`);
    const { sample } = parts[name];
    if (score < 90 || (survived > 0 && sample === undefined)) process.exitCode = 1;
    const run = { ...describeMachine(), commit, seconds: Math.round((Date.now() - since) / 1_000) };
    kept.mutants = { ...kept.mutants, [name]: { ...run, ...(sample && { sample }), ...figures } };
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (values.record) writeRecord(kept);
