import { expect, test } from 'vitest';
import { z } from 'zod';
import { deprecated } from '../../../src/base/fields/deprecated.ts';
import type { Deprecation } from '../../../src/base/http/deprecation.ts';
import type { Partnerkit } from '../../../src/kit/partnerkit.ts';
import { defineObject, type ObjectDefinition } from '../../../src/webhooks/catalogue/define-object.ts';
import { specificationSignature } from '../../../src/webhooks/signature/specification-signature.ts';
import { standardWebhooks } from '../../../src/webhooks/signature/standard-signature.ts';
import { call, loginToken } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

// 1801353600 and 1816992000 in seconds.
const since = Date.UTC(2027, 0, 31);
const until = Date.UTC(2027, 6, 31);
const headers = { deprecation: '@1801353600', sunset: 'Sat, 31 Jul 2027 00:00:00 GMT' };
const said = 'Deprecated since 2027-01-31, until 2027-07-31.';

const path = '/organisations/:organisationId/notes';
const target = '/api/v1/partner/organisations/acc_a/notes';

/** A route of the host, as a client of `acc_a` asks it. */
const open = async (deprecation: Deprecation) => {
  const { kit } = platform();
  const query = z.strictObject({
    limit: z.string().regex(/^\d$/, 'a digit.').optional(),
    most: deprecated(z.string(), { since, instead: 'limit' }).optional(),
  });
  const route = kit.accountRoute(
    'GET',
    path,
    async () => ({ status: 200, headers: { link: '</x>; rel="up"' }, body: '' }),
    {
      right: 'none',
      operation: {
        ...{ operationId: 'listNotes', summary: 'Lists notes', description: 'Newest first.', tag: 'Notes' },
        ...{ query, answers: { 200: { description: 'Notes.' } }, deprecated: deprecation },
      },
    },
  );
  const routes = [...kit.routes, route];
  const token = await loginToken({ routes }, (await kit.clients.create('acc_a', { name: 'Key' }))._unsafeUnwrap());
  return {
    ask: (query = '', authorization = `Bearer ${token}`, method = 'GET') =>
      call({ routes }, method, `${target}${query}`, { headers: { authorization } }),
    document: kit.openApi({ title: 'Host', routes: [route], webhooks: false }),
  };
};

test('a deprecated operation says so in every answer, also in a refusal', async () => {
  const { ask } = await open({ since, until, instead: 'https://api.platform.example/v2/memos' });
  const successor = '<https://api.platform.example/v2/memos>; rel="successor-version"';
  const answered = await ask();
  expect(answered).toMatchObject({ status: 200, headers: { ...headers, link: `</x>; rel="up", ${successor}` } });
  expect(await ask('?limit=x')).toMatchObject({ status: 400, headers: { ...headers, link: successor } });
  expect(await ask('', 'Bearer x')).toMatchObject({ status: 401, headers: { ...headers, link: successor } });
});

test('another method of its path is not deprecated', async () => {
  const { ask } = await open({ since });
  const { status, headers: answered } = await ask('', undefined, 'POST');
  expect(status).toBe(405);
  expect(answered).not.toHaveProperty('deprecation');
});

test('a deprecation without an end has no Sunset, and a name in the place of a URL is no Link', async () => {
  const { headers: answered } = await (await open({ since, instead: 'listMemos' })).ask();
  expect(answered).toMatchObject({ deprecation: '@1801353600', link: '</x>; rel="up"' });
  expect(answered).not.toHaveProperty('sunset');
});

test('the document marks a deprecated operation and a deprecated parameter, with their ends', async () => {
  const { document } = await open({ since, until, instead: 'listMemos' });
  const operation = document.paths['/api/v1/partner/organisations/{organisationId}/notes']?.['get'];
  expect(operation).toMatchObject({ deprecated: true, description: `${said} Use listMemos.\n\nNewest first.` });
  const { parameters } = operation as { readonly parameters: readonly { readonly name: string }[] };
  expect(parameters.find(({ name }) => name === 'most')).toMatchObject({
    ...{ in: 'query', required: false, deprecated: true, schema: { type: 'string' } },
    description: 'Deprecated since 2027-01-31. Use limit.',
  });
  expect(parameters.find(({ name }) => name === 'limit')).not.toHaveProperty('deprecated');
});

