import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { AccessTokens } from '../../../src/access/tokens/access-tokens.ts';
import { createPartnerkit } from '../../../src/kit/create-partnerkit.ts';
import { requestObjects } from '../../../src/requests/extensions/objects.ts';
import { createRequests } from '../../../src/requests/requests.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { type Catalogue, type CatalogueEntry, defineCatalogue } from '../../../src/webhooks/catalogue/catalogue.ts';
import { catalogue as specified } from '../../../src/webhooks/catalogue/default-catalogue.ts';
import type { EventSelector } from '../../../src/webhooks/catalogue/event-selector.ts';
import type { PairsOf } from '../../../src/webhooks/catalogue/pairs.ts';
import type { EventType, ObjectName, SpecifiedPairs } from '../../../src/webhooks/catalogue/specification.ts';
import type { Sender } from '../../../src/webhooks/deliveries/sender.ts';
import type { EndpointInput } from '../../../src/webhooks/endpoints/endpoints.ts';

declare const tokens: AccessTokens;
declare const sender: Sender;
const accounts = { find: async (id: string) => ({ id, name: 'n', status: 'active', environment: 'dev' }) };
const storage = memoryStorage();
const options = {
  accounts,
  storage,
  tokens,
  sender,
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
} as const;

const catalogue = defineCatalogue({
  Invoice: ['creation', 'payed'],
  Customer: { creation: { description: 'A customer was created.', version: 2 }, removal: {} },
});
interface Pairs {
  readonly Invoice: 'creation' | 'payed';
  readonly Customer: 'creation' | 'removal';
}
const schema = z.object({ id: z.string(), total: z.number() });
const shape = { schema, groups: { all: ['total'] }, events: { default: ['all'] } } as const;
const invoice = catalogue.defineObject('Invoice', {
  schema,
  groups: { all: ['total'] },
  events: { default: [], payed: ['all'] },
});
const kit = createPartnerkit({ ...options, catalogue, objects: [invoice] });
const payed = { accountId: 'a', objectName: 'Invoice', type: 'payed', data: { id: 'i', total: 1 } } as const;
const url = 'https://partner.example/hooks';

describe('defineCatalogue', () => {
  test('knows its names and pairs', () => {
    expectTypeOf<
      PairsOf<{ readonly A: readonly ['x', 'y']; readonly B: { readonly z: { readonly version: 2 } } }>
    >().toEqualTypeOf<{ readonly A: 'x' | 'y'; readonly B: 'z' }>();
    expectTypeOf(catalogue.objectNames).toEqualTypeOf<readonly (keyof Pairs)[]>();
    expectTypeOf(catalogue.eventTypes).toEqualTypeOf<readonly ('creation' | 'payed' | 'removal')[]>();
    expectTypeOf(catalogue.typesOf('Invoice')).toEqualTypeOf<readonly ('creation' | 'payed')[]>();
    expectTypeOf(catalogue.eventSelectors[0]).toEqualTypeOf<
      | ('creation' | 'payed' | 'removal')
      | ('Invoice.creation' | 'Invoice.payed' | 'Customer.creation' | 'Customer.removal')
      | undefined
    >();
    // @ts-expect-error no such object
    catalogue.typesOf('RequestPayment');
  });

  test('types are names, or described', () => {
    // @ts-expect-error a version is a number
    defineCatalogue({ Invoice: { payed: { version: '2' } } });
    // @ts-expect-error no such field
    defineCatalogue({ Invoice: { payed: { text: 'An invoice was paid.' } } });
    // @ts-expect-error a list, or an object
    defineCatalogue({ Invoice: 'payed' });
  });

  test('its entries can be read without its pairs', () => {
    const list = ({ entries }: Pick<Catalogue, 'entries'>): readonly CatalogueEntry[] => entries;
    expectTypeOf(list(catalogue)[0]).toEqualTypeOf<CatalogueEntry | undefined>();
    expectTypeOf(list(specified)[0]).toEqualTypeOf<CatalogueEntry | undefined>();
  });
});

