import { expect, test } from 'vitest';
import type { Facts } from '../../../src/simulator/laws/facts.ts';
import { pausedAreNotSent } from '../../../src/simulator/laws/sending.ts';

const second = 1_000;
const everything = {};
const account = { accountId: 'fjord' };
const endpoint = { accountId: 'fjord', endpointId: 'a' };
const other = { accountId: 'birch' };

type Change = readonly [name: 'pause' | 'resume', scope: object, at: number];

/** A worker polls every 5 s, reads each second from 0 s on, and sends one POST to an endpoint of `fjord`. */
const factsOf = (changes: readonly Change[], sentAt: number): Facts => {
  const post = { process: 'w', url: 'https://receiver-0.example/', at: sentAt * second, order: 0 };
  const effects = changes.map(([name, scope, at]) => ({
    ...{ name: `sending.${name}`, args: [scope], effectAt: at * second, doneAt: at * second },
  }));
  const reads = Array.from({ length: 200 }, (_, at) => ({
    ...{ name: 'deliveries.readEndpoints', process: 'w', learned: 'answer' },
    ...{ effectAt: at * second, learnedAt: at * second },
  }));
  return {
    trace: { startedAt: 0, calls: reads, posts: [post], history: { pollEvery: 5 * second } },
    effects,
    endpoints: new Map([['a', [{ endpoint: { accountId: 'fjord' } }]]]),
    ledger: {
      deliveryOf: () => ({ accountId: 'fjord', endpointId: 'a', eventId: 'e' }),
      dispatches: new Map(),
    },
  } as unknown as Facts;
};

test.each<[string, boolean, readonly Change[], number]>([
  ['a poll after the pause', false, [['pause', endpoint, 100]], 106],
  ['later than a poll after the pause', true, [['pause', endpoint, 100]], 106.1],
  ['while its account is paused', true, [['pause', account, 100]], 120],
  ['while everything is paused', true, [['pause', everything, 100]], 120],
  ['while another account is paused', false, [['pause', other, 100]], 120],
  [
    'after the end',
    false,
    [
      ['pause', endpoint, 100],
      ['resume', endpoint, 120],
    ],
    120,
  ],
  [
    'after the end of another scope',
    true,
    [
      ['pause', endpoint, 100],
      ['resume', everything, 110],
    ],
    120,
  ],
  [
    'after the end of one of two',
    true,
    [
      ['pause', account, 100],
      ['pause', endpoint, 110],
      ['resume', account, 119],
    ],
    120,
  ],
  [
    'after the pause was asked for twice and ended once',
    false,
    [
      ['pause', account, 100],
      ['pause', account, 110],
      ['resume', account, 119],
    ],
    120,
  ],
])('a POST %s breaks the law: %s', (_when, isBroken, changes, sentAt) => {
  expect(pausedAreNotSent.check(factsOf(changes, sentAt)) !== undefined).toBe(isBroken);
});
