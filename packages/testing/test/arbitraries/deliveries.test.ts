import { hour, isDelivered, mostAttempts, type SendFailure, type SendOutcome, second } from '@partnerkit/core';
import { memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  claimedDeliveryArbitrary,
  claimRequestArbitrary,
  deliveryArbitrary,
  settlementArbitrary,
} from '../../src/arbitraries/deliveries.ts';
import { endpointArbitrary } from '../../src/arbitraries/endpoints.ts';
import { newEventArbitrary } from '../../src/arbitraries/events.ts';
import {
  attemptArbitrary,
  postArbitrary,
  sendFailureArbitrary,
  sendOutcomeArbitrary,
} from '../../src/arbitraries/outcomes.ts';
import { pageArbitrary, pageRequestArbitrary } from '../../src/arbitraries/pages.ts';
import { scriptedHost } from '../../src/scripted/host.ts';
import { many, runs } from './support.ts';

test('a settlement survives storage: its outcome is logged as it is, and moves the delivery on', async () => {
  const property = fc.asyncProperty(
    endpointArbitrary({ accountId: 'acc_a', state: 'enabled', events: ['payed'] }),
    newEventArbitrary({ accountId: 'acc_a', type: 'payed' }),
    claimRequestArbitrary({ limit: 1 }),
    settlementArbitrary(),
    async (endpoint, event, request, settlement) => {
      const { endpoints, events, queue, log, transaction } = memoryStorage();
      await endpoints.insertEndpoint(endpoint, 1);
      await transaction((tx) => events.append(tx, [event]));
      const [claimed] = (await queue.dispatch(request)).claimed;
      const { deliveryId, lease } = claimed as NonNullable<typeof claimed>;
      await queue.settle([{ ...settlement, deliveryId, lease }]);
      const [attempt] = await log.listAttempts('acc_a', deliveryId);
      const { at: _at, ...outcome } = attempt as NonNullable<typeof attempt>;
      expect(outcome).toStrictEqual(settlement.outcome);
      const [delivery] = (await log.listDeliveries('acc_a', {}, {})).items;
      const { next } = settlement;
      expect(delivery?.state).toBe(next === 'gone' ? 'held' : typeof next === 'string' ? next : 'waiting');
    },
  );
  await fc.assert(property, runs);
});

test('a settlement is what core would report: delivered by a 2xx alone, gone by a 410, else in 5 seconds to 26.4 hours or not at all', () => {
  const ends = many(settlementArbitrary({ lease: 'lease' })).map(({ outcome, next, lease, pauseFor = 0 }) => {
    expect(lease).toBe('lease');
    expect(outcome.kind === 'answered' && outcome.status === 410).toBe(next === 'gone');
    if (pauseFor > 0)
      expect(outcome.kind === 'answered' ? outcome.status : 0).toSatisfy((status) => [429, 503].includes(status));
    expect(isDelivered(outcome)).toBe(next === 'delivered');
    if (typeof next === 'string') return next;
    expect(next.retryIn >= 5 * second && next.retryIn <= 26.4 * hour).toBe(true);
    return 'retry';
  });
  expect(new Set(ends)).toEqual(new Set(['delivered', 'exhausted', 'gone', 'retry']));
});

test('outcomes are of every kind: each failure, statuses of each hundred, long bodies, Retry-After', () => {
  const reasons: Readonly<Record<SendFailure, 1>> = {
    timeout: 1,
    dns: 1,
    forbidden_address: 1,
    connect: 1,
    tls: 1,
    reset: 1,
    abandoned: 1,
    internal: 1,
    out_of_reach: 1,
  };
  expect(new Set(many(sendFailureArbitrary()))).toEqual(new Set(Object.keys(reasons)));
  const answered = many(sendOutcomeArbitrary()).filter(
    (outcome): outcome is Extract<SendOutcome, { kind: 'answered' }> => outcome.kind === 'answered',
  );
  expect(new Set(answered.map(({ status }) => Math.floor(status / 100)))).toEqual(new Set([2, 3, 4, 5]));
  expect(Math.max(...answered.map(({ body }) => Buffer.byteLength(body)))).toBe(4_096);
  for (const has of [true, false]) expect(answered.some((outcome) => 'retryAfter' in outcome === has)).toBe(true);
});

test('attempts are outcomes with a time', () => {
  for (const { at, kind } of many(attemptArbitrary())) {
    expect(at).toBeGreaterThan(0);
    expect(['answered', 'failed']).toContain(kind);
  }
});

test('a delivery has as many attempts behind it as its state allows', () => {
  for (const { state, attempts } of many(deliveryArbitrary())) {
    if (state === 'exhausted') expect(attempts).toBe(mostAttempts);
    else if (state === 'delivered') expect(attempts >= 1 && attempts <= mostAttempts).toBe(true);
    else expect(attempts).toBeLessThan(mostAttempts);
  }
  expect(new Set(many(deliveryArbitrary()).map(({ state }) => state)).size).toBe(5);
  for (const { state, eventId } of many(deliveryArbitrary({ state: 'held', eventId: 'e' })))
    expect([state, eventId]).toEqual(['held', 'e']);
});

test('a claimed delivery is one that may be attempted', () => {
  for (const { attempt, event, endpoint } of many(claimedDeliveryArbitrary())) {
    expect(endpoint).toMatchObject({ accountId: event.accountId, state: 'enabled' });
    expect(endpoint.events).toContain(event.type);
    expect(attempt >= 1 && attempt <= mostAttempts).toBe(true);
  }
  for (const { lease } of many(claimedDeliveryArbitrary({ lease: 'lease' }))) expect(lease).toBe('lease');
});

test('a POST has the headers that core sends', async () => {
  const { publish, deliver, sender } = await scriptedHost();
  await publish();
  await deliver();
  const names = Object.keys(sender.sent[0]?.headers ?? {}).toSorted();
  for (const { headers, url, deadline } of many(postArbitrary({ deadline: 5 }))) {
    expect(Object.keys(headers).toSorted()).toEqual(names);
    expect([new URL(url).protocol, deadline]).toEqual(['https:', 5]);
  }
});

test('pages hold what was asked for, and lead on only when there is something in them', () => {
  for (const { limit = 50, after } of many(pageRequestArbitrary({ after: 'c' }))) {
    expect(limit >= 1 && limit <= 100).toBe(true);
    expect(after).toBe('c');
  }
  const pages = many(pageArbitrary(fc.nat()));
  expect(pages.filter(({ items, next }) => items.length === 0 && next !== undefined)).toEqual([]);
  for (const has of [true, false]) expect(pages.some((page) => 'next' in page === has)).toBe(true);
});
