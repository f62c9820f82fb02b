import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import {
  type Attempt,
  type ClaimedDelivery,
  type ClaimRequest,
  type Delivery,
  type DeliveryFilter,
  type Dispatched,
  type DurationMs,
  day,
  type Endpoint,
  type EndpointTurn,
  minute,
  type NewEvent,
  type SendOutcome,
  type Settlement,
  type Storage,
  type Taken,
} from '@partnerkit/core';
import { allPages } from './pages.ts';
import { endpoint, event, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';

/** What a lease lasts where a case does not say otherwise. @internal */
export const leaseTime: DurationMs = minute;
/** How long after an abandoned attempt the next one is due, where a case does not say otherwise. @internal */
export const retryTime: DurationMs = 5 * minute;

/** What a worker asks for where a case does not say otherwise: more than there is. @internal */
export const want = (change: Partial<ClaimRequest> = {}): ClaimRequest => ({
  worker: 'worker-1',
  limit: 100,
  perEndpoint: 100,
  perAccount: 100,
  lease: leaseTime,
  schedule: Array.from({ length: 9 }, () => retryTime),
  ...change,
});

/** @internal */
export const answered = (status: number): SendOutcome => ({
  kind: 'answered',
  status,
  body: `said ${status}`,
  took: 12,
});

/** Many events, as like as events are. @internal */
export const events = (count: number, change: Partial<NewEvent> = {}): readonly NewEvent[] =>
  Array.from({ length: count }, () => event(change));

/** Commits events in one transaction of their own. @internal */
export const publish = (storage: Storage<object>, published: readonly NewEvent[]) =>
  storage.transaction((tx) => storage.events.append(tx, published));

/** Dispatches all that was committed, in as many batches as the store makes of it; leases nothing unless it is told to. @internal */
export const dispatchAll = async (
  { queue }: Storage<object>,
  change: Partial<ClaimRequest> = { limit: 0 },
): Promise<readonly Dispatched[]> => {
  const all: Dispatched[] = [];
  do all.push(await queue.dispatch(want(change)));
  while (all.at(-1)?.events !== 0);
  return all;
};

/** @internal */
export const eventIdsOf = async ({ events }: Storage<object>, accountId: string): Promise<readonly string[]> =>
  (await allPages((page) => events.listEvents(accountId, page))).map(({ id }) => id);

/** @internal */
export const deliveriesOf = (
  { log }: Storage<object>,
  accountId: string,
  filter: DeliveryFilter = {},
): Promise<readonly Delivery[]> => allPages((page) => log.listDeliveries(accountId, filter, page));

const settleAll = (
  { queue }: Storage<object>,
  claims: readonly ClaimedDelivery[],
  next: Settlement['next'],
  outcome: SendOutcome,
): Promise<readonly EndpointTurn[]> =>
  queue.settle(claims.map(({ deliveryId, lease }) => ({ deliveryId, lease, outcome, next })));

type Of = Pick<ClaimedDelivery, 'deliveryId'>;

/** Storage in use by us. @internal */
export interface World extends StorageFixture {
  /** Ours; it takes `payed`. */
  readonly endpoint: Endpoint;
  /** Commits and dispatches so many events. */
  deliver(count: number): Promise<readonly NewEvent[]>;
  /** Asks for deliveries: nothing of theirs may come. */
  take(change?: Partial<ClaimRequest>): Promise<Taken>;
  /** What is claimed. */
  claim(change?: Partial<ClaimRequest>): Promise<readonly ClaimedDelivery[]>;
  /** What is claimed, and it is exactly one. */
  claimOne(change?: Partial<ClaimRequest>): Promise<ClaimedDelivery>;
  settle(
    claims: readonly ClaimedDelivery[],
    next: Settlement['next'],
    outcome?: SendOutcome,
  ): Promise<readonly EndpointTurn[]>;
  /** Changes our endpoint as it is stored. */
  change(change: Partial<Endpoint>): Promise<void>;
  /** One of ours, as the log shows it. */
  delivery(of: Of): Promise<Delivery>;
  /** Its state, and how many attempts were counted. */
  standing(of: Of): Promise<readonly [Delivery['state'], number]>;
  attempts(of: Of): Promise<readonly Attempt[]>;
  /** What became of each attempt: a status, or the reason of a failure. */
  ends(of: Of): Promise<readonly (number | string)[]>;
}

const open = async (fixture: StorageFixture): Promise<World> => {
  const { storage } = fixture;
  const { endpoints, queue, log } = storage;
  const own = endpoint();
  await endpoints.insertEndpoint(own, 20);
  const take: World['take'] = async (change) => {
    const taken = await queue.claim(want(change));
    for (const { event } of taken.claimed) strictEqual(event.accountId, ours, 'theirs was claimed, and is not due');
    for (const { accountId } of taken.abandoned) strictEqual(accountId, ours, 'theirs was under no lease');
    return taken;
  };
  const claim: World['claim'] = async (change) => (await take(change)).claimed;
  const delivery: World['delivery'] = async ({ deliveryId }) => {
    const listed = (await deliveriesOf(storage, ours)).find(({ id }) => id === deliveryId);
    ok(listed, 'the delivery is listed');
    return listed;
  };
  const attempts: World['attempts'] = ({ deliveryId }) => log.listAttempts(ours, deliveryId);
  return {
    ...fixture,
    endpoint: own,
    deliver: async (count) => {
      const published = events(count);
      await publish(storage, published);
      await dispatchAll(storage);
      return published;
    },
    take,
    claim,
    claimOne: async (change) => {
      const [first, ...others] = await claim(change);
      ok(first, 'a delivery is due');
      strictEqual(others.length, 0, 'one delivery is due');
      return first;
    },
    settle: (claims, next, outcome = answered(500)) => settleAll(storage, claims, next, outcome),
    change: async (change) => {
      const stored = await endpoints.findEndpoint(ours, own.id);
      ok(stored, 'the endpoint is there');
      strictEqual(await endpoints.replaceEndpoint({ ...stored, ...change }), true);
    },
    delivery,
    standing: async (of) => {
      const { state, attempts: counted } = await delivery(of);
      return [state, counted];
    },
    attempts,
    ends: async (of) => (await attempts(of)).map((each) => (each.kind === 'failed' ? each.reason : each.status)),
  };
};

/**
 * A case about deliveries of ours. Beside them stands one of theirs, which waits for its second attempt in 30 days: it may
 * neither be claimed nor touched.
 * @internal
 */
export const beside =
  (act: (world: World) => Promise<void>) =>
  async (fixture: StorageFixture): Promise<void> => {
    const { storage } = fixture;
    const other = endpoint({ accountId: theirs });
    await storage.endpoints.insertEndpoint(other, 20);
    await publish(storage, [event({ accountId: theirs })]);
    await dispatchAll(storage);
    await settleAll(storage, (await storage.queue.claim(want())).claimed, { retryIn: 30 * day }, answered(500));
    const assertUntouched = async (): Promise<void> => {
      deepStrictEqual(await storage.endpoints.findEndpoint(theirs, other.id), other);
      const [delivery, ...more] = await deliveriesOf(storage, theirs);
      strictEqual(more.length, 0);
      const { endpointId, state, attempts } = delivery ?? {};
      deepStrictEqual({ endpointId, state, attempts }, { endpointId: other.id, state: 'waiting', attempts: 1 });
      const logged = await storage.log.listAttempts(theirs, delivery?.id ?? '');
      deepStrictEqual(
        logged.map(({ at: _at, ...outcome }) => outcome),
        [answered(500)],
      );
    };
    await assertUntouched();
    await act(await open(fixture));
    await assertUntouched();
  };
