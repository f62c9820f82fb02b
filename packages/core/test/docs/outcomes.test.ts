import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sendFailures } from '../../src/base/signals/send-failure.ts';

const page = readFileSync(new URL('../../../../docs/operations/operating.md', import.meta.url), 'utf8');

/** The rows of the table below a heading: its cells, without the head. */
const rowsBelow = (heading: string): readonly (readonly string[])[] => {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
};

const rows = rowsBelow('Attempt outcomes');

test('each SendFailure has exactly one row', () => {
  const named = rows.flatMap(([outcome = '']) => /^`([a-z_]+)`$/.exec(outcome)?.[1] ?? []);
  expect(named.toSorted()).toEqual(sendFailures.toSorted());
});

test('each outcome has a cause and a remedy', () => {
  for (const row of rows) {
    expect(row).toHaveLength(3);
    for (const cell of row) expect(cell).not.toBe('');
  }
});
