import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestsCases } from './requests-cases.ts';
import { type Asking, deposit, payment } from './requests-client.ts';

interface BadRequest {
  readonly wrong: string;
  readonly method?: string;
  readonly path: string;
  readonly asking: Asking;
  readonly status?: number;
  readonly code?: string;
  /** The wrong fields, or parameters, that the problem names. */
  readonly names?: readonly string[];
}

const field = (wrong: string, change: object, ...names: readonly string[]): BadRequest => ({
  wrong: `a payment request with ${wrong}`,
  path: 'payment-requests',
  asking: { body: { ...payment, ...change } },
  names,
});
const query = (text: string, ...names: readonly string[]): BadRequest => ({
  wrong: `a list with ?${text}`,
  method: 'GET',
  path: `payment-requests?${text}`,
  asking: {},
  code: 'invalid_query',
  ...(names.length > 0 ? { names } : {}),
});
const body = (
  wrong: string,
  text: unknown,
  status = 400,
  code = 'bad_request',
  headers: Asking['headers'] = {},
): BadRequest => ({
  wrong: `a payment request whose body is ${wrong}`,
  path: 'payment-requests',
  asking: { body: text, headers },
  status,
  code,
});
const sent = JSON.stringify(payment);
/** As it is written: JavaScript would round it. */
const written = (number: string): BadRequest => ({
  ...field(`the amount ${number}`, {}, '/amount'),
  asking: { body: JSON.stringify({ ...payment, amount: 0 }).replace('"amount":0', `"amount":${number}`) },
});

