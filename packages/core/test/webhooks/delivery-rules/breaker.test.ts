import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day, hour, minute, second } from '../../../src/base/runtime/time.ts';
import type { HealthChange, LastFailure } from '../../../src/base/signals/health-change.ts';
import type { SendOutcome } from '../../../src/webhooks/deliveries/sender.ts';
import {
  availableCapacity,
  breakerPauses,
  disableAfter,
  failuresToOpen,
  type Health,
  healthWrite,
  pausedUntil,
  readHealth,
  takesUrgent,
  updateHealth,
} from '../../../src/webhooks/delivery-rules/breaker.ts';
import type { NextStep } from '../../../src/webhooks/delivery-rules/next-step.ts';
import { start } from '../../support/clock.ts';
import { manyRuns as runs } from '../../support/runs.ts';

interface Ended {
  readonly outcome: SendOutcome;
  readonly next: NextStep;
}

const answered = (status: number) => ({ kind: 'answered', status, body: '', durationMs: 1 }) as const;
const retry: NextStep = { kind: 'retry', retryIn: minute };
const failure: Ended = { outcome: answered(500), next: retry };
const last: Ended = { outcome: answered(500), next: { kind: 'exhausted', retryIn: 0 } };
const success: Ended = { outcome: answered(204), next: { kind: 'delivered', retryIn: 0 } };
const gone: Ended = { outcome: answered(410), next: { kind: 'gone', retryIn: 0 } };
const asks = (pauseFor: number): Ended => ({ outcome: answered(429), next: { ...retry, pauseFor } });
const failed = (reason: 'internal' | 'out_of_reach' | 'timeout' | 'forbidden_address'): Ended => ({
  outcome: { kind: 'failed', reason, durationMs: 1 },
  next: retry,
});
const event = { objectName: 'RequestPayment', type: 'payed', eventId: 'event_1' };
const lastFailure = (outcome: LastFailure['outcome']): LastFailure => ({ ...event, outcome });
const update = (health: Health | undefined, { outcome, next }: Ended, now: number) =>
  updateHealth(health, { event, outcome, next, now });

/** Lives through attempts, each of which ends so long after `start`. */
const live = (steps: readonly (readonly [at: number, ended: Ended])[], from?: Health) => {
  const changes: HealthChange[] = [];
  let health = from;
  for (const [at, ended] of steps) {
    const updated = update(health, ended, start + at);
    health = updated.health;
    if (updated.change) changes.push(updated.change);
  }
  return { health, changes, kinds: changes.map(({ kind }) => kind) };
};
const times = (count: number, ended: Ended, at = 0) => Array.from({ length: count }, () => [at, ended] as const);
/** Half-open: five failed, and a minute has passed. */
const opened = () => live(times(5, failure)).health as Health;

test('golden: five in a row open it for 1, 5, then 15 minutes; five days, ten failures and one exhausted disable', () => {
  expect(failuresToOpen).toBe(5);
  expect(breakerPauses).toEqual([60_000, 300_000, 900_000]);
  expect(disableAfter).toEqual({ failing: 432_000_000, failures: 10 });
});

describe('opening', () => {
  test('the fifth failure in a row opens it, and is signalled once', () => {
    expect(live(times(4, failure)).changes).toEqual([]);
    const { changes, health } = live([...times(4, failure), [3 * second, failed('timeout')], [4 * second, failure]]);
    const change = { failures: 5, failingFor: 3 * second, outcome: 'timeout', lastFailure: lastFailure('timeout') };
    expect(changes).toEqual([{ kind: 'endpoint_failing', ...change }]);
    expect(health && pausedUntil(health)).toBe(start + 3 * second + minute);
  });

  test('a success in between resets the count', () => {
    const steps = [...times(4, failure), [0, success] as const, ...times(4, failure)];
    expect(live(steps)).toMatchObject({ changes: [], health: { failures: 4, openCount: 0 } });
  });

  test('a failure while it is open was in flight, and does not extend the pause', () => {
    const { health, kinds } = live([...times(5, failure), ...times(8, failure, 59 * second)]);
    expect(kinds).toEqual(['endpoint_failing']);
    expect(health).toMatchObject({ failures: 13, openCount: 1, openUntil: start + minute });
  });

  test('each failed probe opens it for longer: 5, then 15 minutes, and 15 again', () => {
    let health = opened();
    for (const pause of [5 * minute, 15 * minute, 15 * minute, 15 * minute]) {
      const at = health.openUntil;
      const updated = update(health, failure, at);
      health = updated.health as Health;
      expect([health.openUntil - at, updated.change]).toEqual([pause, undefined]);
    }
  });

  test.each(['internal', 'out_of_reach'] as const)('an attempt that is %s leaves it as it is', (reason) => {
    for (const health of [undefined, opened()])
      expect(update(health, failed(reason), start + hour)).toEqual({ health });
    expect(update(undefined, { ...failed(reason), next: last.next }, start)).toEqual({ health: undefined });
  });

  test('a blocked address is a failure like any other', () => {
    expect(update(undefined, failed('forbidden_address'), start).health?.failures).toBe(1);
  });
});

