import { describe, expect, test } from 'vitest';
import type { OwnedEndpoint, StoreState } from '../../../src/delivery-ports/delivery-store.ts';
import { shardCount, shardOf } from '../../../src/delivery-ports/shard.ts';
import type { Endpoint } from '../../../src/endpoints/endpoint.ts';
import { minute } from '../../../src/runtime/time.ts';
import type { AccountLane, EndpointLane } from '../../../src/worker/memory/in-hand.ts';
import { createLanes, matchingLanes } from '../../../src/worker/memory/lanes.ts';
import { accountLane, deliveryInHand, outboxEvent } from '../../support/lanes.ts';

/** What a store tells: the versions of the shards of these accounts, 0 of all others. */
const state = (versions: Readonly<Record<string, number>> = {}, change: Partial<StoreState> = {}): StoreState => {
  const all: number[] = new Array(shardCount).fill(0);
  for (const [accountId, version] of Object.entries(versions)) all[shardOf(accountId)] = version;
  return { now: 0, endpointVersions: String(all), hasIncludeChildren: false, ...change };
};

const owned = (change: Partial<Endpoint> = {}, more: Omit<Partial<OwnedEndpoint>, 'endpoint'> = {}): OwnedEndpoint => {
  const { accountId = 'acc_a', ...endpoint } = change;
  const [lane] = accountLane(accountId, [{ id: 'one', ...endpoint }]).lanes;
  return { endpoint: (lane as EndpointLane).endpoint, hasQueued: false, ...more };
};

const world = () => {
  const closed: string[] = [];
  const opened: string[] = [];
  const lanes = createLanes({
    now: () => 7,
    onClosed: ({ endpoint }) => closed.push(endpoint.id),
    onOpened: ({ endpoint }) => opened.push(endpoint.id),
  });
  const account = (accountId = 'acc_a'): AccountLane => lanes.get(accountId) ?? expect.unreachable();
  return { lanes, closed, opened, account, lane: () => account().lanes[0] as EndpointLane };
};

describe('changes', () => {
  test('an account that was read is known, without endpoints too', () => {
    const { lanes, account, opened } = world();
    expect(lanes.get('acc_a')).toBeUndefined();
    lanes.learn(['acc_a', 'acc_b'], state(), [owned()], true);
    expect(account().lanes.map(({ endpoint }) => endpoint.id)).toEqual(['one']);
    expect(account('acc_b').lanes).toEqual([]);
    expect(opened).toEqual(['one']);
  });

  test('a new shard version makes only the accounts of that shard stale, until they are read again', () => {
    const { lanes, account } = world();
    lanes.learn(['acc_a', 'acc_b'], state(), [owned()], true);
    expect(lanes.observe(state())).toBe(false);
    expect(lanes.observe(state({ acc_a: 1 }))).toBe(true);
    expect(lanes.observe(state({ acc_a: 1 }))).toBe(false);
    expect([account().isStale, account('acc_b').isStale]).toEqual([true, false]);
    lanes.learn(['acc_a'], state({ acc_a: 1 }), [owned()], true);
    expect(account().isStale).toBe(false);
  });

  test('a read older than a known change leaves the account stale', () => {
    const { lanes, account } = world();
    lanes.observe(state({ acc_a: 2 }));
    lanes.learn(['acc_a'], state({ acc_a: 1 }), [owned()], true);
    expect(account().isStale).toBe(true);
  });

  test('only stale accounts with deliveries are read again, and each changed shard once', () => {
    const { lanes, lane } = world();
    lanes.learn(['acc_a', 'acc_b'], state(), [owned(), owned({ accountId: 'acc_b' })], true);
    lane().ready.push(deliveryInHand(lane(), 'x'));
    lanes.observe(state({ acc_a: 1, acc_b: 1 }));
    const shards = [shardOf('acc_a'), shardOf('acc_b')].toSorted((a, b) => a - b);
    expect(lanes.outdated()).toEqual({ accountIds: ['acc_a'], shards });
    expect(lanes.outdated()).toEqual({ accountIds: ['acc_a'], shards: [] });
  });

  test('hasIncludeChildren is the last state of the store', () => {
    const { lanes } = world();
    lanes.observe(state({}, { hasIncludeChildren: true }));
    expect(lanes.hasIncludeChildren()).toBe(true);
    lanes.observe(state());
    expect(lanes.hasIncludeChildren()).toBe(false);
  });
});

