import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../../src/base/runtime/time.ts';
import type { OwnedEndpoint } from '../../../../src/webhooks/deliveries/delivery-store.ts';
import { planDispatch } from '../../../../src/webhooks/delivery-rules/plan-dispatch.ts';
import type { AccountLane, EndpointLane } from '../../../../src/webhooks/worker/memory/lane.ts';
import type { MemoryDeps } from '../../../../src/webhooks/worker/memory/memory.ts';
import { answered } from '../../../support/deliveries.ts';
import { loadedDelivery, outboxEvent, ownedEndpoint, storeState } from '../../../support/lanes.ts';
import { success, workerMemory } from '../../../support/worker.ts';

/** A memory in which `acc_a` has the endpoint `one`. */
const world = (deps: Partial<MemoryDeps> = {}, endpoints: readonly OwnedEndpoint[] = [ownedEndpoint()]) => {
  const clock = { now: 0 };
  const memory = workerMemory({ now: () => clock.now, ...deps });
  const learn = (read: readonly OwnedEndpoint[], versions: Readonly<Record<string, number>> = {}): void =>
    memory.learn(['acc_a'], { ...storeState(versions), endpoints: read }, true);
  learn(endpoints);
  const account = memory.accounts.get('acc_a') as AccountLane;
  const lane = account.lanes[0] as EndpointLane;
  for (const each of account.lanes) each.pace = 'prompt';
  const add = (...eventIds: readonly string[]): void => {
    for (const eventId of eventIds) memory.schedule.add(loadedDelivery(lane, eventId));
  };
  const take = () => memory.take(() => 5) ?? expect.unreachable();
  /** The deliveries that go to the store's queue. */
  const queued = (): readonly string[] =>
    memory.unsettled.batch().entries.flatMap(({ delivery, attempted }) => (attempted ? [] : [delivery.eventId]));
  const acquire = (shard: number, watermark = 0): void => {
    memory.shards.add([{ shard, watermark, wasAbandoned: false }]);
    memory.serve();
  };
  return { clock, memory, learn, account, lane, add, take, queued, acquire };
};
type World = ReturnType<typeof world>;

describe('a read of endpoints', () => {
  const health = { failures: 5, failingFor: 0, isExhausted: false, openCount: 1, openFor: minute, retryAfterFor: 0 };

  test.each([
    ['paused by the host', [ownedEndpoint({}, { isSendingPaused: true })], [true]],
    ['disabled', [ownedEndpoint({ version: 2, state: 'disabled' })], [true]],
    ['disabled by the breaker', [ownedEndpoint({ version: 2, state: 'disabled_by_breaker' })], [true]],
    ['paused', [ownedEndpoint({ version: 2 }, { health })], [true]],
    ['deleted', [], []],
  ] as const)('that finds an endpoint %s sends its waiting deliveries to the store', (_, read, isQueueKnown) => {
    const { memory, learn, lane, add, queued } = world();
    add('a', 'b');
    learn(read);
    expect([queued(), memory.schedule.ready(), memory.isIdle()]).toEqual([['a', 'b'], 0, false]);
    // The queue of an endpoint that is gone is not read.
    expect([...memory.queues.all()].map((each) => each === lane)).toEqual(isQueueKnown);
  });

  test('opens the endpoints of an account that was stale', () => {
    const { memory, learn, add } = world();
    memory.observe(storeState({ acc_a: 1 }));
    add('a');
    expect(memory.take(() => 0)).toBeUndefined();
    learn([ownedEndpoint()], { acc_a: 1 });
    expect(memory.take(() => 0)?.delivery.eventId).toBe('a');
  });

  test('tells of queues, which are read later', () => {
    const { memory, learn, lane } = world();
    expect([...memory.queues.all()]).toEqual([]);
    learn([ownedEndpoint({}, { hasQueued: true })]);
    expect([...memory.queues.all()]).toEqual([lane]);
  });
});

describe('a stored dispatch', () => {
  const dispatch = ({ memory, lane }: World, accepts: boolean) => {
    memory.watermark.observe(100);
    const batch = memory.watermark.open();
    const events = [outboxEvent('a')];
    const lanesOf = () => [lane];
    const plan = planDispatch({
      ...{ events, now: 100, maxDeliveries: 1_000, hasIncludeChildren: false, lanesOf },
      accepts: () => accepts,
    });
    memory.dispatched(plan, batch, 3);
    memory.watermark.observe(200);
    return { batch, event: events[0] };
  };

  test('golden: its deliveries are ready, and hold the watermark until they are stored', () => {
    const made = world();
    const { memory, lane, account, take } = made;
    const { batch, event } = dispatch(made, true);
    const flight = take();
    expect(flight.delivery).toEqual({
      ...{ shard: account.shard, accountId: 'acc_a', eventId: 'a', endpointId: 'one', replay: 0, lane },
      event: { event, timestamp: 0, body: undefined },
      ...{ attempts: 0, logged: 0, wasAbandoned: false, isUrgent: false, stored: 'fresh', batch, since: 3 },
    });
    memory.complete(flight, success.outcome, success.next);
    expect(memory.watermark.value()).toBe(100);
    memory.settled(true);
    expect(memory.watermark.value()).toBe(200);
  });

  test('queued deliveries are in the store: their queue is read later, and nothing holds the watermark', () => {
    const made = world();
    dispatch(made, false);
    expect([...made.memory.queues.all()]).toEqual([made.lane]);
    expect([made.memory.schedule.ready(), made.memory.watermark.value()]).toEqual([0, 200]);
  });
});

