import { expect, test } from 'vitest';
import { run } from '../../src/prove/run.ts';

const told = async (...args: readonly string[]) => {
  const lines: string[] = [];
  const code = await run(args, { command: '', sqlite: 'no-such-module', print: (text) => lines.push(text) });
  return { code, text: lines.join('\n') };
};

test.each([
  [['--help'], 0],
  [['prove', '--help'], 0],
  [[], 2],
  [['proof'], 2],
  [['prove', 'it'], 2],
  [['prove', '--seconds', '0'], 2],
  [['prove', '--seconds', 'x'], 2],
  [['prove', '--seed', '1.5'], 2],
  [['prove', '--only', 'all'], 2],
  [['prove', '--fast'], 2],
])('%j shows the usage, and ends with %i', async (args, code) => {
  const answer = await told(...args);
  expect(answer.code).toBe(code);
  expect(answer.text).toContain('Usage: npx @partnerkit/conformance prove');
});

test('without SQLite the processes are left out, which proves nothing', async () => {
  const { code, text } = await told('prove', '--only', 'processes', '--seconds', '1');
  expect(text).toContain('Left out: no-such-module is not installed. See --help.');
  expect(code).toBe(1);
});

test('the simulator proves, and prints its figures as JSON', async () => {
  const { code, text } = await told('prove', '--only', 'simulator', '--seconds', '1', '--seed', '5', '--json');
  const { seed, simulator, processes, run: ran } = JSON.parse(text);
  expect({ code, seed, processes }).toEqual({ code: 0, seed: 5 });
  expect(simulator.histories).toBeGreaterThan(0);
  expect(simulator.seeds[0]).toBe(5);
  expect(ran.cores).toBeGreaterThan(0);
});
