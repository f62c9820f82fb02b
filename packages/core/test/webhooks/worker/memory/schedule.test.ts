import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { availableCapacity } from '../../../../src/webhooks/delivery-rules/breaker.ts';
import type { EndpointLane, LoadedDelivery } from '../../../../src/webhooks/worker/memory/lane.ts';
import { createSchedule, type Schedule, type ScheduleDeps } from '../../../../src/webhooks/worker/memory/schedule.ts';
import { accountLane, loadedDelivery } from '../../../support/lanes.ts';
import { runs } from '../../../support/runs.ts';

const world = (deps: Partial<ScheduleDeps> = {}) => {
  const clock = { now: 0 };
  const schedule = createSchedule({
    ...{ concurrency: 100, perEndpoint: 100, perAccount: 100, now: () => clock.now, availableCapacity },
    ...deps,
  });
  const add = (lane: EndpointLane, ...eventIds: readonly string[]): void => {
    for (const eventId of eventIds) schedule.add(loadedDelivery(lane, eventId));
  };
  return { clock, schedule, add };
};
const account = (accountId: string, ...ids: readonly string[]): readonly EndpointLane[] =>
  accountLane(
    accountId,
    ids.map((id) => ({ id })),
  ).lanes;
const lane = (accountId = 'acc_a', id = 'one'): EndpointLane => account(accountId, id)[0] as EndpointLane;
/** Takes all that may be sent now. */
const takeAll = (schedule: Schedule): readonly LoadedDelivery[] => {
  const taken: LoadedDelivery[] = [];
  for (let next = schedule.next(); next; next = schedule.next()) taken.push(next);
  return taken;
};
const idsOf = (deliveries: readonly LoadedDelivery[]) => deliveries.map(({ eventId }) => eventId);
const failing = (openCount: number, openUntil: number): EndpointLane['health'] => ({
  ...{ failures: 5, since: 0, isExhausted: false, openCount, openUntil, retryAfterUntil: 0 },
});

