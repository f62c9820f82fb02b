import { memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newEventArbitrary } from '../../src/arbitraries/events.ts';
import { many, runs } from './support.ts';

test('an event survives storage', async () => {
  const property = fc.asyncProperty(newEventArbitrary(), async (event) => {
    const { events, transaction } = memoryStorage();
    await transaction((tx) => events.append(tx, [event]));
    expect(await events.findEvent(event.accountId, event.id)).toStrictEqual(event);
  });
  await fc.assert(property, runs);
});

test('fixed fields are in the body as well', () => {
  const fixed = { accountId: 'acc_a', objectId: 'p"1', objectName: 'RequestPayment', type: 'payed' } as const;
  for (const event of many(newEventArbitrary(fixed))) {
    expect(event).toMatchObject(fixed);
    expect(JSON.parse(`{"timestamp":7${event.bodyTail}`)).toMatchObject({ data: { id: 'p"1' }, type: 'payed' });
  }
});

test('events come with and without a time of their own, and an idempotency key', () => {
  const events = many(newEventArbitrary());
  for (const key of ['occurredAt', 'idempotencyKey'])
    for (const has of [true, false]) expect(events.some((event) => key in event === has)).toBe(true);
});
