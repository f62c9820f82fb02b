import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ObjectDefinition } from '../../../src/webhooks/catalogue/define-object.ts';
import { defineObject } from '../../../src/webhooks/catalogue/define-object.ts';
import { maxBodyBytes } from '../../../src/webhooks/envelope/envelope.ts';
import type { InvalidEvent } from '../../../src/webhooks/events/invalid-event.ts';
import { prepareEvent, type RawEvent } from '../../../src/webhooks/events/prepare.ts';
import { runs } from '../../support/runs.ts';

const definition = defineObject('RequestPayment', {
  schema: z.object({
    id: z.string(),
    amount: z.number().max(100).optional(),
    recipient: z.object({ email: z.email() }).optional(),
    pad: z.string().optional(),
  }),
  groups: { all: ['amount', 'recipient.email', 'pad'] },
  events: { default: ['all'] },
});
const definitions = new Map<string, ObjectDefinition>([['RequestPayment', definition]]);
const sound: RawEvent = { accountId: 'acc', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } };
const prepare = (change: object = {}) => prepareEvent({ definitions }, { ...sound, ...change } as RawEvent, 'event-1');

test('golden: the stored event', () => {
  const data = { id: 'p', amount: 12, recipient: { email: 'zoe@example.org' }, unknown: 'x' };
  expect(prepare({ data, occurredAt: 7, idempotencyKey: 'key' })._unsafeUnwrap()).toEqual({
    id: 'event-1',
    accountId: 'acc',
    objectName: 'RequestPayment',
    objectId: 'p',
    type: 'payed',
    bodyTail:
      ',"data":{"id":"p","amount":12,"recipient":{"email":"zoe@example.org"}},"objectName":"RequestPayment","type":"payed"}',
    occurredAt: 7,
    idempotencyKey: 'key',
  });
  expect(Object.keys(prepare()._unsafeUnwrap()).sort()).toEqual([
    'accountId',
    'bodyTail',
    'id',
    'objectId',
    'objectName',
    'type',
  ]);
});

test('the earliest and the latest time are accepted', () => {
  for (const occurredAt of [0, Number.MAX_SAFE_INTEGER]) {
    expect(prepare({ occurredAt })._unsafeUnwrap().occurredAt).toBe(occurredAt);
  }
});

