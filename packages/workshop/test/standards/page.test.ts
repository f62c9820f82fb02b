import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { standards } from '../../../conformance/src/http-suite/standards/rows.ts';
import { standardsPage } from '../../src/standards/page.ts';

test('the page of standards is what the suite says: `pnpm run docs:standards` writes it anew', () => {
  expect(readFileSync(new URL('../../../../docs/reference/standards.md', import.meta.url), 'utf8')).toBe(
    standardsPage(),
  );
});

test('every row has its line', () => {
  const lines = standardsPage()
    .split('\n')
    .filter((line) => /^\| \S.* \| (MUST|SHOULD|MAY) \| /.test(line));
  expect(lines).toHaveLength(standards.flatMap(({ rows }) => rows).length);
});