describe('closing', () => {
  test('a success of an endpoint that does not fail stores nothing', () => {
    expect(update(undefined, success, start)).toEqual({ health: undefined });
  });

  test('a success clears a few failures, without a signal', () => {
    expect(live([...times(4, failure), [minute, success]])).toMatchObject({ health: undefined, changes: [] });
  });

  test('a success, of a probe or of an attempt in flight, closes it and is signalled once', () => {
    for (const at of [1, 2 * minute]) {
      const { changes, health } = live(
        [
          [at, success],
          [at, success],
        ],
        opened(),
      );
      expect(health).toBeUndefined();
      expect(changes).toEqual([{ kind: 'endpoint_recovered', failures: 5, failingFor: at, outcome: 204 }]);
    }
  });
});

describe('a receiver that sends Retry-After', () => {
  test('is paused from its first failure on', () => {
    const { health } = live([[0, asks(2 * hour)]]);
    expect(health).toMatchObject({ failures: 1, openCount: 0, retryAfterUntil: start + 2 * hour });
    expect(availableCapacity(health, { inFlight: 0, perEndpoint: 8, now: start + 2 * hour - 1 })).toBe(0);
    expect(availableCapacity(health, { inFlight: 0, perEndpoint: 8, now: start + 2 * hour })).toBe(8);
  });

  test('neither a success nor a shorter Retry-After shortens the pause; a longer one extends it', () => {
    const shorter = live([
      [0, asks(2 * hour)],
      [minute, asks(second)],
      [minute, success],
      [2 * minute, failure],
      [3 * minute, success],
    ]);
    expect(shorter.changes).toEqual([]);
    expect(shorter.health).toMatchObject({ failures: 0, retryAfterUntil: start + 2 * hour });
    expect(
      live([
        [0, asks(hour)],
        [minute, asks(hour)],
      ]).health?.retryAfterUntil,
    ).toBe(start + hour + minute);
  });

  test('failures after a success count from the first of them, also during the pause', () => {
    const steps = [
      [0, asks(2 * hour)],
      [minute, success],
      [hour, gone],
    ] as const;
    expect(live(steps).changes).toMatchObject([{ failures: 1, failingFor: 0 }]);
  });

  test('a success after the pause stores nothing', () => {
    expect(
      live([
        [0, asks(hour)],
        [hour, success],
      ]).health,
    ).toBeUndefined();
  });

  test('many attempts in flight count as one pause; failures after it open the breaker', () => {
    const burst = live(times(8, asks(2 * second)));
    expect(burst).toMatchObject({ changes: [], health: { failures: 8, openCount: 0 } });
    expect(live([[2 * second, success]], burst.health)).toMatchObject({ changes: [], health: undefined });
    const again = live([[2 * second, asks(2 * second)]], burst.health);
    expect(again.kinds).toEqual(['endpoint_failing']);
    expect(again.health && pausedUntil(again.health)).toBe(start + 2 * second + minute);
  });

  test('Retry-After extends the pause of a probe, and never shortens it', () => {
    for (const [asked, pause] of [
      [second, 5 * minute],
      [hour, hour],
    ] as const) {
      const { health } = update(opened(), asks(asked), start + minute);
      expect(health && pausedUntil(health)).toBe(start + minute + pause);
    }
  });
});

