import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { AccessTokens } from '../../../src/access/tokens/access-tokens.ts';
import { createPartnerkit } from '../../../src/kit/create-partnerkit.ts';
import type { Partnerkit } from '../../../src/kit/partnerkit.ts';
import { requestObjects } from '../../../src/requests/extensions/objects.ts';
import { createRequests } from '../../../src/requests/requests.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { Catalogue, PairsOf } from '../../../src/webhooks/catalogue/catalogue.ts';
import { defineObject, type ObjectDefinition } from '../../../src/webhooks/catalogue/define-object.ts';
import type { EventPairs } from '../../../src/webhooks/catalogue/pairs.ts';
import type { EventType, SpecifiedPairs } from '../../../src/webhooks/catalogue/specification.ts';
import type { Sender } from '../../../src/webhooks/deliveries/sender.ts';
import type { EndpointInput } from '../../../src/webhooks/endpoints/endpoints.ts';

declare const tokens: AccessTokens;
declare const sender: Sender;
const accounts = { find: async (id: string) => ({ id, name: 'n', status: 'active', environment: 'dev' }) };
const storage = memoryStorage();
const options = { accounts, storage, tokens, sender, sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] } as const;

const schema = z.object({
  id: z.string(),
  status: z.string(),
  iban: z.string(),
  guest: z.object({ email: z.email() }),
});
const booking = defineObject('Booking', { schema, events: { confirmed: ['status', 'guest.email'], cancelled: [] } });
const invoice = defineObject('Invoice', {
  schema: z.object({ id: z.string(), total: z.number() }),
  groups: { all: ['total'] },
  events: { default: ['all'], creation: true, payed: { groups: ['all'], description: 'Paid.', version: 2 } },
});
const kit = createPartnerkit({ ...options, objects: [booking, invoice] });
const guest = { email: 'guest@example.com' };
const data = { id: 'b', status: 'confirmed', iban: 'FR76', guest };
const confirmed = { accountId: 'a', objectName: 'Booking', type: 'confirmed', data } as const;
const url = 'https://partner.example/hooks';

describe('the event types of a definition', () => {
  test('are the names in events, without default', () => {
    expectTypeOf(booking.eventTypes).toEqualTypeOf<readonly ('confirmed' | 'cancelled')[]>();
    expectTypeOf(invoice.eventTypes).toEqualTypeOf<readonly ('creation' | 'payed')[]>();
    expectTypeOf<PairsOf<typeof booking | typeof invoice>>().toEqualTypeOf<{
      readonly Booking: 'confirmed' | 'cancelled';
      readonly Invoice: 'creation' | 'payed';
    }>();
    expectTypeOf<PairsOf<ObjectDefinition>>().toExtend<EventPairs>();
  });

  test('are those of the specification for its objects: all with default, else those that are listed', () => {
    const events = { default: ['status'], payed: ['iban'] } as const;
    const payment = defineObject('RequestPayment', { schema, events });
    expectTypeOf(payment.eventTypes).toEqualTypeOf<readonly EventType<'RequestPayment'>[]>();
    const paid = defineObject('RequestPayment', { schema, events: { payed: ['iban'] } });
    expectTypeOf(paid.eventTypes).toEqualTypeOf<readonly 'payed'[]>();
    expectTypeOf<PairsOf<(typeof requestObjects)[number]>>().toEqualTypeOf<SpecifiedPairs>();
  });
});

describe('the texts of events', () => {
  test('are paths of leaves without groups', () => {
    defineObject('Booking', { schema, events: { default: ['status'], confirmed: true, moved: { fields: ['iban'] } } });
    // @ts-expect-error no such field
    defineObject('Booking', { schema, events: { confirmed: ['statuss'] } });
    // @ts-expect-error a branch is not a leaf
    defineObject('Booking', { schema, events: { confirmed: ['guest'] } });
    // @ts-expect-error no such field in default
    defineObject('Booking', { schema, events: { default: ['nope'], confirmed: true } });
    // @ts-expect-error no such field in a described type
    defineObject('Booking', { schema, events: { confirmed: { fields: ['nope'], description: 'Confirmed.' } } });
    // @ts-expect-error there are no groups
    defineObject('Booking', { schema, events: { confirmed: { groups: ['status'] } } });
  });

  test('are names of groups with groups, and never paths beside them', () => {
    const groups = { all: ['status'] } as const;
    defineObject('Booking', { schema, groups, events: { confirmed: ['all'], moved: { groups: ['all'] } } });
    // @ts-expect-error no such group
    defineObject('Booking', { schema, groups, events: { confirmed: ['some'] } });
    // @ts-expect-error a path beside groups
    defineObject('Booking', { schema, groups, events: { confirmed: ['status'] } });
    // @ts-expect-error the groups are named as groups
    defineObject('Booking', { schema, groups, events: { confirmed: { fields: ['all'] } } });
    // @ts-expect-error no such field in a group
    defineObject('Booking', { schema, groups: { all: ['nope'] }, events: { confirmed: ['all'] } });
  });

  test('can be left out where there is a default', () => {
    defineObject('Booking', { schema, events: { default: ['status'], confirmed: { description: 'Confirmed.' } } });
    // @ts-expect-error nothing says what it sends
    defineObject('Booking', { schema, events: { confirmed: true } });
    // @ts-expect-error nothing says what it sends
    defineObject('Booking', { schema, events: { confirmed: { description: 'Confirmed.' } } });
    // @ts-expect-error default is a list
    defineObject('Booking', { schema, events: { default: true, confirmed: ['status'] } });
  });

  test('a description is a text, and a version a number', () => {
    // @ts-expect-error a version is a number
    defineObject('Booking', { schema, events: { confirmed: { fields: [], version: '2' } } });
    // @ts-expect-error no such member
    defineObject('Booking', { schema, events: { confirmed: { fields: [], text: 'Confirmed.' } } });
  });
});

