import fc from 'fast-check';
import { expect } from 'vitest';
import { historyKinds } from '../../src/simulator/arbitraries/kinds.ts';
import { historyArbitrary } from '../../src/simulator/arbitrary.ts';
import type { History } from '../../src/simulator/history.ts';
import { type Law, readFacts } from '../../src/simulator/laws/facts.ts';
import { type SimulateOptions, simulate } from '../../src/simulator/simulate.ts';

/** Which histories a fault is looked for in. */
export type Kind = keyof typeof historyKinds;

const samples = new Map<Kind | undefined, readonly History[]>();

/** The same histories each time: what finds a fault today finds it tomorrow. */
const sample = (kind: Kind | undefined): readonly History[] => {
  const histories =
    samples.get(kind) ?? fc.sample(kind ? historyKinds[kind] : historyArbitrary, { numRuns: 600, seed: 1 });
  samples.set(kind, histories);
  return histories;
};

/** Histories with a fault break this law, within a bounded number of them. */
export const expectToBeFound = async (law: Law, fault: SimulateOptions<object>, kind?: Kind): Promise<void> => {
  for (const history of sample(kind)) if (law.check(readFacts(await simulate(history, fault))) !== undefined) return;
  expect.fail(`No history broke the law "${law.name}".`);
};
