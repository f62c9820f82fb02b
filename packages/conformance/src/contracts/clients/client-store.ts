import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { day, hour, minute, second } from '@partnerkit/core';
import type { Client, ClientStore, LoginRefusal, RefusedLogin } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { type Cases, type ContractOptions, runCases, whateverTheClocks } from '../support/contract.ts';
import { idsOf, type Listing, pageCases } from '../support/pages.ts';
import { race, racers, raceToResolve } from '../support/racers.ts';
import { client, clientSecret, newId, ours, theirs } from '../support/records.ts';
import { slack } from '../support/store-time.ts';
import { usageCases } from './usage-cases.ts';

/** Stores one client of each account; theirs must be unchanged after `act`. */
const beside =
  (act: (clients: ClientStore, stored: Client, fixture: StorageFixture) => Promise<void>) =>
  async (fixture: StorageFixture): Promise<void> => {
    const { clients } = fixture.storage;
    const shared = clientSecret({ id: 'shared' });
    const [stored, other] = [ours, theirs].map((accountId) =>
      client({ accountId, secrets: [shared, clientSecret({ id: 'second', lastUsedAt: 1_000 })] }),
    ) as [Client, Client];
    await clients.insertClient(stored);
    await clients.insertClient(other);
    await act(clients, stored, fixture);
    deepStrictEqual(await clients.findClient(other.id), other);
    deepStrictEqual(await clients.listClients(theirs, {}), { items: [other] });
  };

const found = async (clients: ClientStore, { id }: Client): Promise<Client> => {
  const client = await clients.findClient(id);
  ok(client, 'the client is there');
  return client;
};
const usedAt = async (clients: ClientStore, { id }: Client): Promise<readonly (number | undefined)[]> =>
  (await clients.findClient(id))?.secrets.map(({ lastUsedAt }) => lastUsedAt) ?? [];

const listingOf = async ({ storage: { clients } }: StorageFixture): Promise<Listing> => ({
  add: async (accountId, count) => {
    const added = Array.from({ length: count }, () => client({ accountId }));
    await Promise.all(added.map((each) => clients.insertClient(each)));
    return added.map(({ id }) => id);
  },
  change: async (_accountId, id) => {
    const stored = await clients.findClient(id);
    ok(stored && (await clients.replaceClient({ ...stored, name: `${stored.name} again` })));
    await clients.touchSecret(id, stored.secrets[0]?.id ?? '', 1_000);
  },
  page: async (accountId, request) => idsOf(await clients.listClients(accountId, request)),
});

