import type { FeedPlace, Storage } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sized } from '../../../../../tools/tests/effort.ts';
import { assembleKit } from '../../../../core/src/kit/create-partnerkit.ts';
import { engine } from '../../../../core/src/webhooks/worker/engine.ts';
import { readers } from '../../../src/simulator/arbitraries/scripts.ts';
import type { Trace } from '../../../src/simulator/trace.ts';
import { breakMemory, replace } from '../break-engine.ts';
import { type Fault, failoverHistories, simulateFailovers, undelivered } from './failovers.ts';
import { wrongReads } from './wrong-reads.ts';

test('what the standby has when the primary dies is delivered, and no worker is restarted', async () => {
  await fc.assert(
    fc.asyncProperty(failoverHistories, async (script) => {
      const trace = await simulateFailovers(script);
      expect(trace ? undelivered(trace) : []).toEqual([]);
    }),
    { ...sized({ numRuns: 200, seed: 20_261_126 }, { numRuns: 5_000 }), endOnFailure: true },
  );
});

const readHistories = fc
  .tuple(failoverHistories, fc.noBias(readers))
  .map(([{ history, failovers }, readers]) => ({ history: { ...history, readers }, failovers }));

test('a reader has each selected event of the last primary once, in one order: never a silent gap', async () => {
  await fc.assert(
    fc.asyncProperty(readHistories, async (script) => {
      const trace = await simulateFailovers(script);
      expect(trace ? wrongReads(trace) : []).toEqual([]);
    }),
    { ...sized({ numRuns: 100, seed: 20_261_127 }, { numRuns: 5_000 }), endOnFailure: true },
  );
});

const brokenMemory = (change: Parameters<typeof breakMemory>[0]): Fault => ({
  createKit: (options) => assembleKit(options, { ...engine, ...breakMemory(change)(engine) }),
});

/** How each is broken, and the history of the sample that finds it. */
const faults: readonly (readonly [how: string, foundIn: number, fault: Fault])[] = [
  [
    'no worker compares its shards',
    91,
    brokenMemory(({ shards }) => replace(shards, () => ({ confirmed: () => undefined }))),
  ],
  [
    'no worker compares its settlements',
    144,
    brokenMemory(({ unsettled }) => replace(unsettled, () => ({ confirmed: () => 0 }))),
  ],
  [
    'a settlement hides that the one before it is missing',
    144,
    {
      storage: ({ deliveries, ...storage }) => ({
        ...storage,
        deliveries: {
          ...deliveries,
          settle: (id, settlement, known) => deliveries.settle(id, { ...settlement, after: 0 }, known),
        },
      }),
    },
  ],
  [
    'a watermark is raised over a settlement that is missing',
    144,
    {
      storage: ({ shards, ...storage }) => ({
        ...storage,
        shards: { ...shards, heartbeat: (id, lease, beat) => shards.heartbeat(id, lease, { ...beat, settlement: 0 }) },
      }),
    },
  ],
];

/** A store that tells what a number once was. */
const confirming = (storage: Storage<object>): Storage<object> => {
  const told = new Map<string, FeedPlace>();
  const readFeed: Storage<object>['feeds']['readFeed'] = async (account, endpoint, read) => {
    const part = await storage.feeds.readFeed(account, endpoint, read);
    for (const { number, eventId } of part?.entries ?? [])
      if (!told.has(`${endpoint} ${number}`)) told.set(`${endpoint} ${number}`, { number, eventId });
    return part && { ...part, places: read.places.flatMap((number) => told.get(`${endpoint} ${number}`) ?? []) };
  };
  return { ...storage, feeds: { ...storage.feeds, readFeed } };
};

/** Some history of the sample breaks the law with a fault: this one, or a later one that is then written here. */
const expectToBeFound = async (
  histories: typeof failoverHistories,
  foundIn: number,
  fault: Fault,
  broken: (trace: Trace) => readonly string[],
): Promise<void> => {
  const sample = fc.sample(histories, { numRuns: 200, seed: 1 });
  for (const [found, script] of [...sample.entries()].slice(foundIn)) {
    const trace = await simulateFailovers(script, fault);
    if (!trace || broken(trace).length === 0) continue;
    if (found !== foundIn) console.warn(`found in ${found}`);
    return;
  }
  expect.fail('No history breaks the law.');
};

describe('the law finds it when', () => {
  test.each(faults)('%s', (_how, foundIn, fault) => expectToBeFound(failoverHistories, foundIn, fault, undelivered));

  test('a store confirms a cursor of entries that it lost', () =>
    expectToBeFound(readHistories, 50, { storage: confirming }, wrongReads));
});
