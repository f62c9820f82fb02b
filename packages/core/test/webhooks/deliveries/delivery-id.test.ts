import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryIdOf, parseDeliveryId } from '../../../src/webhooks/deliveries/delivery-id.ts';
import { runs } from '../../support/runs.ts';

const event = '01930000-0000-7000-8000-000000000001';
const endpoint = '01930000-0000-7000-8000-000000000002';
const key = { accountId: 'acc_a', eventId: event, endpointId: endpoint, replay: 0 };

test('golden: event, endpoint, and the number of a replay', () => {
  expect(deliveryIdOf(key)).toBe(`${event}.${endpoint}`);
  expect(deliveryIdOf({ ...key, replay: 3 })).toBe(`${event}.${endpoint}.3`);
});

test('an id is read as the key that it was made of', () => {
  const uuid = fc.uuid({ version: 7 });
  fc.assert(
    fc.property(uuid, uuid, fc.nat({ max: 32_767 }), (eventId, endpointId, replay) => {
      const made = { accountId: 'acc_a', eventId, endpointId, replay };
      expect(parseDeliveryId('acc_a', deliveryIdOf(made))).toEqual(made);
    }),
    runs,
  );
});

test.each([
  '',
  event,
  `${event}.`,
  `.${endpoint}`,
  `${event}.${endpoint}.`,
  // One delivery has one id.
  `${event}.${endpoint}.0`,
  `${event}.${endpoint}.01`,
  `${event}.${endpoint}.32768`,
  `${event}.${endpoint}.-1`,
  `${event}.${endpoint}.1e3`,
  `${event}.${endpoint}.1.1`,
  `${event} .${endpoint}`,
  'acc_a.b',
])('%j is the id of no delivery', (text) => {
  expect(parseDeliveryId('acc_a', text)).toBeUndefined();
});
