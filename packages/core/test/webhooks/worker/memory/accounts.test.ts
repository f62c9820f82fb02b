import { describe, expect, test } from 'vitest';
import { minute } from '../../../../src/base/runtime/time.ts';
import type { OwnedEndpoint, StoreState } from '../../../../src/webhooks/deliveries/delivery-store.ts';
import { shardOf } from '../../../../src/webhooks/shards/shard.ts';
import { createAccounts } from '../../../../src/webhooks/worker/memory/accounts.ts';
import type { AccountLane, EndpointLane } from '../../../../src/webhooks/worker/memory/lane.ts';
import { createQueues } from '../../../../src/webhooks/worker/memory/queues.ts';
import { accountLane, loadedDelivery, ownedEndpoint, storeState } from '../../../support/lanes.ts';

/** The accounts of a worker whose monotonic clock shows 7. */
const world = () => {
  const accounts = createAccounts(() => 7);
  const account = (accountId = 'acc_a'): AccountLane => accounts.get(accountId) ?? expect.unreachable();
  const learn = (endpoints: readonly OwnedEndpoint[], accountIds = ['acc_a'], state: StoreState = storeState()) =>
    accounts.learn(accountIds, state, endpoints);
  return { accounts, account, learn, lane: () => account().lanes[0] as EndpointLane };
};

