import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import {
  type DurationMs,
  hour,
  minute,
  type SendOutcome,
  type Settlement,
  type ShardedKey,
  type StoredHealth,
  shardOf,
} from '@partnerkit/core';
import { type Cases, whateverTheClocks } from './contract.ts';
import { race } from './racers.ts';
import { newId, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { assertBetween, slack } from './store-time.ts';
import { deliveriesOf, stored } from './stored.ts';
import { answered, beside, logged, pending, type World, worker } from './world.ts';

const outcomes: readonly SendOutcome[] = [
  {
    kind: 'answered',
    status: 503,
    retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT',
    body: 'é🏡\u2028 "quoted" \\ ',
    took: 0,
  },
  { kind: 'answered', status: 302, body: '', took: 14_999 },
  { kind: 'answered', status: 500, body: 'x'.repeat(4_096), took: 1 },
  ...(
    ['timeout', 'dns', 'forbidden_address', 'connect', 'tls', 'reset', 'abandoned', 'internal', 'out_of_reach'] as const
  ).map((reason): SendOutcome => ({ kind: 'failed', reason, took: 7 })),
];

const sick: StoredHealth = {
  failures: 7,
  failingFor: 3 * hour,
  isExhausted: true,
  openCount: 2,
  openFor: 2 * hour,
  retryAfterFor: 30 * minute,
};

/** The health of our endpoint, as its owner reads it. */
const healthOf = async ({ storage: { deliveries } }: World): Promise<StoredHealth | undefined> =>
  (await deliveries.readEndpoints([ours], [])).endpoints[0]?.health;

const health = ({ endpoint: { id } }: World, version: number, change?: Partial<StoredHealth>) => ({
  health: [{ accountId: ours, endpointId: id, version, ...(change ? { health: { ...sick, ...change } } : {}) }],
});

const attemptsAreLogged = async ({ storage: { log }, deliver, settle, storeNow }: World): Promise<void> => {
  const [key] = await deliver(1);
  for (const [index, outcome] of outcomes.entries()) {
    const before = await storeNow();
    await settle({ attempts: [logged(key, index + 1, outcome)] });
    const { at = 0, ...last } = (await log.listAttempts(key)).at(-1) ?? {};
    deepStrictEqual(last, outcome);
    assertBetween(at, before, await storeNow());
  }
  strictEqual((await log.listAttempts(key)).length, outcomes.length);
};

const healthPasses = async (world: World): Promise<void> => {
  await world.settle(health(world, 1, {}));
  const lengths: readonly (keyof StoredHealth)[] = ['failingFor', 'openFor', 'retryAfterFor'];
  const told = async (...expected: readonly DurationMs[]): Promise<void> => {
    const found = { ...(await healthOf(world)) };
    for (const [index, name] of lengths.entries()) {
      const off = Math.abs(Number(found[name]) - (expected[index] as number));
      ok(off <= slack, `${name} is ${found[name]}, not ${expected[index]}`);
    }
    const { failures, isExhausted, openCount } = found;
    deepStrictEqual({ failures, isExhausted, openCount }, { failures: 7, isExhausted: true, openCount: 2 });
  };
  await told(3 * hour, 2 * hour, 30 * minute);
  await world.elapse(hour);
  await told(4 * hour, hour, 0);
};

/** What becomes of attempts. @internal */
export const settlingCases: Cases<StorageFixture> = {
  ...whateverTheClocks(
    'attempts are logged as they ended, in order, by the clock of the store',
    beside(attemptsAreLogged),
  ),
  'a number that a delivery has logged stays as it is': beside(async ({ storage, deliver, settle }) => {
    const [key, other] = await deliver(2);
    await settle({ attempts: [logged(key, 2, answered(500)), logged(key, 1, answered(501))] });
    await settle({ attempts: [2, 3].map((number) => logged(key, number, answered(200), 'delivered')) });
    const statuses = (await storage.log.listAttempts(key)).map((each) => each.kind === 'answered' && each.status);
    deepStrictEqual(statuses, [501, 500, 200]);
    deepStrictEqual(await storage.log.listAttempts(other), []);
  }),
  'a delivery becomes pending, changes, and is finished': beside(async ({ deliver, settle, due, queued, elapse }) => {
    const [key, other] = await deliver(2);
    const counts = async () =>
      [await due(), await queued()].map((each) => each.map(({ attempts, logged }) => [attempts, logged]));
    await settle({ pending: [pending(key, { state: 'scheduled', dueIn: hour, attempts: 1, logged: 2 })] });
    deepStrictEqual(await counts(), [[], []]);
    await elapse(hour);
    deepStrictEqual(await counts(), [[[1, 2]], []]);
    await settle({ pending: [pending(key, { attempts: 3, logged: 4 })] });
    deepStrictEqual(await counts(), [[], [[3, 4]]]);
    await settle({ pending: [pending(key, { state: 'scheduled' })] });
    deepStrictEqual(await counts(), [[[0, 0]], []]);
    await settle({ finished: [key, other] });
    deepStrictEqual(await counts(), [[], []]);
  }),
  'scheduled deliveries become queued, and change in nothing else': beside(async (world) => {
    const { storage, deliver, settle, queued } = world;
    const [late, early, fresh] = await deliver(3);
    const scheduled = (key: ShardedKey, dueIn: DurationMs) =>
      pending(key, { state: 'scheduled', dueIn, attempts: 2, logged: 3 });
    await settle({ pending: [scheduled(late, -minute), scheduled(early, -hour)] });
    await storage.deliveries.recover(worker, [{ shard: late.shard, settledTo: 2 ** 48, wasAbandoned: true }]);
    await settle({ queued: [late, early, fresh] });
    deepStrictEqual(
      (await queued()).map(({ eventId, attempts, logged, wasAbandoned }) => [eventId, attempts, logged, wasAbandoned]),
      [early, late].map(({ eventId }) => [eventId, 2, 3, true]),
    );
    deepStrictEqual(await world.due(), []);
  }),
  'a settlement that is made again changes nothing more': beside(async (world) => {
    const { storage, deliver, endpoint: own } = world;
    const [delivered, retried, exhausted, queued] = await deliver(4);
    await world.settle({ pending: [exhausted, queued].map((key) => pending(key, { state: 'scheduled' })) });
    const settlement: Settlement = {
      attempts: [
        logged(delivered, 1, answered(200), 'delivered'),
        logged(retried, 1, answered(500)),
        logged(exhausted, 1, answered(500), 'exhausted'),
      ],
      pending: [pending(retried, { attempts: 1, logged: 1 })],
      queued: [queued],
      finished: [exhausted],
      ...health(world, 1, {}),
      transitions: [{ shard: shardOf(ours), accountId: ours, endpointId: own.id }],
    };
    await world.settle(settlement);
    const before = await stored(storage, ours);
    deepStrictEqual(
      before.deliveries.map(({ state }) => state),
      ['delivered', 'waiting', 'exhausted', 'waiting'],
    );
    await world.settle(settlement);
    deepStrictEqual(await stored(storage, ours), before);
  }),

  ...whateverTheClocks('health is told in lengths of time up to now', beside(healthPasses)),
  'health is written while its endpoint is enabled and has its version': beside(async (world) => {
    const failures = async () => (await healthOf(world))?.failures;
    const write = async (version: number, change?: Partial<StoredHealth>) => {
      await world.settle(health(world, version, change));
      return failures();
    };
    strictEqual(await write(2, {}), undefined);
    strictEqual(await write(1, { failures: 1 }), 1);
    await world.change({ label: 'changed' });
    strictEqual(await write(1, { failures: 2 }), 1);
    strictEqual(await write(1), 1);
    strictEqual(await write(2, { failures: 3 }), 3);
    strictEqual(await write(2), undefined);
    await world.change({ state: 'disabled' });
    strictEqual(await write(3, { failures: 4 }), undefined);
  }),
  'an endpoint is disabled once, while it has its version; what it has pending stays': beside(async (world) => {
    const { storage, deliver, endpoint: own } = world;
    const [first, second] = await deliver(2);
    const transition = { shard: shardOf(ours), accountId: ours, endpointId: own.id };
    const disable = (version: number) => ({ ...transition, disable: { version, reason: 'gone' as const } });
    await world.settle({ pending: [pending(first)], ...health(world, 1, {}) });
    const settled = await world.settle({
      pending: [pending(second)],
      transitions: [transition, disable(2), { ...disable(1), endpointId: newId() }],
    });
    deepStrictEqual(settled.transitions, [
      { isDisabled: false, pending: 2 },
      { isDisabled: false, pending: 2 },
      { isDisabled: false, pending: 0 },
    ]);
    deepStrictEqual(await storage.endpoints.findEndpoint(ours, own.id), own);
    for (const isDisabled of [true, false])
      deepStrictEqual((await world.settle({ transitions: [disable(1)] })).transitions, [{ isDisabled, pending: 2 }]);
    const disabled = { ...own, state: 'disabled_by_breaker', version: 2 };
    deepStrictEqual(await storage.endpoints.findEndpoint(ours, own.id), disabled);
    deepStrictEqual([await healthOf(world), (await world.queued()).length], [undefined, 2]);
    const { endpoint: found } = await storage.log.readExplainSnapshot(ours, first.eventId, own.id);
    deepStrictEqual(found, { disabledBy: 'gone' });
  }),
  'of disabling and changing an endpoint at once exactly one wins': beside(
    async ({ storage, settle, endpoint: own }) => {
      const disable = { version: 1, reason: 'failing' } as const;
      const [{ transitions }, changed] = await Promise.all([
        settle({ transitions: [{ shard: shardOf(ours), accountId: ours, endpointId: own.id, disable }] }),
        race((index) => storage.endpoints.replaceEndpoint({ ...own, label: `${index}` })),
      ]);
      const won = [transitions[0]?.isDisabled, ...changed].filter(Boolean).length;
      const { state, version } = (await storage.endpoints.findEndpoint(ours, own.id)) ?? own;
      deepStrictEqual([won, version, state === 'enabled'], [1, 2, !transitions[0]?.isDisabled]);
    },
  ),
  'a settlement for us changes nothing of another account': beside(async (world) => {
    const [other] = (await world.storage.endpoints.listEndpoints(theirs, {})).items;
    const foreign = await deliveriesOf(world.storage, theirs);
    ok(other && foreign.length === 2);
    const keys = foreign.map(({ eventId }) => ({
      ...{ shard: shardOf(ours), accountId: ours, endpointId: other.id, eventId, replay: 0 },
    }));
    const disable = { version: other.version, reason: 'failing' } as const;
    const of = { accountId: ours, endpointId: other.id };
    const { transitions } = await world.settle({
      queued: keys,
      finished: keys,
      health: [{ ...of, version: 1, health: sick }],
      transitions: [{ ...of, shard: shardOf(ours), disable }],
    });
    deepStrictEqual(transitions, [{ isDisabled: false, pending: 0 }]);
  }),
};
