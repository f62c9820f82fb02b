import { envelopeText, parseEnvelope } from '@partnerkit/core';
import { memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { envelopeArbitrary, newEventArbitrary, stampedEventArbitrary } from '../../src/arbitraries/events.ts';
import { scriptedHost } from '../../src/scripted/host.ts';
import { many, runs, smallest } from './support.ts';

test('golden: the smallest event', () => {
  const { id: _id, ...event } = smallest(newEventArbitrary({ accountId: 'acc_a', type: 'payed' }));
  expect(event).toEqual({
    accountId: 'acc_a',
    objectName: 'RequestPayment',
    objectId: 'a',
    type: 'payed',
    rest: ',"data":{"id":"a"},"objectName":"RequestPayment","type":"payed"}',
  });
});

test('an event survives storage', async () => {
  const property = fc.asyncProperty(newEventArbitrary(), async (event) => {
    const { events, transaction } = memoryStorage();
    expect(await transaction((tx) => events.append(tx, [event]))).toEqual([{ kind: 'stored' }]);
    expect(await events.findEvent(event.accountId, event.id)).toStrictEqual(event);
  });
  await fc.assert(property, runs);
});

test('core publishes what an event says', async () => {
  const property = fc.asyncProperty(newEventArbitrary(), async (event) => {
    const { publish } = await scriptedHost();
    const { objectId: id, rest: _rest, ...said } = event;
    expect(await publish({ ...said, id })).toMatchObject({ id, accountId: event.accountId, type: event.type });
  });
  await fc.assert(property, runs);
});

test('the body of a stamped event is the envelope that its fields say', () => {
  const property = fc.property(stampedEventArbitrary(), (event) => {
    const { objectName, objectId, type, timestamp, rest, body, occurredAt = 0 } = event;
    expect(body).toBe(envelopeText(timestamp, rest));
    expect(parseEnvelope(body)).toMatchObject({ objectName, type, timestamp, data: { id: objectId } });
    expect(Buffer.byteLength(body)).toBeLessThan(256 * 1_024);
    expect(timestamp).toBeGreaterThanOrEqual(Math.floor(occurredAt / 1_000));
  });
  fc.assert(property, runs);
});

test('what the test fixes is in the body as well', () => {
  const fixed = {
    accountId: 'acc_a',
    objectId: 'p"1',
    objectName: 'RequestPayment',
    type: 'payed',
    timestamp: 7,
  } as const;
  for (const event of many(stampedEventArbitrary(fixed))) {
    expect(event).toMatchObject(fixed);
    expect(parseEnvelope(event.body)).toMatchObject({ timestamp: 7, data: { id: 'p"1' }, type: 'payed' });
  }
});

test('events come with and without a time of their own, and an idempotency key', () => {
  const events = many(newEventArbitrary());
  for (const key of ['occurredAt', 'idempotencyKey'])
    for (const has of [true, false]) expect(events.some((event) => key in event === has)).toBe(true);
});

test('an envelope parses to itself; some are of the future', () => {
  const property = fc.property(envelopeArbitrary(), (envelope) => {
    const text = JSON.stringify(envelope);
    expect(JSON.stringify(parseEnvelope(text))).toBe(text);
  });
  fc.assert(property, runs);
  const types = new Set(many(envelopeArbitrary()).map(({ type }) => type));
  expect(types).toContain('of_the_future');
  expect(types.size).toBe(24);
  for (const { type } of many(envelopeArbitrary({ type: 'payed' }))) expect(type).toBe('payed');
});