const badRequests: readonly BadRequest[] = [
  ...[undefined, null, 5, '', 'a\u0000b', 'a\u009bb', 'x'.repeat(257), '\ud800', {}, []].map((name) =>
    field(`the name ${JSON.stringify(name)?.slice(0, 12)}`, { name }, '/name'),
  ),
  ...[null, 5, '', 'a\u0007', 'a\u0085', 'x'.repeat(501), '\ud800', []].map((description) =>
    field(`the description ${JSON.stringify(description).slice(0, 12)}`, { description }, '/description'),
  ),
  ...[0, -1, -0.01, 0.001, 120.555, 1e-7, 1e10, 1e300, null, '5', 'a', {}, [], true].map((amount) =>
    field(`the amount ${JSON.stringify(amount)}`, { amount }, '/amount'),
  ),
  ...[
    '120.0000000000000000001',
    '0.0000000000000001',
    '9999999999.9900000001',
    '1200000000000000000001e-19',
    '1e400',
  ].map(written),
  field('an amount finer than its currency', { amount: 1.5, currency: 'JPY' }, '/amount'),
  ...[null, 5, '', 'eur', 'EURO', 'XXX', '__proto__', []].map((currency) =>
    field(`the currency ${JSON.stringify(currency)}`, { currency }, '/currency'),
  ),
  field('an amount alone', { currency: undefined }, '/currency'),
  field('a currency alone', { amount: undefined }, '/amount'),
  field('no sum', { amount: undefined, currency: undefined }, '/amount'),
  ...[undefined, null, 5, 'guest@example.com', []].map((recipient) =>
    field(`the recipient ${JSON.stringify(recipient)}`, { recipient }, '/recipient'),
  ),
  ...[undefined, null, 5, '', 'guest', 'a@b', 'a b@example.com', `${'x'.repeat(250)}@example.com`].map((email) =>
    field(`the e-mail address ${JSON.stringify(email)?.slice(0, 20)}`, { recipient: { email } }, '/recipient/email'),
  ),
  field('a recipient with one field more', { recipient: { ...payment.recipient, 'a/b~c': 1 } }, '/recipient/a~1b~0c'),
  ...[null, 5, '', 'none'].map((templateId) =>
    field(`the template ${JSON.stringify(templateId)}`, { templateId }, '/templateId'),
  ),
  ...['id', 'status', 'version', 'accountId', 'constructor'].map((name) =>
    field(`the field ${name}`, { [name]: 'x' }, `/${name}`),
  ),
  field(
    'several wrong fields',
    { name: '', amount: 'a', recipient: {}, x: 1 },
    '/name',
    '/amount',
    '/recipient/email',
    '/x',
  ),
  field(
    'several wrong fields, nested ones, and an amount finer than its currency',
    { name: '', amount: 0.001, recipient: { email: 'guest', name: '', x: 1 } },
    '/name',
    '/recipient/email',
    '/recipient/name',
    '/recipient/x',
    '/amount',
  ),
  field(
    'nothing but a wrong field and a currency',
    { name: undefined, amount: undefined, recipient: { email: 'guest' } },
    '/recipient/email',
    '/name',
    '/amount',
  ),
  field('a negative amount alone', { amount: -1, currency: undefined }, '/amount', '/currency'),
  field('an amount that is none, without its currency', { amount: 'a', currency: undefined }, '/amount', '/currency'),
  field('no name and no sum', { name: undefined, amount: undefined, currency: undefined }, '/name', '/amount'),
  {
    wrong: 'a template with several wrong fields',
    path: 'payment-templates',
    asking: { body: { name: '', description: '', amount: 1.5, currency: 'JPY' } },
    names: ['/name', '/description', '/amount'],
  },
  {
    wrong: 'a security deposit with the amount of a payment request',
    path: 'security-deposits',
    asking: { body: { ...deposit, depositAmount: undefined, amount: 5 } },
    names: ['/amount', '/depositAmount'],
  },
  {
    wrong: 'a template without a name',
    path: 'payment-templates',
    asking: { body: { amount: 5, currency: 'EUR' } },
    names: ['/name'],
  },
  { wrong: 'a template with a recipient', path: 'payment-templates', asking: { body: payment }, names: ['/recipient'] },

  body('absent', undefined, 400, 'invalid_input'),
  body('an array', [], 400, 'invalid_input'),
  body('null', 'null', 400, 'invalid_input'),
  body('a number', '5', 400, 'invalid_input'),
  body('no JSON', '{'),
  body('JSON and more', `${sent}x`),
  body('one that repeats a field', `${sent.slice(0, -1)},"name":"Other"}`),
  body('one that repeats a field, escaped', `${sent.slice(0, -1)},"n\\u0061me":"Other"}`),
  body('one with __proto__', `${sent.slice(0, -1)},"__proto__":{"amount":1}}`, 400, 'invalid_input'),
  body('nested 30,000 times', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 400, 'invalid_input'),
  body('larger than 64 KiB', `${sent.slice(0, -1)},"description":"${'x'.repeat(65_536)}"}`, 413, 'too_large'),
  body('larger than 1 MiB', `${sent.slice(0, -1)},"description":"${'x'.repeat(1_048_576)}"}`, 413, 'too_large'),
  body('of another type', sent, 415, 'unsupported_media_type', { 'content-type': 'text/plain' }),
  body('of a form', 'name=Stay', 415, 'unsupported_media_type', {
    'content-type': 'application/x-www-form-urlencoded',
  }),
  body('in another charset', sent, 415, 'unsupported_media_type', {
    'content-type': 'application/json; charset=utf-16',
  }),
  body('compressed', sent, 415, 'unsupported_media_type', { 'content-encoding': 'gzip' }),

  query('limit=0', 'limit'),
  query('limit=101', 'limit'),
  query('limit=-1', 'limit'),
  query('limit=1e1', 'limit'),
  query('limit=', 'limit'),
  query('status=open', 'status'),
  query('status=', 'status'),
  query('createdFrom=yesterday', 'createdFrom'),
  query('createdTo=1.5', 'createdTo'),
  query('templateId=', 'templateId'),
  query('templateId=%00', 'templateId'),
  query('templateId=a%00b', 'templateId'),
  query(`templateId=${'x'.repeat(257)}`, 'templateId'),
  query('sort=name', 'sort'),
  query('limit=1&limit=2', 'limit'),
  query('limit=0&limit=2&status=open&createdTo=x', 'limit', 'status', 'createdTo'),
];

