import { deepStrictEqual, strictEqual } from 'node:assert';
import { z } from 'zod';
import type { RequestsCases } from './case.ts';
import { payment, type RequestsClient } from './client.ts';
import { inTest, withTestEnvironment } from './made.ts';
import type { RequestsSettings } from './platform.ts';

/** A platform with extension fields. */
export const withExtension = (): RequestsSettings => ({
  ...withTestEnvironment(),
  extend: {
    payments: z.object({
      bookingId: z.string().max(8),
      guests: z.int().positive().optional(),
      room: z.object({ floor: z.int(), view: z.string().optional() }).optional(),
      labels: z.record(z.string(), z.string()).optional(),
      rate: z.enum(['flex', 'fixed']).default('flex'),
    }),
    deposits: z.object({ keys: z.int() }),
    cashOuts: z.object({ damage: z.string() }),
    paymentTemplates: z.object({ season: z.string() }),
  },
});

const input = { ...payment, bookingId: 'B-7' };

const pointersOf = async (
  { must }: RequestsClient,
  method: string,
  path: string,
  body: object,
): Promise<readonly string[]> => {
  const { json } = await must(400, method, path, { body });
  strictEqual(json.code, 'invalid_input');
  return json.errors.map(({ pointer }: { readonly pointer: string }) => pointer);
};

