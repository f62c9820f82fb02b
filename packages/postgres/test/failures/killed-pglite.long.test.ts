import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const start = (...args: readonly string[]) => {
  const path = fileURLToPath(new URL('pglite-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  child.stdout.on('data', (chunk) => {
    written += String(chunk);
  });
  return { child, ended: once(child, 'close'), lines: () => written.split('\n').slice(0, -1) };
};

test('a host on PGlite that is killed twenty times delivers every payment that it committed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-pglite-'));
  const [data, received] = [join(folder, 'data'), join(folder, 'received')];
  writeFileSync(received, '');
  const acknowledged: string[] = [];
  for (let round = 0; round < 20; round++) {
    const { child, ended, lines } = start(data, received);
    await expect.poll(() => lines().length, { timeout: 240_000, interval: 5 }).toBeGreaterThan(5 + 3 * round);
    child.kill('SIGKILL');
    await ended;
    acknowledged.push(...lines());
  }
  const last = start(data, received, 'drain');
  expect(await last.ended).toEqual([0, null]);
  const delivered = new Set(readFileSync(received, 'utf8').split('\n').slice(0, -1));
  rmSync(folder, { recursive: true, force: true });
  // A commit whose acknowledgement was not written yet is no loss; each payment has its event, and no other event is.
  expect(acknowledged.filter((id) => !last.lines().includes(id))).toEqual([]);
  expect(delivered).toEqual(new Set(last.lines()));
});
