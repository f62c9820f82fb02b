import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const path = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

test('the types, and the POSTs that may be repeated, are those of the document', () => {
  const tool = path('tools/client-types.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, ['--conditions=source', tool, '--print'], {
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
  expect(stderr).toBe('');
  // `pnpm run client:types` writes them.
  const files = ['idempotent-posts', 'partner-api'].map((name) =>
    readFileSync(path(`packages/client/src/${name}.ts`), 'utf8'),
  );
  expect(stdout === files.join('')).toBe(true);
});