describe('disabling', () => {
  test('410 disables at once, whatever came before', () => {
    expect(live([[0, gone]])).toEqual({
      health: undefined,
      changes: [
        {
          ...{ kind: 'endpoint_disabled', reason: 'gone', failures: 1, failingFor: 0, outcome: 410 },
          lastFailure: lastFailure(410),
        },
      ],
      kinds: ['endpoint_disabled'],
    });
    expect(live([[minute, gone]], opened()).changes).toMatchObject([
      { reason: 'gone', failures: 6, failingFor: minute },
    ]);
  });

  const hopeless = [...times(8, failure), [day, last] as const, [5 * day, failure] as const];

  test('ten failures over five days, one of which exhausted a delivery, disable', () => {
    expect(live(hopeless)).toMatchObject({
      health: undefined,
      changes: [
        { kind: 'endpoint_failing' },
        { kind: 'endpoint_disabled', reason: 'failing', failures: 10, failingFor: 5 * day, outcome: 500 },
      ],
    });
    // The last one counts for everything: as the tenth, and as the exhausted one.
    expect(live([...times(9, failure), [5 * day, last]]).kinds).toContain('endpoint_disabled');
  });

  test.each([
    ['a moment before five days', [...hopeless.slice(0, 9), [5 * day - 1, failure] as const]],
    ['nine failures', hopeless.slice(1)],
    ['no exhausted delivery', [...times(9, failure), [5 * day, failure] as const]],
    [
      'an exhausted delivery before the last success',
      [[0, last] as const, [0, success] as const, ...times(9, failure), [5 * day, failure] as const],
    ],
    ['a success meanwhile', [...hopeless.slice(0, 9), [2 * day, success] as const, [5 * day, failure] as const]],
    ['no failure after that', hopeless.slice(0, 9)],
  ])('%s does not', (_name, steps) => {
    expect(live(steps).kinds).not.toContain('endpoint_disabled');
  });

  test('a quiet endpoint that fails once is not disabled, however long it was quiet', () => {
    expect(
      live([
        [0, success],
        [400 * day, last],
      ]).changes,
    ).toEqual([]);
    expect(
      live([
        [0, failure],
        [400 * day, last],
      ]).changes,
    ).toEqual([]);
  });
});

describe('availableCapacity', () => {
  test('an endpoint that does not fail has all its capacity', () => {
    expect(availableCapacity(undefined, { inFlight: 0, perEndpoint: 8, now: start })).toBe(8);
    expect(availableCapacity(undefined, { inFlight: 3, perEndpoint: 8, now: start })).toBe(5);
    expect(availableCapacity(undefined, { inFlight: 9, perEndpoint: 8, now: start })).toBeLessThanOrEqual(0);
    expect(availableCapacity(live(times(4, failure)).health, { inFlight: 3, perEndpoint: 8, now: start })).toBe(5);
  });

  test('a paused one has none, a half-open one has capacity for one alone', () => {
    expect(availableCapacity(opened(), { inFlight: 0, perEndpoint: 8, now: start + minute - 1 })).toBe(0);
    expect(availableCapacity(opened(), { inFlight: 0, perEndpoint: 8, now: start + minute })).toBe(1);
    expect(availableCapacity(opened(), { inFlight: 1, perEndpoint: 8, now: start + minute })).toBe(0);
  });

  test('an urgent delivery waits for Retry-After, and not for the breaker', () => {
    const asked = live([[0, asks(hour)]]).health;
    expect(availableCapacity(opened(), { inFlight: 0, perEndpoint: 8, now: start, isUrgent: true })).toBe(1);
    expect(availableCapacity(opened(), { inFlight: 1, perEndpoint: 8, now: start, isUrgent: true })).toBe(0);
    expect(availableCapacity(asked, { inFlight: 0, perEndpoint: 8, now: start + hour - 1, isUrgent: true })).toBe(0);
    expect([hour - 1, hour].map((at) => takesUrgent(asked, start + at))).toEqual([false, true]);
    expect(takesUrgent(undefined, start)).toBe(true);
  });
});

