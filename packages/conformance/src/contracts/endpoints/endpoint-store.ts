import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { type Endpoint, type EndpointStore, type Sealed, sealingKeyId } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { type Cases, type ContractOptions, runCases } from '../support/contract.ts';
import { idsOf, type Listing, pageCases } from '../support/pages.ts';
import { race, raceToResolve } from '../support/racers.ts';
import { endpoint, newId, ours, sealed, theirs } from '../support/records.ts';
import { endpointTransactionCases } from './endpoint-transactions.ts';
import { endpointVersionCases } from './endpoint-versions.ts';

/** Stores one endpoint of each account; theirs must be unchanged after `act`. */
const beside =
  (act: (endpoints: EndpointStore, stored: Endpoint, other: Endpoint) => Promise<void>) =>
  async ({ storage: { endpoints } }: StorageFixture): Promise<void> => {
    const [stored, other] = [endpoint(), endpoint({ accountId: theirs })];
    await endpoints.insertEndpoint(stored, 20);
    await endpoints.insertEndpoint(other, 20);
    await act(endpoints, stored, other);
    deepStrictEqual(await endpoints.findEndpoint(theirs, other.id), other);
    deepStrictEqual(await endpoints.listEndpoints(theirs, {}), { items: [other] });
  };

const listingOf = async ({ storage: { endpoints } }: StorageFixture): Promise<Listing> => ({
  add: async (accountId, count) => {
    const added = Array.from({ length: count }, () => endpoint({ accountId }));
    await Promise.all(added.map((each) => endpoints.insertEndpoint(each, 1_000)));
    return added.map(({ id }) => id);
  },
  change: async (accountId, id) => {
    const stored = await endpoints.findEndpoint(accountId, id);
    ok(stored && (await endpoints.replaceEndpoint({ ...stored, label: 'again' })));
  },
  page: async (accountId, request) => idsOf(await endpoints.listEndpoints(accountId, request)),
});

