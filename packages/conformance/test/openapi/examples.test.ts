import { createPartnerkit, type OpenApiDocument } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { schemaCheck } from '../../src/http-suite/support/body-check.ts';
import { shownOperations } from '../../src/http-suite/support/examples.ts';
import { createWorld } from './support/world.ts';

const { document, send, key } = await createWorld();

type Data = Readonly<Record<string, unknown>>;

const kitWith = (extend: Parameters<typeof extendRequestObjects>[0] = {}) => {
  const kit = createPartnerkit({
    accounts: memoryAccounts([]),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    storage: memoryStorage(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    api: { webhooks: true },
    objects: extendRequestObjects(extend),
  });
  return { kit, requests: createRequests({ kit, extend, testEnvironments: ['test'] }) };
};

test('every operation with a body or an answer has an example, and that of an answer has only its fields', () => {
  const { kit, requests } = kitWith();
  const management = kit.managementRoutes({ authorize: () => undefined, requests });
  for (const written of [document, kit.openApi({ title: 'Management', routes: management })]) {
    const check = schemaCheck(written, true);
    const shown = shownOperations(written);
    expect(shown.filter(({ body }) => body !== undefined).length).toBeGreaterThan(70);
    for (const { operationId, answer, answerSchema } of shown)
      if (answer !== undefined) check(operationId, answerSchema, answer);
  }
});

test('every refusal has an example, but for codes of the host', () => {
  const responses: Readonly<Record<string, object>> = document.components.responses ?? {};
  const shown = Object.entries(responses)
    .map(([name, response]) => [name, JSON.stringify(response)] as const)
    .filter(([, text]) => /problem\+json|RFC 6749 §5\.2/.test(text));
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter(([, text]) => !text.includes('"example":')).map(([name]) => name)).toEqual(['CommandRefused']);
});

/** Names that say what a field is. */
const telling = (
  'access_token code command data deliveryId description detail email endpointId errors eventId events headers id ' +
  'issuer items kind name objectName objects pointer status title token_endpoint total type'
).split(' ');

test('every other field that a partner sends or reads says what it is', () => {
  const { kit, requests } = kitWith();
  const written = kit.openApi({ title: 'Partner API', routes: [...kit.routes, ...requests.routes] });
  const silent = new Set<string>();
  const says = (schema: Data): boolean =>
    'description' in schema ||
    '$ref' in schema ||
    ['anyOf', 'oneOf', 'allOf'].some((each) => ((schema[each] ?? []) as readonly Data[]).some(says));
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, Data>> };
    for (const [name, field] of Object.entries(properties))
      if (field['type'] !== undefined && !('const' in field) && !says(field)) silent.add(name);
    for (const each of Object.values(schema)) walk(each);
  };
  walk(written.components.schemas);
  expect([...silent].filter((name) => !telling.includes(name))).toEqual([]);
});

test('no schema keeps its example, and no example has a field that stands for nothing', () => {
  expect(JSON.stringify(document.components.schemas)).not.toMatch(/x-partnerkit|Lake Residence/);
  const examples = shownOperations(document).map(({ operationId, body, answer }) => [operationId, { body, answer }]);
  for (const [operationId, example] of examples)
    expect(JSON.stringify(example), String(operationId)).not.toMatch(/:"text"/);
});

test('no example of a webhook has a field that stands for nothing, and its status is one that its object has', () => {
  const webhooks = Object.entries(document.webhooks ?? {});
  expect(webhooks).toHaveLength(32);
  for (const [pair, { post }] of webhooks) {
    const { requestBody } = post as unknown as {
      readonly requestBody: {
        readonly content: Readonly<Record<string, { readonly example: { readonly data: Data } }>>;
      };
    };
    const { data } = requestBody.content['application/json']?.example ?? {};
    expect(JSON.stringify(data), pair).not.toMatch(/"text"[,\]}]|"https:\/\/example\.com\/"/);
    expect(data, pair).toMatchObject({ id: 'example_1', currency: 'EUR' });
    expect(['active', 'pending'], pair).toContain(data?.['status']);
  }
});

