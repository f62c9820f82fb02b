import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, loginToken, type request } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

type Kit = ReturnType<typeof platform>['kit'];
type Route = Kit['routes'][number];

/** Sends requests to a route of the host, as a client of `acc_a`. */
const open = async (make: (kit: Kit) => Route) => {
  const { kit } = platform();
  const route = make(kit);
  const routes = [...kit.routes, route];
  const added = (await kit.clients.create('acc_a', { name: 'Key' }))._unsafeUnwrap();
  const token = await loginToken({ routes }, added);
  return {
    document: kit.openApi({ title: 'Host', routes: [route], webhooks: false }),
    ask: async (method: string, query = '', { headers, body }: Parameters<typeof request>[2] = {}) => {
      const answer = await call({ routes }, method, `/api/v1/partner/organisations/acc_a/notes${query}`, {
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body === undefined ? {} : { body }),
      });
      const json = answer.body === '' ? undefined : JSON.parse(answer.body);
      return { ...answer, json, seen: [answer.status, json?.code] };
    },
  };
};

const path = '/organisations/:organisationId/notes';
const json = { 'content-type': 'application/json' };
const words = { operationId: 'notes', summary: 'Notes', tag: 'notes' };
const done = { 200: { description: 'Done.' } };
const shows = (value: unknown, headers = {}) => ({ status: 200, headers, body: JSON.stringify(value) });
/** The codes in the responses of operations, whose descriptions list them. */
const codesOf = ({ paths }: ReturnType<Kit['openApi']>): readonly string[] => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as readonly {
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
  }[];
  const texts = operations
    .flatMap(({ responses }) => Object.entries(responses))
    .flatMap(([status, { description }]) => (/^[45]\d\d$/.test(status) ? [description] : []));
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code))),
  ].toSorted();
};

const ofEveryRoute = [
  ...['account_not_active', 'bad_request', 'insufficient_scope', 'internal', 'invalid_request', 'invalid_token'],
  ...['missing_token', 'not_found', 'unavailable'],
];

test('a query is read by its schema, and the handler gets what it says', async () => {
  const { ask, document } = await open((kit) =>
    kit.accountRoute('GET', path, async (_caller, _request, _params, { query }) => shows(query.most + 1), {
      right: 'none',
      operation: {
        ...words,
        query: z.strictObject({ most: z.string().regex(/^\d$/, 'a digit.').transform(Number) }),
        answers: done,
      },
    }),
  );
  expect((await ask('GET', '?most=2')).json).toBe(3);
  const refused = await ask('GET', '?most=x&least=1');
  expect(refused.seen).toEqual([400, 'invalid_query']);
  expect(refused.json.errors).toEqual([
    { parameter: 'most', detail: 'a digit.' },
    { parameter: 'least', detail: 'no such parameter.' },
  ]);
  expect(codesOf(document)).toEqual([...ofEveryRoute, 'invalid_query'].toSorted());
});

test('a body is read by its schema, with its text', async () => {
  const { ask, document } = await open((kit) =>
    kit.accountRoute(
      'POST',
      path,
      async (_caller, _request, _params, { body, bodyText }) => shows([body.text, bodyText]),
      {
        right: 'none',
        operation: { ...words, body: z.strictObject({ text: z.string('a text.') }), answers: done },
      },
    ),
  );
  const body = '{ "text": "a" }';
  expect((await ask('POST', '', { headers: json, body })).json).toEqual(['a', body]);
  const refused = await ask('POST', '', { headers: json, body: '{"text":1,"more":2}' });
  expect(refused.seen).toEqual([400, 'invalid_input']);
  expect(refused.json.errors.map(({ pointer }: { readonly pointer: string }) => pointer)).toEqual(['/text', '/more']);
  expect((await ask('POST', '', { headers: json, body: '{' })).seen).toEqual([400, 'bad_request']);
  expect((await ask('POST', '', { body })).seen).toEqual([415, 'unsupported_media_type']);
  expect(codesOf(document)).toEqual(
    [...ofEveryRoute, 'invalid_input', 'too_large', 'unsupported_media_type'].toSorted(),
  );
});

