import { expect, test } from 'vitest';
import { failingIsToldOnce } from '../../../src/simulator/laws/audit.ts';
import type { Facts } from '../../../src/simulator/laws/facts.ts';

/** Settlements that took effect, each with an entry about the endpoint `e`: its id, and its type. */
const factsOf = (...entries: readonly (readonly [id: string, type: string])[]): Facts =>
  ({
    trace: { audit: entries.map(([id, type]) => ({ id, type })) },
    effects: entries.map(([id], order) => ({
      ...{ name: 'deliveries.settle', order, args: [{}, { transitions: [{ audit: { id, subjectId: 'e' } }] }] },
      result: { transitions: [{ isDisabled: false }] },
    })),
  }) as unknown as Facts;

test.each<[string, boolean, readonly (readonly [string, string])[]]>([
  [
    'once, and again after its recovery',
    false,
    [
      ['1', 'endpoint.failing'],
      ['2', 'endpoint.recovered'],
      ['3', 'endpoint.failing'],
    ],
  ],
  [
    'by a call that is repeated because its answer was lost',
    false,
    [
      ['1', 'endpoint.failing'],
      ['1', 'endpoint.failing'],
    ],
  ],
  [
    'by two entries in a row',
    true,
    [
      ['1', 'endpoint.failing'],
      ['2', 'endpoint.failing'],
    ],
  ],
  [
    'by two entries, with one between that time tells',
    true,
    [
      ['1', 'endpoint.failing'],
      ['2', 'endpoint.disable_soon'],
      ['3', 'endpoint.failing'],
    ],
  ],
])('an endpoint is told failing %s: broken is %s', (_how, isBroken, entries) => {
  expect(failingIsToldOnce.check(factsOf(...entries)) !== undefined).toBe(isBroken);
});