describe('changes', () => {
  test('an account that was read is known, without endpoints too', () => {
    const { accounts, account, learn, lane } = world();
    expect(accounts.get('acc_a')).toBeUndefined();
    const learned = learn([ownedEndpoint()], ['acc_a', 'acc_b']);
    expect(account().lanes.map(({ endpoint }) => endpoint.id)).toEqual(['one']);
    expect(account('acc_b').lanes).toEqual([]);
    expect(learned).toEqual([{ lane: lane(), hasQueued: false }]);
    expect([accounts.laneOf('acc_a', 'one'), accounts.laneOf('acc_b', 'one')]).toEqual([lane(), undefined]);
  });

  test('accounts with queued deliveries are known by their endpoints, beside the accounts that were requested', () => {
    const { account, learn } = world();
    learn([ownedEndpoint({ accountId: 'acc_b' }, { hasQueued: true })], []);
    expect(account('acc_b').lanes).toHaveLength(1);
  });

  test('a change makes only the accounts of its shard stale, until they are read again', () => {
    const { accounts, account, learn } = world();
    learn([ownedEndpoint()], ['acc_a', 'acc_b']);
    expect(accounts.observe(storeState())).toBe(false);
    expect(accounts.observe(storeState({ acc_a: 1 }))).toBe(true);
    expect(accounts.observe(storeState({ acc_a: 1 }))).toBe(false);
    expect([account().isStale, account('acc_b').isStale]).toEqual([true, false]);
    learn([ownedEndpoint()], ['acc_a'], storeState({ acc_a: 1 }));
    expect(account().isStale).toBe(false);
  });

  test('a read older than a known change leaves the account stale', () => {
    const { accounts, account, learn } = world();
    accounts.observe(storeState({ acc_a: 2 }));
    learn([ownedEndpoint()], ['acc_a'], storeState({ acc_a: 1 }));
    expect(account().isStale).toBe(true);
  });

  test('the version that the worker knows is the largest; an older answer tells nothing', () => {
    const { accounts, account, learn } = world();
    expect(accounts.knownVersion()).toBe(0);
    accounts.observe(storeState({ acc_a: 2 }, { hasIncludeChildren: true }));
    learn([ownedEndpoint()], ['acc_a'], storeState({ acc_a: 2 }, { hasIncludeChildren: true }));
    expect(accounts.observe(storeState({ acc_a: 1 }))).toBe(false);
    expect([accounts.knownVersion(), account().isStale, accounts.hasIncludeChildren()]).toEqual([2, false, true]);
  });

  test('a change of another shard leaves an account as it was read', () => {
    const { accounts, account, learn } = world();
    learn([ownedEndpoint()], ['acc_a'], storeState({ acc_a: 1 }));
    accounts.observe(storeState({ acc_b: 3 }));
    expect([accounts.knownVersion(), account().isStale, account().version]).toEqual([3, false, 1]);
    learn([], ['acc_b'], storeState({ acc_b: 2 }));
    expect(account('acc_b').isStale).toBe(true);
  });

  test('only stale accounts with deliveries are read again, and each changed shard once', () => {
    const { accounts, learn, lane } = world();
    learn([ownedEndpoint(), ownedEndpoint({ accountId: 'acc_b' })], ['acc_a', 'acc_b']);
    lane().ready.push(loadedDelivery(lane(), 'x'));
    expect([accounts.stale(), accounts.hasChanged()]).toEqual([[], false]);
    accounts.observe(storeState({ acc_a: 1, acc_b: 1 }));
    expect([accounts.stale(), accounts.hasChanged()]).toEqual([['acc_a'], true]);
    const ranges = [{ shard: shardOf('acc_a') }, { shard: shardOf('acc_b') }];
    expect(new Set(accounts.takeExpected(32))).toEqual(new Set(ranges));
    expect([accounts.takeExpected(32), accounts.stale(), accounts.hasChanged()]).toEqual([[], ['acc_a'], false]);
  });

  test('a stale account is not read again once it was read, or its shard was left with attempts in flight', () => {
    const { accounts, account, learn } = world();
    learn([ownedEndpoint(), ownedEndpoint({ accountId: 'acc_b' })], ['acc_a', 'acc_b']);
    for (const id of ['acc_a', 'acc_b']) account(id).inFlight = 1;
    accounts.observe(storeState({ acc_a: 1, acc_b: 1 }));
    learn([ownedEndpoint()], ['acc_a'], storeState({ acc_a: 1, acc_b: 1 }));
    expect(accounts.stale()).toEqual(['acc_b']);
    accounts.drop(new Set([shardOf('acc_b')]));
    expect(accounts.stale()).toEqual([]);
  });

  test('expected ranges are taken once, up to a limit', () => {
    const { accounts } = world();
    accounts.expect([{ shard: 3 }, { shard: 5, after: 'acc_b' }, { shard: 8 }]);
    const taken = [{ shard: 3 }, { shard: 5, after: 'acc_b' }];
    expect([accounts.hasExpected(), accounts.takeExpected(2)]).toEqual([true, taken]);
    expect([accounts.hasExpected(), accounts.takeExpected(2)]).toEqual([true, [{ shard: 8 }]]);
    expect([accounts.hasExpected(), accounts.takeExpected(2)]).toEqual([false, []]);
  });

  test('of two ranges of a shard, the larger one is expected: what changed before `after` is not missed', () => {
    const { accounts } = world();
    accounts.expect([{ shard: 3 }, { shard: 5, after: 'acc_b' }, { shard: 8, after: 'acc_b' }]);
    accounts.expect([{ shard: 3, after: 'acc_z' }, { shard: 5, after: 'acc_a' }, { shard: 8 }]);
    expect(accounts.takeExpected(3)).toEqual([{ shard: 3 }, { shard: 5, after: 'acc_a' }, { shard: 8 }]);
  });

  test('hasIncludeChildren is the last state of the store', () => {
    const { accounts } = world();
    accounts.observe(storeState({}, { hasIncludeChildren: true }));
    expect(accounts.hasIncludeChildren()).toBe(true);
    accounts.observe(storeState());
    expect(accounts.hasIncludeChildren()).toBe(false);
  });
});

describe('an endpoint that changed', () => {
  test('keeps its place; with a new version its health is that of the store', () => {
    const { learn, lane } = world();
    learn([ownedEndpoint()]);
    const before = lane();
    const health = { failures: 5, failingFor: 0, isExhausted: false, openCount: 1, openFor: minute, retryAfterFor: 0 };
    learn([ownedEndpoint({}, { health })]);
    expect(lane().health).toBeUndefined();
    learn([ownedEndpoint({ version: 2 }, { health })]);
    expect(lane()).toBe(before);
    expect(lane().health).toMatchObject({ failures: 5, openUntil: 7 + minute });
  });

  test('stays disabled while it is read as it was before this worker disabled it', () => {
    const { accounts, learn, lane } = world();
    learn([ownedEndpoint()]);
    accounts.setHealth(lane(), undefined, true);
    learn([ownedEndpoint()]);
    expect(lane().endpoint.state).toBe('disabled_by_breaker');
    learn([ownedEndpoint({ version: 2 })]);
    expect(lane().endpoint.state).toBe('enabled');
  });

  test('is learned as disabled and gone when it is deleted', () => {
    const { learn, lane } = world();
    learn([ownedEndpoint(), ownedEndpoint({ id: 'two' })]);
    const deleted = lane();
    const learned = learn([ownedEndpoint({ id: 'two', state: 'disabled' })]);
    expect(learned.map((each) => each.lane.endpoint.id)).toEqual(['two', 'one']);
    expect(deleted).toMatchObject({ isGone: true, endpoint: { state: 'disabled' } });
    expect(lane()).toMatchObject({ isGone: false, endpoint: { id: 'two', state: 'disabled' } });
  });
});