describe('refused as invalid_event', () => {
  const types = '; use one of creation, update, payed, cancel, transaction_failed.';
  const identifier = '1 to 256 bytes of text without control characters.';
  test.each([
    ['an empty accountId', { accountId: '' }, `accountId: ${identifier}`],
    ['a missing accountId', { accountId: undefined }, `accountId: ${identifier}`],
    ['a long accountId', { accountId: 'a'.repeat(257) }, `accountId: ${identifier}`],
    ['a NUL in accountId', { accountId: 'a\u0000' }, `accountId: ${identifier}`],
    ['a pair that does not exist', { type: 'deletion' }, `type: RequestPayment has no type 'deletion'${types}`],
    ['a misspelt type', { type: 'paid' }, "type: RequestPayment has no type 'paid'; did you mean 'payed'?"],
    ['a type in capitals', { type: 'PAYED' }, "type: RequestPayment has no type 'PAYED'; did you mean 'payed'?"],
    [
      'a type in the past',
      { type: 'cancelled' },
      "type: RequestPayment has no type 'cancelled'; did you mean 'cancel'?",
    ],
    ['a type that may be a secret', { type: 'pks_4f3a' }, `type: RequestPayment has no type of that name${types}`],
    ['no type', { type: undefined }, `type: RequestPayment has no type of that name${types}`],
    [
      'a part of an object name',
      { objectName: 'Payment' },
      "objectName: there is no object 'Payment'; did you mean 'RequestPayment'?",
    ],
    [
      'a prototype name',
      { objectName: 'constructor', type: 'name' },
      "objectName: there is no object 'constructor'; use one of RequestPayment.",
    ],
    ['a misspelt field', { occuredAt: 7 }, "event: there is no field 'occuredAt'; did you mean 'occurredAt'?"],
    [
      'a field that is none',
      { webhook: 'SECRET' },
      "event: there is no field 'webhook'; use one of accountId, objectName, type, data, occurredAt, idempotencyKey.",
    ],
    [
      'an object that was not declared',
      { objectName: 'ModelRequestPayment', type: 'creation' },
      "objectName: there is no object 'ModelRequestPayment'; use one of RequestPayment.",
    ],
    ['a negative time', { occurredAt: -1 }, 'occurredAt: milliseconds since 1970, a whole number.'],
    ['a time with a fraction', { occurredAt: 1.5 }, 'occurredAt: milliseconds since 1970, a whole number.'],
    ['a time that is NaN', { occurredAt: Number.NaN }, 'occurredAt: milliseconds since 1970, a whole number.'],
    ['a time that is a Date', { occurredAt: new Date(0) }, 'occurredAt: milliseconds since 1970, a whole number.'],
    ['an empty key', { idempotencyKey: '' }, `idempotencyKey: ${identifier}`],
    ['a long key', { idempotencyKey: 'k'.repeat(257) }, `idempotencyKey: ${identifier}`],
    ['no data', { data: undefined }, 'data: Invalid input: expected object, received undefined'],
    ['data without id', { data: {} }, 'data.id: Invalid input: expected string, received undefined'],
    ['an empty id', { data: { id: '' } }, `data.id: ${identifier}`],
    ['a long id', { data: { id: 'é'.repeat(129) } }, `data.id: ${identifier}`],
    ['an id with a control character', { data: { id: 'a\tb' } }, `data.id: ${identifier}`],
    [
      'a field of another type',
      { data: { id: 'p', amount: 'SECRET' } },
      'data.amount: Invalid input: expected number, received string',
    ],
    [
      'several fields at once',
      { data: { id: 1, amount: 101, recipient: { email: 'SECRET' } } },
      'data.id: Invalid input: expected string, received number; data.amount: Too big: expected number to be <=100; data.recipient.email: Invalid email address',
    ],
  ])('%s', (_name, change, detail) => {
    expect(prepare(change)._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_event', message: detail });
  });

  test.each([
    [{ accountId: '' }, ['/accountId']],
    [{ objectName: 'Payment' }, ['/objectName']],
    [{ type: 'paid' }, ['/type']],
    [{ occurredAt: -1 }, ['/occurredAt']],
    [{ occuredAt: 7 }, ['']],
    [{ data: undefined }, ['/data']],
    [{ data: { id: '' } }, ['/data/id']],
    [
      { data: { id: 1, amount: 101, recipient: { email: 'x' } } },
      ['/data/id', '/data/amount', '/data/recipient/email'],
    ],
  ])('%j has the pointers %j', (change, pointers) => {
    const { errors } = prepare(change)._unsafeUnwrapErr() as InvalidEvent;
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test('a key with a point, a slash or a tilde is one part of a pointer (RFC 6901)', () => {
    const open = defineObject('RequestPayment', {
      schema: z.object({ id: z.string(), meta: z.unknown() }),
      groups: { all: ['meta'] },
      events: { default: ['all'] },
    });
    const data = { id: 'p', meta: { 'a.b': [{ 'c/d~e': Number.NaN }] } };
    const refused = prepareEvent({ definitions: new Map([['RequestPayment', open]]) }, { ...sound, data }, 'e');
    expect(refused._unsafeUnwrapErr()).toEqual({
      code: 'invalid_event',
      message: 'data.meta.a.b.0.c/d~e: NaN has no form in JSON.',
      errors: [{ pointer: '/data/meta/a.b/0/c~1d~0e', detail: 'NaN has no form in JSON.' }],
    });
  });

  test('at most 32 fields are named', () => {
    const many = defineObject('RequestPayment', {
      schema: z.object({ id: z.string(), list: z.array(z.number()) }),
      groups: {},
      events: { default: [] },
    });
    const data = { id: 'p', list: Array.from({ length: 40 }, () => 'x') };
    const refused = prepareEvent({ definitions: new Map([['RequestPayment', many]]) }, { ...sound, data }, 'e');
    const { errors } = refused._unsafeUnwrapErr() as InvalidEvent;
    expect(errors.map(({ pointer }) => pointer)).toEqual(Array.from({ length: 32 }, (_, at) => `/data/list/${at}`));
  });

  test('a lone surrogate anywhere in what leaves, since many JSON parsers refuse it', () => {
    const open = defineObject('RequestPayment', {
      schema: z.object({ id: z.string(), note: z.string().optional(), meta: z.unknown().optional() }),
      groups: { all: ['note', 'meta'] },
      events: { default: ['all'], creation: [] },
    });
    const refused = (data: object, type = 'payed') =>
      prepareEvent({ definitions: new Map([['RequestPayment', open]]) }, { ...sound, type, data }, 'e');
    const text = 'holds half of a surrogate pair; cut text between characters, or use toWellFormed().';
    for (const half of ['\ud83c', '\udfe1', 'a\ud83c b', '\udfe1\ud83c']) {
      const details = [
        [{ id: 'p', note: half }, `data.note: the text ${text}`],
        [{ id: 'p', meta: half }, `data.meta: the text ${text}`],
        [{ id: 'p', meta: { deep: ['x', half] } }, `data.meta.deep.1: the text ${text}`],
        [{ id: 'p', meta: { [half]: 1 } }, `data.meta: a key ${text}`],
        [{ id: 'p', meta: { deep: [{ [half]: { more: 1 } }] } }, `data.meta.deep.0: a key ${text}`],
      ] as const;
      for (const [data, detail] of details) {
        expect(refused(data)._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_event', message: detail });
        // What does not leave is not looked at.
        expect(refused(data, 'creation').isOk()).toBe(true);
      }
    }
    const house = '\ud83c\udfe1';
    expect(refused({ id: 'p', note: house, meta: { [house]: [house] } }).isOk()).toBe(true);
  });

  test('wrong data is reported with the messages of the schema', () => {
    const schema = z.object({ id: z.string(), iban: z.string('write it without blanks').optional() });
    const own = defineObject('RequestPayment', { schema, groups: {}, events: { default: [] } });
    const wrong = { ...sound, data: { id: 'p', iban: 7 } };
    expect(
      prepareEvent({ definitions: new Map([['RequestPayment', own]]) }, wrong, 'e')._unsafeUnwrapErr(),
    ).toMatchObject({
      code: 'invalid_event',
      message: 'data.iban: write it without blanks',
    });
  });

  test('no detail quotes a value', () => {
    const secret = 'SECRET-4f3a';
    const anything = fc.anything().map((value) => JSON.parse(JSON.stringify(value ?? null) ?? 'null'));
    const wrong = fc.oneof(fc.constant(secret), fc.constant([secret]), fc.record({ x: fc.constant(secret) }), anything);
    const data = fc.record(
      { id: wrong, amount: wrong, recipient: fc.oneof(wrong, fc.record({ email: wrong })) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(data, (fields) => {
        const result = prepare({ data: fields });
        if (result.isErr()) expect(JSON.stringify(result.error)).not.toContain(secret);
      }),
      runs,
    );
  });

  test('a schema that is asynchronous, or throws', () => {
    for (const refinement of [
      async () => true,
      () => {
        throw new Error('SECRET');
      },
    ]) {
      const schema = z.object({ id: z.string() }).refine(refinement);
      const odd = defineObject('RequestPayment', { schema, groups: {}, events: { default: [] } });
      expect(
        prepareEvent({ definitions: new Map([['RequestPayment', odd]]) }, sound, 'e')._unsafeUnwrapErr(),
      ).toMatchObject({
        code: 'invalid_event',
        message: 'data: the schema threw; it must be synchronous.',
      });
    }
  });
});

describe('the size of the body', () => {
  const body = (pad: string) =>
    prepare({ data: { id: 'p', pad } }).map(({ bodyTail }) => `{"timestamp":1732147200${bodyTail}`);
  const empty = Buffer.byteLength(body('')._unsafeUnwrap());

  test('262144 bytes pass, one more is too_large', () => {
    expect(maxBodyBytes).toBe(262_144);
    const fits = body('x'.repeat(262_144 - empty))._unsafeUnwrap();
    expect(Buffer.byteLength(fits)).toBe(262_144);
    expect(body('x'.repeat(262_144 - empty + 1))._unsafeUnwrapErr()).toMatchObject({
      code: 'too_large',
      message: 'The body would have 262145 bytes; at most 262144 are sent.',
    });
  });

  test.each([
    ['é', 2],
    ['€', 3],
    ['🏡', 4],
    ['\u0001', 6],
    ['"', 2],
  ])('%j counts as the %i bytes that it takes in the body', (char, bytes) => {
    const room = 262_144 - empty;
    const times = Math.floor(room / bytes);
    const fits = char.repeat(times) + 'x'.repeat(room % bytes);
    expect(Buffer.byteLength(body(fits)._unsafeUnwrap())).toBe(262_144);
    expect(body(`${fits}x`)._unsafeUnwrapErr().code).toBe('too_large');
  });

  test('fields that are not named do not count', () => {
    expect(prepare({ data: { id: 'p', unknown: 'x'.repeat(300_000) } }).isOk()).toBe(true);
  });
});
