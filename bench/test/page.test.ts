import { expect, test } from 'vitest';
import { readPart, withRun, writePart } from '../page.ts';

const page = `By hand.

<!-- bench:http -->

old

<!-- end of bench:http -->

Between.

<!-- bench:dedup -->

kept

<!-- end of bench:dedup -->
`;

test('a run rewrites its own part, and nothing else', () => {
  expect(writePart(page, 'http', 'new')).toBe(page.replace('old', 'new'));
});

test('content with replacement patterns is written as it is', () => {
  expect(readPart(writePart(page, 'http', "$' $& $1"), 'http')).toBe("$' $& $1");
});

test('a part that the page does not have is named', () => {
  expect(() => writePart(page, 'start', 'new')).toThrow('The page has no part "start"');
});

const head = '| groups | date, machine and versions |\n| --- | --- |\n';

test('groups of one run share a row', () => {
  expect(withRun('', ['http', 'dedup'], '2 cores')).toBe(`${head}| \`http\`, \`dedup\` | 2 cores |`);
});

test('a group that runs again moves to the row of its new run', () => {
  const table = `${head}| \`http\`, \`dedup\` | 2 cores, on Monday |`;
  expect(withRun(table, ['dedup'], '4 cores, on Tuesday')).toBe(
    `${head}| \`http\` | 2 cores, on Monday |\n| \`dedup\` | 4 cores, on Tuesday |`,
  );
  expect(withRun(table, ['http', 'dedup'], '4 cores')).toBe(`${head}| \`http\`, \`dedup\` | 4 cores |`);
});