const cases: Cases<StorageFixture> = {
  'an endpoint is read as it was stored': beside(async (endpoints) => {
    const full = endpoint({
      url: 'https://partner.example:8443/webhooks?a=%C3%A9&b=1#x',
      events: ['payed', 'cashout_owner_deny_reclamation', 'ModelRequestSecurityDeposit.creation'],
      state: 'disabled_by_breaker',
      reference: 'hook 1 — “é”',
      label: 'Production — “é” 🏡',
      standardWebhooks: true,
      profile: 'acme-1',
      includeChildren: true,
      nextSecret: sealed('next'),
      activateNextAt: 1_767_225_600_001,
      deliveryHeader: { name: 'X-API-Key', value: sealed('api key') },
      version: 7,
    });
    strictEqual(await endpoints.insertEndpoint(full, 20), true);
    deepStrictEqual(await endpoints.findEndpoint(ours, full.id), full);
    const disabled = { ...full, state: 'disabled', disabledBy: 'host' } as const;
    strictEqual(await endpoints.replaceEndpoint(disabled), true);
    deepStrictEqual(await endpoints.findEndpoint(ours, full.id), { ...disabled, version: 8 });
  }),
  'only its own account finds an endpoint': beside(async (endpoints, stored, other) => {
    deepStrictEqual(await endpoints.findEndpoint(ours, stored.id), stored);
    for (const id of [other.id, newId(), 'no-such-endpoint'])
      strictEqual(await endpoints.findEndpoint(ours, id), undefined);
    strictEqual(await endpoints.findEndpoint(theirs, stored.id), undefined);
  }),
  'an existing id is not inserted again, by any account': beside(async (endpoints, stored) => {
    await rejects(endpoints.insertEndpoint({ ...stored, label: 'another' }, 20));
    await rejects(endpoints.insertEndpoint({ ...stored, accountId: theirs }, 20));
    deepStrictEqual(await endpoints.findEndpoint(ours, stored.id), stored);
    const id = newId();
    const inserted = await raceToResolve((index) => endpoints.insertEndpoint(endpoint({ id, label: `${index}` }), 100));
    strictEqual(inserted, 1);
  }),
  'an account has at most the given number of endpoints; those of others do not count': beside(async (endpoints) => {
    strictEqual(await endpoints.insertEndpoint(endpoint(), 2), true);
    const refused = endpoint();
    strictEqual(await endpoints.insertEndpoint(refused, 2), false);
    strictEqual(await endpoints.findEndpoint(ours, refused.id), undefined);
    strictEqual(await endpoints.insertEndpoint(endpoint({ accountId: 'acc_third' }), 1), true);
  }),
  'simultaneous inserts succeed up to the limit': async ({ storage: { endpoints } }) => {
    const accountOf = (index: number): string => (index % 2 ? ours : theirs);
    const inserted = await race((index) => endpoints.insertEndpoint(endpoint({ accountId: accountOf(index) }), 3), 40);
    for (const accountId of [ours, theirs]) {
      strictEqual(inserted.filter((done, index) => done && accountOf(index) === accountId).length, 3);
      strictEqual((await endpoints.listEndpoints(accountId, {})).items.length, 3);
    }
  },
  'an endpoint that is stored as disabled, also again after it was deleted, has its reason': beside(
    async (endpoints, stored) => {
      const reasonOf = async () => (await endpoints.readHealth(ours, [stored.id])).map(({ disabledBy }) => disabledBy);
      for (const [change, reason] of [
        [{ state: 'disabled', disabledBy: 'host' }, 'host'],
        [{ state: 'disabled' }, 'partner'],
        [{ state: 'disabled' }, 'partner'],
        [{ state: 'disabled_by_breaker' }, 'failing'],
      ] as const) {
        strictEqual(await endpoints.deleteEndpoint(ours, stored.id), true);
        strictEqual(await endpoints.insertEndpoint({ ...stored, ...change }, 20), true);
        deepStrictEqual(await reasonOf(), [reason]);
      }
    },
  ),
  'a deleted endpoint does not count towards the limit': beside(async (endpoints, stored) => {
    strictEqual(await endpoints.deleteEndpoint(ours, stored.id), true);
    strictEqual(await endpoints.insertEndpoint(endpoint(), 1), true);
  }),

  'a change is stored with the next version': beside(async (endpoints, stored) => {
    const changed = endpoint({
      ...stored,
      url: 'https://new.partner.example/',
      events: ['cancel'],
      nextSecret: sealed('next'),
      deliveryHeader: { name: 'Authorization', value: sealed('key') },
    });
    strictEqual(await endpoints.replaceEndpoint(changed), true);
    deepStrictEqual(await endpoints.findEndpoint(ours, stored.id), { ...changed, version: 2 });
    // A replacement removes the fields that it omits.
    strictEqual(await endpoints.replaceEndpoint({ ...stored, version: 2 }), true);
    deepStrictEqual(await endpoints.findEndpoint(ours, stored.id), { ...stored, version: 3 });
  }),
  'a change of an older version, of another account, or of an unknown endpoint changes nothing': beside(
    async (endpoints, stored, other) => {
      strictEqual(await endpoints.replaceEndpoint({ ...stored, label: 'first' }), true);
      strictEqual(await endpoints.replaceEndpoint({ ...stored, label: 'second' }), false);
      strictEqual(await endpoints.replaceEndpoint({ ...other, accountId: ours, label: 'taken' }), false);
      const nobody = endpoint();
      strictEqual(await endpoints.replaceEndpoint(nobody), false);
      deepStrictEqual(await endpoints.listEndpoints(ours, {}), { items: [{ ...stored, label: 'first', version: 2 }] });
    },
  ),
  'exactly one of many simultaneous changes of a version succeeds': beside(async (endpoints, stored) => {
    const won = await race((index) => endpoints.replaceEndpoint({ ...stored, label: `${index}` }));
    strictEqual(won.filter(Boolean).length, 1);
    const winner = { ...stored, label: `${won.indexOf(true)}`, version: 2 };
    deepStrictEqual(await endpoints.findEndpoint(ours, stored.id), winner);
  }),

  'only its own account deletes an endpoint, once': beside(async (endpoints, stored, other) => {
    strictEqual(await endpoints.deleteEndpoint(ours, other.id), false);
    strictEqual(await endpoints.deleteEndpoint(theirs, stored.id), false);
    const deleted = await race(() => endpoints.deleteEndpoint(ours, stored.id));
    strictEqual(deleted.filter(Boolean).length, 1);
    strictEqual(await endpoints.findEndpoint(ours, stored.id), undefined);
    deepStrictEqual(await endpoints.listEndpoints(ours, {}), { items: [] });
    strictEqual(await endpoints.replaceEndpoint(stored), false);
  }),
  'an endpoint that is changed and deleted at once is deleted': beside(async (endpoints, stored) => {
    const change = (index: number) => endpoints.replaceEndpoint({ ...stored, label: `${index}` });
    const [, deleted] = await Promise.all([race(change), endpoints.deleteEndpoint(ours, stored.id), race(change)]);
    strictEqual(deleted, true);
    strictEqual(await endpoints.findEndpoint(ours, stored.id), undefined);
  }),

  'the pages of all endpoints contain each exactly once, also while they change': async ({
    storage: { endpoints },
  }) => {
    const stored = [ours, theirs, ours, theirs, ours].map((accountId) => endpoint({ accountId }));
    for (const each of stored) await endpoints.insertEndpoint(each, 20);
    const seen: string[] = [];
    for (let page = await endpoints.listAllEndpoints({ limit: 2 }); ; ) {
      const { items, next } = page;
      ok(items.length <= 2, `${items.length} on a page of 2`);
      for (const each of items) {
        deepStrictEqual(
          each,
          stored.find(({ id }) => id === each.id),
        );
        ok(await endpoints.replaceEndpoint({ ...each, label: 'changed' }));
      }
      seen.push(...items.map(({ id }) => id));
      if (next === undefined) break;
      page = await endpoints.listAllEndpoints({ limit: 2, after: next });
    }
    deepStrictEqual(seen.toSorted(), stored.map(({ id }) => id).toSorted());
  },
  'endpoints of all accounts are counted by their profile': async ({ storage: { endpoints } }) => {
    const counts = async () =>
      Object.fromEntries((await endpoints.countByProfile()).map((each) => [each.profile, each.endpoints]));
    deepStrictEqual(await counts(), {});
    const [one, other] = [endpoint({ profile: 'acme' }), endpoint({ accountId: theirs, profile: 'acme' })];
    for (const each of [one, other, endpoint(), endpoint({ profile: 'v1' })]) await endpoints.insertEndpoint(each, 20);
    deepStrictEqual(await counts(), { acme: 2, v1: 1 });
    const { profile: _gone, ...usual } = one;
    ok(await endpoints.replaceEndpoint(usual));
    ok(await endpoints.deleteEndpoint(theirs, other.id));
    deepStrictEqual(await counts(), { v1: 1 });
  },
  'endpoints are counted by the sealing keys of their values': async ({ storage: { endpoints } }) => {
    const sealedWith = (keyId: string): Sealed => sealed('value').replace('v1.k1.', `v1.${keyId}.`) as Sealed;
    const counts = async () => {
      const counted = await endpoints.countBySealingKey();
      for (const { keyId, sample } of counted) {
        const { secret, nextSecret, deliveryHeader } = sample;
        const values = [secret, nextSecret, deliveryHeader?.value].filter((value) => value !== undefined);
        ok(values.map(sealingKeyId).includes(keyId), `the sample of ${keyId} has a value of it`);
        deepStrictEqual(sample, await endpoints.findEndpoint(sample.accountId, sample.id));
      }
      return Object.fromEntries(counted.map((each) => [each.keyId, each.endpoints]));
    };
    deepStrictEqual(await counts(), {});
    const one = endpoint({
      secret: sealedWith('old'),
      nextSecret: sealedWith('old'),
      deliveryHeader: { name: 'X-API-Key', value: sealedWith('key_2-a') },
    });
    const other = endpoint({ accountId: theirs, secret: sealedWith('new'), nextSecret: sealedWith('old') });
    for (const each of [one, other]) await endpoints.insertEndpoint(each, 20);
    deepStrictEqual(await counts(), { old: 2, new: 1, 'key_2-a': 1 });
    const { nextSecret: _gone, ...activated } = other;
    ok(await endpoints.replaceEndpoint(activated));
    deepStrictEqual(await counts(), { old: 1, new: 1, 'key_2-a': 1 });
    ok(await endpoints.deleteEndpoint(ours, one.id));
    deepStrictEqual(await counts(), { new: 1 });
  },

  ...endpointTransactionCases,
  ...endpointVersionCases,
  ...pageCases('endpoints', listingOf),
};

/** Tests the obligations of an `EndpointStore`. */
export const endpointStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