/** A kit with an object, as the document has its webhooks. */
const hooksOf = (definition: ObjectDefinition, webhooks = {}) => {
  const { kit } = platform({ objects: [definition] as never, webhooks });
  const { webhooks: hooks = {}, components } = kit.openApi({ title: 'Host', routes: [] });
  return {
    hooks: hooks as Readonly<Record<string, { readonly post: object }>>,
    components,
  };
};

const booking = defineObject('Booking', {
  schema: z.object({
    id: z.string(),
    email: deprecated(z.string().meta({ description: 'Of the guest.' }), { since, until, instead: 'guest.email' }),
    guest: z.object({ email: z.string() }),
  }),
  events: {
    confirmed: ['email', 'guest.email'],
    closed: { fields: [], description: 'It is over.', deprecated: { since, until, instead: 'Booking.ended' } },
    ended: [],
  },
});

test('the document marks a deprecated event type, field and signature', () => {
  const { hooks, components } = hooksOf(booking, {
    signatures: [standardWebhooks(), specificationSignature({ until })],
  });
  expect(hooks['Booking.closed']?.post).toMatchObject({
    ...{ deprecated: true, summary: 'It is over.' },
    description: expect.stringMatching(/^Deprecated since 2027-01-31, until 2027-07-31\. Use Booking\.ended\.\n\nPay/),
  });
  expect(hooks['Booking.ended']?.post).not.toHaveProperty('deprecated');
  const fields = JSON.stringify(components.schemas);
  expect(fields).toContain(
    JSON.stringify({
      ...{ type: 'string', description: `${said} Use guest.email.\n\nOf the guest.`, deprecated: true },
    }).slice(1, -1),
  );
  const { parameters } = (hooks['Booking.ended'] as (typeof hooks)[string]).post as {
    readonly parameters: readonly { readonly name: string; readonly deprecated?: boolean }[];
  };
  const ends = parameters.filter((each) => each.deprecated).map(({ name }) => name);
  expect(ends).toEqual(['X-WEBHOOK-SIGNATURE']);
});

test('a deprecated event is sent as before, also after its end', async () => {
  const { kit, clock, sender } = platform({ objects: [booking] as never });
  const own = kit as unknown as Partnerkit<object, typeof booking>;
  const made = await own.endpoints.create('acc_a', {
    url: 'https://partner.example/hooks',
    events: ['Booking.closed'],
  });
  made._unsafeUnwrap();
  await clock.advance(until + 1 - clock.now());
  const data = { id: 'b_1', email: 'a@b', guest: { email: 'a@b' } };
  await own.events.publish({ accountId: 'acc_a', objectName: 'Booking', type: 'closed', data }, { tx: 'new' });
  await own.worker().drain();
  expect(sender.posts.map(({ body }) => JSON.parse(body).type)).toEqual(['closed']);
});

test.each([
  [{ since: '2027-01-31' }, 'has a wrong since: milliseconds since 1970, a whole number.'],
  [
    { since: since / 1_000 },
    'has a wrong since: milliseconds since 1970; this is a time in seconds: multiply it by 1000.',
  ],
  [{ since, until: since }, 'must have an until after its since.'],
  [{ since, instead: ' ' }, 'must have a text for instead, such as the name of what replaces it.'],
  [true, 'must be an object, such as { since: Date.UTC(2027, 0, 31) }.'],
])('the deprecation %o is refused with what to do', (wrong, rule) => {
  const given = wrong as Deprecation;
  expect(() => deprecated(z.string(), given)).toThrow(new TypeError(`deprecated: the deprecation ${rule}`));
  const events = { closed: { fields: [], deprecated: given } };
  expect(() => defineObject('Booking', { schema: z.object({ id: z.string() }), events })).toThrow(
    new TypeError(`defineObject: Booking.closed: deprecated ${rule}`),
  );
  const operation = { operationId: 'x', summary: 'x', tag: 'x', answers: {}, deprecated: given };
  expect(() =>
    platform().kit.accountRoute('GET', path, async () => ({ status: 200, headers: {}, body: '' }), {
      right: 'none',
      operation,
    }),
  ).toThrow(rule);
});

test('an unknown name in a deprecation is refused by name', () => {
  expect(() => deprecated(z.string(), { since, sunset: until } as Deprecation)).toThrow(
    new TypeError("deprecated: the deprecation has a wrong name: there is no field 'sunset'; did you mean 'since'?"),
  );
});
