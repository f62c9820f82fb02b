import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Settlement, SettleOutcome } from '../../../src/delivery-ports/delivery-store.ts';
import type { SendOutcome } from '../../../src/delivery-ports/sender.ts';
import type { Health } from '../../../src/delivery-rules/breaker.ts';
import type { NextStep } from '../../../src/delivery-rules/next-step.ts';
import { minute, second } from '../../../src/runtime/time.ts';
import type { Signal } from '../../../src/signals/signal.ts';
import type { EndpointLane, LoadedDelivery } from '../../../src/worker/memory/in-hand.ts';
import { createSettler } from '../../../src/worker/settler.ts';
import { createWorkerErrors } from '../../../src/worker/worker-errors.ts';
import { settled, start, testClock } from '../../support/clock.ts';
import { accountLane, deliveryInHand } from '../../support/lanes.ts';
import { runs } from '../../support/runs.ts';

const outcome: SendOutcome = { kind: 'answered', status: 200, body: '', durationMs: 1 };
const delivered: NextStep = { kind: 'delivered', retryIn: 0 };
const stored: SettleOutcome = { now: start, endpointVersions: '0', hasIncludeChildren: false, transitions: [] };

/**
 * A settler whose store does what the test says. `isQuiet`: no attempt is in flight, so that nothing more is about to
 * end.
 */
const world = (settle: (settlement: Settlement) => Promise<SettleOutcome | 'fenced'>, isQuiet = true) => {
  const clock = testClock();
  const state = { isQuiet, givesUp: false };
  const signals: Signal[] = [];
  const errors: unknown[] = [];
  const done: (readonly [eventId: string, isStored: boolean])[] = [];
  const keysDone: string[] = [];
  const fenced: string[] = [];
  const lane = accountLane('acc_a', [{ id: 'one' }]).lanes[0] as EndpointLane;
  const observe = (signal: Signal) => signals.push(signal);
  const settler = createSettler({
    store: { settle: async (_workerId, settlement) => settle(settlement) },
    workerId: 'w',
    clock,
    now: clock.now,
    observe,
    errors: createWorkerErrors(observe, (cause, context) => errors.push([cause, context])),
    isQuiet: () => state.isQuiet,
    givesUp: () => state.givesUp,
    onDone: ({ eventId }, isStored) => done.push([eventId, isStored]),
    onKeyDone: ({ eventId }) => keysDone.push(eventId),
    onState: () => undefined,
    onFenced: () => fenced.push('fenced'),
  });
  const add = (...eventIds: readonly string[]): void => {
    for (const eventId of eventIds) settler.add(deliveryInHand(lane, eventId), outcome, delivered);
  };
  return { clock, state, signals, errors, done, keysDone, fenced, lane, settler, add };
};
const idsOf = ({ attempts }: Settlement): readonly string[] => attempts.map(({ eventId }) => eventId);

