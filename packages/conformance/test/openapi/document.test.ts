import { type Code, createPartnerkit, defineObject, type OpenApiDocument, type OpenApiOptions } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
import { signBody, signingKey } from '@partnerkit/core/wire';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { webhookCheck } from '../../src/http-suite/index.ts';

const info = {
  title: 'Partner API',
  info: { license: { name: 'Proprietary', url: 'https://platform.example/terms' } },
  servers: [{ url: 'https://api.platform.example' }],
} as const satisfies OpenApiOptions;

const options = () => ({
  accounts: memoryAccounts([]),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] as const },
  oauth: { metadata: { issuer: 'https://api.platform.example' } },
});

/** A platform with every route that this library has, and a field of its own. */
const everything = () => {
  const storage = memoryStorage();
  const extend = { payments: z.object({ bookingId: z.string().max(40).describe('The booking.') }) };
  const kit = createPartnerkit({ ...options(), storage, objects: extendRequestObjects(extend) });
  const requests = createRequests({ kit, extend, testEnvironments: ['test'] });
  const management = kit.managementRoutes({ authorize: () => undefined });
  return { kit, requests, routes: [...kit.routes, ...requests.routes, ...management] };
};

const invoice = defineObject('Invoice', {
  schema: z.object({
    id: z.string(),
    total: z.number(),
    payer: z.object({ email: z.email(), iban: z.string() }),
    lines: z.array(z.object({ text: z.string(), price: z.number() })),
  }),
  groups: { summary: ['total', 'lines.price'], payer: ['payer.email'] },
  events: {
    creation: ['summary'],
    payed: { groups: ['summary', 'payer'], description: 'The invoice was paid.', version: 2 },
  },
});
const ownKit = () => createPartnerkit({ ...options(), storage: memoryStorage(), objects: [invoice] });

const lint = async (document: OpenApiDocument): Promise<readonly string[]> => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
};

test('the document of every route and webhook has no problem by the strict rules of Redocly', async () => {
  const { kit, routes } = everything();
  expect(await lint(kit.openApi({ ...info, routes }))).toEqual([]);
  expect(await lint(ownKit().openApi(info))).toEqual([]);
});

test('the document describes every method of every route but those that answer unknown paths', () => {
  const { kit, routes } = everything();
  const { paths } = kit.openApi({ ...info, routes });
  const served = routes.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(described.toSorted()).toEqual(served.toSorted());
});

test('the fields of the host appear in what is read, shown and sent', () => {
  const { kit, routes } = everything();
  const { paths, components } = kit.openApi({ ...info, routes });
  const field = { description: 'The booking.', type: 'string', maxLength: 40 };
  for (const name of ['PaymentRequest', 'RequestPaymentData'])
    expect(components.schemas[name]).toMatchObject({ properties: { bookingId: field } });
  expect(components.schemas['PaymentRequestInput']).toMatchObject({ properties: { bookingId: field } });
  const path = '/api/v1/partner/organisations/{organisationId}/payment-requests';
  const schema = { $ref: '#/components/schemas/PaymentRequestInput' };
  expect(paths[path]?.['post']).toMatchObject({ requestBody: { content: { 'application/json': { schema } } } });
});

test('there is a webhook for each pair of the objects, with the fields that its type sends', () => {
  const { webhooks = {}, components } = ownKit().openApi(info);
  expect(Object.keys(webhooks)).toEqual(['Invoice.creation', 'Invoice.payed']);
  const { InvoiceData: created, Invoice_payedData: paid } = components.schemas;
  expect(Object.keys((created as { readonly properties: object }).properties)).toEqual(['id', 'total', 'lines']);
  expect(paid).toMatchObject({
    properties: { payer: { properties: { email: { format: 'email' } }, required: ['email'] } },
    required: ['id', 'total', 'payer', 'lines'],
  });
  expect(JSON.stringify([created, paid])).not.toMatch(/iban|text/);
  expect(webhooks['Invoice.payed']?.['post']).toMatchObject({ summary: 'The invoice was paid.' });
});

