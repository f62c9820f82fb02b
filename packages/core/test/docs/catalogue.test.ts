import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = new URL('../../../../', import.meta.url);

test('the page of the catalogue matches the code: `pnpm run docs:catalogue` regenerates it', () => {
  const script = fileURLToPath(new URL('tools/catalogue-page.mjs', root));
  const made = execFileSync(process.execPath, ['--conditions=source', script, '--print'], { encoding: 'utf8' });
  expect(readFileSync(new URL('docs/reference/catalogue.md', root), 'utf8')).toBe(made);
});