describe('batches', () => {
  test('while one batch is stored, the next one collects', async () => {
    const batches: (readonly string[])[] = [];
    const gates: (() => void)[] = [];
    const { settler, add, done } = world((settlement) => {
      batches.push(idsOf(settlement));
      return new Promise((resolve) => gates.push(() => resolve(stored)));
    });
    add('a', 'b', 'c');
    expect([batches, settler.unsettled()]).toEqual([[['a']], 3]);
    await settled();
    expect(batches).toEqual([['a']]);
    gates[0]?.();
    await settled();
    expect([batches, settler.unsettled()]).toEqual([[['a'], ['b', 'c']], 2]);
    gates[1]?.();
    await settler.idle();
    expect([settler.unsettled(), done.length]).toEqual([0, 3]);
  });

  test('while attempts are in flight, an outcome waits up to 20 ms for others', async () => {
    const batches: (readonly string[])[] = [];
    const { clock, add } = world(async (settlement) => {
      batches.push(idsOf(settlement));
      return stored;
    }, false);
    for (const ids of [['a', 'b'], ['c']]) {
      add(...ids);
      await clock.advance(19);
      expect(batches).not.toContainEqual(ids);
      await clock.advance(1);
      expect(batches).toContainEqual(ids);
    }
  });

  test('a batch is stored at once when nothing is in flight or it has 256 outcomes', async () => {
    const sizes: number[] = [];
    const { state, add } = world(async ({ attempts }) => {
      sizes.push(attempts.length);
      return stored;
    }, false);
    add(...Array.from({ length: 255 }, (_, index) => String(index)));
    await settled();
    expect(sizes).toEqual([]);
    add('256th');
    await settled();
    expect(sizes).toEqual([256]);
    add('a');
    state.isQuiet = true;
    add('b');
    await settled();
    expect(sizes).toEqual([256, 2]);
  });

  test('a batch has at most 512 outcomes', async () => {
    const sizes: number[] = [];
    const { settler, add } = world(async ({ attempts }) => {
      sizes.push(attempts.length);
      await settled();
      return stored;
    });
    add(...Array.from({ length: 1_300 }, (_, index) => String(index)));
    await settler.idle();
    expect(sizes).toEqual([1, 512, 512, 275]);
  });

  test('each outcome is stored once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 30 }), fc.boolean(), async (pauses, isQuiet) => {
        const all: string[] = [];
        const { settler, add, done } = world(async (settlement) => {
          for (let tick = 0; tick < settlement.attempts.length; tick++) await Promise.resolve();
          all.push(...idsOf(settlement));
          return stored;
        }, isQuiet);
        for (const [index, pause] of pauses.entries()) {
          add(String(index));
          for (let tick = 0; tick < pause; tick++) await Promise.resolve();
        }
        await settler.idle();
        expect(settler.unsettled()).toBe(0);
        const expected = pauses.map((_, index) => String(index));
        expect([all, done]).toEqual([expected, expected.map((id) => [id, true])]);
      }),
      runs,
    );
  });

  test('idle resolves when nothing was added', async () => {
    await world(() => expect.unreachable()).settler.idle();
  });
});

describe('a store that fails', () => {
  const cause = Object.assign(new Error('SECRET'), { code: 'ECONNRESET' });

  test('is called every second with the same settlement, and each error is signalled', async () => {
    const asked: Settlement[] = [];
    const { settler, clock, add, signals, errors, done } = world(async (settlement) => {
      asked.push(settlement);
      if (asked.length < 4) throw cause;
      return stored;
    });
    add('a', 'b');
    await clock.advance(second - 1);
    expect(asked).toHaveLength(1);
    await clock.advance(2 * second + 1);
    await settler.idle();
    expect(asked.map(idsOf)).toEqual([['a'], ['a'], ['a'], ['a'], ['b']]);
    expect(new Set(asked.slice(0, 4)).size).toBe(1);
    const signal = { kind: 'worker_error', during: 'settle', error: { name: 'Error', code: 'ECONNRESET' } };
    expect(signals).toEqual(Array(3).fill(signal));
    expect(errors).toEqual(Array(3).fill([cause, { during: 'settle' }]));
    expect(done).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });

  test('is not called after the worker gives up, and unstored outcomes are reported', async () => {
    let asked = 0;
    const { settler, clock, state, add, done } = world(async () => {
      asked++;
      throw cause;
    });
    add('a', 'b');
    await clock.advance(5 * second);
    state.givesUp = true;
    await clock.advance(second);
    await settler.idle();
    expect(asked).toBe(6);
    expect([settler.unsettled(), done]).toEqual([
      0,
      [
        ['a', false],
        ['b', false],
      ],
    ]);
  });

  test('a fenced worker stores nothing more', async () => {
    const { settler, add, done, fenced, state } = world(async () => {
      state.givesUp = true;
      return 'fenced';
    });
    add('a', 'b');
    await settler.idle();
    expect([fenced, done]).toEqual([
      ['fenced'],
      [
        ['a', false],
        ['b', false],
      ],
    ]);
  });
});

