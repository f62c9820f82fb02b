import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type DurationMs, hour, minute } from '@partnerkit/core';
import { type SendOutcome, type ShardedKey, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  answered,
  dispatchAll,
  eventsOf,
  keyOf,
  logged,
  pending,
  publish,
  settlementOf,
  worker,
} from '../support/acts.ts';
import { type Cases, whateverTheClocks } from '../support/contract.ts';
import { event, ours, theirs } from '../support/records.ts';
import { assertBetween } from '../support/store-time.ts';
import { deliveriesOf, stored } from '../support/stored.ts';
import { beside, type World } from '../support/world.ts';
import { sick } from './health.ts';

const outcomes: readonly SendOutcome[] = [
  {
    kind: 'answered',
    status: 503,
    retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT',
    body: 'é🏡\u2028 "quoted" \\ ',
    durationMs: 0,
  },
  { kind: 'answered', status: 302, body: '', durationMs: 14_999 },
  { kind: 'answered', status: 500, body: 'x'.repeat(4_096), durationMs: 1 },
  ...(
    [
      ...(['timeout', 'dns', 'forbidden_address', 'connect', 'tls', 'reset', 'abandoned', 'internal'] as const),
      ...([
        'tls_certificate_self_signed',
        'tls_application_protocol',
        'http_headers_too_large',
        'out_of_reach',
      ] as const),
    ] as const
  ).map((reason): SendOutcome => ({ kind: 'failed', reason, durationMs: 7 })),
];

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

/** Settlements of attempts. */
export const settlingCases: Cases<StorageFixture> = {
  ...whateverTheClocks(
    'attempts are logged with their outcomes, in order, by the clock of the store',
    beside(attemptsAreLogged),
  ),
  'a logged attempt number is never overwritten': beside(async ({ storage, deliver, settle }) => {
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
  'scheduled deliveries become queued, without any other change': beside(async (world) => {
    const { storage, deliver, settle, queued } = world;
    const [late, early, fresh] = await deliver(3);
    const scheduled = (key: ShardedKey, dueIn: DurationMs) =>
      pending(key, { state: 'scheduled', dueIn, attempts: 2, logged: 3 });
    await settle({ pending: [scheduled(late, -minute), scheduled(early, -hour)] });
    await storage.deliveries.recover(worker, [{ shard: late.shard, watermark: 2 ** 48, wasAbandoned: true }]);
    await settle({ queued: [late, early, fresh] });
    deepStrictEqual(
      (await queued()).map(({ eventId, attempts, logged, wasAbandoned }) => [eventId, attempts, logged, wasAbandoned]),
      [early, late].map(({ eventId }) => [eventId, 2, 3, true]),
    );
    deepStrictEqual(await world.due(), []);
  }),
  'a repeated settlement changes nothing': beside(async (world) => {
    const { storage, deliver, endpoint: own } = world;
    const [delivered, retried, exhausted, queued] = await deliver(4);
    await world.settle({ pending: [exhausted, queued].map((key) => pending(key, { state: 'scheduled' })) });
    const settlement = settlementOf({
      attempts: [
        logged(delivered, 1, answered(200), 'delivered'),
        logged(retried, 1, answered(500)),
        logged(exhausted, 1, answered(500), 'exhausted'),
      ],
      pending: [pending(retried, { attempts: 1, logged: 1 })],
      queued: [queued],
      finished: [exhausted],
      health: [{ accountId: ours, endpointId: own.id, version: 1, health: sick }],
      transitions: [{ shard: shardOf(ours), accountId: ours, endpointId: own.id }],
    });
    await world.settle(settlement);
    const before = await stored(storage, ours);
    deepStrictEqual(
      before.deliveries.map(({ state }) => state),
      ['delivered', 'waiting', 'exhausted', 'waiting'],
    );
    await world.settle(settlement);
    deepStrictEqual(await stored(storage, ours), before);
  }),
  'a settlement that was given up, and comes after the next one, undoes nothing': beside(async (world) => {
    const { storage, deliver, endpoint: own } = world;
    const [delivered, hurried] = await deliver(2);
    const of = { accountId: ours, endpointId: own.id };
    const late = settlementOf({
      attempts: [logged(delivered, 1, answered(500))],
      pending: [pending(delivered, { attempts: 1, logged: 1 })],
      queued: [hurried],
      health: [{ ...of, version: 1, health: sick }],
    });
    await world.settle(late);
    const disable = { version: 1, reason: 'gone' } as const;
    const early = settlementOf({ transitions: [{ ...of, shard: shardOf(ours), disable }] });
    await world.settle({
      attempts: [logged(delivered, 2, answered(200), 'delivered')],
      pending: [pending(hurried, { state: 'scheduled', isUrgent: true })],
      finished: [delivered],
      health: [{ ...of, version: 1 }],
    });
    const before = await stored(storage, ours);
    for (const each of [late, early]) await world.settle(each);
    deepStrictEqual(await stored(storage, ours), before);
    deepStrictEqual(
      (await world.due()).map(({ eventId, isUrgent }) => [eventId, isUrgent]),
      [[hurried.eventId, true]],
    );
    deepStrictEqual(await world.queued(), []);
  }),
  'a failed attempt of an event that is dispatched again is made again': beside(async (world) => {
    const { storage, endpoint: own } = world;
    const again = event();
    await publish(storage, [again]);
    const key = keyOf(again, own.id);
    const retry = pending(key, { state: 'scheduled', attempts: 1, logged: 1 });
    await world.settle({ attempts: [logged(key, 1, answered(500))], pending: [retry] });
    await dispatchAll(storage, () => ({ endpointIds: [own.id] }));
    await storage.deliveries.recover(worker, [{ shard: key.shard, watermark: 0, wasAbandoned: false }]);
    const waiting = [...(await world.due()), ...(await world.queued())];
    deepStrictEqual(
      waiting.map(({ eventId }) => eventId),
      [again.id],
    );
  }),
  'a repeated settlement does not undo that a delivery was sent again': beside(async (world) => {
    const { storage, deliver, due } = world;
    const [key] = await deliver(1);
    const settlement = settlementOf({ pending: [pending(key, { state: 'scheduled', dueIn: hour })] });
    await world.settle(settlement);
    strictEqual((await storage.log.sendAgain(key)).kind, 'sent');
    await world.settle(settlement);
    deepStrictEqual(
      (await due()).map(({ eventId, isUrgent }) => [eventId, isUrgent]),
      [[key.eventId, true]],
    );
  }),

  'a delivery that was sent again after its worker had read it is not queued': beside(async (world) => {
    const keys = await world.deliver(4);
    const [first, known, last, other] = keys;
    await world.settle({ pending: keys.map((key) => pending(key, { state: 'scheduled' })) });
    for (const key of [first, known, last]) strictEqual((await world.storage.log.sendAgain(key)).kind, 'sent');
    await world.settle({ queued: [{ ...known, isUrgent: true }, other, last, first] });
    const urgent = (await world.due()).filter(({ isUrgent }) => isUrgent);
    deepStrictEqual(eventsOf(urgent).toSorted(), eventsOf([first, last]));
    deepStrictEqual(eventsOf(await world.queued()).toSorted(), eventsOf([known, other]));
  }),

  'a settlement of one account changes no other account': beside(async (world) => {
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