describe('a pending delivery', () => {
  const key = { accountId: 'acc_a', eventId: 'a', endpointId: 'one', replay: 1 };
  const row = { ...key, attempts: 2, logged: 3, wasAbandoned: true, isUrgent: false };

  test('golden: is loaded with its endpoint; without a known endpoint it is not', () => {
    const { clock, memory, account, lane } = world();
    clock.now = 9;
    const event = { ...outboxEvent('a'), timestamp: 4, body: '{}' };
    const pending = { ...row, shard: account.shard, event };
    expect(memory.load(pending, 'scheduled')).toEqual({
      ...{ ...row, shard: account.shard, lane, stored: 'scheduled', batch: undefined, since: 9 },
      event: { event, timestamp: 4, body: '{}' },
    });
    expect(memory.load({ ...pending, endpointId: 'other' }, 'scheduled')).toBeUndefined();
  });

  test('is not read again while it is in memory, or its outcome is not stored', () => {
    const { memory, lane, take } = world();
    memory.keep(loadedDelivery(lane, 'a', { replay: 1, stored: 'scheduled' }));
    expect([memory.pendingKeys(), memory.pendingKeys(new Map([[lane, 0]]))]).toEqual([[key], [key]]);
    expect(memory.pendingKeys(new Map())).toEqual([]);
    memory.complete(take(), success.outcome, success.next);
    expect(memory.pendingKeys()).toEqual([key]);
    memory.settled(true);
    expect(memory.pendingKeys()).toEqual([]);
  });

  test('keeps its shard in use until it is stored, when its endpoint is unknown', () => {
    const { memory, acquire } = world();
    acquire(9);
    memory.queueKey({ ...key, shard: 9 });
    memory.leave(1);
    expect(memory.shards.releasable()).toEqual([]);
    memory.settled(true);
    expect(memory.shards.releasable()).toEqual([9]);
  });
});

describe('an attempt', () => {
  test('keeps its shard in use until its outcome is stored', () => {
    const { memory, account, add, take, acquire } = world();
    acquire(account.shard);
    add('a');
    const flight = take();
    expect([flight.startedAt, memory.flights.started(), memory.isIdle()]).toEqual([5, 1, false]);
    memory.leave(1);
    memory.complete(flight, success.outcome, success.next);
    expect([memory.shards.releasable(), memory.isIdle()]).toEqual([[], false]);
    memory.settled(true);
    expect([memory.shards.releasable(), memory.isIdle()]).toEqual([[account.shard], true]);
  });

  test('whose outcome is dropped keeps its shard, and holds the watermark: a successor must find the delivery', () => {
    const { memory, account, lane, take, acquire } = world();
    acquire(account.shard);
    memory.watermark.observe(100);
    const batch = memory.watermark.open();
    memory.schedule.add(loadedDelivery(lane, 'a', { batch }));
    memory.complete(take(), success.outcome, success.next);
    expect(memory.hasDropped()).toBe(false);
    memory.settled(false);
    memory.observe(storeState({}, { now: 200 }));
    memory.leave(1);
    expect([memory.hasDropped(), memory.shards.releasable(), memory.watermark.value()]).toEqual([true, [], 100]);
  });

  test('that ends with 410 disables the endpoint: its deliveries go to the store, also the one that was attempted', () => {
    const { memory, lane, add, take, queued } = world();
    add('a', 'b');
    memory.complete(take(), answered(410), { kind: 'gone', retryIn: 0 });
    expect([lane.endpoint.state, lane.queueing, queued()]).toEqual(['disabled_by_breaker', 2, ['b']]);
    const changes = memory.unsettled.batch().changes.map(([, { kind }]) => kind);
    expect(changes).toEqual(['endpoint_disabled']);
    memory.settled(true);
    expect(lane.queueing).toBe(0);
  });

  test('that pauses the endpoint sends its waiting deliveries to the store; a success writes no health', () => {
    const { memory, lane, add, take, queued } = world();
    add('a', 'b', 'c');
    memory.complete(take(), success.outcome, success.next);
    expect([memory.unsettled.batch().settlement.health, memory.schedule.ready()]).toEqual([[], 2]);
    memory.settled(true);
    memory.complete(take(), answered(503), { kind: 'retry', retryIn: minute, pauseFor: minute });
    expect([queued(), lane.health?.retryAfterUntil]).toEqual([['c'], minute]);
    expect(memory.unsettled.batch().settlement.health).toHaveLength(1);
  });

  test.each([
    [{ kind: 'failed', reason: 'timeout', durationMs: 100 }, 'hanging'],
    [{ kind: 'failed', reason: 'internal', durationMs: 15_000 }, 'hanging'],
    [{ kind: 'failed', reason: 'internal', durationMs: 14_999 }, 'untried'],
    [{ kind: 'failed', reason: 'connect', durationMs: 1 }, 'prompt'],
    [answered(500), 'prompt'],
  ] as const)('%j of the first attempt: %s', (outcome, pace) => {
    const { memory, lane, add, take } = world();
    lane.pace = 'untried';
    add('a');
    memory.complete(take(), outcome, { kind: 'retry', retryIn: minute });
    expect(lane.pace).toBe(pace);
  });

  test.each([
    [{ kind: 'failed', reason: 'internal', durationMs: 1 }, 'hanging'],
    [{ kind: 'failed', reason: 'out_of_reach', durationMs: 1 }, 'hanging'],
    [{ kind: 'failed', reason: 'connect', durationMs: 1 }, 'prompt'],
    [answered(200), 'prompt'],
  ] as const)('%j after one that timed out: %s', (outcome, pace) => {
    const { memory, lane, add, take } = world();
    add('a', 'b');
    const [first, second] = [take(), take()];
    memory.complete(first, { kind: 'failed', reason: 'timeout', durationMs: 100 }, { kind: 'retry', retryIn: minute });
    memory.complete(second, outcome, { kind: 'retry', retryIn: minute });
    expect(lane.pace).toBe(pace);
  });
});

