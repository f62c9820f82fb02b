import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineObject } from '../../../src/webhooks/catalogue/define-object.ts';
import { project } from '../../../src/webhooks/catalogue/projection.ts';
import { specification } from '../../../src/webhooks/catalogue/specification.ts';
import { specifiedCatalogue } from '../../../src/webhooks/catalogue/specified-catalogue.ts';

const schema = z.object({ id: z.string(), status: z.string(), guest: z.object({ email: z.string() }) });
const data = { id: 'b', status: 'new', guest: { email: 'guest@example.com' } };
/** As a host without the compiler's help would call it. */
const define = (name: unknown, events: unknown, groups?: unknown) =>
  defineObject(name as string, { schema, events, ...(groups === undefined ? {} : { groups }) } as never);
/** What each event type sends of `data`. */
const sent = (definition: ReturnType<typeof define>) =>
  Object.fromEntries(Array.from(definition.selections, ([type, selection]) => [type, project(data, selection)]));

const [id, status, email] = [
  { id: 'b' },
  { id: 'b', status: 'new' },
  { id: 'b', guest: { email: 'guest@example.com' } },
];

describe('an event type sends', () => {
  test('the fields that it lists, and the id', () => {
    const definition = define('Booking', { confirmed: ['status'], invited: ['guest.email'], cancelled: [] });
    expect(sent(definition)).toEqual({ confirmed: status, invited: email, cancelled: id });
    expect(definition.eventTypes).toEqual(['confirmed', 'invited', 'cancelled']);
  });

  test('the groups that it lists, where the object has groups', () => {
    const groups = { state: ['status'], contact: ['guest.email'], none: [] };
    const events = { confirmed: ['state', 'contact'], invited: ['contact'], cancelled: ['none'], removed: [] };
    expect(sent(define('Booking', events, groups))).toEqual({
      ...{ confirmed: { ...status, ...email }, invited: email },
      ...{ cancelled: id, removed: id },
    });
  });

  test('what default lists, where it is true or only described', () => {
    const events = { default: ['status'], confirmed: true, invited: ['guest.email'], moved: { description: 'Moved.' } };
    expect(sent(define('Booking', events))).toEqual({ confirmed: status, invited: email, moved: status });
    const groups = { state: ['status'] };
    expect(sent(define('Booking', { default: ['state'], confirmed: true }, groups))).toEqual({ confirmed: status });
    expect(sent(define('Booking', { default: ['status'], cancelled: [] }))).toEqual({ cancelled: id });
  });

  test('what it lists beside its description', () => {
    const described = { description: 'Invited.' };
    const fields = { default: ['status'], invited: { fields: ['guest.email'], ...described } };
    expect(sent(define('Booking', fields))).toEqual({ invited: email });
    const groups = { contact: ['guest.email'] };
    const named = { invited: { groups: ['contact'], ...described } };
    expect(sent(define('Booking', named, groups))).toEqual({ invited: email });
  });
});

describe('the catalogue says of an event type', () => {
  test('its description and version; without them, version 1', () => {
    const events = { moved: { fields: [], description: 'A booking was moved.', version: 2 }, confirmed: [] };
    expect(define('Booking', events).entries).toEqual([
      { objectName: 'Booking', type: 'moved', description: 'A booking was moved.', version: 2 },
      { objectName: 'Booking', type: 'confirmed', version: 1 },
    ]);
  });

  test('the description of the specification, unless the host gives another', () => {
    const cancel = { fields: [], description: 'Called off.' };
    const events = { payed: { fields: ['status'], version: 3 }, cancel, creation: ['status'] };
    expect(define('RequestPayment', events).entries).toEqual([
      {
        ...{ objectName: 'RequestPayment', type: 'payed', version: 3 },
        description: 'The payment of a payment request succeeded.',
      },
      { objectName: 'RequestPayment', type: 'cancel', description: 'Called off.', version: 1 },
      {
        ...{ objectName: 'RequestPayment', type: 'creation', version: 1 },
        description: 'A payment request was created.',
      },
    ]);
  });
});

describe('an object of the specification', () => {
  test('has all of its event types with default, in their order, and else those that are listed', () => {
    const types = ['creation', 'update', 'payed', 'cancel', 'transaction_failed'];
    const whole = define('RequestPayment', { cancel: ['guest.email'], default: ['status'] });
    expect(whole.eventTypes).toEqual(types);
    expect(sent(whole)).toEqual({ ...Object.fromEntries(types.map((type) => [type, status])), cancel: email });
    expect(define('RequestPayment', { cancel: [], payed: [] }).eventTypes).toEqual(['cancel', 'payed']);
  });

  test('has a name and types that follow the rules of every definition, and one sentence for each', () => {
    for (const [name, types] of Object.entries(specification))
      expect(() => define(`${name}_`, types)).toThrow(/fields/);
    for (const [name, types] of Object.entries(specification))
      expect(define(`${name}_`, { ...types, default: [] }).eventTypes).toEqual(Object.keys(types));
    const descriptions = specifiedCatalogue.entries.map(({ description }) => description);
    expect(new Set(descriptions).size).toBe(32);
    for (const description of descriptions) expect(description).toMatch(/^[A-Z][^.]+\.$/);
  });
});