const cases: Cases<StorageFixture> = {
  'a client is read as it was stored': beside(async (clients) => {
    const full = client({
      name: 'Système de réservation 🏡 — “A\'B"',
      disabled: true,
      rights: ['requests:read', 'bookings:write'],
      children: ['acc 1', 'Zweig 🏡', "a'b"],
      networks: ['203.0.113.0/24', '2001:db8::/32'],
      expiresAt: 1_798_761_600_001,
      jwks: {
        keys: [
          { kid: 'clé “1”', kty: 'EC', alg: 'ES256', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) },
          { kid: '2', kty: 'OKP', alg: 'Ed25519', crv: 'Ed25519', x: 'x'.repeat(43) },
          { kid: '3', kty: 'RSA', alg: 'PS256', n: 'n'.repeat(683), e: 'AQAB' },
        ],
      },
      tokensNotBefore: 1_735_689_600,
      version: 7,
      secrets: [
        clientSecret({ label: 'Été', expiresAt: 1_767_225_600_001, revoked: true, lastUsedAt: 1_751_328_000_002 }),
        clientSecret({ digest: 'f'.repeat(64) }),
      ],
    });
    await clients.insertClient(full);
    deepStrictEqual(await clients.findClient(full.id), full);
    for (const each of [client({ children: [] }), client({ children: ['acc_1'], networks: ['::/0'] })]) {
      await clients.insertClient(each);
      deepStrictEqual(await clients.findClient(each.id), each);
    }
    const bare = client({ secrets: [] });
    await clients.insertClient(bare);
    deepStrictEqual(await clients.findClient(bare.id), bare);
  }),
  'an imported client keeps its id, in any form, and the origin of its secrets': beside(async (clients) => {
    for (const id of ['7', `partner:1@acme/v2 ~"'\\%_`, 'x'.repeat(128)]) {
      const secrets = [
        clientSecret({ origin: 'imported' }),
        clientSecret({ digest: '0'.repeat(64), origin: 'legacy' }),
      ];
      const imported = client({ id, secrets });
      await clients.insertClient(imported);
      deepStrictEqual(await clients.findClient(id), imported);
      await clients.touchSecret(id, secrets[0]?.id ?? '', 1_000);
      const adopted = { ...imported, secrets: secrets.map((each) => ({ ...each, origin: 'imported' as const })) };
      strictEqual(await clients.replaceClient(adopted), true);
      const stored = await found(clients, imported);
      deepStrictEqual(
        stored.secrets.map(({ origin, lastUsedAt }) => [origin, lastUsedAt]),
        [
          ['imported', 1_000],
          ['imported', undefined],
        ],
      );
      const page = await clients.listClients(ours, { limit: 100 });
      ok(page.items.some((each) => each.id === id));
      strictEqual(await clients.deleteClient(stored), true);
    }
  }),
  'an unknown client is not found': beside(async (clients) => {
    for (const id of [newId(), 'no-such-client', ours]) strictEqual(await clients.findClient(id), undefined);
  }),
  'an existing id is not inserted again, by any account': beside(async (clients, stored) => {
    await rejects(clients.insertClient({ ...stored, name: 'Another' }));
    await rejects(clients.insertClient({ ...stored, accountId: theirs }));
    deepStrictEqual(await clients.findClient(stored.id), stored);
  }),
  'exactly one of many simultaneous inserts of an id succeeds': beside(async (clients) => {
    const id = newId();
    const inserted = await raceToResolve((index) =>
      clients.insertClient(client({ id, accountId: index % 2 ? 'acc_even' : 'acc_odd', name: `Racer ${index}` })),
    );
    strictEqual(inserted, 1);
    const lists = await Promise.all(['acc_even', 'acc_odd'].map((accountId) => clients.listClients(accountId, {})));
    deepStrictEqual(
      lists.flatMap(({ items }) => items),
      [await clients.findClient(id)],
    );
  }),

  'a change is stored with the next version': beside(async (clients, stored) => {
    const rights = ['events:read'] as const;
    const jwks = { keys: [{ kid: '1', kty: 'OKP', alg: 'EdDSA', crv: 'Ed25519', x: 'x'.repeat(43) }] } as const;
    const changed = {
      ...stored,
      name: 'Renamed',
      rights,
      children: ['acc_1'],
      networks: ['203.0.113.0/24'],
      expiresAt: 1_798_761_600_001,
      jwks,
      disabled: true,
      tokensNotBefore: 5,
      secrets: [clientSecret()],
    };
    strictEqual(await clients.replaceClient(changed), true);
    deepStrictEqual(await clients.findClient(stored.id), { ...changed, version: 2 });
    const {
      rights: _r,
      jwks: _k,
      children: _c,
      networks: _n,
      expiresAt: _e,
      ...unlimited
    } = { ...changed, version: 2 };
    strictEqual(await clients.replaceClient(unlimited), true);
    deepStrictEqual(await clients.findClient(stored.id), { ...unlimited, version: 3 });
  }),
  'the pages of all clients contain each exactly once, also while they change': async ({ storage: { clients } }) => {
    const accounts = [ours, theirs, 'Zweig 🏡', ours, theirs, ours, '7 8'];
    const stored = accounts.map((accountId) => client({ accountId, secrets: [clientSecret()] }));
    for (const each of stored) await clients.insertClient(each);
    const seen: Client[] = [];
    for (let after: string | undefined, isLast = false; !isLast; ) {
      const page = await clients.listAllClients({ limit: 2, ...(after === undefined ? {} : { after }) });
      ok(page.items.length <= 2, `${page.items.length} on a page of 2`);
      seen.push(...page.items);
      for (const each of page.items) ok(await clients.replaceClient({ ...each, name: 'changed' }));
      const [gone] = page.items;
      if (seen.length === 2 && gone) ok(await clients.deleteClient({ ...gone, version: gone.version + 1 }));
      after = page.next;
      isLast = after === undefined;
    }
    const byId = (a: Client, b: Client) => (a.id < b.id ? -1 : 1);
    deepStrictEqual(seen.toSorted(byId), stored.toSorted(byId));
    deepStrictEqual(await clients.listAllClients({ after: 'none' }), { items: [], invalidCursor: true });
  },
  'a change of an older version, or of an unknown client, changes nothing': beside(async (clients, stored) => {
    strictEqual(await clients.replaceClient({ ...stored, name: 'First' }), true);
    strictEqual(await clients.replaceClient({ ...stored, name: 'Second' }), false);
    strictEqual(await clients.replaceClient({ ...stored, name: 'Third', version: 3 }), false);
    deepStrictEqual(await clients.findClient(stored.id), { ...stored, name: 'First', version: 2 });
    const nobody = client();
    strictEqual(await clients.replaceClient(nobody), false);
    strictEqual(await clients.findClient(nobody.id), undefined);
  }),
  'exactly one of many simultaneous changes of a version succeeds': beside(async (clients, stored) => {
    const won = await race((index) => clients.replaceClient({ ...stored, name: `Racer ${index}` }));
    strictEqual(won.filter(Boolean).length, 1);
    deepStrictEqual(await clients.findClient(stored.id), { ...stored, name: `Racer ${won.indexOf(true)}`, version: 2 });
  }),

  'a deleted client is gone with its secrets': beside(async (clients, stored) => {
    strictEqual(await clients.deleteClient(stored), true);
    strictEqual(await clients.findClient(stored.id), undefined);
    deepStrictEqual(await clients.listClients(ours, {}), { items: [] });
    strictEqual(await clients.deleteClient(stored), false);
    strictEqual(await clients.replaceClient({ ...stored, name: 'Late' }), false);
    await clients.touchSecret(stored.id, 'shared', 2_000);
    strictEqual(await clients.findClient(stored.id), undefined);
  }),
  'an older version, or an unknown client, is not deleted': beside(async (clients, stored) => {
    strictEqual(await clients.replaceClient({ ...stored, name: 'First' }), true);
    strictEqual(await clients.deleteClient(stored), false);
    strictEqual(await clients.deleteClient({ ...stored, version: 3 }), false);
    strictEqual(await clients.deleteClient(client()), false);
    deepStrictEqual(await clients.findClient(stored.id), { ...stored, name: 'First', version: 2 });
  }),
  'of many simultaneous changes and deletions of a version exactly one succeeds': beside(async (clients, stored) => {
    const won = await race((index) =>
      index % 2 ? clients.replaceClient({ ...stored, name: `Racer ${index}` }) : clients.deleteClient(stored),
    );
    strictEqual(won.filter(Boolean).length, 1);
    const winner = won.indexOf(true);
    deepStrictEqual(
      await clients.findClient(stored.id),
      winner % 2 ? { ...stored, name: `Racer ${winner}`, version: 2 } : undefined,
    );
  }),

  'a login is recorded on its secret, and on no other': beside(async (clients, stored) => {
    await clients.touchSecret(stored.id, 'shared', 2_000);
    deepStrictEqual(await usedAt(clients, stored), [2_000, 1_000]);
  }),
  'a late record of a login does not move its time back': beside(async (clients, stored) => {
    await clients.touchSecret(stored.id, 'second', 999);
    deepStrictEqual(await usedAt(clients, stored), [undefined, 1_000]);
    await race((index) => clients.touchSecret(stored.id, 'second', 2_000 + ((index * 7) % racers)));
    deepStrictEqual(await usedAt(clients, stored), [undefined, 2_000 + racers - 1]);
  }),
  'a login does not change the version': beside(async (clients, stored) => {
    await clients.touchSecret(stored.id, 'shared', 2_000);
    strictEqual((await found(clients, stored)).version, stored.version);
    strictEqual(await clients.replaceClient({ ...stored, name: 'Renamed' }), true);
  }),
  'a login of an unknown client or secret is no error': beside(async (clients, stored) => {
    await clients.touchSecret(newId(), 'shared', 2_000);
    await clients.touchSecret(stored.id, 'no-such-secret', 2_000);
    deepStrictEqual(await clients.findClient(stored.id), stored);
  }),
  'a change does not undo a login that was recorded meanwhile': beside(async (clients, stored) => {
    await clients.touchSecret(stored.id, 'shared', 3_000);
    await clients.touchSecret(stored.id, 'second', 3_000);
    strictEqual(await clients.replaceClient({ ...stored, name: 'Renamed' }), true);
    deepStrictEqual(await usedAt(clients, stored), [3_000, 3_000]);
  }),
  'simultaneous changes and logins are all stored': beside(async (clients, stored) => {
    const [won] = await Promise.all([
      race((index) => clients.replaceClient({ ...stored, name: `Racer ${index}` })),
      race((index) => clients.touchSecret(stored.id, 'shared', 2_000 + index)),
    ]);
    strictEqual(won.filter(Boolean).length, 1);
    strictEqual((await found(clients, stored)).name, `Racer ${won.indexOf(true)}`);
    deepStrictEqual(await usedAt(clients, stored), [2_000 + racers - 1, 1_000]);
  }),

  'a refused login is recorded at most once in a while, and changes no version': beside(async (clients, stored) => {
    const note = async (at: number, reason: LoginRefusal) => {
      await clients.noteRefusal(stored.id, { at, reason }, minute);
      return (await found(clients, stored)).lastRefusal;
    };
    const first = { at: 1_751_328_000_002, reason: 'wrong_secret' } as const;
    strictEqual((await found(clients, stored)).lastRefusal, undefined);
    deepStrictEqual(await note(first.at, first.reason), first);
    for (const at of [first.at - 10 * minute, first.at, first.at + minute - 1])
      deepStrictEqual(await note(at, 'disabled'), first);
    const second = { at: first.at + minute, reason: 'expired_secret' } as const;
    deepStrictEqual(await note(second.at, second.reason), second);
    deepStrictEqual(await found(clients, stored), { ...stored, lastRefusal: second });
    await clients.noteRefusal(newId(), first, minute);
    await clients.noteRefusal('none', first, minute);
    deepStrictEqual((await clients.listClients(ours, {})).items, [{ ...stored, lastRefusal: second }]);
  }),
  'a change does not undo a refusal that was recorded meanwhile': beside(async (clients, stored) => {
    const lastRefusal = { at: 2_000, reason: 'malformed_secret' } as const;
    await clients.noteRefusal(stored.id, lastRefusal, minute);
    strictEqual(await clients.replaceClient({ ...stored, name: 'Renamed' }), true);
    deepStrictEqual(await found(clients, stored), { ...stored, name: 'Renamed', version: 2, lastRefusal });
    const later = { at: 2_000 + hour, reason: 'too_many_logins' } as const;
    await clients.noteRefusal(stored.id, later, minute);
    strictEqual(await clients.replaceClient({ ...stored, version: 2, lastRefusal }), true);
    deepStrictEqual((await found(clients, stored)).lastRefusal, later);
  }),
  'of simultaneous refused logins one is recorded': beside(async (clients, stored) => {
    const noteAll = async (from: number): Promise<RefusedLogin | undefined> => {
      await race((index) => clients.noteRefusal(stored.id, { at: from + index, reason: 'disabled' }, minute));
      return (await found(clients, stored)).lastRefusal;
    };
    const recorded = await noteAll(2_000);
    ok(recorded && recorded.at >= 2_000 && recorded.at < 2_000 + racers);
    deepStrictEqual(await noteAll(2_000 + 30 * second), recorded);
  }),

  ...usageCases,

  'a token is revoked by its own jti': beside(async (clients, _stored, { storeNow }) => {
    const [jti, other] = [newId(), newId()];
    strictEqual(await clients.isTokenRevoked(jti), false);
    const until = Math.ceil((await storeNow()) / second) + 60;
    await race(() => clients.revokeToken(jti, until));
    await clients.revokeToken(jti, until);
    strictEqual(await clients.isTokenRevoked(jti), true);
    strictEqual(await clients.isTokenRevoked(other), false);
  }),
  'a revoked token stays revoked until it has expired': beside(async (clients, _stored, { storeNow, elapse }) => {
    const [short, long] = [newId(), newId()];
    const now = await storeNow();
    await clients.revokeToken(short, Math.ceil((now + hour) / second));
    await clients.revokeToken(long, Math.ceil((now + 30 * day) / second));
    await elapse(hour - slack);
    // A store may delete expired entries here.
    await clients.revokeToken(newId(), Math.ceil((now + 2 * hour) / second));
    strictEqual(await clients.isTokenRevoked(short), true);
    await elapse(29 * day);
    await clients.revokeToken(newId(), Math.ceil((now + 30 * day) / second));
    strictEqual(await clients.isTokenRevoked(long), true);
  }),
  ...whateverTheClocks('a revoked token stays revoked until its second', async ({ storage, storeNow }, storeAhead) => {
    const { clients } = storage;
    const hostNow = (await storeNow()) - storeAhead;
    const jti = newId();
    await clients.revokeToken(jti, Math.ceil((hostNow + minute) / second));
    await clients.revokeToken(newId(), Math.ceil((hostNow + minute) / second));
    strictEqual(await clients.isTokenRevoked(jti), true);
  }),

  ...pageCases('clients', listingOf),
};

/** Tests the obligations of a `ClientStore`. */
export const clientStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
