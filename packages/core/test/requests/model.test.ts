import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { specifiedCatalogue as catalogue } from '../../src/webhooks/catalogue/specified-catalogue.ts';
import { assertFollowsTables } from './model.ts';
import { requestWorld } from './world.ts';

test('for any commands, each does what its table says or is refused, and its events contain every change', async () => {
  const seen = await assertFollowsTables((options) => requestWorld(undefined, options), propertyRuns(150, 150));
  // Every type occurred, with every object that may have it.
  const all = catalogue.entries.map(({ objectName, type }) => `${objectName} ${type}`);
  expect([...seen].sort()).toEqual(all.sort());
  expect(all).toHaveLength(32);
  expect(new Set([...seen].map((pair) => pair.split(' ')[1])).size).toBe(23);
});
