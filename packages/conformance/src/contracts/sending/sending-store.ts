import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { minute } from '@partnerkit/core';
import { type Endpoint, type NewAuditEntry, type SendingScope, type Storage, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { allShards } from '../support/acts.ts';
import { type Cases, type ContractOptions, concurrently, runCases, whateverTheClocks } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { endpoint, newId, ours, theirs } from '../support/records.ts';
import { slack } from '../support/store-time.ts';

const everything: SendingScope = {};

const entry = (change: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  ...{ id: newId(), accountId: ours, type: 'sending.paused', subjectId: ours, by: { type: 'host' } },
  ...{ data: { change: 'paused' }, mac: 'bWFj' },
  ...change,
});

/** Pauses and resumes with entries that do not matter. */
const withEntries = ({ sending: { pause, resume, listPauses } }: Pick<Storage<object>, 'sending'>) => ({
  pause: (scope: SendingScope) => pause(scope, entry()),
  resume: (scope: SendingScope) => resume(scope, entry()),
  listPauses,
});

/** What a worker learns that knows a version. */
const changesSince = async ({ storage }: StorageFixture, knownVersion: number) => {
  const { endpointVersion, changedShards } = await storage.deliveries.readEndpoints([], knownVersion);
  return { endpointVersion, changedShards: changedShards.toSorted((a, b) => a - b) };
};

/** Asserts that `act` raises the version of these shards, and of no other. */
const raises = async (
  fixture: StorageFixture,
  shards: readonly number[],
  act: () => Promise<unknown>,
): Promise<void> => {
  const { endpointVersion: before } = await changesSince(fixture, 0);
  await act();
  const { endpointVersion, changedShards } = await changesSince(fixture, before);
  deepStrictEqual(changedShards, shards);
  strictEqual(endpointVersion > before, shards.length > 0);
};

interface Endpoints {
  readonly first: Endpoint;
  readonly second: Endpoint;
  readonly other: Endpoint;
}

/** Two endpoints of our account, and one of another. */
const insertEndpoints = async ({ storage }: StorageFixture): Promise<Endpoints> => {
  const [first, second, other] = [endpoint(), endpoint(), endpoint({ accountId: theirs })];
  for (const each of [first, second, other]) await storage.endpoints.insertEndpoint(each, 20);
  return { first, second, other };
};

/** The endpoints that a worker reads as paused. */
const pausedOf = async ({ storage }: StorageFixture): Promise<readonly string[]> => {
  const { endpoints } = await storage.deliveries.readEndpoints([ours, theirs], 0);
  return endpoints.flatMap((each) => (each.isSendingPaused ? [each.endpoint.id] : [])).toSorted();
};

const sorted = (...endpoints: readonly Endpoint[]): readonly string[] => endpoints.map(({ id }) => id).toSorted();

