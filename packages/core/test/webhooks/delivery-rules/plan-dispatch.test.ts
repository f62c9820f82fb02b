import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { second } from '../../../src/base/runtime/time.ts';
import type { OutboxEvent } from '../../../src/webhooks/deliveries/delivery-store.ts';
import { type DispatchInput, planDispatch } from '../../../src/webhooks/delivery-rules/plan-dispatch.ts';
import { shardOf } from '../../../src/webhooks/shards/shard.ts';
import type { EndpointLane } from '../../../src/webhooks/worker/memory/lane.ts';
import { start } from '../../support/clock.ts';
import { accountLane, outboxEvent } from '../../support/lanes.ts';
import { runs } from '../../support/runs.ts';

const inSeconds = start / second;

/** Plans events of `acc_a`, which has the given endpoints, at `start`. */
const plan = (
  events: readonly OutboxEvent[],
  endpoints: Parameters<typeof accountLane>[1] = [{ id: 'one' }],
  change: Partial<DispatchInput<EndpointLane>> = {},
) => {
  const { lanes } = accountLane('acc_a', endpoints);
  const planned = planDispatch({
    ...{ events, now: start, maxDeliveries: 1_000, hasIncludeChildren: false },
    lanesOf: () => lanes,
    accepts: ({ endpoint }) => endpoint.state === 'enabled',
    ...change,
  });
  const endpointIds = planned.events.map((each) => each.endpointIds);
  return { ...planned, lanes, endpointIds, timestamps: planned.events.map(({ timestamp }) => timestamp) };
};

