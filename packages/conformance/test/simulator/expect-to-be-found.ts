import fc from 'fast-check';
import { expect } from 'vitest';
import { historyKinds } from '../../src/simulator/arbitraries/kinds.ts';
import { historyArbitrary, withoutReaders } from '../../src/simulator/arbitrary.ts';
import type { History } from '../../src/simulator/history.ts';
import { type Law, readFacts } from '../../src/simulator/laws/facts.ts';
import { type SimulateOptions, simulate } from '../../src/simulator/simulate.ts';
import { foundIn } from './found-in.ts';

/** Which histories a fault is looked for in; `read`: those of all kinds, in which programs read feeds. */
export type Kind = keyof typeof historyKinds | 'read';

const arbitraryOf = (kind: Kind | undefined): fc.Arbitrary<History> =>
  kind === 'read' ? historyArbitrary : kind ? historyKinds[kind] : withoutReaders;

const samples = new Map<Kind | undefined, readonly History[]>();

/** The same histories each time: what finds a fault today finds it tomorrow. */
const sample = (kind: Kind | undefined): readonly History[] => {
  const histories = samples.get(kind) ?? fc.sample(arbitraryOf(kind), { numRuns: 600, seed: 1 });
  samples.set(kind, histories);
  return histories;
};

/** A fault, and the law that some history breaks with it. */
interface Fault {
  readonly how: string;
  readonly law: Law;
  readonly kind?: Kind | undefined;
}

/** Histories with a fault break this law, within a bounded number of them. */
export const expectToBeFound = async ({ how, law, kind }: Fault, options: SimulateOptions<object>): Promise<void> => {
  const histories = sample(kind);
  const told = foundIn[how] ?? 1;
  const numbers = [told, ...histories.map((_, index) => index + 1)];
  for (const number of numbers) {
    const history = histories[number - 1] as History;
    if (law.check(readFacts(await simulate(history, options))) === undefined) continue;
    if (number !== told && number > 10) console.warn(`found-in.ts: '${how}': ${number},`);
    return;
  }
  expect.fail(`No history broke the law "${law.name}".`);
};
