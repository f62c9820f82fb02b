import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../../src/base/runtime/time.ts';
import type { Settlement } from '../../../../src/webhooks/deliveries/delivery-store.ts';
import type { SendOutcome } from '../../../../src/webhooks/deliveries/sender.ts';
import type { Health } from '../../../../src/webhooks/delivery-rules/breaker.ts';
import type { NextStep } from '../../../../src/webhooks/delivery-rules/next-step.ts';
import type { EndpointLane, LoadedDelivery } from '../../../../src/webhooks/worker/memory/lane.ts';
import { createUnsettled } from '../../../../src/webhooks/worker/memory/unsettled.ts';
import { start } from '../../../support/clock.ts';
import { accountLane, loadedDelivery } from '../../../support/lanes.ts';
import { testAuditor } from '../../../support/worker.ts';

const outcome: SendOutcome = { kind: 'answered', status: 200, body: '', durationMs: 1 };
const delivered: NextStep = { kind: 'delivered', retryIn: 0 };
const nothing: Settlement = {
  number: 1,
  after: 0,
  attempts: [],
  pending: [],
  queued: [],
  finished: [],
  health: [],
  transitions: [],
};
const account = accountLane('acc_a', [{ id: 'one' }]);
const key = { shard: account.shard, accountId: 'acc_a', eventId: 'a', endpointId: 'one', replay: 0 };
const row = { accountId: 'acc_a', eventId: 'a', endpointId: 'one', replay: 0, outcome };

/** The outcomes of a worker whose monotonic clock shows a second after the start. */
const world = () => {
  const lane = accountLane('acc_a', [{ id: 'one' }]).lanes[0] as EndpointLane;
  const unsettled = createUnsettled(() => start + second, testAuditor());
  const add = (...eventIds: readonly string[]): void => {
    for (const eventId of eventIds)
      unsettled.add({ delivery: loadedDelivery(lane, eventId), attempted: { outcome, next: delivered } });
  };
  const ids = () => unsettled.batch().settlement.attempts.map(({ eventId }) => eventId);
  return { unsettled, lane, add, ids };
};
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => String(index));

describe('a batch', () => {
  test('has the outcomes in order; it is the same one until it is stored or dropped', () => {
    const { unsettled, add, ids } = world();
    add('a', 'b');
    const batch = unsettled.batch();
    add('c');
    expect([ids(), unsettled.count()]).toEqual([['a', 'b'], 3]);
    expect(unsettled.batch()).toBe(batch);
    unsettled.clear(true);
    expect([unsettled.count(), ids(), unsettled.isEmpty()]).toEqual([1, ['c'], false]);
    unsettled.clear(true);
    expect([unsettled.count(), unsettled.isEmpty()]).toEqual([0, true]);
  });

  test('that changes more than the log is confirmed once it is stored: the next one comes after it', () => {
    const { unsettled, add } = world();
    const store = (isStored: boolean): readonly number[] => {
      const { number, after } = unsettled.batch().settlement;
      unsettled.clear(isStored);
      return [number, after, unsettled.confirmed()];
    };
    add('a');
    expect(store(true)).toEqual([1, 0, 0]);
    unsettled.addKey(key);
    expect(store(false)).toEqual([2, 0, 0]);
    unsettled.addKey(key);
    expect(store(true)).toEqual([3, 0, 3]);
    add('b');
    expect(store(true)).toEqual([4, 3, 3]);
    unsettled.addKey(key);
    expect(store(true)).toEqual([5, 3, 5]);
  });

  test('has a number: each the next one', () => {
    const { unsettled, add } = world();
    const numbers = ['a', 'b', 'c'].map((id) => {
      add(id);
      const { number } = unsettled.batch().settlement;
      expect(unsettled.batch().settlement.number).toBe(number);
      unsettled.clear(true);
      return number;
    });
    expect(numbers).toEqual([1, 2, 3]);
  });

  test('has at most 512 outcomes', () => {
    const { unsettled, add, ids } = world();
    add(...many(1_300));
    const sizes = many(3).map(() => {
      const size = ids().length;
      unsettled.clear(true);
      return size;
    });
    expect([sizes, unsettled.count()]).toEqual([[512, 512, 276], 0]);
  });

  test('is full when 256 outcomes wait; those that are being stored do not count', () => {
    const { unsettled, add } = world();
    add(...many(255));
    expect(unsettled.isFull()).toBe(false);
    add('the 256th');
    expect(unsettled.isFull()).toBe(true);
    unsettled.batch();
    expect(unsettled.isFull()).toBe(false);
  });

  test('is worth storing for a key or the health of an endpoint alone', () => {
    const { unsettled, lane } = world();
    expect(unsettled.isEmpty()).toBe(true);
    unsettled.addKey(key);
    expect([unsettled.isEmpty(), unsettled.count()]).toEqual([false, 0]);
    expect(unsettled.batch().keys).toEqual([key]);
    expect(unsettled.isEmpty()).toBe(false);
    unsettled.clear(true);
    expect(unsettled.isEmpty()).toBe(true);
    unsettled.addHealth(lane, undefined);
    expect(unsettled.isEmpty()).toBe(false);
  });
});

