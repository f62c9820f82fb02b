import { deepStrictEqual, strictEqual } from 'node:assert';
import type { Cases } from '../support/contract.ts';
import { race, racers } from '../support/racers.ts';
import type { StorageFixture } from './storage-fixture.ts';

/** Cases of the ids of the platform's secrets. */
export const secretIdCases: Cases<StorageFixture> = {
  'the ids of secrets are none at first, and are read as they were stored': async ({ storage: { secretIds } }) => {
    deepStrictEqual(await secretIds.readSecretIds(), []);
    const ids = ['IXFu3xaZ', '-_sq6I1b', 'AAAAAAAA'];
    strictEqual(await secretIds.replaceSecretIds([], ids), true);
    deepStrictEqual(await secretIds.readSecretIds(), ids);
    strictEqual(await secretIds.replaceSecretIds(ids, ids.toReversed()), true);
    deepStrictEqual(await secretIds.readSecretIds(), ids.toReversed());
  },
  'ids of secrets replace the ids that their caller read, and no others': async ({ storage: { secretIds } }) => {
    strictEqual(await secretIds.replaceSecretIds([], ['a', 'b']), true);
    for (const previous of [[], ['a'], ['b', 'a'], ['a', 'B'], ['a', 'b', 'c']])
      strictEqual(await secretIds.replaceSecretIds(previous, ['z']), false, previous.join());
    deepStrictEqual(await secretIds.readSecretIds(), ['a', 'b']);
  },
  'of simultaneous replacements of the same ids of secrets one wins': async ({ storage: { secretIds } }) => {
    const outcomes = await race(async (index) => ({
      won: await secretIds.replaceSecretIds([], [`id_${index}`]),
      id: `id_${index}`,
    }));
    strictEqual(outcomes.length, racers);
    deepStrictEqual(
      outcomes.filter(({ won }) => won).map(({ id }) => [id]),
      [await secretIds.readSecretIds()],
    );
  },
};
