import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requestsPage } from './page.ts';

test('docs/reference/requests.md shows the machines as they are: pnpm run docs:requests writes them', () => {
  const page = readFileSync(new URL('../../../../docs/reference/requests.md', import.meta.url), 'utf8');
  expect(page).toContain('stateDiagram-v2');
  expect(requestsPage(page)).toBe(page);
});
