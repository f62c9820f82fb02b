import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Partnerkit } from '../../../src/kit/partnerkit.ts';
import { createRequests } from '../../../src/requests/requests.ts';
import { defineCatalogue } from '../../../src/webhooks/catalogue/catalogue.ts';
import { catalogue as specified } from '../../../src/webhooks/catalogue/default-catalogue.ts';
import { specification } from '../../../src/webhooks/catalogue/specification.ts';
import { accounts, objects, platform } from '../../support/kit.ts';

const catalogue = defineCatalogue({
  Invoice: ['creation', 'payed'],
  Customer: { creation: { description: 'A customer was created.', version: 2 }, removal: {} },
});
const shape = { schema: z.object({ id: z.string() }), groups: {}, events: { default: [] } } as const;
/** A kit of a platform, as a host without the compiler's help would make it. */
const kitOf = (options: object) => platform(options).kit as unknown as Partnerkit<object, never>;
const define = (input: unknown) => () => defineCatalogue(input as never);

describe('a catalogue', () => {
  test('lists its objects, types, selectors and pairs in the order of its definition', () => {
    expect(catalogue.objectNames).toEqual(['Invoice', 'Customer']);
    expect(catalogue.eventTypes).toEqual(['creation', 'payed', 'removal']);
    expect(catalogue.eventSelectors).toEqual([
      ...['creation', 'payed', 'removal'],
      ...['Invoice.creation', 'Invoice.payed', 'Customer.creation', 'Customer.removal'],
    ]);
    expect(catalogue.entries).toEqual([
      { objectName: 'Invoice', type: 'creation', version: 1 },
      { objectName: 'Invoice', type: 'payed', version: 1 },
      { objectName: 'Customer', type: 'creation', description: 'A customer was created.', version: 2 },
      { objectName: 'Customer', type: 'removal', version: 1 },
    ]);
    expect(catalogue.typesOf('Customer')).toEqual(['creation', 'removal']);
    expect(catalogue.typesOf('RequestPayment' as never)).toEqual([]);
  });

  test('has exactly its pairs', () => {
    const words = ['Invoice', 'Customer', 'creation', 'payed', 'removal', 'constructor', 'toString', 'default', ''];
    const pairs = catalogue.entries.map(({ objectName, type }) => `${objectName} ${type}`);
    for (const name of words)
      for (const type of words) expect(catalogue.has(name, type)).toBe(pairs.includes(`${name} ${type}`));
  });

  test('keeps what it was defined with, whatever becomes of the input', () => {
    const input = { Invoice: ['creation'] };
    const kept = defineCatalogue(input);
    input.Invoice.push('payed');
    expect(kept.has('Invoice', 'payed')).toBe(false);
  });

  test('takes names of 64 letters, digits and underscores', () => {
    expect(define({ [`A${'9_'.repeat(31)}z`]: [`a${'_9'.repeat(31)}Z`] })).not.toThrow();
  });
});

test('the specification follows the rules of every catalogue', () => {
  expect(defineCatalogue(specification).entries).toEqual(specified.entries);
});

test('each pair of the specification has a description of its own, one sentence, and version 1', () => {
  const descriptions = specified.entries.map(({ description }) => description);
  expect(new Set(descriptions).size).toBe(32);
  for (const description of descriptions) expect(description).toMatch(/^[A-Z][^.]+\.$/);
  expect(new Set(specified.entries.map(({ version }) => version))).toEqual(new Set([1]));
});

const badName = 'must be a letter, then at most 63 letters, digits and "_": rename it.';

const wrong: readonly (readonly [name: string, input: unknown, message: string])[] = [
  ['no object', undefined, "it needs an object, such as { Invoice: ['creation', 'payed'] }."],
  ['a list', ['Invoice'], "it needs an object, such as { Invoice: ['creation', 'payed'] }."],
  ['no objects', {}, "it has no objects: add one, such as { Invoice: ['creation', 'payed'] }."],
  ['an object name with a dot', { 'Shop.Invoice': ['creation'] }, `the object name "Shop.Invoice" ${badName}`],
  ['a quote in an object name', { 'a"b': ['creation'] }, `the object name "a\\"b" ${badName}`],
  ['a digit first', { '1Invoice': ['creation'] }, `the object name "1Invoice" ${badName}`],
  ['an empty object name', { '': ['creation'] }, `the object name "" ${badName}`],
  ['65 characters', { ['a'.repeat(65)]: ['creation'] }, badName],
  [
    'a member of every object',
    { constructor: ['creation'] },
    'the object name "constructor" is a member of every JavaScript object: rename it.',
  ],
  ['types that are a text', { Invoice: 'payed' }, "Invoice: list its event types, such as ['creation', 'payed']."],
  ['no types', { Invoice: [] }, 'Invoice has no event types: add one, or remove Invoice.'],
  ['no described types', { Invoice: {} }, 'Invoice has no event types: add one, or remove Invoice.'],
  ['a type with a dot', { Invoice: ['payed.late'] }, `Invoice: the type "payed.late" ${badName}`],
  ['a type that is no text', { Invoice: [7] }, `Invoice: the type 7 ${badName}`],
  ['a gap', { Invoice: [undefined] }, `Invoice: the type undefined ${badName}`],
  [
    'a type that is a member of every object',
    { Invoice: ['toString'] },
    'Invoice: the type "toString" is a member of every JavaScript object: rename it.',
  ],
  [
    'a type that defineObject reserves',
    { Invoice: ['default'] },
    'Invoice: "default" means all other types in defineObject: rename the type.',
  ],
  [
    'a type with the name of an object',
    { Invoice: ['creation', 'Customer'], Customer: ['creation'] },
    'Invoice: "Customer" is also an object name, so it cannot be selected: rename the type.',
  ],
  ['a type twice', { Invoice: ['payed', 'payed'] }, 'Invoice has the type "payed" twice: remove one.'],
  [
    'a type without its object',
    { Invoice: { payed: 'An invoice was paid.' } },
    "Invoice.payed: needs an object, such as { description: 'An invoice was paid.' } or {}.",
  ],
  [
    'a misspelt field',
    { Invoice: { payed: { descripton: 'An invoice was paid.' } } },
    "Invoice.payed: there is no field 'descripton'; did you mean 'description'?",
  ],
  [
    'an empty description',
    { Invoice: { payed: { description: ' ' } } },
    'Invoice.payed: description must be a text that is not empty: write one sentence, or leave it out.',
  ],
  ...[0, 1.5, '2', Number.NaN].map(
    (version) =>
      [
        `version ${version}`,
        { Invoice: { payed: { version } } },
        'Invoice.payed: version must be a whole number from 1: correct it, or leave it out.',
      ] as const,
  ),
];

