import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type Delivery, type DeliveryFilter, hour, minute, type SendOutcome } from '@partnerkit/core';
import { backlogCases } from './backlogs.ts';
import { type Cases, type ContractOptions, runCases, whateverTheClocks } from './contract.ts';
import { explainingCases } from './explaining.ts';
import { filteringCases } from './filtering.ts';
import { idsOf, type Listing, pageCases } from './pages.ts';
import { endpoint, event, newId, ours, theirs } from './records.ts';
import { replayingCases } from './replaying.ts';
import { sendingAgainCases } from './sending-again.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { assertBetween } from './store-time.ts';
import { answered, beside, deliveriesOf, dispatchAll, events, publish, type World, want } from './world.ts';

const listingOf = async ({ storage }: StorageFixture): Promise<Listing> => {
  for (const accountId of [ours, theirs]) await storage.endpoints.insertEndpoint(endpoint({ accountId }), 20);
  return {
    add: async (accountId, count) => {
      const published = events(count, { accountId });
      await publish(storage, published);
      await dispatchAll(storage);
      const added = (await deliveriesOf(storage, accountId)).filter((each) =>
        published.some(({ id }) => id === each.eventId),
      );
      strictEqual(added.length, count);
      return added.map(({ id }) => id);
    },
    change: async () => {
      const [first, second] = (await storage.queue.claim(want({ limit: 2 }))).claimed;
      if (first) await storage.queue.settle([{ ...first, outcome: answered(200), next: 'delivered' }]);
      if (second) await storage.queue.settle([{ ...second, outcome: answered(500), next: { retryIn: minute } }]);
    },
    page: async (accountId, request) => idsOf(await storage.log.listDeliveries(accountId, {}, request)),
  };
};

/** One delivery of ours in each state, and one that is leased. */
const oneOfEach = async (world: World): Promise<void> => {
  const { storage, settle } = world;
  await world.deliver(3);
  const [delivered, exhausted, leased] = await world.claim();
  ok(delivered && exhausted && leased);
  await settle([delivered], 'delivered', answered(200));
  await settle([exhausted], 'exhausted');
  const [held, gone] = [endpoint({ events: ['cancel'] }), endpoint({ events: ['creation'] })];
  for (const each of [held, gone]) await storage.endpoints.insertEndpoint(each, 20);
  await publish(storage, [event({ type: 'cancel' }), event({ type: 'creation' })]);
  await dispatchAll(storage);
  await storage.endpoints.replaceEndpoint({ ...held, state: 'disabled' });
  await storage.endpoints.deleteEndpoint(ours, gone.id);
};

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
  ...(['timeout', 'dns', 'forbidden_address', 'connect', 'tls', 'reset', 'internal'] as const).map(
    (reason): SendOutcome => ({ kind: 'failed', reason, took: 7 }),
  ),
];

const attemptsAreLogged = async (world: World): Promise<void> => {
  await world.deliver(1);
  let of = { deliveryId: '' };
  for (const outcome of outcomes) {
    // Longer than any pause of an endpoint that fails.
    await world.elapse(hour);
    const claimed = await world.claimOne();
    of = claimed;
    const from = await world.storeNow();
    await world.settle([claimed], { retryIn: 0 }, outcome);
    const { at = 0, ...logged } = (await world.attempts(of)).at(-1) ?? {};
    deepStrictEqual(logged, outcome);
    assertBetween(at, from, await world.storeNow());
  }
  deepStrictEqual(
    (await world.attempts(of)).map(({ at: _at, ...outcome }) => outcome),
    outcomes,
  );
};

const cases: Cases<StorageFixture> = {
  'a delivery is listed as it stands, one that is leased as waiting': beside(async (world) => {
    const [published] = await world.deliver(1);
    const expected = { eventId: published?.id, endpointId: world.endpoint.id, attempts: 0, state: 'waiting' };
    const [listed, ...more] = await deliveriesOf(world.storage, ours);
    strictEqual(more.length, 0);
    const id = listed?.id ?? '';
    deepStrictEqual(listed, { ...expected, id });
    const claimed = await world.claimOne();
    strictEqual(claimed.deliveryId, id);
    deepStrictEqual(await world.delivery(claimed), { ...expected, id });
    await world.settle([claimed], 'delivered', answered(200));
    deepStrictEqual(await world.delivery(claimed), { ...expected, id, state: 'delivered', attempts: 1 });
  }),
  'a filter names an endpoint, a state, or both': beside(async (world) => {
    await oneOfEach(world);
    const all = await deliveriesOf(world.storage, ours);
    deepStrictEqual(all.map(({ state }) => state).toSorted(), ['delivered', 'exhausted', 'expired', 'held', 'waiting']);
    const endpointIds = [...new Set(all.map(({ endpointId }) => endpointId)), newId()];
    const states: readonly (Delivery['state'] | undefined)[] = [...all.map(({ state }) => state), undefined];
    for (const endpointId of [...endpointIds, undefined]) {
      for (const state of states) {
        const filter: DeliveryFilter = {
          ...(endpointId === undefined ? {} : { endpointId }),
          ...(state === undefined ? {} : { state }),
        };
        const expected = all.filter(
          (each) => (endpointId ?? each.endpointId) === each.endpointId && (state ?? each.state) === each.state,
        );
        deepStrictEqual(await deliveriesOf(world.storage, ours, filter), expected);
      }
    }
  }),
  'a filter that names an endpoint of another account finds nothing': beside(async (world) => {
    await world.deliver(1);
    deepStrictEqual(await deliveriesOf(world.storage, theirs, { endpointId: world.endpoint.id }), []);
    deepStrictEqual(await deliveriesOf(world.storage, 'acc_third', {}), []);
    strictEqual((await deliveriesOf(world.storage, ours, { endpointId: world.endpoint.id })).length, 1);
  }),
  'each attempt is logged as it ended, in order': beside(attemptsAreLogged),
  ...whateverTheClocks('each attempt is logged by the clock of the store', beside(attemptsAreLogged)),
  'the attempts of a delivery are for its own account alone': beside(async (world) => {
    await world.deliver(2);
    const claims = await world.claim();
    const [first, second] = claims;
    ok(first && second);
    await world.settle([first], 'delivered', answered(200));
    strictEqual((await world.attempts(first)).length, 1);
    deepStrictEqual(await world.attempts(second), []);
    deepStrictEqual(await world.storage.log.listAttempts(theirs, first.deliveryId), []);
    for (const id of [newId(), 'no-such-delivery']) deepStrictEqual(await world.storage.log.listAttempts(ours, id), []);
  }),
  'the log outlives its endpoint': beside(async (world) => {
    await world.deliver(1);
    const claimed = await world.claimOne();
    await world.settle([claimed], { retryIn: minute });
    await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id);
    strictEqual((await world.attempts(claimed)).length, 1);
    deepStrictEqual(
      (await deliveriesOf(world.storage, ours, { endpointId: world.endpoint.id })).map(({ id, state }) => [id, state]),
      [[claimed.deliveryId, 'expired']],
    );
  }),
  ...filteringCases,
  ...explainingCases,
  ...sendingAgainCases,
  ...replayingCases,
  ...backlogCases,
  ...pageCases('deliveries', listingOf),
};

/**
 * Holds a `DeliveryLog` to its obligations.
 * @example
 * // `create` as {@link StorageFixture} shows it.
 * deliveryLogContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const deliveryLogContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
