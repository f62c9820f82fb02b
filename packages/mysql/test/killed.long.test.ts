import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compileCache } from '../../../tools/tests/compile-cache.ts';
import { hasServer, useDatabase } from './support/database.ts';

const start = (...args: readonly string[]) => {
  const path = fileURLToPath(new URL('support/host.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...compileCache },
  });
  let written = '';
  child.stdout.on('data', (chunk) => {
    written += String(chunk);
  });
  return { child, ended: once(child, 'exit'), lines: () => written.split('\n').slice(0, -1) };
};

describe.skipIf(!hasServer)('a host that is killed', () => {
  const database = useDatabase();

  test('between publish and delivery delivers everything after its restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'partnerkit-mysql-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const received = join(folder, 'received');
    appendFileSync(received, '');
    const { url, pool } = database.get();
    await pool.query('create table payments (id varchar(40) primary key)');
    const acknowledged: string[] = [];
    for (let round = 0; round < 10; round++) {
      const { child, ended, lines } = start(url, received);
      await expect.poll(() => lines().length, { timeout: 120_000, interval: 5 }).toBeGreaterThan(20 + 7 * round);
      child.kill('SIGKILL');
      await ended;
      acknowledged.push(...lines());
    }
    // An hour later, the lease of the killed worker has expired.
    await database.get().elapse(3_600_000);
    const [code] = await start(url, received, 'drain').ended;
    expect(code).toBe(0);

    const [rows] = await pool.query('select id from payments');
    const payments = (rows as { id: string }[]).map(({ id }) => id);
    const delivered = readFileSync(received, 'utf8').split('\n').slice(0, -1);
    // A commit whose acknowledgement was not written yet is no loss.
    expect(acknowledged.filter((id) => !payments.includes(id))).toEqual([]);
    // Each payment has its event, and no event is without its payment.
    expect(new Set(delivered)).toEqual(new Set(payments));
  });
});