describe('what is stored', () => {
  const settlementOf = (change: Partial<LoadedDelivery>, next?: NextStep): Settlement => {
    const { unsettled, lane } = world();
    const delivery = loadedDelivery(lane, 'a', change);
    unsettled.add(next ? { delivery, attempted: { outcome, next } } : { delivery });
    return unsettled.batch().settlement;
  };

  test('golden: a delivery that succeeds at once is one row of its log', () => {
    expect(settlementOf({}, delivered)).toEqual({ ...nothing, attempts: [{ ...row, number: 1, state: 'delivered' }] });
  });

  test('golden: a retry is scheduled, with its attempt counted', () => {
    const change = { attempts: 2, logged: 4, stored: 'queued' } as const;
    expect(settlementOf(change, { kind: 'retry', retryIn: minute })).toEqual({
      ...nothing,
      attempts: [{ ...row, number: 5 }],
      pending: [{ ...key, state: 'scheduled', dueIn: minute, attempts: 3, logged: 5 }],
    });
  });

  test.each([
    ['delivered', 'delivered'],
    ['exhausted', 'exhausted'],
    ['out_of_reach', 'expired'],
  ] as const)('%s finishes a pending delivery as %s', (kind, state) => {
    const settlement = settlementOf({ attempts: 1, logged: 1, stored: 'scheduled' }, { kind, retryIn: 0 });
    expect(settlement).toEqual({ ...nothing, attempts: [{ ...row, number: 2, state }], finished: [key] });
  });

  test('410: the attempt is logged and does not count; the delivery is queued and held', () => {
    const { attempts, pending } = settlementOf({ attempts: 1, logged: 1 }, { kind: 'gone', retryIn: 0 });
    expect(attempts).toEqual([{ ...row, number: 2 }]);
    expect(pending).toEqual([{ ...key, state: 'queued', dueIn: 0, attempts: 1, logged: 2 }]);
  });

  test('an attempt that a dead worker may have made is logged as abandoned first, and does not count', () => {
    const change = { attempts: 1, logged: 1, wasAbandoned: true };
    const { attempts, pending } = settlementOf(change, { kind: 'retry', retryIn: minute });
    const abandoned = { kind: 'failed', reason: 'abandoned', durationMs: 0 };
    expect(attempts).toEqual([
      { ...row, number: 2, outcome: abandoned },
      { ...row, number: 3 },
    ]);
    expect(pending).toMatchObject([{ attempts: 2, logged: 3 }]);
  });

  test('an unattempted delivery is queued as of when it came into memory; a queued one stays as it is', () => {
    const queued = { ...key, state: 'queued', dueIn: -second, attempts: 0, logged: 0 };
    expect(settlementOf({ stored: 'fresh', since: start })).toEqual({ ...nothing, pending: [queued] });
    expect(settlementOf({ stored: 'scheduled' })).toEqual({ ...nothing, queued: [key] });
    const urgent = { stored: 'scheduled', isUrgent: true } as const;
    expect(settlementOf(urgent)).toEqual({ ...nothing, queued: [{ ...key, isUrgent: true }] });
    expect(settlementOf({ stored: 'queued' })).toEqual(nothing);
  });

  test('an unattempted urgent delivery is scheduled, and stays urgent', () => {
    const scheduled = { ...key, state: 'scheduled', dueIn: -second, attempts: 0, logged: 0, isUrgent: true };
    expect(settlementOf({ stored: 'fresh', since: start, isUrgent: true })).toEqual({
      ...nothing,
      pending: [scheduled],
    });
  });

  test('a scheduled delivery whose endpoint is unknown is queued', () => {
    const { unsettled, lane } = world();
    unsettled.addKey(loadedDelivery(lane, 'a', { stored: 'scheduled' }));
    unsettled.addKey(loadedDelivery(lane, 'b', { stored: 'scheduled', isUrgent: true }));
    const queued = [key, { ...key, eventId: 'b', isUrgent: true }];
    expect(unsettled.batch().settlement).toEqual({ ...nothing, queued });
  });
});

