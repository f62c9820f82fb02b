import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day, hour, minute } from '@partnerkit/core';
import { deliveryIdOf, type FailureCounts, type SendOutcome, type StoredStatistics } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { answered, logged, pending } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { endpoint, newId, ours, theirs } from '../support/records.ts';
import { slack } from '../support/store-time.ts';
import { beside, type World } from '../support/world.ts';

const none: FailureCounts = {
  clientError: 0,
  serverError: 0,
  otherStatus: 0,
  timeout: 0,
  connection: 0,
  tls: 0,
  platform: 0,
};
const failed = (reason: Extract<SendOutcome, { kind: 'failed' }>['reason'], durationMs = 1): SendOutcome => ({
  kind: 'failed',
  reason,
  durationMs,
});
const within = (at: number, width: number): number => at - (at % width);

/** The statistics of our endpoint. */
const ownOf = async (world: World, from = 0, width = hour): Promise<StoredStatistics> => {
  const { endpoints, isComplete } = await world.storage.log.readStatistics(ours, [world.endpoint.id], {
    from,
    width,
  });
  const [own] = endpoints;
  ok(own && endpoints.length === 1 && isComplete);
  return own;
};

/** Figures of endpoints. */
export const statisticsCases: Cases<StorageFixture> = {
  'the attempts of an endpoint are counted by hour or day and by outcome, for its own account only': beside(
    async (world) => {
      const { storage, endpoint: own } = world;
      const other = endpoint();
      await storage.endpoints.insertEndpoint(other, 20);
      const [first, second, third] = await world.deliver(3);
      const ofOther = { ...third, endpointId: other.id };
      await world.settle({
        attempts: [logged(first, 1, answered(500)), logged(second, 1, answered(204), 'delivered')],
      });
      await world.elapse(26 * hour);
      await world.settle({
        attempts: [
          logged(first, 2, failed('timeout')),
          logged(third, 1, answered(302)),
          logged(ofOther, 1, answered(200), 'delivered'),
        ],
      });
      const [early = 0, late = 0] = (await storage.log.listAttempts(first)).map(({ at }) => at);
      const bucketsOf = async (from: number, width: number) => (await ownOf(world, from, width)).buckets;
      for (const width of [hour, day]) {
        const before = { at: within(early, width), delivered: 1, failed: { ...none, serverError: 1 } };
        const after = { at: within(late, width), delivered: 0, failed: { ...none, timeout: 1, otherStatus: 1 } };
        deepStrictEqual(await bucketsOf(early, width), [before, after]);
        deepStrictEqual(await bucketsOf(late, width), [after]);
        deepStrictEqual(await bucketsOf(late + 1, width), []);
      }
      const read = (accountId: string, ids: readonly string[]) =>
        storage.log.readStatistics(accountId, ids, { from: 0, width: hour });
      const both = await read(ours, [own.id, newId(), other.id, 'none']);
      deepStrictEqual(both.endpoints.map(({ endpointId }) => endpointId).toSorted(), [own.id, other.id].toSorted());
      const nothing = { endpoints: [], isComplete: true };
      deepStrictEqual(await read(theirs, [own.id, other.id]), nothing);
      deepStrictEqual(await read(ours, ['none']), nothing);
      deepStrictEqual(await read(ours, []), nothing);
    },
  ),
  'each outcome of an attempt is counted as one kind, an expiry as none': beside(async (world) => {
    const outcomes: readonly SendOutcome[] = [
      ...[200, 299, 199, 300, 399, 400, 410, 499, 500, 599, 600].map(answered),
      ...(
        [
          'timeout',
          ...(['dns', 'forbidden_address', 'connect', 'reset', 'http_incomplete', 'http_invalid_header'] as const),
          ...(['http_invalid_length', 'http_invalid_line_end', 'http_headers_too_large', 'http_continue'] as const),
          'http_protocol_error',
          ...(['tls', 'tls_certificate_expired', 'tls_certificate_name', 'tls_certificate_incomplete'] as const),
          ...(['tls_certificate_self_signed', 'tls_certificate_untrusted', 'tls_client_certificate'] as const),
          ...(['tls_version', 'tls_application_protocol', 'tls_missing'] as const),
          ...(['abandoned', 'internal', 'out_of_reach'] as const),
        ] as const
      ).map((reason) => failed(reason)),
    ];
    const keys = await world.deliver(outcomes.length + 1);
    await world.settle({
      attempts: outcomes.map((outcome, index) => logged(keys[index] as (typeof keys)[number], 1, outcome)),
      pending: keys.map((key) => pending(key)),
    });
    await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id);
    const limits = { held: 0, deleted: 0, events: 1_000 * day, limit: 1_000 };
    const shards = [...new Set(keys.map(({ shard }) => shard))];
    await world.elapse(minute);
    await world.storage.log.prune(shards, limits);
    // The same id: its log is still there.
    await world.storage.endpoints.insertEndpoint(world.endpoint, 20);
    const { buckets, waiting, held } = await ownOf(world, 0, 1_000 * day);
    const [{ at: _at, ...counted } = {}, ...others] = buckets;
    deepStrictEqual(others, []);
    deepStrictEqual(counted, {
      delivered: 2,
      failed: { clientError: 3, serverError: 2, otherStatus: 4, timeout: 1, connection: 11, tls: 10, platform: 3 },
    });
    deepStrictEqual([waiting, held], [0, 0]);
  }),
  'the durations of answers are those that half and nine of ten do not exceed': beside(async (world) => {
    strictEqual((await ownOf(world)).durations, undefined);
    const keys = await world.deliver(11);
    const of = (index: number, durationMs: number) =>
      logged(keys[index] as (typeof keys)[number], 1, { ...answered(index % 2 === 0 ? 200 : 500), durationMs });
    await world.settle({ attempts: [of(0, 7.5)] });
    deepStrictEqual((await ownOf(world)).durations, { medianMs: 7.5, p90Ms: 7.5 });
    const durations = [100, 20, 90, 30, 80, 40, 70, 50, 60];
    await world.settle({
      attempts: [
        ...durations.map((durationMs, index) => of(index + 1, durationMs)),
        logged(keys[10] as (typeof keys)[number], 1, failed('timeout', 15_000)),
      ],
    });
    deepStrictEqual((await ownOf(world)).durations, { medianMs: 50, p90Ms: 90 });
    const later = (await ownOf(world)).last?.at ?? 0;
    strictEqual((await ownOf(world, later + 1)).durations, undefined);
  }),
  'the last attempt of an endpoint has its delivery, time and body, whatever the period': beside(async (world) => {
    const { storage, endpoint: own } = world;
    strictEqual((await ownOf(world)).last, undefined);
    const [older, newer] = await world.deliver(2);
    await world.settle({ attempts: [logged(newer, 1, answered(200), 'delivered')] });
    await world.elapse(minute);
    const outcome = { ...answered(503), body: 'busy — später', retryAfter: '120' } as SendOutcome;
    await world.settle({ attempts: [logged(older, 1, outcome)] });
    const [attempt] = await storage.log.listAttempts(older);
    ok(attempt);
    const last = { ...outcome, at: attempt.at, deliveryId: deliveryIdOf({ ...older, endpointId: own.id }) };
    deepStrictEqual((await ownOf(world, attempt.at + day)).last, last);
    await world.elapse(minute);
    await storage.log.sendAgain(newer);
    const [again] = await world.due();
    ok(again);
    await world.settle({ attempts: [logged(again, 1, failed('tls', 3))], finished: [again] });
    const { at: _at, ...rest } = (await ownOf(world)).last ?? {};
    deepStrictEqual(rest, { ...failed('tls', 3), deliveryId: deliveryIdOf({ ...newer, replay: 1 }) });
  }),
  'waiting and held deliveries of an endpoint are counted, with the time when the first is due': beside(
    async (world) => {
      const { storage, endpoint: own } = world;
      const stateOf = async () => {
        const { waiting, held, dueAt } = await ownOf(world);
        return { waiting, held, ...(dueAt === undefined ? {} : { dueAt }) };
      };
      deepStrictEqual(await stateOf(), { waiting: 0, held: 0 });
      const other = endpoint();
      await storage.endpoints.insertEndpoint(other, 20);
      // The third is in the memory of its worker until it is settled.
      const [late, later, fresh] = await world.deliver(3);
      const now = await world.storeNow();
      const isAbout = async (counts: { readonly waiting: number; readonly held: number }, dueAt: number) => {
        const { dueAt: found = Number.NaN, ...rest } = { dueAt: undefined, ...(await stateOf()) };
        deepStrictEqual(rest, counts);
        ok(Math.abs(found - dueAt) <= slack, `due at ${found}, not ${dueAt}`);
      };
      await world.settle({
        attempts: [logged(late, 1, answered(500)), logged(later, 1, answered(500))],
        pending: [
          pending(late, { state: 'scheduled', dueIn: hour, attempts: 1, logged: 1 }),
          pending(later, { state: 'scheduled', dueIn: 2 * hour, attempts: 1, logged: 1 }),
          pending({ ...late, endpointId: other.id }),
        ],
      });
      await isAbout({ waiting: 3, held: 0 }, now);
      await world.settle({ attempts: [logged(fresh, 1, answered(200), 'delivered')] });
      await isAbout({ waiting: 2, held: 0 }, now + hour);
      await storage.log.replay(ours, own.id, { from: 0, to: 2 ** 48 - 1 });
      await isAbout({ waiting: 3, held: 0 }, now);
      await world.change({ state: 'disabled' });
      deepStrictEqual(await stateOf(), { waiting: 0, held: 3 });
    },
  ),
};