test('a body that the handler reads itself arrives as it was sent; one of another type is not read', async () => {
  const given: unknown[] = [];
  const of = (extra: object) => (kit: Kit) =>
    kit.accountRoute(
      'PUT',
      path,
      async (_caller, { body: raw }, _params, { body }) => {
        given.push(body, raw);
        return shows(null);
      },
      { right: 'none', operation: { ...words, body: z.strictObject({}), answers: done, ...extra } },
    );
  const itself = await open(of({ readsBodyItself: true }));
  expect((await itself.ask('PUT', '', { headers: json, body: '{"a":1}' })).status).toBe(200);
  expect((await itself.ask('PUT', '', { headers: json, body: '{' })).seen).toEqual([400, 'bad_request']);
  const image = await open(of({ bodyTypes: ['image/png'] }));
  expect((await image.ask('PUT', '', { headers: { 'content-type': 'image/png' }, body: 'png' })).status).toBe(200);
  expect(given).toEqual([{ a: 1 }, expect.any(Uint8Array), undefined, expect.any(Uint8Array)]);
  expect(codesOf(image.document)).toEqual([...ofEveryRoute, 'too_large'].toSorted());
});

test('the handler of a change gets the versions; a malformed header counts where it would have succeeded', async () => {
  const { ask, document } = await open((kit) =>
    kit.accountRoute(
      'DELETE',
      path,
      async (_caller, { target }, _params, { ifVersion }) => {
        if (target.endsWith('?locked')) return refusal(423, 'locked');
        if (ifVersion && !('not' in ifVersion) && !ifVersion.includes(7)) return refusal(412, 'version_mismatch');
        return shows(ifVersion ?? 'any');
      },
      {
        right: 'none',
        operation: { ...words, conditional: true, answers: done, refuses: [{ code: 'locked', status: 423 }] },
      },
    ),
  );
  const when = (match: string) => ({ headers: { 'if-match': match } });
  expect((await ask('DELETE')).json).toBe('any');
  expect((await ask('DELETE', '', when('"6", "7"'))).json).toEqual([6, 7]);
  expect((await ask('DELETE', '', when('"6"'))).seen).toEqual([412, 'version_mismatch']);
  expect((await ask('DELETE', '', when('7'))).seen).toEqual([400, 'bad_request']);
  expect((await ask('DELETE', '?locked', when('7'))).seen).toEqual([423, 'locked']);
  const unless = (match: string) => ({ headers: { 'if-none-match': match } });
  expect((await ask('DELETE', '', unless('"6"'))).json).toEqual({ not: [6] });
  expect((await ask('DELETE', '', unless('*'))).seen).toEqual([412, 'version_mismatch']);
  expect((await ask('DELETE', '', unless('6'))).seen).toEqual([400, 'bad_request']);
  expect(codesOf(document)).toEqual([...ofEveryRoute, 'locked', 'too_large', 'version_mismatch'].toSorted());
});
const refusal = (status: number, code: string) => ({
  code: 'refused' as const,
  status,
  problem: { code, detail: 'No.' },
});

