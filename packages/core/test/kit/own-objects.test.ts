import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Partnerkit } from '../../src/kit/partnerkit.ts';
import { requestObjects } from '../../src/requests/extensions/objects.ts';
import { createRequests } from '../../src/requests/requests.ts';
import { defineObject, type ObjectDefinition } from '../../src/webhooks/catalogue/define-object.ts';
import { accounts, platform } from '../support/kit.ts';

const schema = z.object({ id: z.string(), status: z.string().optional() });
const invoice = defineObject('Invoice', { schema, events: { creation: [], payed: ['status'] } });
const customer = defineObject('Customer', {
  schema,
  events: { creation: { fields: [], description: 'A customer was created.', version: 2 }, removal: [] },
});
const accountId = accounts[0]?.id as string;
const url = 'https://partner.example/hooks';

/** A platform of a host without the compiler's help. */
const open = (...objects: readonly ObjectDefinition[]) => {
  const { kit, ...world } = platform({ objects: objects as never });
  return { ...world, kit: kit as unknown as Partnerkit<object, ObjectDefinition> };
};

test('the catalogue of a kit is what its objects have, in their order', () => {
  const { catalogue } = open(invoice, customer).kit;
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
  expect(catalogue.typesOf('RequestPayment')).toEqual([]);
  const words = ['Invoice', 'Customer', 'creation', 'payed', 'removal', 'constructor', 'toString', 'default', ''];
  const pairs = ['Invoice creation', 'Invoice payed', 'Customer creation', 'Customer removal'];
  for (const name of words)
    for (const type of words) expect(catalogue.has(name, type)).toBe(pairs.includes(`${name} ${type}`));
});

test('an object twice, or an event type with the name of an object, is a TypeError that says what to do', () => {
  const again = defineObject('Invoice', { schema, events: { creation: [] } });
  expect(() => open(invoice, customer, again)).toThrow(
    new TypeError('createPartnerkit: the option objects has Invoice twice: remove one of the definitions.'),
  );
  for (const [objectName, type] of [
    ['Order', 'Customer'],
    ['Order', 'Order'],
  ] as const) {
    const order = defineObject(objectName, { schema, events: { [type]: [] } });
    expect(() => open(order, customer)).toThrow(
      new TypeError(
        `createPartnerkit: Order has the event type "${type}", which is also the name of an object, ` +
          'so no endpoint could select it: rename the type.',
      ),
    );
  }
});

test('a kit checks events and selectors by its objects, with hints from them', async () => {
  const { kit } = open(invoice, customer);
  const publish = (objectName: string, type: string) =>
    kit.events.tryPublish({ accountId, objectName, type, data: { id: 'i' } }, { tx: 'new' });
  expect((await publish('Invoice', 'payed')).isOk()).toBe(true);
  for (const [objectName, type, message] of [
    ['Invoice', 'paid', "type: Invoice has no type 'paid'; did you mean 'payed'?"],
    ['Invoice', 'toString', "type: Invoice has no type 'toString'; use one of creation, payed."],
    ['Invoce', 'payed', "objectName: there is no object 'Invoce'; did you mean 'Invoice'?"],
    ['RequestPayment', 'payed', "objectName: there is no object 'RequestPayment'; use one of Invoice, Customer."],
  ] as const)
    expect((await publish(objectName, type))._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_event', message });
  const create = (event: string) => kit.endpoints.create(accountId, { url, events: [event] });
  for (const selector of kit.catalogue.eventSelectors) expect((await create(selector)).isOk()).toBe(true);
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

test('a kit without objects says so to whoever publishes or selects', async () => {
  const { kit } = open();
  const event = { accountId, objectName: 'Invoice', type: 'payed', data: { id: 'i' } };
  expect((await kit.events.tryPublish(event, { tx: 'new' }))._unsafeUnwrapErr().message).toBe(
    "objectName: there is no object 'Invoice': the kit has no objects.",
  );
  expect((await kit.endpoints.create(accountId, { url, events: ['payed'] }))._unsafeUnwrapErr()).toMatchObject({
    errors: [{ pointer: '/events/0', detail: 'no event can be selected: the kit has no objects.' }],
  });
});

describe('one kit for both doors', () => {
  test('publishes its own events and those of commands, to endpoints that select either', async () => {
    const { kit, sender } = open(invoice, ...requestObjects);
    const requests = createRequests({ kit: kit as never });
    const events = ['Invoice.payed', 'RequestPayment.creation'];
    (await kit.endpoints.create(accountId, { url, events }))._unsafeUnwrap();
    const data = { id: 'i', status: 'paid' };
    await kit.events.publish({ accountId, objectName: 'Invoice', type: 'payed', data }, { tx: 'new' });
    const recipient = { email: 'guest@example.com' };
    const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient };
    const { id } = (await requests.payments.create(accountId, input, { tx: 'new' }))._unsafeUnwrap();
    await kit.worker().drain();
    const bodies = sender.posts.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ objectName, type, data: sent }) => [objectName, type, sent.id]).toSorted()).toEqual([
      ['Invoice', 'payed', 'i'],
      ['RequestPayment', 'creation', id],
    ]);
  });

  test('refuses createRequests when a pair of the specification is missing, and names it', () => {
    const paid = defineObject('RequestPayment', { schema, events: { payed: ['status'] } });
    const [payments, deposits, ...templates] = requestObjects;
    for (const [objects, missing] of [
      [[invoice], 'ModelRequestPayment.creation'],
      [[payments, ...templates], 'RequestSecurityDeposit.creation'],
      [[paid, deposits, ...templates], 'RequestPayment.creation'],
    ] as const)
      expect(() => createRequests({ kit: open(...objects).kit as never })).toThrow(
        new TypeError(
          `createRequests: the option kit has no event ${missing}, which its commands publish. Make the kit with ` +
            'requestObjects among its objects; a definition of your own in their place needs events.default, for ' +
            'types that it does not list.',
        ),
      );
  });
});
