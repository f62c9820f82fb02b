import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventType, ObjectName } from '../../../src/webhooks/catalogue/specification.ts';
import { specifiedCatalogue as catalogue } from '../../../src/webhooks/catalogue/specified-catalogue.ts';
import { envelopeRest, envelopeText, parseEnvelope } from '../../../src/webhooks/envelope/envelope.ts';
import { runs } from '../../support/runs.ts';

const envelope = fc.record({
  timestamp: fc.maxSafeNat(),
  data: fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.string()).map(([data, id]) => ({ ...data, id })),
  objectName: fc.constantFrom<ObjectName>(...catalogue.objectNames),
  type: fc.constantFrom<EventType>(...catalogue.eventTypes),
});
const textOf = ({
  timestamp,
  data,
  objectName,
  type,
}: {
  timestamp: number;
  data: object;
  objectName: ObjectName;
  type: EventType;
}) => envelopeText(timestamp, envelopeRest(data, objectName, type));

test('golden: the fields in the order of the specification, §2.3', () => {
  const data = { id: 'sd_01', name: 'Gîte des Érables', depositAmount: 850.5, recipient: { email: 'zoe@example.org' } };
  expect(
    textOf({ timestamp: 1_732_147_200, data, objectName: 'RequestSecurityDeposit', type: 'deposit_success' }),
  ).toBe(
    '{"timestamp":1732147200,"data":{"id":"sd_01","name":"Gîte des Érables","depositAmount":850.5,"recipient":{"email":"zoe@example.org"}},"objectName":"RequestSecurityDeposit","type":"deposit_success"}',
  );
});

test('an envelope is JSON, and parses to itself', () => {
  fc.assert(
    fc.property(envelope, (one) => {
      const text = textOf(one);
      expect(text).toBe(JSON.stringify(one));
      // Through JSON once: there is no -0 in it, and __proto__ is a key like any other.
      expect(JSON.stringify(parseEnvelope(text))).toBe(JSON.stringify(one));
    }),
    runs,
  );
});

describe('parseEnvelope', () => {
  const sound = { timestamp: 1, data: { id: 'x' }, objectName: 'RequestPayment', type: 'payed' };

  test('ignores unknown fields, in any place (specification §6.5)', () => {
    const known = ['timestamp', 'data', 'objectName', 'type'];
    const more = fc.dictionary(
      fc.string().filter((key) => !known.includes(key)),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(envelope, more, (one, fields) => {
        const parsed = parseEnvelope(JSON.stringify({ ...fields, ...one }));
        expect(parsed?.timestamp).toBe(one.timestamp);
        expect(parsed?.data.id).toBe(one.data.id);
        expect(parsed?.objectName).toBe(one.objectName);
        expect(parsed?.type).toBe(one.type);
      }),
      runs,
    );
  });

  test('accepts unknown names and types', () => {
    const future = { ...sound, objectName: 'Invoice', type: 'archived' };
    expect(parseEnvelope(JSON.stringify(future))).toEqual(future);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a byte order mark', `\ufeff${JSON.stringify(sound)}`],
    ['a text', '"x"'],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', JSON.stringify([sound])],
    ['an empty object', '{}'],
    ...(['timestamp', 'data', 'objectName', 'type'] as const).map((field) => [
      `no ${field}`,
      JSON.stringify({ ...sound, [field]: undefined }),
    ]),
    ['a timestamp in text', JSON.stringify({ ...sound, timestamp: '1' })],
    ['a timestamp with a fraction', JSON.stringify({ ...sound, timestamp: 1.5 })],
    ['a timestamp past what is exact', '{"timestamp":1e300,"data":{"id":"x"},"objectName":"a","type":"b"}'],
    ['data that is a list', JSON.stringify({ ...sound, data: [] })],
    ['data that is null', JSON.stringify({ ...sound, data: null })],
    ['data without id', JSON.stringify({ ...sound, data: {} })],
    ['an id that is a number', JSON.stringify({ ...sound, data: { id: 1 } })],
    ['an objectName that is no text', JSON.stringify({ ...sound, objectName: 1 })],
    ['a type that is no text', JSON.stringify({ ...sound, type: null })],
  ])('%s is no envelope', (_name, text) => {
    expect(parseEnvelope(JSON.stringify(sound))).toEqual(sound);
    expect(parseEnvelope(text)).toBeUndefined();
  });

  test('any text gives an envelope or undefined, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const parsed = parseEnvelope(text);
        if (parsed !== undefined) expect(typeof parsed.data.id).toBe('string');
      }),
      runs,
    );
  });
});
