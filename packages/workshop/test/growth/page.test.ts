import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { growthPage } from '../../src/growth/page.ts';

test('the tables of sizes are computed from the figures on their page: `pnpm run docs:growth` writes them anew', () => {
  const page = readFileSync(new URL('../../../../docs/operations/scale.md', import.meta.url), 'utf8');
  expect(growthPage(page)).toBe(page);
});

const figures = `
| PostgreSQL's CPU: publish, in a transaction | 150 µs | x |
| PostgreSQL's CPU: from outbox to attempt | 80 µs | x |
| PostgreSQL's CPU: prune | 20 µs | x |
| worker's CPU, with TLS | 50 µs | x |
| write-ahead log | 2.0 KB: publish | x |
| bytes on disk | 1.00 KB | x |
The fastest run on two cores delivered 8,640 a second.
`;
const places = ['sizes', 'limits'].map((name) => `<!-- bench:${name} -->\n<!-- end of bench:${name} -->`).join('\n');

test('the rows are products of the figures', () => {
  const rows = growthPage(`${figures}${places}`).split('\n');
  const of = (begin: string) => rows.find((row) => row.startsWith(`| ${begin}`));
  // 1,000,000 / 86,400 = 11.6; five times: 58. 58 * 250 µs = 0.0145 cores.
  expect(of('mean and peak')).toBe(
    '| mean and peak a second | 12, 58 | 120, 580 | 1,200, 5,800 | 12,000, 58,000 | 120,000, 580,000 |',
  );
  expect(of('cores of PostgreSQL')).toBe('| cores of PostgreSQL at the peak | 0.014 | 0.14 | 1.4 | 14 | 140 |');
  // 16 cores / 250 µs = 64,000 a second; 578,700 / 64,000 = 9.04.
  expect(of('servers of 32')).toBe('| servers of 32 cores, half of them free | 1 | 1 | 1 | 1 | 10 |');
  expect(of('workers with')).toBe('| workers with 256 slots, 2 at least | 2 | 2 | 3 | 23 | 227 |');
  expect(of('`events`')).toContain('| 30 GB | 300 GB | 3 TB | 30 TB | 300 TB |');
  // 8,640 a second / 5 * 86,400 = 149 million.
  expect(rows.filter((row) => row.includes('million |') && row.includes('measured'))).toEqual([
    '| 10 million | pruning by rows | [by day](#partition-by-day) | measured |',
    '| 150 million | the fastest run, on two cores | measure your own | measured |',
  ]);
});

test('a figure that the page lacks is named', () => {
  expect(() => growthPage(`${figures.replace('prune', 'delete')}${places}`)).toThrow('has no figure');
});
