import { expect, test } from 'vitest';
import { explain as explainSnapshot } from '../../../src/webhooks/log/explain.ts';
import type { DeliveryFact, EndpointSnapshot, ExplainSnapshot } from '../../../src/webhooks/log/explain-snapshot.ts';
import { start } from '../../support/clock.ts';

const payed = { objectName: 'RequestPayment', type: 'payed' } as const;
const there = (change: Partial<Extract<EndpointSnapshot, { kind: 'there' }>> = {}): EndpointSnapshot => ({
  kind: 'there',
  state: 'enabled',
  events: ['payed'],
  includeChildren: false,
  since: 1,
  ...change,
});
const snapshot = (change: Partial<ExplainSnapshot> & { readonly stood?: EndpointSnapshot } = {}): ExplainSnapshot => {
  const { stood = there(), ...rest } = change;
  return {
    now: start,
    event: { ...payed, endpointSnapshot: stood },
    endpoint: {},
    deliveries: [],
    ...rest,
  };
};
const explain = (change?: Parameters<typeof snapshot>[0]) => explainSnapshot(snapshot(change), 'e')._unsafeUnwrap();
const last = { kind: 'answered', status: 500, body: 'no', durationMs: 3 } as const;
const fact = (id: string, state: DeliveryFact['state']): DeliveryFact =>
  ({ id, attempts: 2, last, state, since: 5, dueAt: start, reason: 'held_too_long' }) as DeliveryFact;
const told = (deliveryId: string) => ({ deliveryId, attempts: 2, last });

test("without a delivery, the endpoint's state at dispatch explains it", () => {
  expect(explain({ stood: there({ state: 'disabled', since: 4 }) })).toEqual({ kind: 'disabled_then', since: 4 });
  expect(explain({ stood: there({ events: ['cancel'] }) })).toEqual({ kind: 'not_subscribed', events: ['cancel'] });
  expect(explain({ stood: there({ events: ['RequestPayment.cancel'] }) })).toMatchObject({ kind: 'not_subscribed' });
  expect(explain({ stood: there({ events: ['RequestPayment.payed'] }) })).toEqual({ kind: 'forgotten' });
  for (const kind of ['created_later', 'deleted_before'] as const)
    expect(explain({ stood: { kind, at: 7 } })).toEqual({ kind, at: 7 });
  expect(explain({ stood: { kind: 'forgotten' } })).toEqual({ kind: 'forgotten' });
  // It was there, enabled and subscribed: what was sent is dropped already.
  expect(explain()).toEqual({ kind: 'forgotten' });
  expect(explain({ stood: there({ state: 'disabled_by_breaker' }) })).toEqual({ kind: 'forgotten' });
  expect(explain({ event: { ...payed } })).toEqual({ kind: 'not_dispatched_yet' });
});

test('a test event is for one endpoint, whatever it subscribes to', () => {
  const endpointSnapshot = there({ events: ['cancel'] });
  expect(explain({ event: { ...payed, onlyTo: 'other', endpointSnapshot } })).toEqual({
    kind: 'for_another',
    endpointId: 'other',
  });
  expect(explain({ event: { ...payed, onlyTo: 'e', endpointSnapshot } })).toEqual({ kind: 'forgotten' });
});

test('an unknown event is refused before an unknown endpoint', () => {
  const { event: _event, endpoint: _endpoint, ...nothing } = snapshot();
  expect(explainSnapshot(nothing, 'e')._unsafeUnwrapErr()).toMatchObject({ code: 'no_such_event' });
  expect(explainSnapshot({ ...nothing, endpoint: {} }, 'e')._unsafeUnwrapErr()).toMatchObject({
    code: 'no_such_event',
  });
  expect(explainSnapshot({ ...nothing, event: { ...payed } }, 'e')._unsafeUnwrapErr()).toMatchObject({
    code: 'no_such_endpoint',
  });
});

test("an event of a child is explained by the endpoint's subscription at dispatch", () => {
  const ofChild = (stood: EndpointSnapshot) =>
    explain({ event: { ...payed, origin: 'acc_child', endpointSnapshot: stood } });
  expect(ofChild(there())).toEqual({ kind: 'children_not_included' });
  expect(ofChild(there({ events: [] }))).toEqual({ kind: 'children_not_included' });
  expect(ofChild(there({ includeChildren: true, events: ['cancel'] }))).toEqual({
    kind: 'not_subscribed',
    events: ['cancel'],
  });
  expect(ofChild(there({ state: 'disabled' }))).toEqual({ kind: 'disabled_then', since: 1 });
  expect(ofChild(there({ includeChildren: true }))).toEqual({ kind: 'forgotten' });
});

test('a delivery is explained by its current state', () => {
  const of = (state: DeliveryFact['state'], endpoint = {}) => explain({ endpoint, deliveries: [fact('d', state)] });
  expect(of('delivered')).toEqual({ ...told('d'), kind: 'delivered', at: 5 });
  expect(of('exhausted')).toEqual({ ...told('d'), kind: 'exhausted', at: 5 });
  expect(of('waiting')).toEqual({ ...told('d'), kind: 'waiting', dueAt: start });
  expect(of('waiting', { pausedUntil: start + 1 })).toEqual({ ...told('d'), kind: 'paused', until: start + 1 });
  expect(of('waiting', { pausedUntil: start })).toEqual({ ...told('d'), kind: 'waiting', dueAt: start });
  expect(of('held', { disabledBy: 'gone' })).toEqual({ ...told('d'), kind: 'held', since: 5, by: 'gone' });
  expect(of('expired')).toEqual({ ...told('d'), kind: 'expired', at: 5, reason: 'held_too_long' });
});

test('of several deliveries, a delivered one explains it, else an unfinished one, else the last', () => {
  const decisive = (...states: readonly DeliveryFact['state'][]) => {
    const explained = explain({ deliveries: states.map((state, index) => fact(String(index), state)) });
    return 'deliveryId' in explained ? explained.deliveryId : undefined;
  };
  expect(decisive('exhausted', 'delivered', 'waiting')).toBe('1');
  expect(decisive('exhausted', 'waiting')).toBe('1');
  expect(decisive('exhausted', 'held', 'expired')).toBe('1');
  expect(decisive('exhausted', 'expired')).toBe('1');
});
