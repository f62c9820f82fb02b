#!/usr/bin/env node
// Repeats the proofs of delivery, and prints their figures. Exits with 1 if a law is broken.
//   simulator processes mariadb postgres postgres-processes   the parts to run (default: the first two)
//   --seconds N                    duration of the simulator, and for how long processes are killed (default: 60);
//                                  postgres kills for half a minute, from 600 on for ten minutes
//   --seed N                       draws the same again
//   --record                       keep the figures in docs/operations/reliability.json, and write the page anew
//   --page                         run nothing: write the page anew
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { describeMachine } from '../packages/conformance/src/prove/machine.ts';
import { prove } from '../packages/conformance/src/prove/run.ts';
import { createStorage as createMariadb } from '../packages/mysql/test/support/shared-storage.ts';
import { createStorage as createPostgres } from '../packages/postgres/test/support/shared-storage.ts';
import { root } from './packages.ts';
import { readCommit, readRecord, writePage, writeRecord } from './prove/record.ts';

const parts = ['simulator', 'processes', 'mariadb', 'postgres', 'postgres-processes'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    record: { type: 'boolean' },
    page: { type: 'boolean' },
  },
});
const unknown = positionals.find((part) => !parts.includes(part));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". Parts: ${parts.join(', ')}.`);
  process.exit(2);
}
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
const wanted = values.page ? [] : positionals.length > 0 ? positionals : parts.slice(0, 2);

/** Runs the chaos test of PostgreSQL, and resolves to the figures that it prints. */
const provePostgres = async () => {
  console.log(`PostgreSQL, seed ${seed}:`);
  const vitest = spawn(
    process.execPath,
    [
      `${root}node_modules/vitest/vitest.mjs`,
      ...['run', '--mode', seconds < 600 ? 'system' : 'long', '--project', 'postgres', 'packages/postgres/test/chaos'],
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CHAOS_SEED: String(seed), NO_COLOR: '1' },
    },
  );
  let out = '';
  vitest.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  const [code] = await once(vitest, 'close');
  const line = /^\{"seed":.*\}$/m.exec(out)?.[0];
  if (code !== 0 || line === undefined) return { text: out, broken: true };
  const { seed: _drawn, seconds: _measured, errors: _heard, ...figures } = JSON.parse(line);
  return { text: `  ${line}\n  No law is broken.`, figures };
};

const surroundings = {
  command: `${root}packages/conformance/src/partnerkit-conformance.ts`,
  sqlite: `${root}packages/sqlite/src/index.ts`,
  print: (text) => console.log(text),
};
/** Kills processes on a server. */
const proveOn = async (name, create) => {
  const storage = await create();
  if (storage === undefined) return console.log('Left out: MariaDB is not installed, and MYSQL_URL names no server.');
  const module = `${root}packages/${name}/test/support/shared-storage.ts`;
  try {
    const place = { at: storage.url, module };
    return (await prove({ seconds, seed, only: 'processes' }, { ...surroundings, storage: place })).processes;
  } finally {
    await storage.remove();
  }
};

const servers = { mariadb: ['mysql', createMariadb], 'postgres-processes': ['postgres', createPostgres] };
const found = {};
for (const part of wanted) {
  const since = Date.now();
  if (part === 'postgres') {
    const { text, broken, figures } = await provePostgres();
    console.log(text);
    if (broken) process.exitCode = 1;
    found.postgres = figures;
  } else {
    const server = servers[part];
    found[part] = server ? await proveOn(...server) : (await prove({ seconds, seed, only: part }, surroundings))[part];
    if (found[part]?.broken !== undefined) process.exitCode = 1;
  }
  found[part] &&= { ...found[part], seconds: Math.round((Date.now() - since) / 1_000) };
}

const kept = { ...readRecord() };
if (values.record) {
  const commit = readCommit();
  for (const [part, figures] of Object.entries(found).filter(([, each]) => each !== undefined)) {
    const options = `${part} --seconds ${seconds} --seed ${seed}`;
    kept[part] = { ...describeMachine(), commit, command: `npm run prove -- ${options}`, seed, ...figures };
  }
  writeRecord(kept);
} else if (values.page) writePage(kept);