/** Cases of a platform with extension fields. */
export const extensionCases: RequestsCases = {
  'extension fields are accepted, returned, listed and sent like standard fields': async (client) => {
    const { must } = client;
    const fields = {
      bookingId: 'B-7',
      guests: 2,
      room: { floor: 3 },
      labels: { constructor: 'Eiffel' },
      rate: 'fixed',
    };
    const made = await must(201, 'POST', 'payment-requests', { body: { ...payment, ...fields } });
    const { id, organisationId: _own, status, createdAt, updatedAt, ...shown } = made.json;
    deepStrictEqual(shown, { ...payment, ...fields });
    deepStrictEqual([status, createdAt], ['pending', updatedAt]);
    strictEqual((await must(200, 'GET', `payment-requests/${id}`)).body, made.body);
    deepStrictEqual((await must(200, 'GET', 'payment-requests')).json.items, [made.json]);
    const cancelled = (await must(200, 'POST', `payment-requests/${id}/cancel`)).json;
    deepStrictEqual(
      (await client.sentOf('org_main')).map(({ data }) => data),
      [made.json, cancelled],
    );
    const least = (await must(201, 'POST', 'payment-requests', { body: input })).json;
    deepStrictEqual([least.guests, least.rate], [undefined, 'flex']);
  },
  'wrong extension fields are named by pointer, together with standard fields': async (client) => {
    const before = await client.stored();
    for (const [change, ...pointers] of [
      [{ bookingId: undefined }, '/bookingId'],
      [{ bookingId: null }, '/bookingId'],
      [{ bookingId: 5 }, '/bookingId'],
      [{ bookingId: 'too long a text' }, '/bookingId'],
      [{ guests: 0 }, '/guests'],
      [{ guests: 1.5 }, '/guests'],
      [{ guests: 1e300 }, '/guests'],
      [{ guests: null }, '/guests'],
      [{ room: {} }, '/room/floor'],
      [{ room: { floor: 'x', view: 5 } }, '/room/floor', '/room/view'],
      [{ room: [] }, '/room'],
      [{ labels: { 'a/b': 5 } }, '/labels/a~1b'],
      [{ labels: { k: 'a\u0000b' } }, '/labels/k'],
      [{ labels: { k: '\ud800' } }, '/labels/k'],
      [{ labels: { '\udc00': 'v' } }, '/labels/\udc00'],
      [{ bookingId: '\u0000', room: { floor: 1, view: '\ud800' } }, '/bookingId', '/room/view'],
      [{ rate: 'free' }, '/rate'],
      [{ keys: 2 }, '/keys'],
      [{ amount: -1, recipient: {}, guests: 'two', x: 1 }, '/amount', '/recipient/email', '/x', '/guests'],
    ] as const)
      deepStrictEqual(
        (await pointersOf(client, 'POST', 'payment-requests', { ...input, ...change })).toSorted(),
        pointers.toSorted(),
      );
    deepStrictEqual(await pointersOf(client, 'POST', 'payment-requests', { bookingId: 'B-7' }), [
      '/recipient',
      '/name',
      '/amount',
    ]);
    deepStrictEqual(await pointersOf(client, 'POST', 'payment-templates', { season: 'high' }), ['/name']);
    for (const labels of ['{"__proto__":"x"}', '{"\\u005f_proto__":"x"}']) {
      const body = `${JSON.stringify(input).slice(0, -1)},"labels":${labels}}`;
      strictEqual((await client.must(400, 'POST', 'payment-requests', { body })).json.code, 'bad_request');
    }
    strictEqual(await client.stored(), before);
  },
  'a change sets extension fields, null removes them, and a change without a difference is no command': async (
    client,
  ) => {
    const { must } = client;
    const { id } = (await must(201, 'POST', 'payment-requests', { body: { ...input, guests: 2, rate: 'fixed' } })).json;
    const path = `payment-requests/${id}`;
    const room = { floor: 3, view: 'sea' };
    const kept = { name: payment.name, rate: 'fixed' };
    let version = 1;
    for (const [body, shown, isChange = true] of [
      [{ guests: 3 }, { ...kept, guests: 3 }],
      [{ guests: 3 }, { ...kept, guests: 3 }, false],
      [{ room }, { ...kept, guests: 3, room }],
      [{ room: { view: 'sea', floor: 3 } }, { ...kept, guests: 3, room }, false],
      [{ room: { floor: 3 } }, { ...kept, guests: 3, room }, false],
      [{ room: { floor: 4 } }, { ...kept, guests: 3, room: { floor: 4, view: 'sea' } }],
      [{ room: { view: null } }, { ...kept, guests: 3, room: { floor: 4 } }],
      [{ labels: { a: '1', b: '2' } }, { ...kept, guests: 3, room: { floor: 4 }, labels: { a: '1', b: '2' } }],
      [
        { labels: { a: null }, guests: null },
        { ...kept, room: { floor: 4 }, labels: { b: '2' } },
      ],
      [{ guests: null }, { ...kept, room: { floor: 4 }, labels: { b: '2' } }, false],
      [
        { name: 'Longer', room: null, labels: null },
        { ...kept, name: 'Longer' },
      ],
      // A field with a default gets its default again.
      [{ rate: null }, { name: 'Longer', rate: 'flex' }],
    ] as const) {
      if (isChange) version++;
      const { json, headers } = await must(200, 'PATCH', path, { body });
      const { name, rate, guests, room: itsRoom, labels } = json;
      const found = Object.entries({ name, rate, guests, room: itsRoom, labels }).filter(
        ([, value]) => value !== undefined,
      );
      deepStrictEqual([Object.fromEntries(found), headers['etag']], [shown, `"${version}"`], JSON.stringify(body));
    }
    const updates = Array.from({ length: version - 1 }, () => 'update');
    deepStrictEqual(await client.eventsOf('org_main', id), ['creation', ...updates]);
    const before = await client.stored();
    for (const [body, ...pointers] of [
      [{ bookingId: null }, '/bookingId'],
      [{ guests: 'two' }, '/guests'],
      [{ room: { floor: 3.5 } }, '/room/floor'],
      [{ labels: { k: 5 } }, '/labels/k'],
      [{ labels: { k: '\ud800' }, amount: -1 }, '/amount', '/labels/k'],
      [{ amount: -1, guests: 0, bookingId: null }, '/amount', '/guests', '/bookingId'],
      [{ keys: 2, guests: 4 }, '/keys'],
      [{ keys: 2 }, '/keys', ''],
    ] as const)
      deepStrictEqual(
        (await pointersOf(client, 'PATCH', path, body)).toSorted(),
        pointers.toSorted(),
        JSON.stringify(body),
      );
    strictEqual(await client.stored(), before);
  },
};

/** Cases of a platform with extension fields and a test environment. */
export const extendedSandboxCases: RequestsCases = {
  'a test event whose example lacks extension fields is refused, with or without an endpoint': async (client) => {
    const { endpoints, must } = client;
    const url = 'https://partner.example/1';
    const endpointId = (await endpoints.create('org_test', { url, events: ['payed'] }))._unsafeUnwrap().endpoint.id;
    const pair = { objectName: 'RequestPayment', type: 'payed' };
    for (const body of [pair, { ...pair, endpointId }]) {
      const { json } = await must(400, 'POST', 'webhooks/test', { ...inTest, body });
      deepStrictEqual([json.code, json.errors[0].pointer], ['invalid_event', '/objectName']);
    }
    const whole = { objectName: 'ModelRequestSecurityDeposit', type: 'deletion' };
    strictEqual((await must(202, 'POST', 'webhooks/test', { ...inTest, body: whole })).json.events.length, 1);
  },
};
