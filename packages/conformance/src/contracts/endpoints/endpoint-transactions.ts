import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import type { Cases } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { endpoint, ours, theirs } from '../support/records.ts';

/** What holds for an endpoint that is stored in a transaction of the caller. */
export const endpointTransactionCases: Cases<StorageFixture> = {
  'an endpoint that joins a transaction is stored by its commit alone': async ({ storage }) => {
    const { endpoints, transaction } = storage;
    const [dropped, kept] = [endpoint(), endpoint()];
    await rejects(
      transaction(async (tx) => {
        strictEqual(await endpoints.insertEndpoint(dropped, 1, tx), true);
        throw new Error('changed its mind');
      }),
      /changed its mind/,
    );
    strictEqual(await endpoints.findEndpoint(ours, dropped.id), undefined);
    strictEqual(await transaction((tx) => endpoints.insertEndpoint(kept, 1, tx)), true);
    deepStrictEqual(await endpoints.findEndpoint(ours, kept.id), kept);
    strictEqual(await transaction((tx) => endpoints.insertEndpoint(endpoint(), 1, tx)), false);
  },
  'simultaneous transactions store endpoints up to the limit': async ({ storage: { endpoints, transaction } }) => {
    const accountOf = (index: number): string => (index % 2 ? ours : theirs);
    await race(
      (index) => transaction((tx) => endpoints.insertEndpoint(endpoint({ accountId: accountOf(index) }), 3, tx)),
      20,
    );
    for (const accountId of [ours, theirs])
      strictEqual((await endpoints.listEndpoints(accountId, {})).items.length, 3, accountId);
  },
};
