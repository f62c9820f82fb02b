import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { sized } from '../../../tools/tests/effort.ts';
import { migratedFile } from './support/files.ts';

const start = (...args: readonly string[]) => {
  const path = fileURLToPath(new URL('support/host.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  child.stdout.on('data', (chunk) => {
    written += String(chunk);
  });
  return { child, ended: once(child, 'exit'), lines: () => written.split('\n').slice(0, -1) };
};

/** Whether a library has a binary for this machine. Not loaded here: other tests of this process use node:sqlite. */
const isInstalled = (library: string): boolean =>
  spawnSync(process.execPath, ['-e', `new (require('${library}'))(':memory:')`], { cwd: import.meta.dirname })
    .status === 0;

const libraries = ['node:sqlite', 'better-sqlite3', 'libsql'];

test.concurrent.for(libraries)(
  'a host with %s that is killed delivers all after its restart',
  async (library, context) => {
    if (library !== 'node:sqlite' && !isInstalled(library)) context.skip(`${library} does not run on this machine.`);
    const { file, remove } = migratedFile();
    const received = `${file}.received`;
    writeFileSync(received, '');
    const acknowledged: string[] = [];
    for (let round = 0; round < sized(1, 10); round++) {
      const { child, ended, lines } = start(file, received, library);
      await context.expect.poll(() => lines().length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(20 + 7 * round);
      child.kill('SIGKILL');
      await ended;
      acknowledged.push(...lines());
    }
    const [code] = await start(file, received, library, 'drain').ended;
    context.expect(code).toBe(0);

    const database = new DatabaseSync(file);
    const payments = database
      .prepare('select id from payments')
      .all()
      .map(({ id }) => String(id));
    database.close();
    const deliveredIds = readFileSync(received, 'utf8').split('\n').slice(0, -1);
    remove();
    // A commit whose acknowledgement was not written yet is no loss.
    context.expect(acknowledged.filter((id) => !payments.includes(id))).toEqual([]);
    // Each payment has its event, and no event is without its payment.
    context.expect(new Set(deliveredIds)).toEqual(new Set(payments));
  },
);
