import { describe, expect, test } from 'vitest';
import { type Cases, type Fixture, runCases, whateverTheClocks } from '../../../src/contracts/support/contract.ts';
import { collect } from './doubles.ts';

const hour = 3_600_000;
const ran: string[] = [];
const cases: Cases<Fixture> = {
  'the first law': async () => {
    ran.push('first');
  },
  'the second law': async () => {
    throw new Error('broken');
  },
  ...whateverTheClocks<Fixture>('the third law', async (_fixture, storeAhead) => {
    ran.push(`third ${storeAhead}`);
  }),
};
const names = [
  'the first law',
  'the second law',
  "the third law: a store's clock 3 hours ahead",
  "the third law: a store's clock 3 hours behind",
];
const contract = (options: Parameters<typeof runCases<Fixture>>[1]): void => runCases(cases, options);

/** Runs all cases, and says what was asked of fixtures, how they were closed, and what was thrown. */
const runAll = async (deviations: Readonly<Record<string, string>> = {}) => {
  ran.length = 0;
  const asked: number[] = [];
  let closed = 0;
  const collected = collect<Fixture>(
    contract,
    async ({ storeAhead }) => {
      asked.push(storeAhead);
      return {
        close: async () => {
          closed++;
        },
      };
    },
    deviations,
  );
  const thrown: unknown[] = [];
  for (const { run } of collected) await run().catch((cause: unknown) => thrown.push(cause));
  return { names: collected.map(({ name }) => name), asked, closed, thrown };
};

test('each case has a fixture of its own, with the clock that it asks for, closed however it ends', async () => {
  const { asked, closed, thrown, ...rest } = await runAll();
  expect(rest.names).toEqual(names);
  expect(ran).toEqual(['first', `third ${3 * hour}`, `third ${-3 * hour}`]);
  expect([asked, closed]).toEqual([[0, 0, 3 * hour, -3 * hour], 4]);
  expect(thrown).toEqual([new Error('broken')]);
});

describe('deviations', () => {
  test('are not asserted, and show their reason', async () => {
    const { thrown, asked, ...rest } = await runAll({ 'the second law': 'it cannot be' });
    expect(rest.names).toEqual(names.with(1, 'the second law (deviates: it cannot be)'));
    expect([thrown, asked.length]).toEqual([[], 3]);
  });

  test('of no case are refused', () => {
    const options = { test: () => {}, create: async () => ({}), deviations: { 'no such law': 'why not' } };
    expect(() => contract(options)).toThrow(new TypeError('deviations: there is no case "no such law".'));
    expect(() => contract({ ...options, deviations: { constructor: 'why not' } })).toThrow(TypeError);
  });
});

test('a fixture that needs no closing is not closed', async () => {
  const [first] = collect<Fixture>(contract, async () => ({}));
  await expect(first?.run()).resolves.toBeUndefined();
});
