#!/usr/bin/env node
// `npm run test:pg -- NAME`: the PostgreSQL tests whose path contains NAME, on a server that stays up between runs.
// `npm run test:pg -- --stop` ends that server.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, utimesSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const folder = path('../node_modules/.cache/partnerkit');
const stateFile = `${folder}/postgres.json`;
const logFile = `${folder}/postgres.log`;

/** The running server, if its process lives. */
const kept = () => {
  try {
    const state = JSON.parse(readFileSync(stateFile, 'utf8'));
    process.kill(state.pid, 0);
    return state;
  } catch {
    return undefined;
  }
};

const start = async () => {
  console.error('Starting a PostgreSQL server that stays up; "npm run test:pg -- --stop" ends it.');
  mkdirSync(folder, { recursive: true });
  const args = ['--conditions=source', path('./tests/keep-postgres.ts'), stateFile];
  const log = openSync(logFile, 'w');
  const keeper = spawn(process.execPath, args, { detached: true, stdio: ['ignore', log, log] });
  keeper.unref();
  let exitCode;
  keeper.once('exit', (code) => {
    exitCode = code ?? 1;
  });
  for (;;) {
    const state = kept();
    if (state) return state;
    if (exitCode !== undefined)
      throw new Error(`The PostgreSQL server did not start (exit code ${exitCode}): see ${logFile}.`);
    await after(50);
  }
};

const args = process.argv.slice(2);
if (args.includes('--stop')) {
  const state = kept();
  if (state) process.kill(state.pid, 'SIGTERM');
  console.error(state ? 'The PostgreSQL server is told to end.' : 'No PostgreSQL server is kept.');
} else {
  const { url } = kept() ?? (await start());
  utimesSync(stateFile, new Date(), new Date());
  const vitest = path('../node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--mode', 'test and system', '--project', 'postgres', ...args],
    {
      stdio: 'inherit',
      env: { ...process.env, KEPT_POSTGRES: url },
    },
  );
  process.exitCode = status ?? 1;
}