const cases: Cases<StorageFixture> = {
  'a pause raises the version of the shards that it concerns, and so does its end': async (fixture) => {
    const sending = withEntries(fixture.storage);
    const { first } = await insertEndpoints(fixture);
    for (const [scope, shards] of [
      [everything, allShards],
      [{ accountId: theirs }, [shardOf(theirs)]],
      [{ accountId: ours, endpointId: first.id }, [shardOf(ours)]],
    ] as const) {
      await raises(fixture, shards, () => sending.pause(scope));
      await raises(fixture, shards, () => sending.resume(scope));
    }
  },
  'the same pause again, and the end of none, raise no version': async (fixture) => {
    const sending = withEntries(fixture.storage);
    for (const scope of [everything, { accountId: ours }, { accountId: ours, endpointId: newId() }]) {
      await raises(fixture, [], () => sending.resume(scope));
      await sending.pause(scope);
      await raises(fixture, [], () => sending.pause(scope));
    }
  },
  'a worker reads which endpoints are paused: by themselves, their account or everything': async (fixture) => {
    const sending = withEntries(fixture.storage);
    const { first, second, other } = await insertEndpoints(fixture);
    const [ofFirst, ofOurs] = [{ accountId: ours, endpointId: first.id }, { accountId: ours }];
    deepStrictEqual(await pausedOf(fixture), []);
    await sending.pause(ofFirst);
    deepStrictEqual(await pausedOf(fixture), sorted(first));
    await sending.pause(ofOurs);
    deepStrictEqual(await pausedOf(fixture), sorted(first, second));
    await sending.pause(everything);
    deepStrictEqual(await pausedOf(fixture), sorted(first, second, other));
    await sending.resume(ofOurs);
    deepStrictEqual(await pausedOf(fixture), sorted(first, second, other));
    await sending.resume(everything);
    deepStrictEqual(await pausedOf(fixture), sorted(first));
    await sending.pause({ accountId: theirs, endpointId: second.id });
    deepStrictEqual(await pausedOf(fixture), sorted(first), 'the endpoint of another account');
    await sending.resume(ofFirst);
    deepStrictEqual(await pausedOf(fixture), []);
  },
  'a pause and its end write their entries, and a call that changes nothing writes none': async ({ storage }) => {
    const { sending, audit } = storage;
    const written: string[] = [];
    for (const scope of [everything, { accountId: ours }, { accountId: ours, endpointId: newId() }]) {
      const [paused, again, resumed, none] = [entry(), entry(), entry({ type: 'sending.resumed' }), entry()];
      await sending.pause(scope, paused);
      await sending.pause(scope, again);
      await sending.resume(scope, resumed);
      await sending.resume(scope, none);
      written.push(paused.id, resumed.id);
    }
    deepStrictEqual(
      (await audit.listEntries(undefined, {})).items.map(({ id }) => id),
      written,
    );
  },
  'an entry of all accounts is listed with those of all, and handlers are told of it': async ({ storage }) => {
    const { sending, audit, handlers } = storage;
    await handlers.register([{ name: 'alerts', events: ['Operations.sending.paused'] }], 100);
    const paused = entry({ accountId: '', subjectId: 'platform' });
    await sending.pause(everything, paused);
    deepStrictEqual((await audit.listEntries(ours, {})).items, []);
    deepStrictEqual(
      (await audit.listEntries(undefined, {})).items.map(({ id, accountId }) => [id, accountId]),
      [[paused.id, '']],
    );
    const [claimed] = await handlers.claim('alerts', 10, [minute]);
    deepStrictEqual(
      [claimed?.accountId, claimed?.event.id, claimed?.event.objectId, claimed?.event.type],
      ['', paused.id, 'platform', 'sending.paused'],
    );
  },
  'a pause says who began it: the actor of its entry': async ({ storage: { sending } }) => {
    const [first, second] = [{ type: 'host', id: 'é "on call" 🏡' } as const, { type: 'host' } as const];
    await sending.pause({ accountId: ours }, entry({ by: first }));
    await sending.pause({ accountId: ours }, entry({ by: { type: 'host', id: 'later' } }));
    await sending.pause({ accountId: theirs }, entry({ by: second }));
    deepStrictEqual(
      (await sending.listPauses()).map(({ by }) => by),
      [first, second],
    );
  },
  ...whateverTheClocks('pauses are listed in order, each since it began', async (fixture) => {
    const { storage, elapse } = fixture;
    const sending = withEntries(storage);
    const scopes = [
      everything,
      { accountId: ours },
      { accountId: ours, endpointId: '01910b3e-0000-7000-8000-000000000000' },
      { accountId: ours, endpointId: '01910b3e-0000-7000-8000-000000000001' },
      { accountId: theirs },
    ];
    const { now: begun } = await storage.deliveries.readEndpoints([], 0);
    for (const scope of scopes.toReversed()) await sending.pause(scope);
    await elapse(5 * minute);
    for (const scope of scopes) await sending.pause(scope);
    const pauses = await sending.listPauses();
    deepStrictEqual(
      pauses.map(({ since: _since, by: _by, ...scope }) => scope),
      scopes,
    );
    for (const { since } of pauses) ok(Math.abs(since - begun) <= slack, `${since} is not ${begun}`);
    for (const scope of scopes) await sending.resume(scope);
    deepStrictEqual(await sending.listPauses(), []);
  }),
  ...whateverTheClocks('health tells since when an endpoint is paused, by the first of its pauses', async (fixture) => {
    const { storage, elapse } = fixture;
    const sending = withEntries(storage);
    const { first, second, other } = await insertEndpoints(fixture);
    const pulled = endpoint({ kind: 'pull' });
    const { secret: _secret, url: _url, ...pull } = pulled;
    await storage.endpoints.insertEndpoint(pull, 20);
    const { now: begun } = await storage.deliveries.readEndpoints([], 0);
    await sending.pause({ accountId: ours, endpointId: first.id });
    await elapse(5 * minute);
    await sending.pause({ accountId: ours });
    await storage.endpoints.replaceEndpoint({ ...second, state: 'disabled', disabledBy: 'host' });
    const health = await storage.endpoints.readHealth(ours, [first.id, second.id, other.id, pull.id, newId()]);
    const since = new Map(health.map((each) => [each.endpointId, (each.sendingPausedSince ?? 0) - begun]));
    deepStrictEqual([...since.keys()].toSorted(), sorted(first, second), 'a pull endpoint, and one of another account');
    ok(Math.abs(since.get(first.id) ?? 0) <= slack);
    ok(Math.abs((since.get(second.id) ?? 0) - 5 * minute) <= slack);
    deepStrictEqual(
      health.map(({ failures, disabledBy }) => [failures, disabledBy]).toSorted(),
      [
        [0, undefined],
        [0, 'host'],
      ].toSorted(),
    );
    deepStrictEqual(await storage.endpoints.readHealth(theirs, [other.id]), []);
  }),
  'simultaneous pauses of one scope make one, and raise the versions once': concurrently(async (fixture) => {
    const [sending, { deliveries }] = [withEntries(fixture.storage), fixture.storage];
    const { endpointVersion: before } = await deliveries.readEndpoints([], 0);
    await race(() => sending.pause(everything));
    strictEqual((await sending.listPauses()).length, 1);
    strictEqual((await deliveries.readEndpoints([], 0)).endpointVersion, before + 1);
    await race(() => sending.resume(everything));
    strictEqual((await deliveries.readEndpoints([], 0)).endpointVersion, before + 2);
  }),
};

/** Tests the obligations of a `SendingStore`: every worker learns of a pause, and of its end. */
export const sendingStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
