import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day, hour } from '@partnerkit/core';
import { type AuditEntry, type AuditStore, type NewAuditEntry, type Storage, shardOf } from '@partnerkit/core/adapter';
import { sick } from '../deliveries/health.ts';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { type Cases, type ContractOptions, concurrently, runCases, whateverTheClocks } from '../support/contract.ts';
import { whileBothOpen, whileOpen } from '../support/open-transaction.ts';
import { allPages, badCursors, idsOf, pageCases } from '../support/pages.ts';
import { race, racers, soon } from '../support/racers.ts';
import { client, endpoint, inShardOf, newId, ours, theirs } from '../support/records.ts';
import { slack } from '../support/store-time.ts';
import { beside } from '../support/world.ts';

const entry = (change: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  ...{ id: newId(), accountId: ours, type: 'key.changed', subjectId: 'key', by: { type: 'host' } },
  ...{ data: { change: 'updated' }, mac: 'bWFj' },
  ...change,
});

/** Stores entries, each with a change of its own. */
const add = async ({ clients }: Pick<Storage<object>, 'clients'>, ...entries: readonly NewAuditEntry[]) => {
  for (const audit of entries) await clients.revokeToken(newId(), 4_102_444_800, audit);
};
const stored = async ({ audit }: Pick<Storage<object>, 'audit'>, accountId?: string): Promise<readonly AuditEntry[]> =>
  allPages((page) => audit.listEntries(accountId, page));
const idOf = ({ id }: { readonly id: string }): string => id;
const storedIds = async (storage: Pick<Storage<object>, 'audit'>, accountId?: string): Promise<readonly string[]> =>
  (await stored(storage, accountId)).map(({ id }) => id);

/** Each change with an entry, made and not made. */
const changes: Readonly<
  Record<string, (storage: Storage<object>, audit: NewAuditEntry, isMade: boolean) => Promise<unknown>>
> = {
  insertClient: async ({ clients }, audit, isMade) => {
    const made = client();
    if (!isMade) await clients.insertClient(made);
    return clients.insertClient(made, audit).catch(() => undefined);
  },
  replaceClient: async ({ clients }, audit, isMade) => {
    const made = client();
    await clients.insertClient(made);
    return clients.replaceClient({ ...made, version: isMade ? 1 : 2 }, audit);
  },
  deleteClient: async ({ clients }, audit, isMade) => {
    const made = client();
    await clients.insertClient(made);
    return clients.deleteClient({ ...made, version: isMade ? 1 : 2 }, audit);
  },
  insertEndpoint: ({ endpoints }, audit, isMade) =>
    endpoints.insertEndpoint(endpoint(), isMade ? 20 : 0, undefined, audit),
  replaceEndpoint: async ({ endpoints }, audit, isMade) => {
    const made = endpoint();
    await endpoints.insertEndpoint(made, 20);
    return endpoints.replaceEndpoint({ ...made, version: isMade ? 1 : 2 }, audit);
  },
  resumeEndpoint: async ({ endpoints }, audit, isMade) => {
    const made = endpoint();
    await endpoints.insertEndpoint(made, 20);
    return endpoints.resumeEndpoint(made.accountId, made.id, isMade ? 1 : 2, audit);
  },
  deleteEndpoint: async ({ endpoints }, audit, isMade) => {
    const made = endpoint();
    if (isMade) await endpoints.insertEndpoint(made, 20);
    return endpoints.deleteEndpoint(made.accountId, made.id, audit);
  },
};

const listingOf = async ({ storage }: StorageFixture) => ({
  add: async (accountId: string, count: number) => {
    const made = Array.from({ length: count }, () => entry({ accountId }));
    await add(storage, ...made);
    return made.map(({ id }) => id);
  },
  change: async (_accountId: string, id: string) => add(storage, entry({ id })),
  page: async (accountId: string, request: object) => idsOf(await storage.audit.listEntries(accountId, request)),
});

const shard = shardOf(ours);
const start = { position: 0, link: '' };
const place = (position: number) => ({ position, link: `link ${position}` });
/** Links entries at the first places. */
const linkFirst = (audit: AuditStore, ids: readonly string[], from = 0) =>
  audit.link(
    shard,
    from === 0 ? start : place(from),
    ids.map((id, index) => ({ id, ...place(from + index + 1) })),
  );

const alerts = { name: 'alerts', events: ['Operations.key.added', 'payed'] } as const;
const pauses = [hour, hour] as const;

const timed = async ({ storage, storeNow, elapse }: StorageFixture): Promise<void> => {
  const [before, audit] = [await storeNow(), entry()];
  await elapse(hour);
  await add(storage, audit);
  const [found] = await stored(storage, ours);
  ok(found && Math.abs(found.at - before - hour) <= slack, `at ${found?.at}, not ${before + hour}`);
};