test('the signature of each example is right for the secret that the document names', () => {
  const { kit } = everything();
  const { webhooks = {} } = kit.openApi(info);
  expect(Object.keys(webhooks)).toHaveLength(32);
  for (const [name, { post }] of Object.entries(webhooks)) {
    const { parameters, requestBody } = post as {
      readonly parameters: readonly {
        readonly description: string;
        readonly schema: { readonly examples: string[] };
      }[];
      readonly requestBody: { readonly content: Readonly<Record<string, { readonly example: object }>> };
    };
    const [signature] = parameters;
    const secret = /`(whsec_[^`]+)`/.exec(signature?.description ?? '')?.[1] ?? '';
    const body = JSON.stringify(requestBody.content['application/json']?.example);
    expect(signature?.schema.examples, name).toEqual([signBody(signingKey(secret), body)]);
  }
});

test('what a receiver gets is valid by the JSON Schema of its pair, which stands alone', async () => {
  const sender = memorySender();
  const kit = createPartnerkit({
    ...options(),
    accounts: memoryAccounts([{ id: 'acc_a', name: 'Own', status: 'active', environment: 'prod' }]),
    sender,
    storage: memoryStorage(),
    objects: [invoice],
  });
  const url = 'https://partner.example/hooks';
  expect((await kit.endpoints.create('acc_a', { url, events: ['creation', 'payed'] })).isOk()).toBe(true);
  const payer = { email: 'guest@example.com', iban: 'FR7630006000011234567890189' };
  const data = { id: 'in_1', total: 120.5, payer, lines: [{ text: 'Rent', price: 120.5 }] };
  for (const type of ['creation', 'payed'] as const)
    await kit.events.publish({ accountId: 'acc_a', objectName: 'Invoice', type, data }, { tx: 'new' });
  await kit.worker().drain();
  const schemas = kit.payloadSchemas();
  expect(Object.keys(schemas)).toEqual(['Invoice.creation', 'Invoice.payed']);
  const bodies = sender.posts.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ type }) => type)).toEqual(['creation', 'payed']);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
  for (const body of bodies) {
    const validate = ajv.compile(schemas[`Invoice.${body.type}`] ?? false);
    expect(validate(body), ajv.errorsText(validate.errors)).toBe(true);
    expect(validate({ ...body, data: { ...body.data, total: '120.5' } })).toBe(false);
  }
});

test('schemas with a name are in the JSON Schema of each pair that sends them', () => {
  const currency = z.enum(['EUR', 'USD']).meta({ id: 'Currency' });
  const definition = defineObject('Invoice', {
    schema: z.object({ id: z.string(), currency, lines: z.array(z.object({ currency })) }),
    events: { creation: ['lines.currency'], payed: ['currency', 'lines.currency'] },
  });
  const kit = createPartnerkit({ ...options(), storage: memoryStorage(), objects: [definition] });
  const schemas = kit.payloadSchemas();
  const [data, wrong] = [
    { id: 'in_1', lines: [{ currency: 'EUR' }] },
    { id: 'in_1', lines: [{ currency: 'euro' }] },
  ];
  for (const [type, whole] of [
    ['creation', {}],
    ['payed', { currency: 'USD' }],
  ] as const) {
    const validate = new Ajv2020().compile(schemas[`Invoice.${type}`] ?? false);
    const event = { timestamp: 1_798_761_600, objectName: 'Invoice', type };
    expect([type, validate({ ...event, data: { ...data, ...whole } })]).toEqual([type, true]);
    expect([type, validate({ ...event, data: { ...wrong, ...whole } })]).toEqual([type, false]);
  }
});

test('a filter with several values is written with commas', () => {
  const { kit, routes } = everything();
  const { paths } = kit.openApi({ ...info, routes });
  const { get } = paths['/api/v1/partner/organisations/{organisationId}/payment-requests'] as {
    readonly get: { readonly parameters: readonly { readonly name: string }[] };
  };
  expect(get.parameters.find(({ name }) => name === 'status')).toEqual({
    name: 'status',
    in: 'query',
    required: false,
    style: 'form',
    explode: false,
    description: 'In one of these states; several have commas between them.',
    schema: {
      type: 'array',
      items: { type: 'string', enum: ['pending', 'payed', 'refunded', 'cancelled'] },
      minItems: 1,
    },
  });
});

test('a webhook that failed is sent again 9 times over about 3 days, and the document says so', () => {
  const { webhooks = {}, components } = ownKit().openApi(info);
  expect(webhooks['Invoice.payed']?.['post']).toMatchObject({
    responses: { '5XX': { $ref: '#/components/responses/WebhookFailed' } },
  });
  expect(components.responses['WebhookFailed']).toMatchObject({
    description: expect.stringMatching(/ sent again, up to 9 times over about 3 days\.$/),
  });
});

test('a webhook that is not in the document is refused', () => {
  const check = webhookCheck(ownKit().openApi(info));
  const data = { id: 'in_1', total: 120.5, payer: { email: 'guest@example.com' }, lines: [{ price: 120.5 }] };
  const example = { timestamp: 1_798_761_600, data, objectName: 'Invoice', type: 'payed' };
  const headers = { 'content-type': 'application/json', 'x-webhook-signature': '0'.repeat(40) };
  const sent =
    (event: object, given = headers) =>
    () =>
      check({ headers: given, body: JSON.stringify(event) });
  expect(sent(example)).not.toThrow();
  expect(sent({ ...example, type: 'refund' })).toThrow('Invoice.refund is not in the document');
  expect(sent({ ...example, data: { ...data, iban: 'FR76' } })).toThrow('unevaluated');
  expect(sent({ ...example, sentBy: 'us' })).toThrow('unevaluated');
  expect(sent(example, { ...headers, 'x-webhook-signature': '' })).toThrow('X-WEBHOOK-SIGNATURE is missing');
});

test('the document is served to anyone', async () => {
  const kit = ownKit();
  const route = kit.openApiRoute(info);
  expect(route.path).toBe('/api/v1/partner/openapi.json');
  const request = { method: 'GET', target: route.path, headers: {}, body: new Uint8Array() };
  const { status, headers, body } = await route.handle(request);
  expect([status, headers['content-type']]).toEqual([200, 'application/json']);
  expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(kit.openApi(info))));
});

test('two operations with one id, and two schemas with one name, are refused', () => {
  const kit = ownKit();
  const describe = (operationId: string, schema: z.ZodType) =>
    kit.accountRoute('GET', `/organisations/:organisationId/${operationId}`, async () => ({ code: 'not_found' }), {
      right: 'none',
      operation: { operationId, summary: 'Notes', tag: 'notes', answers: { 200: { description: 'Notes.', schema } } },
    });
  const again = [describe('getAccount', z.object({}))];
  expect(() => kit.openApi({ ...info, routes: [...kit.routes, ...again] })).toThrow(
    'openApi: two operations have the id "getAccount".',
  );
  const problem = describe('problems', z.object({ problem: z.object({ c: z.string() }).meta({ id: 'Problem' }) }));
  expect(() => kit.openApi({ ...info, routes: [problem] })).toThrow('openApi: two schemas are named "Problem"');
});

test('what several operations have is written once; what differs stays where it is', () => {
  const { kit, routes } = everything();
  const { paths, components } = kit.openApi({ ...info, routes });
  const of = '/api/v1/partner/organisations/{organisationId}/payment-requests';
  expect(Object.keys(components.parameters)).toEqual(
    expect.arrayContaining(['Idempotency-Key', 'If-Match', 'If-None-Match', 'id', 'organisationId']),
  );
  expect(paths[`${of}/{id}`]).toMatchObject({
    get: {
      parameters: [
        { $ref: '#/components/parameters/organisationId' },
        { $ref: '#/components/parameters/id' },
        { $ref: '#/components/parameters/If-Match' },
        { $ref: '#/components/parameters/If-None-Match' },
      ],
      responses: { 200: { $ref: '#/components/responses/PaymentRequestOk' } },
    },
  });
  expect(components.responses['PaymentRequestOk']).toMatchObject({
    description: 'The payment request.',
    headers: { ETag: { required: true } },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequest' } } },
  });
  // Each kind has its own statuses.
  expect(paths[of]?.['get']).toMatchObject({
    parameters: expect.arrayContaining([expect.objectContaining({ name: 'status', in: 'query' })]),
  });
});

/** A part of an operation. */
interface WithBody {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
  };
}

/** The names of all components. */
const namesOf = ({ components: { schemas, responses, parameters } }: OpenApiDocument): readonly string[] =>
  [schemas, responses, parameters].flatMap((part) => Object.keys(part)).toSorted();

test('each JSON body of a request has a name, and each name is a noun', () => {
  const { kit, routes } = everything();
  const document = kit.openApi({ ...info, routes });
  const unnamed = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations) as readonly WithBody[])
    .flatMap(({ operationId, requestBody }) => {
      const schema = requestBody?.content['application/json']?.schema;
      return schema && !schema.$ref ? [operationId] : [];
    });
  expect(unnamed).toEqual([]);
  const schemas = Object.keys(document.components.schemas);
  expect(schemas).toEqual(
    expect.arrayContaining([
      ...['PaymentRequestInput', 'PaymentRequestChange', 'SecurityDepositInput', 'CashOutInput', 'CancelCashOutInput'],
      ...['Recipient', 'Reason', 'TransactionInput', 'EvidenceInput', 'ApiKeyInput', 'EndpointChange', 'TokenRequest'],
    ]),
  );
  const { responses } = document.components;
  expect(Object.keys(responses)).toEqual(
    expect.arrayContaining(['Conflict', 'NotFound', 'CommandConflict', 'LoginUnauthorized', 'PaymentRequestOk']),
  );
  for (const name of [...schemas, ...Object.keys(responses)]) expect(name).toMatch(/^[A-Z][A-Za-z_]{1,49}$/);
  for (const operations of Object.values(document.paths))
    expect((operations['delete'] as WithBody | undefined)?.requestBody).toBe(undefined);
});

test('a new error code and a new optional field rename nothing', () => {
  const { kit } = everything();
  const documentOf = (refuses: readonly Code[], shape: z.ZodRawShape) => {
    const note = kit.accountRoute('POST', '/organisations/:organisationId/notes', async () => ({ code: 'not_found' }), {
      right: 'none',
      operation: {
        ...{ operationId: 'createNote', summary: 'Make a note', tag: 'Notes', refuses },
        body: z.strictObject({ text: z.string(), ...shape }),
        answers: { 204: { description: 'Made.' } },
      },
    });
    return kit.openApi({ ...info, routes: [...kit.routes, note] });
  };
  const before = documentOf(['held'], {});
  const after = documentOf(['held', 'already_done'], { colour: z.string().optional() });
  expect(namesOf(after)).toEqual(namesOf(before));
  expect(namesOf(before)).toEqual(expect.arrayContaining(['NoteInput', 'Conflict']));
  // The codes of an operation are where it is; those of the response are of all operations.
  expect(after.paths['/api/v1/partner/organisations/{organisationId}/notes']?.['post']).toMatchObject({
    responses: {
      409: {
        $ref: '#/components/responses/Conflict',
        description: 'The state of the object, or a rule, refuses this. `already_done`, `held`.',
      },
    },
  });
});

test('the answer of a login has its scope, and a login may name some rights of the platform', async () => {
  const documentOf = (oauth: object) => {
    const kit = createPartnerkit({
      ...options(),
      ...{ storage: memoryStorage(), objects: [invoice], oauth, api: { rights: ['bookings'] } },
    });
    const { schemas } = kit.openApi(info).components;
    return { answer: schemas['AccessToken'], sent: new RegExp(String(scopeOf(schemas['TokenRequest']).pattern), 'u') };
  };
  const scopeOf = (schema: unknown) =>
    (schema as { readonly properties: { readonly scope: { readonly pattern: string } } }).properties.scope;
  const { answer, sent } = documentOf({});
  expect(answer).toMatchObject({
    properties: { scope: { type: 'string' } },
    required: ['access_token', 'token_type', 'expires_in'],
  });
  for (const scope of ['USER', 'requests:read', 'bookings:write events:read']) expect(scope).toMatch(sent);
  for (const scope of ['USER USER', 'USER events:read', 'visits:read', 'requests', 'requests:read ', ''])
    expect(scope).not.toMatch(sent);
  const { sent: withOld } = documentOf({ acceptedScopes: ['partner', 'a.b'] });
  for (const scope of ['USER', 'partner', 'partner a.b', 'requests:read']) expect(scope).toMatch(withOld);
  for (const scope of ['a-b', 'partner requests:read']) expect(scope).not.toMatch(withOld);
});

test('an operation that hooks may refuse has no range of statuses, but a default', () => {
  const { kit, routes } = everything();
  const { paths, components } = kit.openApi({ ...info, routes });
  const statuses = Object.values(paths)
    .flatMap((methods) => Object.values(methods) as readonly { readonly responses: object }[])
    .flatMap(({ responses }) => Object.keys(responses));
  expect([...new Set(statuses)].filter((status) => !/^[1-5]\d\d$/.test(status))).toEqual(['default']);
  expect(components.responses['CommandRefused']).toMatchObject({
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
});

test('each JSON answer has a name', () => {
  const { kit, routes } = everything();
  const { paths, components } = kit.openApi({ ...info, routes });
  const responses = Object.values(paths)
    .flatMap((methods) => Object.values(methods) as readonly { readonly responses: object }[])
    .flatMap((operation) => Object.entries(operation.responses))
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => components.responses[response.$ref?.split('/').at(-1)] ?? response);
  const unnamed = responses
    .flatMap(({ content = {} }) => Object.values(content) as readonly { readonly schema: object }[])
    .filter(({ schema }) => !('$ref' in schema));
  expect(responses.length).toBeGreaterThan(120);
  expect(unnamed).toEqual([]);
});

test.each([
  [{ servers: ['https://api.platform.example'] }, "the option servers[0] must be an object: { url: 'https://api"],
  [{ servers: [{ address: 'https://api.platform.example' }] }, 'the option servers[0].url must be a text'],
  [{ servers: 'https://api.platform.example' }, 'the option servers must be a list of objects with a url.'],
  [{ title: undefined }, 'the option title must be a text.'],
  [{ routes: {} }, 'the option routes must be a list, such as kit.routes.'],
  [{ server: [] }, "there is no option 'server'; did you mean 'servers'?"],
  [{ info: 'Proprietary' }, 'the option info must be an object.'],
])('openApi refuses %j, and names the remedy', (wrong, remedy) => {
  expect(() => ownKit().openApi({ ...info, ...(wrong as object) })).toThrow(TypeError);
  expect(() => ownKit().openApi({ ...info, ...(wrong as object) })).toThrow(`openApi: ${remedy}`);
});

test('the introduction says what holds for all operations; a host replaces or extends it', () => {
  const { kit, routes } = everything();
  const { info: whole, tags } = kit.openApi({ ...info, routes });
  const headings = [...String(whole['description']).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    ...['Login', 'Accounts', 'Repeat a request', 'Versions', 'Lists', 'Errors', 'Test environment', 'Webhooks'],
  ]);
  expect(whole['description']).toContain('`POST /api/v1/partner/login`');
  // A document without requests and webhooks does not speak of them.
  const small = String(kit.openApi({ ...info, routes: kit.routes, webhooks: false }).info['description']);
  expect(small).not.toMatch(/Webhooks|Idempotency-Key|Simulation|address_not_allowed/);
  // A platform that knows the address of a caller can have keys of some networks.
  const limited = createPartnerkit({
    ...options(),
    storage: memoryStorage(),
    objects: [],
    api: { trustRemoteAddress: true },
  });
  expect(limited.openApi(info).info['description']).toContain('a call from elsewhere is 403 `address_not_allowed`.');
  expect(kit.openApi({ ...info, description: 'Ours.' }).info['description']).toBe('Ours.');
  const extended = kit.openApi({ ...info, routes, description: (given) => `${given}\n\n## Support` });
  expect(extended.info['description']).toBe(`${whole['description']}\n\n## Support`);
  expect(tags.map(({ name }) => name)).toEqual([
    ...['Login', 'Account', 'Payment requests', 'Payment templates', 'Security deposits', 'Security deposit templates'],
    ...['Cash-outs', 'Account cash-outs', 'Transactions', 'Webhooks', 'Session', 'Keys', 'Deliveries'],
    ...['Audit trail', 'Alerts', 'Sending', 'Simulation'],
  ]);
});

test('summaries have one voice, and every parameter says what it is', () => {
  const { kit, routes } = everything();
  const { paths, components } = kit.openApi({ ...info, routes });
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as readonly {
    readonly operationId: string;
    readonly summary: string;
    readonly parameters?: readonly { readonly name?: string; readonly description?: string }[];
  }[];
  for (const { summary } of operations) expect(summary).toMatch(/^[A-Z][a-z]+s /);
  const parameters = [...operations.flatMap((each) => each.parameters ?? []), ...Object.values(components.parameters)];
  const silent = parameters.filter((each) => !('$ref' in each) && !('description' in each));
  expect(silent).toEqual([]);
  expect(JSON.stringify({ paths, components })).not.toMatch(/"The (id|\w+Id)\."|cash out[^-]/);
});