describe('what is stored', () => {
  /** The settlement of what a test adds. */
  const settlementOf = async (act: (made: ReturnType<typeof world>) => void): Promise<Settlement> => {
    const found: Settlement[] = [];
    const made = world(async (settlement) => {
      found.push(settlement);
      return stored;
    }, false);
    act(made);
    await made.settler.idle();
    expect(found).toHaveLength(1);
    return found[0] as Settlement;
  };
  const nothing = { attempts: [], pending: [], queued: [], finished: [], health: [], transitions: [] };
  const key = ({ lane }: ReturnType<typeof world>) => {
    const { shard, accountId } = lane.account;
    return { shard, accountId, eventId: 'a', endpointId: 'one', replay: 0 };
  };
  const row = { accountId: 'acc_a', eventId: 'a', endpointId: 'one', replay: 0, outcome };
  const of = (change: Partial<LoadedDelivery>, next: NextStep) =>
    settlementOf(({ settler, lane }) => settler.add(deliveryInHand(lane, 'a', change), outcome, next));

  test('golden: a delivery that succeeds at once is one row of its log', async () => {
    expect(await of({}, delivered)).toEqual({ ...nothing, attempts: [{ ...row, number: 1, state: 'delivered' }] });
  });

  test('golden: a retry is scheduled, with its attempt counted', async () => {
    const made = world(async () => stored);
    const settlement = await of({ attempts: 2, logged: 4, stored: 'queued' }, { kind: 'retry', retryIn: minute });
    expect(settlement).toEqual({
      ...nothing,
      attempts: [{ ...row, number: 5 }],
      pending: [{ ...key(made), state: 'scheduled', dueIn: minute, attempts: 3, logged: 5 }],
    });
  });

  test.each([
    ['delivered', 'delivered'],
    ['exhausted', 'exhausted'],
    ['out_of_reach', 'expired'],
  ] as const)('%s finishes a pending delivery as %s', async (kind, state) => {
    const made = world(async () => stored);
    const settlement = await of({ attempts: 1, logged: 1, stored: 'scheduled' }, { kind, retryIn: 0 });
    expect(settlement).toEqual({ ...nothing, attempts: [{ ...row, number: 2, state }], finished: [key(made)] });
  });

  test('410: the attempt is logged and does not count; the delivery is queued and held', async () => {
    const { attempts, pending } = await of({ attempts: 1, logged: 1 }, { kind: 'gone', retryIn: 0 });
    expect(attempts).toEqual([{ ...row, number: 2 }]);
    expect(pending).toMatchObject([{ state: 'queued', dueIn: 0, attempts: 1, logged: 2 }]);
  });

  test('an attempt that a dead worker may have made is logged as abandoned first, and does not count', async () => {
    const change = { attempts: 1, logged: 1, wasAbandoned: true } as const;
    const { attempts, pending } = await of(change, { kind: 'retry', retryIn: minute });
    const abandoned = { kind: 'failed', reason: 'abandoned', durationMs: 0 };
    expect(attempts).toEqual([
      { ...row, number: 2, outcome: abandoned },
      { ...row, number: 3 },
    ]);
    expect(pending).toMatchObject([{ attempts: 2, logged: 3 }]);
  });

  test('an unattempted delivery is queued as of when it came into memory; a queued one stays as it is', async () => {
    const made = world(async () => stored);
    const queue = (change: Partial<LoadedDelivery>) =>
      settlementOf(({ settler, lane, clock }) => {
        clock.set(start + second);
        settler.queue(deliveryInHand(lane, 'a', change));
      });
    const pending = { ...key(made), state: 'queued', dueIn: -second, attempts: 0, logged: 0 };
    expect(await queue({ stored: 'fresh', since: start })).toEqual({ ...nothing, pending: [pending] });
    expect(await queue({ stored: 'scheduled' })).toEqual({ ...nothing, queued: [key(made)] });
    expect(await queue({ stored: 'queued' })).toEqual(nothing);
  });

  test('a key keeps its shard in use until it is stored', async () => {
    const gate = Promise.withResolvers<SettleOutcome>();
    const { settler, keysDone } = world(() => gate.promise);
    settler.queueKey({ shard: 1, accountId: 'acc_a', eventId: 'a', endpointId: 'one', replay: 0 });
    await settled();
    expect(keysDone).toEqual([]);
    gate.resolve(stored);
    await settler.idle();
    expect(keysDone).toEqual(['a']);
  });

  test('queueWrites changes while deliveries are written to the queue', async () => {
    const gate = Promise.withResolvers<SettleOutcome>();
    const { settler, lane } = world(() => gate.promise);
    const before = settler.queueWrites();
    settler.queue(deliveryInHand(lane, 'a'));
    expect([lane.queueing, lane.queue]).toEqual([1, 'some']);
    const during = settler.queueWrites();
    gate.resolve(stored);
    await settler.idle();
    expect(lane.queueing).toBe(0);
    expect(new Set([before, during, settler.queueWrites()]).size).toBe(3);
  });
});

