#!/usr/bin/env node
// Runs the contract suites on storages, and keeps what they pass in docs/contributing/contracts.json. Writes the table
// of docs/contributing/storages.md. Exits with 1 if a case fails.
//   memory sqlite pglite postgres-18 … the storages to run (default: all that this machine has)
//   --page                             run nothing: write the page anew
//   POSTGRES_14=<url> MYSQL=<url>      servers, for postgres-14 and mysql
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { contractsPage } from './contracts/page.ts';
import { suites, suitesOfCase } from './contracts/suites.ts';
import { root } from './packages.ts';
import { writeJson } from './write-json.ts';

const ofPostgres = [
  'packages/postgres/test/contracts/postgres.test.ts',
  'packages/postgres/test/requests/contract.test.ts',
];
const ofMysql = ['packages/mysql/test/contracts.long.test.ts', 'packages/mysql/test/rows.test.ts'];
/** Where each storage is tested. `server`: one that is not started here, and the variable that names it to tests. */
const stores = {
  memory: { name: 'memory', files: ['packages/conformance/test/rows', 'packages/conformance/test/contracts/rows'] },
  sqlite: { name: 'SQLite', files: ['packages/sqlite/test/contracts.test.ts'] },
  'better-sqlite3': {
    name: 'SQLite, better-sqlite3',
    files: ['packages/sqlite/test/libraries/better-sqlite3.mocked.system.test.ts'],
  },
  libsql: { name: 'SQLite, libsql', files: ['packages/sqlite/test/libraries/libsql.mocked.system.test.ts'] },
  pglite: { name: 'PGlite', files: ['packages/postgres/test/contracts/drivers/pglite.long.test.ts'] },
  'postgres-14': {
    name: 'PostgreSQL 14',
    files: ofPostgres,
    server: { variable: 'KEPT_POSTGRES', url: process.env.POSTGRES_14 },
    skip: /PostgreSQL 15/,
  },
  'postgres-15': {
    name: 'PostgreSQL 15',
    files: ['packages/postgres/test/contracts/postgres-15.long.test.ts', ...ofPostgres.slice(1)],
    skip: /PostgreSQL 18/,
  },
  'postgres-18': { name: 'PostgreSQL 18', files: ofPostgres, skip: /PostgreSQL 15/ },
  'postgres-rows': {
    name: 'PostgreSQL, plain rows',
    files: ['packages/postgres/test/rows/rows.test.ts', 'packages/postgres/test/rows/rows.long.test.ts'],
  },
  mariadb: { name: 'MariaDB', files: ofMysql },
  mysql: { name: 'MySQL', files: ofMysql, server: { variable: 'MYSQL_URL', url: process.env.MYSQL } },
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { page: { type: 'boolean' } } });
const unknown = positionals.find((name) => !Object.hasOwn(stores, name));
if (unknown !== undefined) {
  console.error(`There is no storage "${unknown}". Storages: ${Object.keys(stores).join(', ')}.`);
  process.exit(2);
}

/** Runs the files of a storage, and returns its tests. */
const testsOf = ({ files, server, skip }) => {
  const report = join(tmpdir(), `contracts-${process.pid}.json`);
  const args = ['run', '--mode', 'long', '--reporter=json', `--outputFile=${report}`, ...files];
  spawnSync(process.execPath, [`${root}node_modules/vitest/vitest.mjs`, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...(server && { [server.variable]: server.url }) },
  });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ ancestorTitles }) => !skip || !ancestorTitles.some((title) => skip.test(title)));
};

const commit = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();

const runStore = (store) => {
  const passed = {};
  const deviations = [];
  /** The suite of the last test: the cases of a suite follow each other. */
  let last;
  for (const { title, status, fullName } of testsOf(store)) {
    const [, name = title, reason] = /^(.*) \(deviates: (.*)\)$/s.exec(title) ?? [];
    const found = suitesOfCase.get(name) ?? [];
    const suite = found.includes(last) ? last : found[0];
    if (suite === undefined || status === 'skipped' || status === 'pending') continue;
    last = suite;
    if (status !== 'passed') {
      console.error(`FAILED: ${fullName}`);
      process.exitCode = 1;
    } else if (reason === undefined) passed[suite] = (passed[suite] ?? 0) + 1;
    else {
      const known = deviations.find((each) => each.suite === suite && each.reason === reason);
      if (known) known.names.push(name);
      else deviations.push({ suite, reason, names: [name] });
    }
  }
  return { date: new Date().toISOString().slice(0, 10), commit, passed, deviations };
};

const files = { record: `${root}docs/contributing/contracts.json`, page: `${root}docs/contributing/storages.md` };
const kept = JSON.parse(readFileSync(files.record, 'utf8'));
const wanted = values.page ? [] : positionals.length > 0 ? positionals : Object.keys(stores);
for (const key of wanted) {
  const store = stores[key];
  if (store.server && store.server.url === undefined) continue;
  const run = runStore(store);
  const cases = Object.values(run.passed).reduce((all, each) => all + each, 0);
  console.log(`${store.name}: ${cases} cases passed, ${run.deviations.flatMap(({ names }) => names).length} left out.`);
  if (cases > 0) kept[store.name] = run;
}
const sorted = Object.fromEntries(
  Object.values(stores).flatMap(({ name }) => (kept[name] ? [[name, kept[name]]] : [])),
);
writeJson(files.record, sorted);
writeFileSync(files.page, contractsPage(readFileSync(files.page, 'utf8'), suites, sorted));
