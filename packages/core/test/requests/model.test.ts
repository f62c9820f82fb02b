import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/catalogue.ts';
import { historyRuns } from '../support/runs.ts';
import { assertFollowsTables } from './model.ts';
import { requestWorld } from './world.ts';

test('whatever commands are given, each does what its table says or is refused, and its events tell all of it', async () => {
  const seen = await assertFollowsTables((options) => requestWorld(undefined, options), historyRuns);
  // Every type occurred, with every object that may have it.
  const all = Object.entries(catalogue).flatMap(([objectName, types]) => types.map((type) => `${objectName} ${type}`));
  expect([...seen].sort()).toEqual(all.sort());
  expect(all).toHaveLength(32);
  expect(new Set([...seen].map((pair) => pair.split(' ')[1])).size).toBe(23);
});