test('names have at most 64 letters, digits and underscores', () => {
  const [name, type] = [`A${'9_'.repeat(31)}z`, `a${'_9'.repeat(31)}Z`];
  expect(define(name, { [type]: [] }).eventTypes).toEqual([type]);
});

const badName = 'must be a letter, then at most 63 letters, digits and "_": rename it.';
const member = 'is a member of every JavaScript object: rename it.';
const noEvents = "must name the event types, such as { confirmed: ['status'] }.";

const wrong: readonly (readonly [name: string, args: readonly unknown[], message: string])[] = [
  ['a name with a dot', ['Shop.Booking', { confirmed: [] }], `the object name "Shop.Booking" ${badName}`],
  ['a quote in a name', ['a"b', { confirmed: [] }], `the object name "a\\"b" ${badName}`],
  ['a digit first', ['1Booking', { confirmed: [] }], `the object name "1Booking" ${badName}`],
  ['an empty name', ['', { confirmed: [] }], `the object name "" ${badName}`],
  ['65 characters', ['a'.repeat(65), { confirmed: [] }], badName],
  ['a name that is no text', [undefined, { confirmed: [] }], `the object name undefined ${badName}`],
  ['a name of every object', ['constructor', { confirmed: [] }], `the object name "constructor" ${member}`],
  ['no events', ['Booking', undefined], `Booking: events ${noEvents}`],
  ['a list of events', ['Booking', ['confirmed']], `Booking: events ${noEvents}`],
  ['no event types', ['Booking', {}], 'Booking has no event types: name them in events, such as'],
  ['default alone', ['Booking', { default: ['status'] }], 'Booking has no event types: name them in events, such as'],
  ['a type with a dot', ['Booking', { 'paid.late': [] }], `Booking: the type "paid.late" ${badName}`],
  ['a type of every object', ['Booking', { toString: [] }], `Booking: the type "toString" ${member}`],
  [
    'a type that the specification does not have',
    ['RequestPayment', { default: [], paid: [] }],
    "type: RequestPayment has no type 'paid'; did you mean 'payed'?",
  ],
  ['a text', ['Booking', { confirmed: 'status' }], 'Booking.confirmed must be a list of fields, true for '],
  ['nothing', ['Booking', { confirmed: undefined }], 'Booking.confirmed must be a list of fields, true for '],
  ['a list of others', ['Booking', { confirmed: [7] }], 'Booking.confirmed must be a list of fields, true for '],
  [
    'a default that is no list',
    ['Booking', { default: true, a: [] }],
    'Booking: events.default must be a list of fields.',
  ],
  [
    'true without default',
    ['Booking', { confirmed: true }],
    'Booking.confirmed says nothing of its fields: list them, or add events.default.',
  ],
  [
    'a description without default',
    ['Booking', { confirmed: { description: 'Confirmed.' } }, { all: ['status'] }],
    'Booking.confirmed says nothing of its groups: list them, or add events.default.',
  ],
  [
    'groups of an object without groups',
    ['Booking', { confirmed: { groups: ['all'] } }],
    "Booking.confirmed: there is no field 'groups'; use one of fields, description, version, deprecated.",
  ],
  [
    'fields of an object with groups',
    ['Booking', { confirmed: { fields: ['status'] } }, { all: ['status'] }],
    "Booking.confirmed: there is no field 'fields'; use one of groups, description, version, deprecated.",
  ],
  [
    'a path beside groups',
    ['Booking', { confirmed: ['status'] }, { all: ['status'] }],
    'Booking has no group "status".',
  ],
  [
    'fields that are no list',
    ['Booking', { confirmed: { fields: 'status' } }],
    'Booking.confirmed: fields must be a list of fields.',
  ],
  [
    'a misspelt member',
    ['Booking', { confirmed: { fields: [], descripton: 'Confirmed.' } }],
    "Booking.confirmed: there is no field 'descripton'; did you mean 'description'?",
  ],
  [
    'an empty description',
    ['Booking', { confirmed: { fields: [], description: ' ' } }],
    'Booking.confirmed: description must be a text that is not empty: write one sentence, or leave it out.',
  ],
  ...[0, 1.5, '2', Number.NaN].map(
    (version) =>
      [
        `version ${version}`,
        ['Booking', { confirmed: { fields: [], version } }],
        'Booking.confirmed: version must be a whole number from 1: correct it, or leave it out.',
      ] as const,
  ),
  ['groups that are no object', ['Booking', { confirmed: [] }, ['status']], 'Booking: groups must be an object'],
  ['a path', ['Booking', { confirmed: ['nope'] }], 'Booking, event "confirmed": "nope" is not in the schema.'],
  ['a branch', ['Booking', { confirmed: ['guest'] }], '"guest" is not a leaf: name "guest.email" as needed.'],
  [
    'a path of a default that no type needs',
    ['Booking', { default: ['nope'], confirmed: [] }],
    'Booking, event "default": "nope" is not in the schema.',
  ],
];

test.each(wrong)('%s is a TypeError that names the remedy', (_name, args, message) => {
  const act = () => define(...(args as Parameters<typeof define>));
  expect(act).toThrow(TypeError);
  expect(act).toThrow(message);
  expect(act).toThrow(/^defineObject: /);
});