describe('health', () => {
  const health: Health = {
    ...{ failures: 5, since: start, isExhausted: false, openCount: 1 },
    ...{ openUntil: start + minute, retryAfterUntil: start },
  };
  const details = { failures: 5, failingFor: 0, outcome: 500 };
  const lastFailure = { objectName: 'RequestPayment', type: 'payed', eventId: 'a', outcome: 500 };
  const failing = { kind: 'endpoint_failing', ...details, lastFailure } as const;
  const recovered = { kind: 'endpoint_recovered', ...details, outcome: 200 } as const;

  test('is written with the version of the endpoint, in the settlement that changed it', () => {
    const { unsettled, lane, add } = world();
    lane.health = health;
    unsettled.addHealth(lane, undefined);
    add('a');
    const { settlement, changes } = unsettled.batch();
    expect(settlement.attempts).toMatchObject([{ eventId: 'a' }]);
    const written = { failures: 5, failingFor: second, isExhausted: false, openCount: 1, retryAfterFor: 0 };
    expect(settlement.health).toEqual([
      { accountId: 'acc_a', endpointId: 'one', version: 1, health: { ...written, openFor: minute - second } },
    ]);
    expect([settlement.transitions, changes]).toEqual([[], []]);
  });

  test('is written once, as it is when the batch is made', () => {
    const { unsettled, lane } = world();
    unsettled.addHealth(lane, undefined);
    unsettled.addHealth(lane, undefined);
    lane.health = health;
    expect(unsettled.batch().settlement.health).toMatchObject([{ health: { failures: 5 } }]);
  });

  test('changes of one endpoint are counted each, in order, and only once', () => {
    const { unsettled, lane } = world();
    for (const change of [failing, undefined, recovered]) unsettled.addHealth(lane, change);
    const { settlement, changes } = unsettled.batch();
    const transition = { shard: account.shard, accountId: 'acc_a', endpointId: 'one' };
    const by = { type: 'rule', command: 'breaker' };
    const audit = { accountId: 'acc_a', subjectId: 'one', by };
    expect(settlement.transitions).toMatchObject([
      {
        ...transition,
        audit: { ...audit, type: 'endpoint.failing', data: { failures: 5, failingFor: 0, lastFailure } },
      },
      {
        ...transition,
        audit: { ...audit, type: 'endpoint.recovered', data: { failures: 5, failingFor: 0, outcome: 200 } },
      },
    ]);
    expect(changes).toEqual([
      [lane, failing],
      [lane, recovered],
    ]);
    unsettled.clear(true);
    expect([unsettled.isEmpty(), unsettled.batch().changes]).toEqual([true, []]);
  });

  test('of an endpoint that this worker disabled is not written: the store disables its version', () => {
    const { unsettled, lane } = world();
    lane.endpoint = { ...lane.endpoint, state: 'disabled_by_breaker' };
    unsettled.addHealth(lane, { kind: 'endpoint_disabled', reason: 'gone', ...details, outcome: 410, lastFailure });
    const { health: written, transitions } = unsettled.batch().settlement;
    expect(written).toEqual([]);
    expect(transitions).toMatchObject([{ endpointId: 'one', disable: { version: 1, reason: 'gone' } }]);
  });
});
