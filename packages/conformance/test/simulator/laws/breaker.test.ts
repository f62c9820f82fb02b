import type { SendOutcome } from '@partnerkit/core/adapter';
import { describe, expect, test } from 'vitest';
import { openBreakerSendsNothing, probesGoAlone } from '../../../src/simulator/laws/breaker.ts';
import type { Facts } from '../../../src/simulator/laws/facts.ts';
import { storeClock } from '../../../src/simulator/laws/store-clock.ts';
import type { SentPost, Trace } from '../../../src/simulator/trace.ts';

const second = 1_000;

/** A POST: when it started, and what was learned when. The places of both are those in which the test names them. */
interface Script {
  readonly sent: number;
  readonly learned?: Learned;
}
type Learned = readonly [at: number, status: number, retryAfter?: string];

const outcomeOf = (status: number, retryAfter: string | undefined): SendOutcome => ({
  ...{ kind: 'answered', status, body: '', durationMs: 0 },
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/**
 * What was seen of one endpoint, which was changed at some time. What was learned was settled at once, in the order
 * given.
 */
const factsOf = (
  scripts: readonly Script[],
  changedAt = -1_000 * second,
  clock: Trace['storeClock'] = [{ at: 0, ahead: 0 }],
): Facts => {
  const posts = scripts.map(({ sent, learned = [sent + second, 200] }, index): SentPost => {
    const [at, status, retryAfter]: Learned = learned;
    const times = { at: sent, wallAt: sent, until: at, learnedAt: at, learnedOrder: 1_000 * at + index };
    const request = { url: '', headers: {}, body: '', deadline: 15 * second, process: 'w' };
    return { order: 1_000 * sent + 500 + index, ...times, ...request, outcome: outcomeOf(status, retryAfter) };
  });
  const rows = posts.map((post, index) => ({
    order: (post.learnedOrder ?? 0) + 0.5,
    at: post.learnedAt,
    number: index,
    post,
    outcome: post.outcome,
  }));
  const delivery = { accountId: 'a', eventId: 'v', replay: 0, id: 'd', endpointId: 'e', posts, rows };
  const versions = [-2_000 * second, changedAt].map((from) => ({
    from,
    order: 1_000 * from,
    endpoint: {},
    isBreaker: false,
  }));
  return {
    trace: { posts, calls: [], startedAt: 0, history: { pollEvery: second } },
    ledger: { deliveries: new Map([['d', delivery]]), deliveryOf: () => delivery, dispatches: new Map() },
    callsOf: () => [],
    endpoints: new Map([['e', versions]]),
    store: storeClock({ storeClock: clock }),
  } as unknown as Facts;
};

const failed = (at: number, status = 500, retryAfter?: string): Script => ({
  sent: 0,
  learned: retryAfter === undefined ? [at, status] : [at, status, retryAfter],
});
const fourFailures = [1, 2, 3, 4].map((at) => failed(at * second));

describe('after five failures in a row', () => {
  test.each([
    [5 * second + 59_999, true],
    [65 * second, false],
  ])('a POST at %i ms breaks the law: %s', (sent, isBroken) => {
    const facts = factsOf([...fourFailures, failed(5 * second), { sent }]);
    expect(openBreakerSendsNothing.check(facts) !== undefined).toBe(isBroken);
  });

  test('two POSTs at once break the law, once the breaker is half-open', () => {
    const facts = factsOf([...fourFailures, failed(5 * second), { sent: 65 * second }, { sent: 65 * second }]);
    expect(probesGoAlone.check(facts)).toContain('2 attempts are in flight');
  });
});

describe('the fifth failure is learned in the millisecond in which the receiver asks for a pause', () => {
  const [pause, fifth] = [failed(4 * second, 429, '1'), failed(4 * second)];
  const later = [{ sent: 10 * second }, { sent: 10 * second }];

  test('after it: the endpoint is left alone for that pause, and the breaker stays closed', () => {
    const facts = factsOf([...fourFailures.slice(0, 3), pause, fifth, ...later]);
    expect(openBreakerSendsNothing.check(facts)).toBeUndefined();
    expect(probesGoAlone.check(facts)).toBeUndefined();
  });

  test('before it: the breaker opens', () => {
    const facts = factsOf([...fourFailures, fifth, pause, ...later]);
    expect(openBreakerSendsNothing.check(facts)).toContain('before its breaker is half-open');
  });
});

describe('the clock of the storage is changed long before a requested pause ends', () => {
  const pause = failed(4 * second, 429, '2000');
  const check = (by: number, sent: number, ...failures: readonly Script[]) =>
    openBreakerSendsNothing.check(
      factsOf([...fourFailures.slice(0, 3), pause, ...failures, { sent }], undefined, [
        { at: 0, ahead: 0 },
        { at: 10 * second, ahead: by },
      ]),
    );

  test.each([
    ['not: the fifth failure opens nothing, and the sixth opens the breaker', 0, true],
    ['ahead: the pause may be over, and the fifth failure may have opened the breaker', 40 * second, false],
  ])('%s', (_how, by, isBroken) => {
    const failures = [failed(1_970 * second), failed(2_010 * second)];
    expect(check(by, 2_035 * second, ...failures) !== undefined).toBe(isBroken);
  });

  test.each([
    ['not: the fifth failure opens the breaker', 0, true],
    ['back: the pause may go on, and the fifth failure opens nothing', -40 * second, false],
  ])('%s', (_how, by, isBroken) => {
    expect(check(by, 2_060 * second, failed(2_010 * second)) !== undefined).toBe(isBroken);
  });
});

describe('a failure of a POST that started just before a change of the endpoint was heard of', () => {
  /**
   * One that nobody can be sure of, and five more. With it the fifth of all opens the breaker, and the last one changes
   * nothing.
   */
  const failures = [
    failed(second),
    ...[11, 12, 13, 14, 34].map((at) => ({ ...failed(at * second), sent: 10 * second })),
  ];

  test.each([
    [14 * second + 59_999, true],
    [74 * second, false],
  ])('may have counted: a POST at %i ms breaks the law: %s', (sent, isBroken) => {
    const facts = factsOf([...failures, { sent }], 0);
    expect(openBreakerSendsNothing.check(facts) !== undefined).toBe(isBroken);
  });
});

test('a success ends the row of failures, also when its POST started before a change was heard of', () => {
  const failures = [11, 12, 13, 14].map((at) => ({ ...failed(at * second), sent: 10 * second }));
  const success: Script = { sent: 0, learned: [14_500, 200] };
  const last: Script = { sent: 10 * second, learned: [15 * second, 500] };
  expect(
    openBreakerSendsNothing.check(factsOf([...failures, success, last, { sent: 16 * second }], 0)),
  ).toBeUndefined();
  expect(openBreakerSendsNothing.check(factsOf([...failures, last, { sent: 16 * second }], 0))).toBeDefined();
});
