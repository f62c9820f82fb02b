import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { killHost } from '../../../workshop/src/processes/index.ts';

const command = fileURLToPath(new URL('pglite-process.ts', import.meta.url));

test('a host on PGlite that is killed twenty times delivers every payment that it committed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-pglite-'));
  const { acknowledged, ...broken } = await killHost({ command, task: { at: join(folder, 'data') }, kills: 20 });
  rmSync(folder, { recursive: true, force: true });
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(broken).toEqual({ lost: [], undelivered: [], unpaid: [], unexpected: [] });
});
