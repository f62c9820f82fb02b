// Runs the programs that a page marks with `run`.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { migrate } from '../../packages/postgres/src/index.ts';
import { startPostgres } from '../../packages/workshop/src/services/index.ts';
import { nameOf } from './snippets.mjs';

/** Ends what hangs; it measures nothing. */
const timeout = 120_000;

/**
 * The problem of a program, if any. It must exit with 0; a program that prints that it is listening gets a signal
 * first.
 */
const problemOf = async (folder, snippet, env) => {
  const child = spawn(process.execPath, ['--conditions=source', nameOf(snippet)], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeout,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      if (/^listening/m.test(output) && !child.killed) child.kill('SIGTERM');
    });
  }
  const [code, signal] = await once(child, 'close');
  return code === 0 ? [] : [`${snippet.file}:${snippet.line}: the program ended with ${code ?? signal}.\n${output}`];
};

const prepareDatabase = async (url, tables) => {
  const { Pool } = createRequire(new URL('../../packages/postgres/', import.meta.url))('pg');
  const pool = new Pool({ connectionString: url });
  await migrate(pool);
  for (const { source } of tables) await pool.query(source);
  await pool.end();
};

/** Runs programs with the tables of their pages and the environment of a host, and returns the problems. */
export const runSnippets = async (folder, programs, tables) => {
  const database = await startPostgres();
  const env = {
    DATABASE_URL: database.url,
    PARTNERKIT_SECRET: randomBytes(32).toString('base64'),
  };
  await prepareDatabase(database.url, tables);
  const waiting = [...programs];
  const problems = [];
  // One per processor: more would time out while they wait for each other.
  const runNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      problems.push(...(await problemOf(folder, next, env)));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  await database.stop();
  return problems;
};
