import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  breakerPauses,
  disablesAfter,
  failuresToOpen,
  type Health,
  judge,
  pausedUntil,
  roomFor,
} from '../../src/deliveries/breaker.ts';
import type { Settlement } from '../../src/deliveries/delivery-queue.ts';
import type { Turn } from '../../src/deliveries/endpoint-turn.ts';
import { day, hour, minute, second } from '../../src/runtime/time.ts';
import { start } from '../support/clock.ts';
import { runs } from '../support/runs.ts';

type Judgeable = Pick<Settlement, 'outcome' | 'next' | 'pauseFor'>;

const answered = (status: number) => ({ kind: 'answered', status, body: '', took: 1 }) as const;
const failure: Judgeable = { outcome: answered(500), next: { retryIn: minute } };
const last: Judgeable = { outcome: answered(500), next: 'exhausted' };
const success: Judgeable = { outcome: answered(204), next: 'delivered' };
const gone: Judgeable = { outcome: answered(410), next: 'gone' };
const asks = (pauseFor: number): Judgeable => ({ outcome: answered(429), next: { retryIn: minute }, pauseFor });
const failed = (reason: 'internal' | 'abandoned' | 'timeout' | 'forbidden_address'): Judgeable => ({
  outcome: { kind: 'failed', reason, took: 1 },
  next: { retryIn: minute },
});

/** Lives through settlements, each so long after `start`. */
const live = (steps: readonly (readonly [at: number, settlement: Judgeable])[], from?: Health) => {
  const turns: Turn[] = [];
  let health = from;
  for (const [at, settlement] of steps) {
    const judged = judge(health, settlement, start + at);
    health = judged.health;
    if (judged.turn) turns.push(judged.turn);
  }
  return { health, turns, kinds: turns.map(({ kind }) => kind) };
};
const times = (count: number, settlement: Judgeable, at = 0) =>
  Array.from({ length: count }, () => [at, settlement] as const);
/** Half-open: five failed, and a minute has passed. */
const opened = () => live(times(5, failure)).health as Health;

test('golden: five in a row open it for 1, 5, then 15 minutes; five days, ten failures and one exhausted disable', () => {
  expect(failuresToOpen).toBe(5);
  expect(breakerPauses).toEqual([60_000, 300_000, 900_000]);
  expect(disablesAfter).toEqual({ failing: 432_000_000, failures: 10 });
});

describe('opening', () => {
  test('the fifth failure in a row opens it, and tells of it once', () => {
    expect(live(times(4, failure)).turns).toEqual([]);
    const { turns, health } = live([...times(4, failure), [3 * second, failed('timeout')], [4 * second, failure]]);
    expect(turns).toEqual([{ kind: 'endpoint_failing', failures: 5, failingFor: 3 * second, outcome: 'timeout' }]);
    expect(health && pausedUntil(health)).toBe(start + 3 * second + minute);
  });

  test('a success between begins the count anew', () => {
    const steps = [...times(4, failure), [0, success] as const, ...times(4, failure)];
    expect(live(steps)).toMatchObject({ turns: [], health: { failures: 4, openings: 0 } });
  });

  test('what fails while it is open was in flight, and lengthens nothing', () => {
    const { health, kinds } = live([...times(5, failure), ...times(8, failure, 59 * second)]);
    expect(kinds).toEqual(['endpoint_failing']);
    expect(health).toMatchObject({ failures: 13, openings: 1, openUntil: start + minute });
  });

  test('each probe that fails opens it for longer: 5, then 15 minutes, and 15 again', () => {
    let health = opened();
    for (const pause of [5 * minute, 15 * minute, 15 * minute, 15 * minute]) {
      const at = health.openUntil;
      const judged = judge(health, failure, at);
      health = judged.health as Health;
      expect([health.openUntil - at, judged.turn]).toEqual([pause, undefined]);
    }
  });

  test.each(['internal', 'abandoned'] as const)('an attempt that is %s leaves it as it is', (reason) => {
    for (const health of [undefined, opened()]) expect(judge(health, failed(reason), start + hour)).toEqual({ health });
    expect(judge(undefined, { ...failed(reason), next: 'exhausted' }, start)).toEqual({ health: undefined });
  });

  test('an address that is blocked is a failure like any', () => {
    expect(judge(undefined, failed('forbidden_address'), start).health?.failures).toBe(1);
  });
});

describe('closing', () => {
  test('a success of an endpoint that does not fail leaves nothing behind', () => {
    expect(judge(undefined, success, start)).toEqual({ health: undefined });
  });

  test('a success forgets some failures, and tells nobody', () => {
    expect(live([...times(4, failure), [minute, success]])).toMatchObject({ health: undefined, turns: [] });
  });

  test('a success closes it and tells of it once, be it a probe or of one in flight', () => {
    for (const at of [1, 2 * minute]) {
      const { turns, health } = live(
        [
          [at, success],
          [at, success],
        ],
        opened(),
      );
      expect(health).toBeUndefined();
      expect(turns).toEqual([{ kind: 'endpoint_recovered', failures: 5, failingFor: at, outcome: 204 }]);
    }
  });
});