describe('turns', () => {
  test('accounts take turns, however many endpoints and deliveries each has', () => {
    const { schedule, add } = world();
    for (const each of account('big', 'a', 'b', 'c')) add(each, 'big', 'big', 'big');
    add(lane('small'), 'small', 'small');
    expect(takeAll(schedule).map(({ accountId }) => accountId)).toEqual([
      ...['big', 'small', 'big', 'small'],
      ...Array(7).fill('big'),
    ]);
  });

  test('so do the endpoints of an account', () => {
    const { schedule, add } = world();
    const [a, b] = account('acc_a', 'a', 'b') as [EndpointLane, EndpointLane];
    add(a, 'a1', 'a2', 'a3');
    add(b, 'b1', 'b2');
    expect(idsOf(takeAll(schedule))).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('an endpoint is sent its deliveries in order, thousands of them', () => {
    const { schedule, add } = world({ concurrency: 10_000, perEndpoint: 10_000, perAccount: 10_000 });
    const ids = Array.from({ length: 3_000 }, (_, index) => String(index));
    const one = lane();
    add(one, ...ids.slice(0, 1_500));
    const first = Array.from({ length: 700 }, () => schedule.next() as LoadedDelivery);
    add(one, ...ids.slice(1_500));
    expect(idsOf([...first, ...takeAll(schedule)])).toEqual(ids);
    expect(schedule.ready()).toBe(0);
  });
});

describe('limits', () => {
  test.each([
    [{ concurrency: 3 }, 3],
    [{ perAccount: 2 }, 4],
    [{ perEndpoint: 1 }, 3],
  ])('%j: %i of two accounts, one of which has two endpoints', (deps, most) => {
    const { schedule, add } = world(deps);
    const lanes = [...account('acc_a', 'a', 'b'), lane('acc_b')];
    for (const each of lanes) add(each, '1', '2', '3');
    const taken = takeAll(schedule);
    expect([taken.length, schedule.inFlight(), schedule.ready()]).toEqual([most, most, 9 - most]);
    // Each attempt that ends lets one more begin.
    schedule.complete((taken[0] as LoadedDelivery).lane, 'prompt');
    expect(takeAll(schedule)).toHaveLength(1);
  });

  test.each([
    ['paused by the host', (each: EndpointLane) => Object.assign(each, { isSendingPaused: true })],
    ['disabled', (each: EndpointLane) => Object.assign(each, { endpoint: { ...each.endpoint, state: 'disabled' } })],
    ['paused', (each: EndpointLane) => Object.assign(each, { health: failing(1, 10) })],
    ['of an account that must be read again', (each: EndpointLane) => Object.assign(each.account, { isStale: true })],
  ])('an endpoint that is %s is passed by, also if it became so after it was in line', (_, close) => {
    const { schedule, add } = world();
    const [before, after] = [lane('acc_a', 'before'), lane('acc_b', 'after')];
    close(before);
    add(before, 'x');
    add(after, 'y');
    close(after);
    expect(takeAll(schedule)).toEqual([]);
    expect(schedule.ready()).toBe(2);
  });

  test('an endpoint that may receive again is served once it is listed again', () => {
    const { clock, schedule, add } = world();
    const one = Object.assign(lane(), { health: failing(0, 10) });
    add(one, 'a', 'b');
    expect(takeAll(schedule)).toEqual([]);
    clock.now = 10;
    schedule.relist(one);
    schedule.relist(one);
    expect(idsOf(takeAll(schedule))).toEqual(['a', 'b']);
  });

  test('half-open, one at a time is the probe', () => {
    const { schedule, add } = world();
    const one = Object.assign(lane(), { health: failing(1, 0) });
    add(one, 'a', 'b');
    expect(idsOf(takeAll(schedule))).toEqual(['a']);
    schedule.complete(one, 'prompt');
    expect(idsOf(takeAll(schedule))).toEqual(['b']);
  });
});

describe('urgent deliveries', () => {
  const urgent = (one: EndpointLane, eventId: string): LoadedDelivery =>
    loadedDelivery(one, eventId, { isUrgent: true });

  test('come before the others of their endpoint, in the order in which they were added', () => {
    const { schedule, add } = world();
    const one = lane();
    add(one, 'a', 'b');
    schedule.add(urgent(one, 'first'));
    add(one, 'c');
    schedule.add(urgent(one, 'second'));
    expect(idsOf(takeAll(schedule))).toEqual(['first', 'second', 'a', 'b', 'c']);
  });

  test('come after those in flight, of which none is sent twice', () => {
    const { schedule, add } = world({ perEndpoint: 1 });
    const one = lane();
    add(one, 'a', 'b', 'c');
    expect(idsOf(takeAll(schedule))).toEqual(['a']);
    schedule.add(urgent(one, 'urgent'));
    const later: string[] = [];
    for (let left = 3; left > 0; left--) {
      schedule.complete(one, 'prompt');
      later.push(...idsOf(takeAll(schedule)));
    }
    expect(later).toEqual(['urgent', 'b', 'c']);
    expect(schedule.ready()).toBe(0);
  });
});

test('waiting deliveries can be taken out in order; those in flight cannot', () => {
  const { schedule, add } = world({ perEndpoint: 2 });
  const one = lane();
  add(one, 'a', 'b', 'c', 'd');
  takeAll(schedule);
  expect(idsOf(schedule.takeReady(one))).toEqual(['c', 'd']);
  expect(idsOf(schedule.takeReady(one))).toEqual([]);
  expect([schedule.ready(), schedule.inFlight()]).toEqual([0, 2]);
  schedule.complete(one, 'prompt');
  add(one, 'e');
  expect(idsOf(takeAll(schedule))).toEqual(['e']);
});

test('runnable deliveries are counted to a limit', () => {
  const { schedule, add } = world({ concurrency: 1 });
  const [open, paused] = [lane('acc_a'), Object.assign(lane('acc_b'), { health: failing(1, 10) })];
  add(open, ...'abcdefgh');
  add(paused, 'x');
  expect([schedule.runnable(100), schedule.runnable(3), schedule.ready()]).toEqual([8, 3, 9]);
});

test('for any history, no limit is exceeded, endpoints are served in order, and nothing runnable waits', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ act: fc.constant('add' as const), lane: fc.nat({ max: 5 }) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('next' as const) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('land' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('pause' as const), lane: fc.nat({ max: 5 }) }) },
  );
  const limits = { concurrency: 5, perAccount: 3, perEndpoint: 2 };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { schedule, add } = world(limits);
      const lanes = ['acc_a', 'acc_b', 'acc_c'].flatMap((accountId) => account(accountId, 'x', 'y'));
      const waiting = new Map(lanes.map((each) => [each, [] as string[]]));
      const flying: EndpointLane[] = [];
      const isPaused = (each: EndpointLane): boolean => each.health !== undefined;
      const hasCapacity = (each: EndpointLane): boolean =>
        !isPaused(each) &&
        flying.length < limits.concurrency &&
        flying.filter((other) => other === each).length < limits.perEndpoint &&
        flying.filter(({ account: owner }) => owner === each.account).length < limits.perAccount;
      for (const [index, each] of steps.entries()) {
        if (each.act === 'add') {
          const to = lanes[each.lane] as EndpointLane;
          waiting.get(to)?.push(String(index));
          add(to, String(index));
        } else if (each.act === 'land') {
          const [landed] = flying.splice(each.which % Math.max(flying.length, 1), 1);
          if (landed) schedule.complete(landed, 'prompt');
        } else if (each.act === 'pause') {
          const paused = lanes[each.lane] as EndpointLane;
          paused.health = isPaused(paused) ? undefined : failing(1, 1);
          schedule.relist(paused);
        } else {
          const able = lanes.filter((one) => (waiting.get(one)?.length ?? 0) > 0 && hasCapacity(one));
          const taken = schedule.next();
          expect(taken === undefined).toBe(able.length === 0);
          if (!taken) continue;
          expect(able).toContain(taken.lane);
          expect(taken.eventId).toBe(waiting.get(taken.lane)?.shift());
          flying.push(taken.lane);
        }
      }
      expect(schedule.inFlight()).toBe(flying.length);
      expect(schedule.ready()).toBe([...waiting.values()].flat().length);
    }),
    runs,
  );
});