test.each(wrong)('%s is a TypeError that names the remedy', (_name, input, message) => {
  expect(define(input)).toThrow(TypeError);
  expect(define(input)).toThrow(message);
  expect(define(input)).toThrow(/^defineCatalogue: /);
});

describe('a definition', () => {
  test('has a selection for each type of its object', () => {
    const customer = catalogue.defineObject('Customer', shape);
    expect(customer.eventTypes).toEqual(['creation', 'removal']);
    expect([...customer.selections.keys()]).toEqual(['creation', 'removal']);
  });

  test('of an object or a type that the catalogue has not is a TypeError with the closest name', () => {
    expect(() => catalogue.defineObject('Invoce' as never, shape)).toThrow(
      "defineObject: objectName: there is no object 'Invoce'; did you mean 'Invoice'?",
    );
    expect(() =>
      catalogue.defineObject('Invoice', { ...shape, events: { default: [], removal: [] } as never }),
    ).toThrow("defineObject: type: Invoice has no type 'removal'; use one of creation, payed.");
  });
});

describe('a kit', () => {
  const invoice = catalogue.defineObject('Invoice', shape);

  test('has the catalogue it was given, or that of the specification', () => {
    expect(kitOf({ catalogue, objects: [invoice] }).catalogue).toBe(catalogue);
    expect(platform().kit.catalogue).toBe(specified);
  });

  test('refuses definitions of another catalogue, also where only the types differ', () => {
    const other = defineCatalogue({ Invoice: ['creation'], RequestPayment: ['creation'] });
    for (const [options, name] of [
      [{ objects: [invoice] }, 'Invoice'],
      [{ catalogue, objects: [objects[0]] }, 'RequestPayment'],
      [{ catalogue, objects: [other.defineObject('Invoice', shape)] }, 'Invoice'],
      [{ objects: [other.defineObject('RequestPayment', shape)] }, 'RequestPayment'],
    ] as const) {
      expect(() => kitOf(options)).toThrow(TypeError);
      expect(() => kitOf(options)).toThrow(
        `objects: ${name} was defined with another catalogue than the kit's. ` +
          `Pass that catalogue as the option catalogue, or define ${name} with the kit's.`,
      );
    }
  });

  test('takes definitions of an equal catalogue: a module may be loaded twice', () => {
    const again = defineCatalogue({ Invoice: ['creation', 'payed'] });
    expect(() => kitOf({ catalogue, objects: [again.defineObject('Invoice', shape)] })).not.toThrow();
  });

  test('refuses a catalogue that defineCatalogue did not make', () => {
    expect(() => kitOf({ catalogue: { Invoice: ['creation'] }, objects: [] })).toThrow(
      'createPartnerkit: the option catalogue has no method has. Make it with defineCatalogue({ … }).',
    );
  });

  test('checks events and selectors by its catalogue, with hints from it', async () => {
    const kit = kitOf({ catalogue, objects: [invoice] });
    const accountId = accounts[0]?.id as string;
    const url = 'https://partner.example/hooks';
    const publish = (objectName: string, type: string) =>
      kit.events.tryPublish({ accountId, objectName, type, data: { id: 'i' } } as never, { tx: 'new' });
    expect((await publish('Invoice', 'payed')).isOk()).toBe(true);
    expect((await publish('Invoice', 'paid'))._unsafeUnwrapErr().message).toBe(
      "type: Invoice has no type 'paid'; did you mean 'payed'?",
    );
    expect((await publish('RequestPayment', 'payed'))._unsafeUnwrapErr().message).toBe(
      "objectName: there is no object 'RequestPayment'; use one of Invoice, Customer.",
    );
    expect((await publish('Customer', 'removal'))._unsafeUnwrapErr().message).toBe(
      "objectName: Customer is not among the kit's objects.",
    );
    const create = (event: string) => kit.endpoints.create(accountId, { url, events: [event] } as never);
    for (const selector of catalogue.eventSelectors) expect((await create(selector)).isOk()).toBe(true);
    for (const selector of ['cancel', 'RequestPayment.payed', 'Invoice.removal', 'Invoice'])
      expect((await create(selector))._unsafeUnwrapErr()).toMatchObject({
        errors: [
          {
            pointer: '/events/0',
            detail: expect.stringMatching(
              /^neither an event type of the catalogue nor a pair such as Invoice\.payed[.;]/,
            ),
          },
        ],
      });
  });

  test('without the specification carries no requests: createRequests is a TypeError', () => {
    const kit = kitOf({ catalogue, objects: [invoice] });
    expect(() => createRequests({ kit })).toThrow(
      new TypeError(
        "createRequests: the option kit has another catalogue than the specification's: its commands publish only " +
          'events of that one. Make the kit without the option catalogue.',
      ),
    );
  });
});