test('an id of which nothing is known looks like an id', () => {
  const { kit } = kitWith();
  const memo = z.object({ id: z.string(), text: z.string() });
  const route = kit.accountRoute('GET', '/organisations/:organisationId/memo', async () => ({ code: 'not_found' }), {
    right: 'none',
    operation: {
      ...{ operationId: 'getMemo', summary: 'Reads the memo', tag: 'Memos' },
      answers: { 200: { description: 'The memo.', schema: memo } },
    },
  });
  const [shown] = shownOperations(kit.openApi({ title: 'Memos', routes: [route] }));
  expect(shown?.answer).toEqual({ id: 'example_1', text: 'text' });
});

test('the example of the login is accepted with the id and the secret of a key in their places', async () => {
  const login = shownOperations(document).find(({ operationId }) => operationId === 'login');
  const credentials = { client_id: key.client.id, client_secret: key.secret };
  const body = { ...(login?.body as Readonly<Record<string, string>>), ...credentials };
  expect(Object.keys(body)).toEqual(['grant_type', 'client_id', 'client_secret', 'scope']);
  for (const [type, text] of [
    ['application/json', JSON.stringify(body)],
    ['application/x-www-form-urlencoded', new URLSearchParams(body).toString()],
  ] as const) {
    const headers = { authorization: '', 'content-type': type };
    const answer = await send({ method: 'POST', target: '/api/v1/partner/login', headers, body: text });
    expect(Object.keys(JSON.parse(answer.body))).toEqual(Object.keys(login?.answer as object));
  }
});

const exampleOf = ({ paths }: OpenApiDocument, path: string): unknown => {
  const { post } = paths[`/api/v1/partner/organisations/{organisationId}/${path}`] as unknown as {
    readonly post: {
      readonly requestBody: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
    };
  };
  return post.requestBody.content['application/json']?.example;
};

test('the fields of the host are in the examples, with the values that it names', () => {
  const payments = z.object({
    bookingId: z
      .string()
      .max(40)
      .meta({ examples: ['B-1042'] }),
    guests: z.int().min(1),
  });
  const { kit, requests } = kitWith({ payments });
  const written = kit.openApi({ title: 'Own', routes: requests.routes });
  const own = { bookingId: 'B-1042', guests: 1 };
  expect(exampleOf(written, 'payment-requests')).toMatchObject({ amount: 120.5, ...own });
  expect(exampleOf(written, 'payment-requests/batch')).toMatchObject({ items: [own] });
  const created = shownOperations(written).find(({ operationId }) => operationId === 'createPaymentRequest');
  expect(created?.answer).toMatchObject({ status: 'pending', ...own });
});

test('a schema of the host gives the example by its metadata; an example that breaks a rule is left out', () => {
  const { kit } = kitWith();
  const describe = (operationId: string, body: z.ZodType) =>
    kit.accountRoute(
      'POST',
      `/organisations/:organisationId/${operationId}` as '/organisations/:organisationId',
      async () => ({ code: 'not_found' }),
      {
        right: 'none',
        operation: { operationId, summary: 'Makes', tag: 'Notes', body, answers: { 204: { description: 'Made.' } } },
      },
    );
  const note = z.strictObject({ text: z.string(), colour: z.string().optional() });
  const tree: z.ZodType = z.object({ name: z.string(), parts: z.lazy(() => z.array(tree)) });
  const written = kit.openApi({
    title: 'Own',
    routes: [
      describe('notes', note.meta({ examples: [{ text: 'Late arrival', colour: 'red' }] })),
      describe('bare', note),
      describe(
        'wrong',
        note.refine(({ text }) => text === 'magic'),
      ),
      describe(
        'throwing',
        note.refine(() => {
          throw new Error('a rule of the host');
        }),
      ),
      describe('trees', tree),
    ],
  });
  expect(exampleOf(written, 'notes')).toEqual({ text: 'Late arrival', colour: 'red' });
  expect(exampleOf(written, 'bare')).toEqual({ text: 'text' });
  expect(exampleOf(written, 'wrong')).toBe(undefined);
  expect(exampleOf(written, 'throwing')).toBe(undefined);
  expect(exampleOf(written, 'trees')).toBe(undefined);
});