describe('a pair outside the objects of a kit does not compile', () => {
  test('in publish, publishMany and sendTest', () => {
    void kit.events.publish(confirmed, { tx: 'new' });
    void kit.events.publishMany([confirmed, { ...confirmed, type: 'cancelled' }], { tx: 'new' });
    void kit.events.sendTest('a', 'e', { objectName: 'Invoice', type: 'payed', data: { total: 1 } });
    // @ts-expect-error a type of another object
    void kit.events.publish({ ...confirmed, type: 'payed' }, { tx: 'new' });
    // @ts-expect-error a type of the specification
    void kit.events.publish({ ...confirmed, type: 'cancel' }, { tx: 'new' });
    // @ts-expect-error an object of the specification
    void kit.events.publish({ ...confirmed, objectName: 'RequestPayment', type: 'payed' }, { tx: 'new' });
    // @ts-expect-error data of another object
    void kit.events.publish({ ...confirmed, data: { id: 'b', total: 1 } }, { tx: 'new' });
    // @ts-expect-error a type of another object
    void kit.events.publishMany([{ ...confirmed, type: 'payed' }], { tx: 'new' });
    // @ts-expect-error a type of another object
    void kit.events.sendTest('a', 'e', { objectName: 'Invoice', type: 'confirmed', data: { total: 1 } });
  });

  test('in selectors of endpoints', () => {
    void kit.endpoints.create('a', { url, events: ['payed', 'Invoice.creation', 'Booking.cancelled'] });
    void kit.endpoints.update('a', 'e', { events: ['confirmed'] });
    // @ts-expect-error no such pair
    void kit.endpoints.create('a', { url, events: ['Booking.payed'] });
    // @ts-expect-error a type of the specification
    void kit.endpoints.create('a', { url, events: ['check_in'] });
    // @ts-expect-error a pair of the specification
    void kit.endpoints.update('a', 'e', { events: ['RequestPayment.payed'] });
    void kit.endpoints
      .find('a', 'e')
      .andThen(({ events }) => kit.endpoints.update('a', 'e', { events: [...events, 'payed'] }));
    const create = (input: EndpointInput<PairsOf<typeof booking>>) => kit.endpoints.create('a', input);
    expectTypeOf(create).parameter(0).toHaveProperty('events').toExtend<readonly string[]>();
  });

  test('in filters of lists', () => {
    void kit.deliveries.list('a', { objectName: 'Invoice', type: 'payed' });
    // @ts-expect-error an object of the specification
    void kit.deliveries.list('a', { objectName: 'RequestPayment' });
    // @ts-expect-error a type of the specification
    void kit.events.list('a', { type: 'check_in' });
  });

  test('a function over any kit takes its calls', () => {
    const types = ({ entries }: Pick<Catalogue, 'entries'>) => entries.map(({ type }) => type);
    expectTypeOf(types(kit.catalogue)).toEqualTypeOf<string[]>();
    const select = (any: Pick<Partnerkit<object, ObjectDefinition>, 'endpoints' | 'deliveries' | 'routes'>) =>
      any.endpoints.create('a', { url, events: ['confirmed'] });
    void select(kit);
    expectTypeOf(kit.catalogue.eventSelectors[0]).toEqualTypeOf<
      | ('confirmed' | 'cancelled' | 'creation' | 'payed')
      | ('Booking.confirmed' | 'Booking.cancelled' | 'Invoice.creation' | 'Invoice.payed')
      | undefined
    >();
  });
});

describe('one kit for both doors', () => {
  const [, deposits, paymentTemplates, depositTemplates] = requestObjects;
  const others = [deposits, paymentTemplates, depositTemplates] as const;

  test('has its own objects, and those of the specification for createRequests', () => {
    const both = createPartnerkit({ ...options, objects: [booking, ...requestObjects] });
    createRequests({ kit: both });
    void both.events.publish(confirmed, { tx: 'new' });
    void both.endpoints.create('a', { url, events: ['confirmed', 'check_in', 'RequestPayment.payed'] });
    // @ts-expect-error a payment request is never confirmed
    void both.endpoints.create('a', { url, events: ['RequestPayment.confirmed'] });
    const payment = defineObject('RequestPayment', { schema, events: { default: [], payed: ['status'] } });
    createRequests({ kit: createPartnerkit({ ...options, objects: [payment, ...others] }) });
  });

  test('a kit that lacks an object or an event type of the specification is none of createRequests', () => {
    // @ts-expect-error a kit without objects of the specification
    createRequests({ kit });
    // @ts-expect-error a kit without payment requests
    createRequests({ kit: createPartnerkit({ ...options, objects: others }) });
    const paid = defineObject('RequestPayment', { schema, events: { payed: ['status'] } });
    // @ts-expect-error a payment request that is never created
    createRequests({ kit: createPartnerkit({ ...options, objects: [paid, ...others] }) });
  });
});