describe('health', () => {
  const health: Health = {
    ...{ failures: 5, since: start, isExhausted: false, openCount: 1 },
    ...{ openUntil: start + minute, retryAfterUntil: start },
  };
  const details = { failures: 5, failingFor: 0, outcome: 500 };
  /** Settles one attempt whose endpoint changed. */
  const settleChange = async (
    change: Parameters<ReturnType<typeof world>['settler']['noteHealth']>[1],
    transitions: SettleOutcome['transitions'],
    prepare: (lane: EndpointLane) => void = () => undefined,
  ) => {
    const found: Settlement[] = [];
    const made = world(async (settlement) => {
      found.push(settlement);
      return { ...stored, transitions };
    });
    prepare(made.lane);
    made.settler.noteHealth(made.lane, change);
    made.add('a');
    await made.settler.idle();
    return { ...made, settlement: found[0] as Settlement };
  };

  test('is written with the version of the endpoint, in the settlement that changed it', async () => {
    const { settlement, signals } = await settleChange(undefined, [], (lane) => {
      lane.health = health;
    });
    expect(settlement).toMatchObject({
      attempts: [{ eventId: 'a' }],
      health: [{ accountId: 'acc_a', endpointId: 'one', version: 1, health: { failures: 5, openFor: minute } }],
      transitions: [],
    });
    expect(signals).toEqual([]);
  });

  test('a change is signalled once it is stored, with the deliveries unfinished in store and memory', async () => {
    const { signals, settlement, lane } = await settleChange(
      { kind: 'endpoint_failing', ...details },
      [{ isDisabled: false, pending: 7 }],
      (each) => {
        each.ready.push(deliveryInHand(each, 'x'), deliveryInHand(each, 'y'));
        each.inFlight = 1;
      },
    );
    const { shard } = lane.account;
    expect(settlement.transitions).toEqual([{ shard, accountId: 'acc_a', endpointId: 'one' }]);
    const who = { accountId: 'acc_a', endpointId: 'one' };
    expect(signals).toEqual([{ kind: 'endpoint_failing', ...details, ...who, unfinished: 10 }]);
  });

  test.each([
    [true, ['endpoint_disabled']],
    [false, []],
  ])(
    'the store decides whether an endpoint was disabled (%s): that is signalled, and no health is written',
    async (isDisabled, kinds) => {
      const change = { kind: 'endpoint_disabled', reason: 'gone', ...details, outcome: 410 } as const;
      const { signals, settlement } = await settleChange(change, [{ isDisabled, pending: 0 }], (lane) => {
        lane.endpoint = { ...lane.endpoint, state: 'disabled_by_breaker' };
      });
      expect(settlement.transitions).toMatchObject([{ disable: { version: 1, reason: 'gone' } }]);
      expect(settlement.health).toEqual([]);
      expect(signals.map(({ kind }) => kind)).toEqual(kinds);
    },
  );

  test('several changes of one endpoint in one batch are signalled in order', async () => {
    const found: Settlement[] = [];
    const { settler, add, lane, signals } = world(async (settlement) => {
      found.push(settlement);
      return { ...stored, transitions: settlement.transitions.map(() => ({ isDisabled: false, pending: 0 })) };
    }, false);
    settler.noteHealth(lane, { kind: 'endpoint_failing', ...details });
    settler.noteHealth(lane, undefined);
    settler.noteHealth(lane, { kind: 'endpoint_recovered', ...details, outcome: 200 });
    add('a');
    await settler.idle();
    expect(found).toHaveLength(1);
    expect(signals.map(({ kind }) => kind)).toEqual(['endpoint_failing', 'endpoint_recovered']);
  });
});