/** @internal */
export const badRequestCases: RequestsCases = Object.fromEntries(
  badRequests.map(({ wrong, method = 'POST', path, asking, status = 400, code = 'invalid_input', names }) => [
    `${wrong}: ${status} ${code}, and nothing is stored`,
    async ({ ask, stored }) => {
      const before = await stored();
      const answer = await ask(method, path, asking);
      deepStrictEqual([answer.status, answer.json.code], [status, code], answer.body);
      strictEqual(answer.headers['content-type'], 'application/problem+json');
      strictEqual(/^[0-9a-f-]{36}$/.test(answer.headers['x-request-id'] ?? ''), true);
      if (names) {
        const named = answer.json.errors.map((each: Record<string, string>) => each['pointer'] ?? each['parameter']);
        deepStrictEqual(named, names);
      }
      strictEqual(await stored(), before);
    },
  ]),
);

/** Commands with wrong input, on objects that are there. @internal */
export const badCommandCases: RequestsCases = {
  'commands with wrong input point at it, and store nothing': async (client) => {
    const { must, requests, stored } = client;
    const own = { id: 'org_main', environment: 'prod' };
    const pending = (await must(201, 'POST', 'payment-requests', { body: payment })).json.id;
    const held = (await must(201, 'POST', 'security-deposits', { body: deposit })).json.id;
    const early = await must(409, 'POST', `security-deposits/${held}/cash-outs`, { body: { amount: 1 } });
    strictEqual(early.json.code, 'wrong_state');
    ok((await requests.deposits.perform(own, held, 'succeedDeposit', {}, { tx: 'new' })).isOk());
    const cashOut = (await must(201, 'POST', `security-deposits/${held}/cash-outs`, { body: { amount: 1 } })).json.id;
    const before = await stored();
    const cashOuts = `security-deposits/${held}/cash-outs`;
    for (const [method, path, input, pointers] of [
      ['PATCH', `payment-requests/${pending}`, {}, ['']],
      ['PATCH', `payment-requests/${pending}`, { status: 'payed' }, ['/status', '']],
      ['PATCH', `payment-requests/${pending}`, { name: null }, ['/name']],
      ['PATCH', `payment-requests/${pending}`, { amount: 5 }, ['/currency']],
      ['PATCH', `payment-requests/${pending}`, { templateId: 'x' }, ['/templateId', '']],
      ['POST', `payment-requests/${pending}/cancel`, { why: 'so' }, ['/why']],
      ['POST', `payment-requests/${pending}/cancel`, [], ['']],
      ['POST', cashOuts, { amount: 0 }, ['/amount']],
      ['POST', cashOuts, { amount: -5 }, ['/amount']],
      ['POST', cashOuts, { amount: 0.001 }, ['/amount']],
      ['POST', cashOuts, {}, ['/amount']],
      ['POST', cashOuts, { amount: 1, currency: 'EUR' }, ['/currency']],
      ['POST', `${cashOuts}/${cashOut}/offer`, undefined, ['']],
    ] as const) {
      const answer = await must(400, method, path, { body: input });
      deepStrictEqual(
        answer.json.errors.map(({ pointer }: { readonly pointer: string }) => pointer),
        pointers,
        answer.body,
      );
    }
    for (const amount of [299.01, 300, 1e6])
      strictEqual((await must(409, 'POST', cashOuts, { body: { amount } })).json.code, 'exceeds_deposit');
    strictEqual(
      (await must(409, 'POST', `${cashOuts}/${cashOut}/offer`, { body: { amount: 300.01 } })).json.code,
      'exceeds_deposit',
    );
    for (const path of [
      `payment-requests/${pending}/succeed`,
      `security-deposits/${held}/succeed-deposit`,
      `security-deposits/${held}/litigate`,
      `${cashOuts}/${cashOut}/accept`,
    ])
      await must(404, 'POST', path);
    await must(405, 'PUT', `payment-requests/${pending}`, { body: payment });
    await must(405, 'DELETE', `payment-requests/${pending}`);
    strictEqual(await stored(), before);
  },
};