describe('endpoints whose last attempt timed out', () => {
  /** Sends one delivery to each of them, which times out. */
  const timeOut = ({ schedule, add }: ReturnType<typeof world>, lanes: readonly EndpointLane[]): void => {
    for (const each of lanes) {
      add(each, 'first');
      expect(schedule.next()?.lane).toBe(each);
      schedule.complete(each, 'hanging');
    }
  };

  test('have half of the attempts together, and one each', () => {
    const made = world({ concurrency: 10 });
    const { schedule, add } = made;
    const hanging = account('hanging', 'a', 'b', 'c', 'd', 'e', 'f', 'g');
    timeOut(made, hanging);
    for (const each of hanging) add(each, 'x', 'y', 'z');
    expect(takeAll(schedule).map(({ endpointId }) => endpointId)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(schedule.runnable(100)).toBe(0);
    add(lane('healthy'), ...Array(9).fill('healthy'));
    expect(idsOf(takeAll(schedule))).toEqual(Array(5).fill('healthy'));
  });

  test('cost an attempt to another endpoint nothing, however many wait for their half', () => {
    let asked = 0;
    const made = world({
      concurrency: 8,
      availableCapacity: (...args) => {
        asked++;
        return availableCapacity(...args);
      },
    });
    const { schedule, add } = made;
    const hanging = account('hanging', ...Array.from({ length: 1_000 }, (_, index) => `e${index}`));
    timeOut(made, hanging);
    for (const each of hanging) add(each, 'x');
    expect(takeAll(schedule)).toHaveLength(4);
    const healthy = lane('healthy');
    add(healthy, ...Array(9).fill('healthy'));
    expect(takeAll(schedule)).toHaveLength(4);
    asked = 0;
    schedule.complete(healthy, 'prompt');
    expect(takeAll(schedule)).toHaveLength(1);
    expect(asked).toBeLessThan(10);
  });

  test('of a concurrency of 1, they have the one', () => {
    const made = world({ concurrency: 1 });
    const one = lane();
    timeOut(made, [one]);
    made.add(one, 'x');
    expect(idsOf(takeAll(made.schedule))).toEqual(['x']);
  });

  test('take turns, by account', () => {
    const made = world({ concurrency: 2 });
    const { schedule, add } = made;
    const big = account('big', 'a', 'b', 'c');
    const small = lane('small', 's');
    timeOut(made, [...big, small]);
    for (const each of [...big, small]) add(each, 'x', 'y');
    const order: string[] = [];
    for (let next = schedule.next(); next; next = schedule.next()) {
      order.push(next.endpointId);
      schedule.complete(next.lane, 'hanging');
    }
    expect(order.slice(0, 4).filter((id) => id === 's')).toHaveLength(2);
    expect(order.toSorted()).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 's', 's']);
  });

  test('have all again once they answer', () => {
    const made = world({ concurrency: 10, perEndpoint: 4 });
    const { schedule, add } = made;
    const one = lane();
    timeOut(made, [one]);
    add(one, ...Array(9).fill('x'));
    expect(takeAll(schedule)).toHaveLength(1);
    schedule.complete(one, 'prompt');
    expect(takeAll(schedule)).toHaveLength(4);
  });

  test('attempts that were in flight before the first time-out count', () => {
    const made = world({ concurrency: 4 });
    const { schedule, add } = made;
    const [a, b] = account('acc_a', 'a', 'b') as [EndpointLane, EndpointLane];
    timeOut(made, [b]);
    add(a, 'a1', 'a2', 'a3');
    expect(takeAll(schedule)).toHaveLength(3);
    schedule.complete(a, 'hanging');
    add(b, 'b1');
    // Two of the first endpoint are left: half of four.
    expect(takeAll(schedule)).toEqual([]);
    schedule.complete(a, 'hanging');
    expect(idsOf(takeAll(schedule))).toEqual(['b1']);
  });

  test('one whose deliveries were removed does not come back', () => {
    const made = world({ concurrency: 2 });
    const { schedule, add } = made;
    const [a, b] = account('acc_a', 'a', 'b') as [EndpointLane, EndpointLane];
    timeOut(made, [a, b]);
    add(a, 'a1');
    add(b, 'b1');
    expect(idsOf(takeAll(schedule))).toEqual(['a1']);
    expect(schedule.takeReady(b)).toHaveLength(1);
    schedule.complete(a, 'hanging');
    expect(takeAll(schedule)).toEqual([]);
  });
});

