import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { explainHistory } from '../../src/contracts/explained-histories.ts';
import { memoryStorageFixture } from './memory.ts';

test('whatever happens to endpoints and deliveries, each event is explained', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0 }), async (seed) => {
      const fixture = await memoryStorageFixture({ storeAhead: 0 });
      for (const kind of await explainHistory(fixture, seed, 30)) seen.add(kind);
    }),
    propertyRuns(200),
  );
  // All but those that ask for pauses, or for weeks.
  expect([...seen].toSorted()).toEqual([
    'being_attempted',
    'children_not_included',
    'created_later',
    'deleted_before',
    'delivered',
    'disabled_then',
    'exhausted',
    'expired',
    'held',
    'not_dispatched_yet',
    'not_subscribed',
    'waiting',
  ]);
});