describe('the queue of an endpoint', () => {
  const queueOf = () => ({
    queues: createQueues(),
    lane: accountLane('acc_a', [{ id: 'one' }]).lanes[0] as EndpointLane,
  });

  test('starts with a read that reports it, and ends only with a read during which nothing was queued', () => {
    const { queues, lane } = queueOf();
    const read = (hasQueued: boolean, isExact: boolean) => {
      queues.learn(lane, hasQueued, isExact);
      return lane.queue;
    };
    expect(read(false, true)).toBe('none');
    expect(read(true, false)).toBe('some');
    expect(read(false, false)).toBe('some');
    queues.writing(lane);
    expect(read(false, true)).toBe('some');
    queues.written(lane);
    expect(read(false, true)).toBe('none');
  });

  test('starts when a delivery is written to it; a read meanwhile is seen to be outdated', () => {
    const { queues, lane } = queueOf();
    const before = queues.writes();
    queues.writing(lane);
    expect([lane.queueing, lane.queue]).toEqual([1, 'some']);
    const during = queues.writes();
    queues.written(lane);
    expect(lane.queueing).toBe(0);
    expect(new Set([before, during, queues.writes()]).size).toBe(3);
  });

  test('ends when it is read to its end; an endpoint whose queue is read goes to the end of the line', () => {
    const [a, b] = accountLane('acc_a', [{ id: 'a' }, { id: 'b' }]).lanes as [EndpointLane, EndpointLane];
    const queues = createQueues();
    queues.note(a);
    queues.note(b);
    const found = [loadedDelivery(a, 'x', { stored: 'queued' })];
    queues.noteRead(a, found, 1, true);
    expect([[...queues.all()], a.queue]).toEqual([[b, a], 'some']);
    queues.noteRead(a, found, 2, false);
    expect([[...queues.all()], a.queue]).toEqual([[b, a], 'some']);
    queues.noteRead(a, found, 2, true);
    expect([[...queues.all()], a.queue]).toEqual([[b], 'none']);
  });

  test('has only replays left when a full read ends with one that was not attempted', () => {
    const { queues, lane } = queueOf();
    const read = (change: { readonly replay: number; readonly attempts: number }) => {
      queues.note(lane);
      queues.noteRead(lane, [loadedDelivery(lane, 'x', change)], 1, true);
      return lane.queue;
    };
    expect(read({ replay: 1, attempts: 1 })).toBe('some');
    expect(read({ replay: 0, attempts: 0 })).toBe('some');
    expect(read({ replay: 1, attempts: 0 })).toBe('replays');
  });
});

describe('forgetting', () => {
  test('accounts of released shards; their endpoints are gone', () => {
    const { accounts, learn } = world();
    learn([ownedEndpoint()], ['acc_a', 'acc_b']);
    const dropped = accounts.drop(new Set([shardOf('acc_a')]));
    expect([accounts.get('acc_a'), accounts.get('acc_b')?.accountId]).toEqual([undefined, 'acc_b']);
    expect(dropped).toMatchObject([{ isGone: true, endpoint: { id: 'one' } }]);
  });

  test('idle accounts, once there are more than 20,000', () => {
    const { accounts, learn, lane } = world();
    learn([ownedEndpoint()]);
    lane().inFlight = 1;
    lane().account.inFlight = 1;
    const others = Array.from({ length: 19_999 }, (_, index) => `acc_${index}`);
    learn([], others);
    accounts.trim();
    expect([...accounts.all()]).toHaveLength(20_000);
    learn([], ['one more']);
    accounts.trim();
    expect([...accounts.all()].map(({ accountId }) => accountId)).toEqual(['acc_a']);
  });
});