describe('an endpoint that changed', () => {
  test('keeps its place; with a new version its health is that of the store', () => {
    const { lanes, lane } = world();
    lanes.learn(['acc_a'], state(), [owned()], true);
    const before = lane();
    const health = { failures: 5, failingFor: 0, isExhausted: false, openCount: 1, openFor: minute, retryAfterFor: 0 };
    lanes.learn(['acc_a'], state(), [owned({}, { health })], true);
    expect(lane().health).toBeUndefined();
    lanes.learn(['acc_a'], state(), [owned({ version: 2 }, { health })], true);
    expect(lane()).toBe(before);
    expect(lane().health).toMatchObject({ failures: 5, openUntil: 7 + minute });
  });

  test('stays disabled while it is read as it was before this worker disabled it', () => {
    const { lanes, closed, lane } = world();
    lanes.learn(['acc_a'], state(), [owned()], true);
    lane().endpoint = { ...lane().endpoint, state: 'disabled_by_breaker' };
    lanes.learn(['acc_a'], state(), [owned()], true);
    expect([lane().endpoint.state, closed]).toEqual(['disabled_by_breaker', ['one']]);
    lanes.learn(['acc_a'], state(), [owned({ version: 2 })], true);
    expect(lane().endpoint.state).toBe('enabled');
  });

  test('is closed when it is disabled or deleted', () => {
    const { lanes, closed, lane } = world();
    lanes.learn(['acc_a'], state(), [owned(), owned({ id: 'two' })], true);
    const deleted = lane();
    lanes.learn(['acc_a'], state(), [owned({ id: 'two', state: 'disabled' })], true);
    expect(closed).toEqual(['two', 'one']);
    expect(deleted).toMatchObject({ isGone: true, endpoint: { state: 'disabled' } });
  });
});

describe('the queue of an endpoint', () => {
  test('starts with a read that reports it, and ends only with a read during which nothing was queued', () => {
    const { lanes, lane } = world();
    const read = (hasQueued: boolean, isExact: boolean): string => {
      lanes.learn(['acc_a'], state(), [owned({}, { hasQueued })], isExact);
      return lane().queue;
    };
    expect(read(false, true)).toBe('none');
    expect(read(true, false)).toBe('some');
    expect(read(false, false)).toBe('some');
    lane().queueing = 1;
    expect(read(false, true)).toBe('some');
    lane().queueing = 0;
    expect(read(false, true)).toBe('none');
  });
});

describe('forgetting', () => {
  test('accounts of released shards', () => {
    const { lanes } = world();
    lanes.learn(['acc_a', 'acc_b'], state(), [], true);
    lanes.drop(new Set([shardOf('acc_a')]));
    expect([lanes.get('acc_a'), lanes.get('acc_b')?.accountId]).toEqual([undefined, 'acc_b']);
  });

  test('idle accounts, once there are more than 20,000', () => {
    const { lanes, lane } = world();
    lanes.learn(['acc_a'], state(), [owned()], true);
    lane().inFlight = 1;
    lane().account.inFlight = 1;
    lanes.learn(
      Array.from({ length: 19_999 }, (_, index) => `acc_${index}`),
      state(),
      [],
      true,
    );
    lanes.trim();
    expect([...lanes.all()]).toHaveLength(20_000);
    lanes.learn(['one more'], state(), [], true);
    lanes.trim();
    expect([...lanes.all()].map(({ accountId }) => accountId)).toEqual(['acc_a']);
  });
});

test('matchingLanes: golden', () => {
  const account = accountLane('acc_a', [
    { id: 'plain' },
    { id: 'family', includeChildren: true },
    { id: 'other', events: ['creation'] },
    { id: 'pair', events: ['RequestPayment.payed'] },
    { id: 'other pair', events: ['RequestSecurityDeposit.creation', 'RequestPayment.cancel'] },
    { id: 'off', state: 'disabled' },
  ]);
  const ids = (event: Parameters<typeof outboxEvent>[1]) =>
    matchingLanes(account, outboxEvent('e', event)).map(({ endpoint }) => endpoint.id);
  expect(ids({})).toEqual(['plain', 'family', 'pair']);
  expect(ids({ objectName: 'RequestSecurityDeposit', type: 'creation' })).toEqual(['other', 'other pair']);
  expect(ids({ objectName: 'ModelRequestPayment', type: 'creation' })).toEqual(['other']);
  expect(ids({ origin: 'acc_child' })).toEqual(['family']);
  expect([ids({ onlyTo: 'other' }), ids({ onlyTo: 'off' })]).toEqual([['other'], []]);
});