describe('a receiver that asks to be left alone', () => {
  test('is, from its first failure on', () => {
    const { health } = live([[0, asks(2 * hour)]]);
    expect(health).toMatchObject({ failures: 1, openings: 0, askedUntil: start + 2 * hour });
    expect(roomFor(health, 0, 8, start + 2 * hour - 1)).toBe(0);
    expect(roomFor(health, 0, 8, start + 2 * hour)).toBe(8);
  });

  test('neither a success nor a smaller wish shortens it, a greater one lengthens it', () => {
    const shorter = live([
      [0, asks(2 * hour)],
      [minute, asks(second)],
      [minute, success],
      [2 * minute, failure],
      [3 * minute, success],
    ]);
    expect(shorter.turns).toEqual([]);
    expect(shorter.health).toMatchObject({ failures: 0, askedUntil: start + 2 * hour });
    expect(
      live([
        [0, asks(hour)],
        [minute, asks(hour)],
      ]).health?.askedUntil,
    ).toBe(start + hour + minute);
  });

  test('a success after it leaves nothing behind', () => {
    expect(
      live([
        [0, asks(hour)],
        [hour, success],
      ]).health,
    ).toBeUndefined();
  });

  test('its many in flight are one wish; if it goes on after that the breaker opens', () => {
    const burst = live(times(8, asks(2 * second)));
    expect(burst).toMatchObject({ turns: [], health: { failures: 8, openings: 0 } });
    expect(live([[2 * second, success]], burst.health)).toMatchObject({ turns: [], health: undefined });
    const again = live([[2 * second, asks(2 * second)]], burst.health);
    expect(again.kinds).toEqual(['endpoint_failing']);
    expect(again.health && pausedUntil(again.health)).toBe(start + 2 * second + minute);
  });

  test('a wish lengthens the pause of a probe, and never shortens it', () => {
    for (const [asked, pause] of [
      [second, 5 * minute],
      [hour, hour],
    ] as const) {
      const { health } = judge(opened(), asks(asked), start + minute);
      expect(health && pausedUntil(health)).toBe(start + minute + pause);
    }
  });
});

describe('disabling', () => {
  test('410 disables at once, whatever came before', () => {
    expect(live([[0, gone]])).toEqual({
      health: undefined,
      turns: [{ kind: 'endpoint_disabled', reason: 'gone', failures: 1, failingFor: 0, outcome: 410 }],
      kinds: ['endpoint_disabled'],
    });
    expect(live([[minute, gone]], opened()).turns).toMatchObject([{ reason: 'gone', failures: 6, failingFor: minute }]);
  });

  const hopeless = [...times(8, failure), [day, last] as const, [5 * day, failure] as const];

  test('ten failures over five days, one of which exhausted a delivery, disable', () => {
    expect(live(hopeless)).toMatchObject({
      health: undefined,
      turns: [
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
      ]).turns,
    ).toEqual([]);
    expect(
      live([
        [0, failure],
        [400 * day, last],
      ]).turns,
    ).toEqual([]);
  });
});

describe('roomFor', () => {
  test('an endpoint that does not fail has all its room', () => {
    expect(roomFor(undefined, 0, 8, start)).toBe(8);
    expect(roomFor(undefined, 3, 8, start)).toBe(5);
    expect(roomFor(undefined, 9, 8, start)).toBe(0);
    expect(roomFor(live(times(4, failure)).health, 3, 8, start)).toBe(5);
  });

  test('a paused one has none, a half-open one has room for one alone', () => {
    expect(roomFor(opened(), 0, 8, start + minute - 1)).toBe(0);
    expect(roomFor(opened(), 0, 8, start + minute)).toBe(1);
    expect(roomFor(opened(), 1, 8, start + minute)).toBe(0);
    expect(roomFor(opened(), 0, 0, start + minute)).toBe(0);
  });
});

describe('assertTurnsFollowTheHistory', () => {
  const step = fc.tuple(
    fc.constantFrom(0, 1, 20 * second, minute, 16 * minute, 6 * hour, 2 * day),
    fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom(failure, failed('timeout')) },
      { weight: 2, arbitrary: fc.constantFrom(last) },
      { weight: 2, arbitrary: fc.constantFrom(asks(second), asks(hour), asks(day)) },
      { weight: 1, arbitrary: fc.constantFrom(failed('internal'), failed('abandoned')) },
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
        for (const [wait, settlement] of steps) {
          now += wait;
          const before = health;
          const { turn, health: after } = judge(health, settlement, now);
          health = after;
          if (turn) seen.set(turn.kind, (seen.get(turn.kind) ?? 0) + 1);
          if (settlement === success) {
            expect(turn?.kind).toBe(told ? 'endpoint_recovered' : undefined);
            row = [];
            told = false;
          } else if (settlement.outcome.kind === 'answered' || settlement.outcome.reason === 'timeout') {
            row.push({ at: now, last: settlement.next === 'exhausted' });
            asked = Math.max(asked, settlement.pauseFor ? now + settlement.pauseFor : 0);
          }
          const first = row[0]?.at ?? now;
          const hopeless = row.length >= 10 && now - first >= 5 * day && row.some((each) => each.last);
          const fails = settlement !== success && after !== before;
          if (turn?.kind === 'endpoint_disabled') {
            expect(turn).toMatchObject({ failures: row.length, failingFor: now - first });
            expect(turn.reason).toBe(settlement === gone ? 'gone' : 'failing');
            if (settlement !== gone) expect(hopeless).toBe(true);
            row = [];
            asked = 0;
            told = false;
            expect(health).toBeUndefined();
          } else expect(fails && hopeless).toBe(false);
          if (turn?.kind === 'endpoint_failing') {
            expect([told, row.length >= 5]).toEqual([false, true]);
            told = true;
          }
          // Never a pause that is shorter than what was asked for; never one of which nobody was told, unless it was asked for.
          expect(health ? pausedUntil(health) : 0).toBeGreaterThanOrEqual(asked > now ? asked : 0);
          if (health && health.openUntil > now) expect(told).toBe(true);
          if (settlement === success && asked <= now) expect(health).toBeUndefined();
          expect(health?.failures ?? 0).toBe(row.length);
        }
      }),
      runs,
    );
    for (const kind of ['endpoint_failing', 'endpoint_recovered', 'endpoint_disabled'])
      expect(seen.get(kind), kind).toBeGreaterThan(50);
  });
});