describe('the catalogue of the specification', () => {
  test('is the default of each type', () => {
    expectTypeOf(specified).toEqualTypeOf<Catalogue<SpecifiedPairs>>();
    expectTypeOf(specified.objectNames).toEqualTypeOf<readonly ObjectName[]>();
    expectTypeOf(specified.eventTypes).toEqualTypeOf<readonly EventType[]>();
    expectTypeOf(specified.eventSelectors).toEqualTypeOf<readonly EventSelector[]>();
    expectTypeOf<EndpointInput['events']>().toEqualTypeOf<readonly EventSelector[]>();
    const usual = createPartnerkit({ ...options, objects: requestObjects });
    expectTypeOf(usual.catalogue).toEqualTypeOf<Catalogue<SpecifiedPairs>>();
    createRequests({ kit: usual });
  });
});

describe('a pair outside the catalogue does not compile', () => {
  test('in a definition', () => {
    catalogue.defineObject('Invoice', {
      ...shape,
      // @ts-expect-error an invoice is never removed
      events: { default: ['all'], removal: ['all'] },
    });
    // @ts-expect-error an object of the specification
    catalogue.defineObject('RequestPayment', shape);
  });

  test('in publish, publishMany and sendTest', () => {
    void kit.events.publish(payed, { tx: 'new' });
    void kit.events.publishMany([payed, { ...payed, type: 'creation' }], { tx: 'new' });
    void kit.events.sendTest('a', 'e', { objectName: 'Invoice', type: 'payed', data: { total: 1 } });
    // @ts-expect-error a type of another object
    void kit.events.publish({ ...payed, type: 'removal' }, { tx: 'new' });
    // @ts-expect-error a type of the specification
    void kit.events.publish({ ...payed, type: 'cancel' }, { tx: 'new' });
    // @ts-expect-error an object of the specification
    void kit.events.publish({ ...payed, objectName: 'RequestPayment' }, { tx: 'new' });
    // @ts-expect-error an object that the kit was not given
    void kit.events.publish({ ...payed, objectName: 'Customer', type: 'creation' }, { tx: 'new' });
    // @ts-expect-error a type of another object
    void kit.events.publishMany([{ ...payed, type: 'removal' }], { tx: 'new' });
    // @ts-expect-error a type of another object
    void kit.events.sendTest('a', 'e', { objectName: 'Invoice', type: 'removal', data: { total: 1 } });
  });

  test('in selectors of endpoints', () => {
    void kit.endpoints.create('a', { url, events: ['payed', 'Invoice.creation', 'Customer.removal'] });
    void kit.endpoints.update('a', 'e', { events: ['removal'] });
    // @ts-expect-error no such pair
    void kit.endpoints.create('a', { url, events: ['Invoice.removal'] });
    // @ts-expect-error a type of the specification
    void kit.endpoints.create('a', { url, events: ['cancel'] });
    // @ts-expect-error a pair of the specification
    void kit.endpoints.update('a', 'e', { events: ['RequestPayment.payed'] });
    void kit.endpoints
      .find('a', 'e')
      .andThen(({ events }) => kit.endpoints.update('a', 'e', { events: [...events, 'payed'] }));
  });

  test('in filters of lists', () => {
    void kit.deliveries.list('a', { objectName: 'Invoice', type: 'payed' });
    // @ts-expect-error an object of the specification
    void kit.deliveries.list('a', { objectName: 'RequestPayment' });
    // @ts-expect-error a type of the specification
    void kit.events.list('a', { type: 'cancel' });
    const usual = createPartnerkit({ ...options, objects: requestObjects });
    void usual.events.list('a', { type: 'cancel' });
    // @ts-expect-error a type of another catalogue
    void usual.events.list('a', { type: 'removal' });
  });
});

describe('a kit and its definitions have one catalogue', () => {
  test('another object, or another type, does not compile', () => {
    // @ts-expect-error not of the specification
    createPartnerkit({ ...options, objects: [invoice] });
    // @ts-expect-error not of this catalogue
    createPartnerkit({ ...options, catalogue, objects: requestObjects });
    const other = defineCatalogue({ Invoice: ['creation', 'cancel'] });
    // @ts-expect-error its invoices can be cancelled
    createPartnerkit({ ...options, catalogue, objects: [other.defineObject('Invoice', shape)] });
  });

  test('createRequests needs a kit of the specification', () => {
    // @ts-expect-error a kit of another catalogue
    createRequests({ kit });
  });
});
