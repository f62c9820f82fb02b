import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const path = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

test('the types are those of the document', () => {
  const tool = path('tools/client-types.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, ['--conditions=source', tool, '--print'], {
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
  expect(stderr).toBe('');
  // `pnpm run client:types` writes them.
  expect(stdout === readFileSync(path('packages/client/src/partner-api.ts'), 'utf8')).toBe(true);
});
