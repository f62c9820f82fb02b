import fc from 'fast-check';
import { expect } from 'vitest';
import { type History, historyArbitrary, type SimulateOptions, simulate } from '../../src/index.ts';
import { historyKinds } from '../../src/simulator/arbitrary.ts';
import type { Law } from '../../src/simulator/laws/facts.ts';
import { brokenLaws } from '../../src/simulator/laws.ts';

/** Which histories a fault is looked for in. */
export type Kind = keyof typeof historyKinds;

/** The same histories each time: what finds a fault today finds it tomorrow. */
const sample = (kind: Kind | undefined): readonly History[] =>
  fc.sample(kind ? historyKinds[kind] : historyArbitrary, { numRuns: 600, seed: 1 });

/** Histories with a fault break this law, within a bounded number of them. */
export const expectToBeFound = async (law: Law, fault: SimulateOptions<object>, kind?: Kind): Promise<void> => {
  const found = new Set<string>();
  for (const history of sample(kind)) {
    for (const broken of brokenLaws(await simulate(history, fault))) found.add(broken.law);
    if (found.has(law.name)) return;
  }
  expect([...found], 'this law was to be broken').toContain(law.name);
};