describe('endpoints of which no attempt has ended', () => {
  const untried = (accountId: string, ...ids: readonly string[]): readonly EndpointLane[] => {
    const lanes = account(accountId, ...ids);
    for (const each of lanes) each.pace = 'untried';
    return lanes;
  };
  const hanging = (accountId: string): EndpointLane => {
    const [only] = untried(accountId, accountId) as [EndpointLane];
    only.pace = 'hanging';
    return only;
  };
  const endpointsOf = (deliveries: readonly LoadedDelivery[]) => deliveries.map(({ endpointId }) => endpointId);

  test('have one attempt each until it ends in time, then their capacity', () => {
    const { schedule, add } = world();
    const [one] = untried('acc_a', 'one') as [EndpointLane];
    add(one, '1', '2', '3');
    expect(idsOf(takeAll(schedule))).toEqual(['1']);
    schedule.complete(one, 'untried');
    expect(idsOf(takeAll(schedule))).toEqual(['2']);
    expect(schedule.runnable(100)).toBe(0);
    schedule.complete(one, 'prompt');
    expect(idsOf(takeAll(schedule))).toEqual(['3']);
  });

  test('have three quarters of the attempts, with those that timed out; the first of an account may exceed it', () => {
    const { schedule, add } = world({ concurrency: 8 });
    const all = [...untried('big', 'a', 'b', 'c'), hanging('h'), hanging('i'), ...untried('small', 's', 't')];
    for (const each of all) add(each, 'x');
    // Of 8: four, then two that were not tried.
    expect(endpointsOf(takeAll(schedule))).toEqual(['a', 'h', 'i', 's', 'b', 't']);
    // Another account may begin, unless its endpoint timed out.
    add(hanging('late'), 'x');
    for (const each of untried('other', 'o', 'p')) add(each, 'x');
    expect(endpointsOf(takeAll(schedule))).toEqual(['o']);
    const [proven] = account('proven', 'p') as [EndpointLane];
    add(proven, ...Array(9).fill('x'));
    expect(endpointsOf(takeAll(schedule))).toEqual(['p']);
  });

  test('go on with the next one of an account of which none is left in flight', () => {
    // Of 5: three, and one that is free.
    const { schedule, add } = world({ concurrency: 5 });
    const held = [...untried('h', 'h'), ...untried('i', 'i'), ...untried('j', 'j')];
    const [a, b] = untried('acc_a', 'a', 'b') as [EndpointLane, EndpointLane];
    for (const each of [...held, a, b]) add(each, 'x');
    expect(endpointsOf(takeAll(schedule))).toEqual(['h', 'i', 'j', 'a']);
    schedule.complete(a, 'prompt');
    expect(endpointsOf(takeAll(schedule))).toEqual(['b']);
  });
});