describe('timestamps', () => {
  test('each event gets the second in which it happened, never one in the future', () => {
    const { timestamps } = plan([
      outboxEvent('a', { occurredAt: start - 90_500 }),
      outboxEvent('b', { storedAt: start - 1_500 }),
      outboxEvent('c', { occurredAt: start + 60_000 }),
    ]);
    expect(timestamps).toEqual([inSeconds - 91, inSeconds - 2, inSeconds]);
  });

  test('timestamps of one object increase, from the last one on', () => {
    const of = (id: string, change: Partial<OutboxEvent> = {}) => outboxEvent(id, { objectId: 'same', ...change });
    const { timestamps } = plan([of('a', { lastTimestamp: inSeconds + 2 }), of('b'), outboxEvent('other'), of('c')]);
    expect(timestamps).toEqual([inSeconds + 3, inSeconds + 4, inSeconds, inSeconds + 5]);
  });

  test('objects with equal ids in two accounts, or with keys that concatenate alike, have independent timestamps', () => {
    const events = [
      outboxEvent('a', { accountId: 'acc', objectId: '1x' }),
      outboxEvent('b', { accountId: 'acc1', objectId: 'x' }),
      outboxEvent('c', { accountId: 'acc_b', objectId: 'x' }),
    ];
    expect(plan(events).timestamps).toEqual([inSeconds, inSeconds, inSeconds]);
  });

  test('two objects with one hash share no timestamp in a batch, because the store guards timestamps by it', () => {
    const of = (id: string, objectId: string) => outboxEvent(id, { accountId: 'acc_ours', objectId });
    const events = [of('a', '14948670721cc0'), of('b', '5246ca52495bcf'), of('c', '14948670721cc0')];
    expect(plan(events).timestamps).toEqual([inSeconds, inSeconds + 1, inSeconds + 2]);
  });

  test('a copy has the timestamp of its original, whatever the clock says', () => {
    const copy = outboxEvent('a', { origin: 'acc_child', occurredAt: start + 5_000 });
    expect(plan([copy], [{ id: 'one', includeChildren: true }]).timestamps).toEqual([inSeconds + 5]);
  });

  test('for any events, the timestamps of one object strictly increase', () => {
    const event = fc.record({
      objectId: fc.constantFrom('x', 'y'),
      storedAt: fc.integer({ min: start - 5_000, max: start + 5_000 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), fc.nat({ max: 5 }), (events, ahead) => {
        const lastTimestamp = inSeconds + ahead;
        const { events: planned } = plan(events.map((each, at) => outboxEvent(`${at}`, { ...each, lastTimestamp })));
        const last = new Map<string, number>();
        for (const { event: each, timestamp } of planned) {
          expect(timestamp).toBeGreaterThan(last.get(each.objectId) ?? lastTimestamp);
          last.set(each.objectId, timestamp);
        }
      }),
      runs,
    );
  });
});

describe('endpoints', () => {
  test('all that subscribe to the type and are not disabled by their partner', () => {
    const endpoints = [
      { id: 'takes' },
      { id: 'other-types', events: ['creation' as const] },
      { id: 'disabled', state: 'disabled' as const },
      { id: 'held', state: 'disabled_by_breaker' as const },
    ];
    const planned = plan([outboxEvent('a')], endpoints);
    expect(planned.endpointIds).toEqual([['takes', 'held']]);
    expect(planned.ready.map(({ lanes }) => lanes)).toEqual([[planned.lanes[0]]]);
    expect(planned.pending.map(({ endpointId, state }) => [endpointId, state])).toEqual([['held', 'queued']]);
  });

  test('golden: an endpoint receives the types and pairs that it selects', () => {
    const endpoints = [
      { id: 'type' },
      { id: 'other type', events: ['creation' as const] },
      { id: 'pair', events: ['RequestPayment.payed' as const] },
      { id: 'other pairs', events: ['RequestSecurityDeposit.creation' as const, 'RequestPayment.cancel' as const] },
    ];
    const events = [
      outboxEvent('a'),
      outboxEvent('b', { objectName: 'RequestSecurityDeposit', type: 'creation' }),
      outboxEvent('c', { objectName: 'ModelRequestPayment', type: 'creation' }),
    ];
    expect(plan(events, endpoints).endpointIds).toEqual([
      ['type', 'pair'],
      ['other type', 'other pairs'],
      ['other type'],
    ]);
  });

  test('a test event goes only to its endpoint, whatever it subscribes to, unless it is disabled', () => {
    const endpoints = [{ id: 'one', events: [] }, { id: 'two' }, { id: 'off', state: 'disabled' as const }];
    const events = ['one', 'off'].map((onlyTo) => outboxEvent(onlyTo, { onlyTo }));
    expect(plan(events, endpoints).endpointIds).toEqual([['one'], []]);
  });

  test('a copy goes to those that include children', () => {
    const endpoints = [{ id: 'own' }, { id: 'family', includeChildren: true }];
    const events = [outboxEvent('own'), outboxEvent('copy', { origin: 'acc_child', occurredAt: start })];
    expect(plan(events, endpoints).endpointIds).toEqual([['own', 'family'], ['family']]);
  });

  test('an event waits for propagation only while an endpoint includes children; copies and test events never do', () => {
    const events = [
      outboxEvent('plain'),
      outboxEvent('test', { onlyTo: 'one' }),
      outboxEvent('copy', { origin: 'acc_child', occurredAt: start }),
    ];
    const propagating = (hasIncludeChildren: boolean) =>
      plan(events, [{ id: 'one' }], { hasIncludeChildren }).events.map(({ propagates }) => propagates);
    expect(propagating(true)).toEqual([true, false, false]);
    expect(propagating(false)).toEqual([false, false, false]);
  });
});

describe('deliveries', () => {
  test('those that memory accepts are sent from there, and not stored', () => {
    const events = ['a', 'b'].map((id) => outboxEvent(id));
    const { ready, pending, queued, ahead, lanes } = plan(events, [{ id: 'one' }, { id: 'two' }]);
    expect(ready).toEqual(events.map((event) => ({ event, timestamp: inSeconds, lanes })));
    expect(ready.flatMap((each) => each.lanes.map((lane) => lanes.indexOf(lane)))).toEqual([0, 1, 0, 1]);
    expect([pending, queued, ahead]).toEqual([[], [], []]);
  });

  test('those that memory does not accept are queued, in order, counting those of the same plan', () => {
    const counts: number[] = [];
    const events = ['a', 'b', 'c'].map((id) => outboxEvent(id));
    const accepts: DispatchInput<EndpointLane>['accepts'] = (_lane, planned) => {
      counts.push(planned);
      return planned < 1;
    };
    const { ready, pending, queued, lanes } = plan(events, [{ id: 'one' }], { accepts });
    expect(counts).toEqual([0, 1, 1]);
    expect(ready.map(({ event }) => event.id)).toEqual(['a']);
    const key = { shard: shardOf('acc_a'), accountId: 'acc_a', endpointId: 'one', replay: 0 };
    expect(pending).toEqual(
      ['b', 'c'].map((eventId) => ({ ...key, eventId, state: 'queued', dueIn: 0, attempts: 0, logged: 0 })),
    );
    expect(new Set(queued)).toEqual(new Set(lanes));
  });

  test.each([
    [1, ['a']],
    [2, ['a']],
    [3, ['a', 'b']],
    [6, ['a', 'b', 'c']],
  ])('above %i, the events that follow are left for a later plan; no event is divided', (maxDeliveries, ids) => {
    const events = ['a', 'b', 'c'].map((id) => outboxEvent(id));
    const both = [
      ['one', 'two'],
      ['one', 'two'],
      ['one', 'two'],
    ];
    const made = plan(events, [{ id: 'one' }, { id: 'two' }], {
      maxDeliveries,
      accepts: ({ endpoint }) => endpoint.id === 'one',
    });
    expect(made.events.map(({ event }) => event.id)).toEqual(ids);
    expect(made.endpointIds).toEqual(both.slice(0, ids.length));
    expect([made.ready.length, made.pending.length]).toEqual([ids.length, ids.length]);
  });

  test('events without deliveries are planned, however many', () => {
    const events = Array.from({ length: 5 }, (_, index) => outboxEvent(String(index)));
    expect(plan(events, [], { maxDeliveries: 1 }).events).toHaveLength(5);
  });

  test('a test event that memory does not accept is due at once, and urgent', () => {
    const { pending, queued } = plan([outboxEvent('a', { onlyTo: 'one' })], [{ id: 'one' }], { accepts: () => false });
    expect(pending).toMatchObject([{ eventId: 'a', state: 'scheduled', dueIn: 0, isUrgent: true }]);
    expect(queued).toEqual([]);
  });

  test('an event whose timestamp is more than a minute ahead waits, and is signalled when an endpoint receives it', () => {
    const ahead = outboxEvent('a', { lastTimestamp: inSeconds + 61 });
    const { pending, ready, ahead: signalled } = plan([ahead]);
    expect(ready).toEqual([]);
    expect(pending).toMatchObject([{ eventId: 'a', state: 'scheduled', dueIn: 2 * second }]);
    expect(signalled).toEqual([{ accountId: 'acc_a', eventId: 'a', by: 2 * second }]);
    expect(plan([ahead], []).ahead).toEqual([]);
  });
});