test('a read honours both conditions by the etag of its answer', async () => {
  const of = (condition: object) => (kit: Kit) =>
    kit.accountRoute('GET', path, async () => shows(1, { etag: 'W/"a"' }), {
      right: 'none',
      operation: { ...words, ...condition, answers: done },
    });
  const { ask, document } = await open(of({ conditional: true }));
  for (const [match, status] of [
    ['W/"a"', 304],
    ['"b", "a"', 304],
    ['*', 304],
    ['"b"', 200],
  ] as const)
    expect([match, (await ask('GET', '', { headers: { 'if-none-match': match } })).status]).toEqual([match, status]);
  expect((await ask('GET', '', { headers: { 'if-match': '"b", W/"a"' } })).status).toBe(200);
  expect((await ask('GET', '', { headers: { 'if-match': '*' } })).status).toBe(200);
  expect((await ask('GET', '', { headers: { 'if-match': '"b"' } })).seen).toEqual([412, 'version_mismatch']);
  // If-Match comes first (RFC 9110 §13.2.2).
  expect((await ask('GET', '', { headers: { 'if-match': '"b"', 'if-none-match': '"a"' } })).status).toBe(412);
  expect(codesOf(document)).toEqual([...ofEveryRoute, 'version_mismatch'].toSorted());
  const without = await open(of({}));
  expect((await without.ask('GET', '', { headers: { 'if-none-match': '*' } })).status).toBe(200);
});

test('the handler gets the idempotency key; a malformed one is refused', async () => {
  const { ask, document } = await open((kit) =>
    kit.accountRoute(
      'POST',
      path,
      async (_caller, _request, _params, { idempotencyKey = 'none' }) => shows(idempotencyKey),
      {
        right: 'none',
        operation: { ...words, idempotent: true, answers: done },
      },
    ),
  );
  expect((await ask('POST')).json).toBe('none');
  expect((await ask('POST', '', { headers: { 'idempotency-key': 'k' } })).json).toBe('k');
  // The key of a structured string (RFC 9651 §3.3.3) is what it stands for.
  for (const [sent, key] of [
    ['"k";a=1', 'k'],
    ['"a b"', 'a b'],
    ['"\\"\\\\"', '"\\'],
    ['k"1', 'k"1'],
  ] as const)
    expect((await ask('POST', '', { headers: { 'idempotency-key': sent } })).json).toBe(key);
  expect((await ask('POST', '', { headers: { 'idempotency-key': 'a b' } })).seen).toEqual([400, 'bad_request']);
  expect(codesOf(document)).toEqual([...ofEveryRoute, 'idempotency_conflict', 'too_large'].toSorted());
});

test('without an operation the handler reads everything itself, and the document has nothing', async () => {
  const { ask, document } = await open((kit) =>
    kit.accountRoute('POST', path, async (_caller, _request, _params, input) => shows(Object.values(input)), {
      right: 'none',
    }),
  );
  expect((await ask('POST', '?any=1', { body: 'x', headers: { 'if-match': 'x' } })).json).toEqual([
    null,
    null,
    '',
    null,
    null,
  ]);
  expect(document.paths).toEqual({});
});

test('the document lists 429 for calls and logins that have a limit', () => {
  const listed = (limits: object) => {
    const { kit } = platform({ limits });
    const { paths } = kit.openApi({ title: 'Limits', webhooks: false });
    return Object.entries(paths).map(([place, methods]) => [
      place.split('/').at(-1),
      ...Object.values(methods).map((operation) =>
        Object.keys((operation as { readonly responses: object }).responses).includes('429'),
      ),
    ]);
  };
  const rule = { points: 5, window: 1_000 };
  expect(listed({})).toEqual([
    ['login', true],
    ['revoke', true],
    ['me', false],
    ['children', false],
  ]);
  expect(listed({ callsPerClient: rule })).toContainEqual(['me', true]);
});

test.each([
  ['an unknown code', { refuses: ['no_such_code'] }, 'refuses[0]'],
  ['a status that is no refusal', { refuses: [{ code: 'x', status: 500 }] }, 'refuses[0]'],
  ['an unknown word', { responses: {} }, 'responses'],
] as const)('an operation with %s is refused when the route is made', (_what, wrong, place) => {
  const { kit } = platform();
  const operation = { ...words, answers: done, ...wrong } as never;
  expect(() => kit.accountRoute('GET', path, async () => shows(1), { right: 'none', operation })).toThrow(place);
});