describe('shards', () => {
  test('are served from the watermark of their last owner on; the accounts with queued deliveries are read', () => {
    const { memory, acquire } = world();
    memory.accounts.takeExpected(32);
    acquire(9, 700);
    expect([memory.shards.served(), memory.accounts.takeExpected(32)]).toEqual([[9], [{ shard: 9 }]]);
    expect(memory.watermark.open().at).toBe(700);
  });

  test('that are left lose their accounts and waiting deliveries: the next owner reads them', () => {
    const { memory, account, lane, acquire, queued } = world();
    acquire(account.shard);
    memory.keep(loadedDelivery(lane, 'a', { stored: 'queued' }));
    memory.leave(1);
    expect([memory.accounts.get('acc_a'), memory.pendingKeys(), queued()]).toEqual([undefined, [], []]);
    expect([memory.schedule.ready(), memory.isIdle(), lane.isGone]).toEqual([0, true, true]);
  });
});

describe('room', () => {
  test.each([
    [0, 10_000],
    [9_000, 1_000],
    [9_600, 512],
    [10_000, 512],
  ])('beside %i deliveries that wait, a dispatch may add %i', (waiting, added) => {
    const { memory, add } = world();
    add(...Array.from({ length: waiting }, (_, index) => `d${index}`));
    expect(memory.overflow.maxDeliveries()).toBe(added);
  });

  const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index));

  test.each([
    [1, 512],
    [256, 512],
    [300, 600],
  ])('with a concurrency of %i, there is room until %i deliveries can be sent', (concurrency, limit) => {
    const options = { concurrency, perEndpoint: 8, perAccount: 8, pollEvery: 250, pruneEvery: minute };
    const { memory, add } = world({ options });
    add(...ids(limit - 1));
    expect(memory.hasRoom()).toBe(true);
    add('the last');
    expect([memory.hasRoom(), memory.hasRoomForOutcomes()]).toEqual([false, true]);
  });

  test.each([
    [1, 256],
    [100, 800],
  ])('with a concurrency of %i, there is room until %i outcomes are not stored', (concurrency, limit) => {
    const options = { concurrency, perEndpoint: 8, perAccount: 8, pollEvery: 250, pruneEvery: minute };
    const { memory, lane } = world({ options });
    for (const id of ids(limit - 1)) memory.unsettled.add({ delivery: loadedDelivery(lane, id) });
    expect([memory.hasRoom(), memory.hasRoomForOutcomes()]).toEqual([true, true]);
    memory.unsettled.add({ delivery: loadedDelivery(lane, 'the last') });
    expect([memory.hasRoom(), memory.hasRoomForOutcomes()]).toEqual([false, false]);
  });

  test('a dispatched delivery that has waited for more than 5 seconds goes to the store', () => {
    const { clock, memory, lane, queued } = world();
    memory.schedule.add(loadedDelivery(lane, 'a', { since: 0 }));
    clock.now = 5 * second;
    memory.tidy();
    expect(queued()).toEqual([]);
    memory.unsettled.clear(true);
    clock.now = 6 * second;
    memory.tidy();
    expect(queued()).toEqual(['a']);
    memory.unsettled.clear(true);
    // Memory is looked through once a second.
    memory.schedule.add(loadedDelivery(lane, 'b', { since: 0 }));
    clock.now = 7 * second - 1;
    memory.tidy();
    expect(queued()).toEqual([]);
    memory.unsettled.clear(true);
    clock.now = 7 * second;
    memory.tidy();
    expect(queued()).toEqual(['b']);
  });
});
