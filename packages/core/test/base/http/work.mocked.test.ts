import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { afterAll, expect, test } from 'vitest';

// V8 counts how often each block of code runs, every turn of a loop, every call: in code that it compiles from now on,
// and does not optimize. When it would is a matter of time.
setFlagsFromString('--no-turbofan');
setFlagsFromString('--no-maglev');
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
afterAll(async () => {
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
});
const { readersOf, textsOf } = await import('../../support/hostile-text.ts');

const blocksOf = async (act: () => unknown): Promise<number> => {
  await session.post('Profiler.takePreciseCoverage');
  act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.includes('/packages/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
};
/** How often blocks ran for all texts of one size. */
const workOf = (name: string, bytes: number): Promise<number> => {
  const read = readersOf(bytes)[name];
  const all = Object.values(textsOf(bytes));
  return blocksOf(() => {
    for (const text of all) read?.(text);
  });
};
const [small, large] = [2_048, 8_192];

test.each(Object.keys(readersOf(0)))('work grows with the input, and no faster: %s', async (name) => {
  // What a first call alone does is not counted.
  await workOf(name, small);
  const [less, more] = [await workOf(name, small), await workOf(name, large)];
  expect(less).toBeGreaterThan(0);
  expect(more / less).toBeLessThan(4.5);
});

test('work that grows with its square is detected', async () => {
  const square = (text: string): number => {
    let pairs = 0;
    for (const one of text) for (const other of text) if (one === other) pairs++;
    return pairs;
  };
  const [less, more] = [await blocksOf(() => square('a'.repeat(20))), await blocksOf(() => square('a'.repeat(80)))];
  expect(more / less).toBeGreaterThan(10);
});