const cases: Cases<StorageFixture> = {
  'an entry is read as it was stored': async ({ storage }) => {
    const full = entry({
      ...{ type: 'endpoint.disabled', subjectId: 'é 🏡', requestId: 'req "1"' },
      by: { type: 'rule', command: 'breaker' },
      data: { z: 1.5, a: [{ y: null, x: 'Ünï 🏡\n' }], t: true },
    });
    const least = entry({ accountId: theirs, data: {} });
    await add(storage, full, least);
    for (const [accountId, expected] of [
      [ours, [full]],
      [theirs, [least]],
      [undefined, [full, least]],
    ] as const)
      deepStrictEqual(
        (await stored(storage, accountId)).map(({ at: _now, ...rest }) => rest),
        expected,
      );
  },
  ...whateverTheClocks("the time of an entry is that of the store's clock", timed),
  ...pageCases('entries', listingOf),
  'the entries of all accounts are listed, and a malformed cursor is told': async ({ storage }) => {
    const made = Array.from({ length: 5 }, (_, index) => entry({ accountId: index % 2 ? ours : theirs }));
    await add(storage, ...made);
    const ids = made.map(({ id }) => id);
    deepStrictEqual(
      (await allPages((page) => storage.audit.listEntries(undefined, page), { limit: 2 })).map(({ id }) => id),
      ids,
    );
    const { items, next } = await storage.audit.listEntries(undefined, { newestFirst: true, limit: 2 });
    const newest = ids.toReversed().slice(0, 2);
    deepStrictEqual([items.map(({ id }) => id), next], [newest, newest[1]]);
    for (const after of badCursors)
      deepStrictEqual(await storage.audit.listEntries(undefined, { after }), { items: [], invalidCursor: true });
  },
  ...Object.fromEntries(
    Object.entries(changes).flatMap(([name, change]) =>
      [true, false].map((isMade) => [
        `${name}: ${isMade ? 'a change that is made writes its entry' : 'a change that is not made writes no entry'}`,
        async ({ storage }: StorageFixture) => {
          const audit = entry();
          await change(storage, audit, isMade);
          deepStrictEqual(await storedIds(storage), isMade ? [audit.id] : []);
        },
      ]),
    ),
  ),
  'an entry with a stored id is left out, and its change is made': async ({ storage }) => {
    const [audit, made] = [entry(), client()];
    await add(storage, audit);
    await storage.clients.insertClient(made, { ...audit, subjectId: 'other' });
    deepStrictEqual(
      (await stored(storage)).map(({ subjectId }) => subjectId),
      ['key'],
    );
    ok(await storage.clients.findClient(made.id));
  },
  'the entry of a new endpoint is in the transaction that it joins': async ({ storage }) => {
    const [undone, kept] = [entry(), entry()];
    await whileOpen(storage, async (open) => {
      await storage.endpoints.insertEndpoint(endpoint(), 20, open.tx, undone);
      await open.rollback();
    });
    await whileOpen(storage, async (open) => {
      await storage.endpoints.insertEndpoint(endpoint(), 20, open.tx, kept);
      await open.commit();
    });
    deepStrictEqual(await storedIds(storage), [kept.id]);
  },
  'of simultaneous changes of one version, one writes its entry': async ({ storage }) => {
    const made = client();
    await storage.clients.insertClient(made);
    const won = await race(async () => {
      const audit = entry();
      return (await storage.clients.replaceClient(made, audit)) ? audit.id : undefined;
    });
    deepStrictEqual(
      await storedIds(storage),
      won.filter((id) => id !== undefined),
    );
  },
  'a change waits for no open transaction that wrote an entry of the same account': concurrently(
    async ({ storage }) => {
      await whileOpen(storage, async (open) => {
        await storage.endpoints.insertEndpoint(endpoint(), 20, open.tx, entry());
        const audit = entry();
        await add(storage, audit);
        deepStrictEqual(await storedIds(storage), [audit.id]);
        await open.rollback();
      });
    },
  ),
  'open transactions that write entries of the same account do not wait for each other': concurrently(
    async ({ storage }) => {
      await storage.handlers.register([alerts], 100);
      const told = Array.from({ length: 4 }, () => entry({ type: 'key.added' }));
      const [a, b, c, d] = told as [NewAuditEntry, NewAuditEntry, NewAuditEntry, NewAuditEntry];
      await whileBothOpen(storage, async (first, second) => {
        await storage.audit.tell([a], first.tx);
        await soon(storage.audit.tell([b], second.tx), 'an entry of the second');
        await soon(storage.audit.tell([c], first.tx), 'an entry of the first');
        await soon(storage.audit.tell([d], second.tx), 'another entry of the second');
        await soon(second.commit(), 'the commit of the second');
        deepStrictEqual((await storedIds(storage, ours)).toSorted(), [b.id, d.id].toSorted());
        await first.commit();
      });
      const ids = told.map(({ id }) => id).toSorted();
      deepStrictEqual((await storedIds(storage, ours)).toSorted(), ids);
      const claimed = await storage.handlers.claim('alerts', 10, pauses);
      deepStrictEqual(claimed.map(({ eventId }) => eventId).toSorted(), ids);
    },
  ),
  'a change of health writes its entry if the health is stored': beside(async ({ storage, endpoint: own, settle }) => {
    const write = async (version: number, audit = entry()): Promise<string> => {
      const of = { accountId: ours, endpointId: own.id };
      await settle({ health: [{ ...of, version, health: sick }], transitions: [{ ...of, shard, audit }] });
      return audit.id;
    };
    await write(2);
    const written = await write(1);
    deepStrictEqual(await storedIds(storage, ours), [written]);
  }),
  'an endpoint that is disabled by rule has its entry, and one that is not has none': beside(
    async ({ storage, endpoint: own, settle }) => {
      const disable = async (version: number): Promise<string> => {
        const audit = entry({ type: 'endpoint.disabled' });
        const of = { shard, accountId: ours, endpointId: own.id };
        await settle({ transitions: [{ ...of, disable: { version, reason: 'failing' }, audit }] });
        return audit.id;
      };
      await disable(2);
      const made = await disable(1);
      await disable(1);
      deepStrictEqual(await storedIds(storage, ours), [made]);
    },
  ),
  'an entry that is told again, alone or beside others, stays as it was told first': async ({ storage }) => {
    await storage.handlers.register([alerts], 100);
    const [first, second] = [entry({ type: 'key.added' }), entry({ accountId: theirs, type: 'key.added' })];
    await storage.audit.tell([]);
    await storage.audit.tell([first]);
    await storage.audit.tell([{ ...first, subjectId: 'other' }, second]);
    await race(() => storage.audit.tell([second, first]));
    deepStrictEqual(
      (await stored(storage)).map(({ id, accountId, subjectId }) => [id, accountId, subjectId]),
      [first, second].map(({ id, accountId }) => [id, accountId, 'key']),
    );
    strictEqual((await storage.handlers.claim('alerts', 10, pauses)).length, 2);
    deepStrictEqual((await storage.audit.readUnlinked(shardOf(theirs), 10)).map(idOf), [second.id]);
  },
  'an entry that is told in a transaction of the host is stored if that commits': async ({ storage }) => {
    await storage.handlers.register([alerts], 100);
    const [undone, kept] = [entry({ type: 'key.added' }), entry({ type: 'key.added' })];
    await whileOpen(storage, async (open) => {
      await storage.audit.tell([undone], open.tx);
      await open.rollback();
    });
    await whileOpen(storage, async (open) => {
      await storage.audit.tell([kept], open.tx);
      await open.commit();
    });
    deepStrictEqual(await storedIds(storage), [kept.id]);
    deepStrictEqual(
      (await storage.handlers.claim('alerts', 10, pauses)).map(({ eventId }) => eventId),
      [kept.id],
    );
  },
  'a handler gets a delivery of each entry that it selects, with the envelope of the entry': async ({ storage }) => {
    await storage.handlers.register([alerts], 100);
    const added = entry({ type: 'key.added', subjectId: 'key_1', by: { type: 'user', id: 'u1' } });
    await add(storage, entry({ type: 'key.changed' }), added);
    const claimed = await storage.handlers.claim('alerts', 10, pauses);
    const [first] = await stored(storage).then((all) => all.filter(({ id }) => id === added.id));
    const timestamp = Math.floor((first?.at ?? 0) / 1_000);
    deepStrictEqual(
      claimed.map(({ accountId, eventId, attempts }) => [accountId, eventId, attempts]),
      [[ours, added.id, 1]],
    );
    const { id, objectName, objectId, type, body } = claimed[0]?.event ?? ({} as never);
    deepStrictEqual([id, objectName, objectId, type], [added.id, 'Operations', 'key_1', 'key.added']);
    strictEqual(
      body,
      `{"timestamp":${timestamp},"data":{"id":"key_1","by":{"type":"user","id":"u1"},"change":"updated"},"objectName":"Operations","type":"key.added"}`,
    );
    await storage.handlers.settle([{ claimed: claimed[0] as (typeof claimed)[0], outcome: 'handled', durationMs: 1 }]);
    deepStrictEqual(await storage.handlers.claim('alerts', 10, pauses), []);
    deepStrictEqual((await storage.events.listEvents(ours, {})).items, []);
  },
  'a handler that is not registered gets none': async ({ storage }) => {
    await storage.handlers.register([alerts], 100);
    await storage.handlers.removeHandler('alerts', 100);
    await add(storage, entry({ type: 'key.added' }));
    await storage.handlers.register([alerts], 100);
    deepStrictEqual(await storage.handlers.claim('alerts', 10, pauses), []);
  },
  'entries are linked after the last place of their chain, and only there': async ({ storage }) => {
    const { audit } = storage;
    const made = [entry(), entry(), entry()];
    const other = entry({ accountId: theirs });
    await add(storage, ...made, other);
    const [a, b, c] = made.map(({ id }) => id) as [string, string, string];
    deepStrictEqual(
      (await audit.readUnlinkedShards([shard, shardOf(theirs), 0])).toSorted(),
      [shard, shardOf(theirs)].toSorted(),
    );
    deepStrictEqual((await audit.readUnlinked(shard, 10)).map(({ id }) => id).toSorted(), [a, b, c]);
    strictEqual((await audit.readUnlinked(shard, 2)).length, 2);
    strictEqual(await linkFirst(audit, [b, a]), true);
    strictEqual(await linkFirst(audit, [c]), false);
    strictEqual(await linkFirst(audit, [c], 1), false);
    deepStrictEqual(
      (await audit.readUnlinked(shard, 10)).map(({ id }) => id),
      [c],
    );
    strictEqual(await linkFirst(audit, [c], 2), true);
    deepStrictEqual(
      (await audit.readLinked(shard, 0, 10)).map(({ id, position, link }) => [id, position, link]),
      [
        [b, 1, 'link 1'],
        [a, 2, 'link 2'],
        [c, 3, 'link 3'],
      ],
    );
    deepStrictEqual(
      (await audit.readLinked(shard, 1, 1)).map(({ id }) => id),
      [a],
    );
    deepStrictEqual(await audit.readUnlinkedShards([shard]), []);
    deepStrictEqual(await audit.readChains([0, shard]), [
      { shard: 0, last: start, pruned: start },
      { shard, last: place(3), pruned: start },
    ]);
  },
  'of simultaneous links of one place, one is stored': async ({ storage }) => {
    const made = Array.from({ length: racers }, () => entry());
    await add(storage, ...made);
    const won = await race((index) => linkFirst(storage.audit, [made[index]?.id ?? '']));
    strictEqual(won.filter(Boolean).length, 1);
    deepStrictEqual(
      (await storage.audit.readLinked(shard, 0, 10)).map(({ id }) => id),
      made.filter((_, index) => won[index]).map(({ id }) => id),
    );
  },
  'nothing is linked that has a link, or does not exist': async ({ storage }) => {
    const [first, second] = [entry(), entry()];
    await add(storage, first, second);
    strictEqual(await linkFirst(storage.audit, [first.id]), true);
    for (const ids of [[first.id], [second.id, newId()], [second.id, first.id]])
      strictEqual(await linkFirst(storage.audit, ids, 1), false);
    deepStrictEqual(
      (await storage.audit.readLinked(shard, 0, 10)).map(({ id }) => id),
      [first.id],
    );
    deepStrictEqual(
      (await storage.audit.readUnlinked(shard, 10)).map(({ id }) => id),
      [second.id],
    );
  },
  'old linked entries are deleted from the start of the chain, with their deliveries': async (fixture) => {
    const { storage, elapse } = fixture;
    const { audit } = storage;
    await storage.handlers.register([alerts], 100);
    const old = [entry({ type: 'key.added' }), entry(), entry()];
    const neighbour = entry({ accountId: inShardOf(ours, 'acc_n') });
    await add(storage, ...old, neighbour);
    const ids = [...old, neighbour].map(({ id }) => id);
    await linkFirst(audit, ids);
    await elapse(10 * day);
    const [recent, waiting] = [entry(), entry()];
    await add(storage, recent, waiting);
    await linkFirst(audit, [recent.id], 4);
    strictEqual(await audit.pruneEntries(shard, 11 * day, 10), false);
    strictEqual((await audit.readLinked(shard, 0, 10)).length, 5);
    strictEqual(await audit.pruneEntries(shard, 5 * day, 2), true);
    deepStrictEqual(await audit.readChains([shard]), [{ shard, last: place(5), pruned: place(2) }]);
    while (await audit.pruneEntries(shard, 5 * day, 2));
    deepStrictEqual(
      (await audit.readLinked(shard, 0, 10)).map(({ position }) => position),
      [5],
    );
    deepStrictEqual(await audit.readChains([shard]), [{ shard, last: place(5), pruned: place(4) }]);
    deepStrictEqual(await storedIds(storage, ours), [recent.id, waiting.id]);
    deepStrictEqual((await storage.handlers.listDeliveries({ accountId: ours, eventId: ids[0] ?? '' }, {})).items, []);
    deepStrictEqual(await storage.handlers.claim('alerts', 10, pauses), []);
  },
};

/** Tests the obligations of `AuditStore`, and of the calls that write its entries. */
export const auditStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