describe('in its stored form', () => {
  const of = { id: 'e', accountId: 'acc_a', version: 3 };
  const stored = (health: Health | undefined, now: number) => healthWrite(of, health, now);

  test('golden: durations relative to now; elapsed ones are 0', () => {
    const health = live([...times(4, failure), [second, asks(hour)]]).health;
    expect(stored(health, start + minute)).toEqual({
      accountId: 'acc_a',
      endpointId: 'e',
      version: 3,
      health: {
        failures: 5,
        failingFor: minute,
        isExhausted: false,
        openCount: 1,
        openFor: second,
        retryAfterFor: hour - 59 * second,
        lastFailure: lastFailure(429),
      },
    });
    expect(stored(health, start + day).health).toMatchObject({ openFor: 0, retryAfterFor: 0 });
    expect(stored(undefined, start)).toEqual({ accountId: 'acc_a', endpointId: 'e', version: 3 });
  });

  test('another worker, whose clock shows another time, reads the same pauses and the same days', () => {
    const health = live([...times(5, failure), [minute, { ...last, next: { ...last.next, pauseFor: hour } }]]).health;
    const read = readHealth(stored(health, start + 2 * minute).health, 7);
    expect(read).toMatchObject({ openUntil: 7 + 4 * minute, retryAfterUntil: 7 + 59 * minute });
    expect(stored(read, 7)).toEqual(stored(health, start + 2 * minute));
    expect(readHealth(undefined, 7)).toBeUndefined();
  });
});

describe('assertChangesFollowTheHistory', () => {
  const step = fc.tuple(
    fc.constantFrom(0, 1, 20 * second, minute, 16 * minute, 6 * hour, 2 * day),
    fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom(failure, failed('timeout')) },
      { weight: 2, arbitrary: fc.constantFrom(last) },
      { weight: 2, arbitrary: fc.constantFrom(asks(second), asks(hour), asks(day)) },
      { weight: 1, arbitrary: fc.constantFrom(failed('internal'), failed('out_of_reach')) },
      { weight: 2, arbitrary: fc.constantFrom(success, success, success, success, gone) },
    ),
  );

  test('whatever settles and whenever', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        let now = start;
        let health: Health | undefined;
        /** Failures since the last success, as a reader of the log sees them. */
        let row: { readonly at: number; readonly last: boolean }[] = [];
        let asked = 0;
        let told = false;
        for (const [wait, ended] of steps) {
          now += wait;
          const before = health;
          const { change, health: after } = update(health, ended, now);
          health = after;
          if (change) seen.set(change.kind, (seen.get(change.kind) ?? 0) + 1);
          if (ended === success) {
            expect(change?.kind).toBe(told ? 'endpoint_recovered' : undefined);
            row = [];
            told = false;
          } else if (ended.outcome.kind === 'answered' || ended.outcome.reason === 'timeout') {
            row.push({ at: now, last: ended.next.kind === 'exhausted' });
            asked = Math.max(asked, ended.next.pauseFor ? now + ended.next.pauseFor : 0);
          }
          const first = row[0]?.at ?? now;
          const hopeless = row.length >= 10 && now - first >= 5 * day && row.some((each) => each.last);
          const fails = ended !== success && after !== before;
          if (change?.kind === 'endpoint_disabled') {
            expect(change).toMatchObject({ failures: row.length, failingFor: now - first });
            expect(change.reason).toBe(ended === gone ? 'gone' : 'failing');
            if (ended !== gone) expect(hopeless).toBe(true);
            row = [];
            asked = 0;
            told = false;
            expect(health).toBeUndefined();
          } else expect(fails && hopeless).toBe(false);
          if (change?.kind === 'endpoint_failing') {
            expect([told, row.length >= 5]).toEqual([false, true]);
            told = true;
          }
          // A pause is never shorter than Retry-After; a pause without Retry-After is always signalled.
          expect(health ? pausedUntil(health) : 0).toBeGreaterThanOrEqual(asked > now ? asked : 0);
          if (health && health.openUntil > now) expect(told).toBe(true);
          if (ended === success && asked <= now) expect(health).toBeUndefined();
          expect(health?.failures ?? 0).toBe(row.length);
        }
      }),
      runs,
    );
    for (const kind of ['endpoint_failing', 'endpoint_recovered', 'endpoint_disabled'])
      expect(seen.get(kind), kind).toBeGreaterThan(runs.numRuns / 20);
  });
});
