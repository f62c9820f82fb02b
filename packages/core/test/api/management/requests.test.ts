import { expect, test } from 'vitest';
import type { ManagementSession } from '../../../src/api/management/session.ts';
import { alone, done, recipient, requestWorld, stranger } from '../../requests/world.ts';
import { call, loginToken } from '../../support/http.ts';

const payment = { name: 'Weekend', amount: 120, currency: 'EUR', recipient };
const write = { requests: 'write' } as const;

/** The management API with requests, for the sessions that a header names. */
const open = (testEnvironments: readonly string[] = []) => {
  const world = requestWorld(undefined, { testEnvironments });
  const { kit, requests } = world;
  const routes = kit.managementRoutes({
    requests,
    authorize: ({ headers }) =>
      headers['x-session'] === undefined ? undefined : JSON.parse(String(headers['x-session'])),
  });
  const send = async (
    method: string,
    path: string,
    {
      can = write,
      accountId = 'acc_a',
      body,
      headers = {},
    }: {
      readonly can?: ManagementSession['can'] | 'none';
      readonly accountId?: string;
      readonly body?: object;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) => {
    const session = can === 'none' ? {} : { 'x-session': JSON.stringify({ accountId, userId: 'user_1', can }) };
    const answer = await call({ routes }, method, `/api/v1/partner-management${path}`, {
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...session, ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { ...answer, json: answer.body === '' ? undefined : JSON.parse(answer.body) };
  };
  return { ...world, send };
};

test('without the option, the API has no operations on requests', async () => {
  const { kit } = requestWorld();
  const routes = kit.managementRoutes({ authorize: () => ({ accountId: 'acc_a', userId: 'u', can: write }) });
  expect((await call({ routes }, 'GET', '/api/v1/partner-management/payment-requests')).status).toBe(404);
  const session = JSON.parse((await call({ routes }, 'GET', '/api/v1/partner-management/session')).body);
  expect(session.can).toEqual({});
  expect(() => kit.managementRoutes({ authorize: () => undefined, requests: { routes: [] } })).toThrow(
    'managementRoutes: requests: hand over what createRequests returned.',
  );
});

test('a person creates, reads, lists and cancels the requests of the account; the history names the person', async () => {
  const { send, requests } = open();
  const { status, headers, json } = await send('POST', '/payment-requests', { body: payment });
  expect([status, headers['location']]).toEqual([201, `/api/v1/partner-management/payment-requests/${json.id}`]);
  const path = `/payment-requests/${json.id}`;
  expect((await send('GET', path)).json).toEqual(json);
  await done(requests.payments.create(stranger.id, payment, alone));
  const idsOf = async (query: string) =>
    (await send('GET', `/payment-requests${query}`)).json.items.map(({ id }: { readonly id: string }) => id);
  expect(await idsOf('')).toEqual([json.id]);
  expect(await idsOf('?status=cancelled')).toEqual([]);
  const other = { headers: { 'if-match': '"7"' }, body: {} };
  expect((await send('POST', `${path}/cancel`, other)).status).toBe(412);
  expect((await send('POST', `${path}/cancel`, { body: {} })).json.status).toBe('cancelled');
  expect(await idsOf('?status=cancelled')).toEqual([json.id]);
  const { items } = (await send('GET', `${path}/events`)).json;
  const by = { type: 'user', id: 'user_1' };
  expect(items.map((each: { readonly command: string; readonly by: object }) => [each.command, each.by])).toEqual([
    ['create', by],
    ['cancel', by],
  ]);
});

test('a session needs the right to read or to write requests, of its own account', async () => {
  const { send } = open();
  const { json } = await send('POST', '/payment-requests', { body: payment });
  const path = `/payment-requests/${json.id}`;
  const others = { keys: 'write', webhooks: 'write', deliveries: 'write' } as const;
  const read = { requests: 'read' } as const;
  const statusOf = async (...of: Parameters<typeof send>) => (await send(...of)).status;
  expect(await statusOf('GET', path, { can: 'none' })).toBe(401);
  expect(await statusOf('GET', path, { can: others })).toBe(403);
  expect(await statusOf('GET', path, { can: read })).toBe(200);
  expect(await statusOf('POST', `${path}/cancel`, { can: read, body: {} })).toBe(403);
  expect(await statusOf('POST', '/payment-requests', { can: read, body: payment })).toBe(403);
  const crossSite = { headers: { 'sec-fetch-site': 'cross-site' }, body: {} };
  expect(await statusOf('POST', `${path}/cancel`, crossSite)).toBe(403);
  for (const accountId of [stranger.id, 'acc_child', 'acc_unknown']) {
    expect(await statusOf('GET', path, { accountId })).toBe(404);
    expect(await statusOf('POST', `${path}/cancel`, { accountId, body: {} })).toBe(404);
  }
  expect((await send('GET', path)).json.status).toBe('pending');
});

test('a repeated key takes effect once for a person, and is another key for a client', async () => {
  const { send, kit, requests } = open();
  const key = { headers: { 'idempotency-key': 'k-1' }, body: payment };
  const [first, second] = [await send('POST', '/payment-requests', key), await send('POST', '/payment-requests', key)];
  expect([second.status, second.json]).toEqual([201, first.json]);
  const client = (await kit.clients.create('acc_a', { name: 'Key' }))._unsafeUnwrap();
  const authorization = `Bearer ${await loginToken(kit, client)}`;
  const path = '/api/v1/partner/organisations/acc_a/payment-requests';
  const options = {
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': 'k-1' },
    body: JSON.stringify(payment),
  };
  const byClient = await call({ routes: [...kit.routes, ...requests.routes] }, 'POST', path, options);
  expect(byClient.status).toBe(201);
  expect(JSON.parse(byClient.body).id).not.toBe(first.json.id);
});

test('the commands that the state allows are listed; those of the platform only in a test environment', async () => {
  const { send, place } = open(['sandbox']);
  const listed = async (path: string) =>
    (await send('GET', `${path}/commands`)).json.items.map(
      (each: { readonly [field: string]: unknown }) =>
        `${each['method']} ${each['path']}${each['isSimulated'] === true ? ' simulated' : ''}`,
    );
  const partners = ['PATCH ', 'POST /cancel'];
  const reports = [
    ...['succeed', 'fail', 'cancel', 'return'].map((how) => `/simulate/${how}-transaction`),
    '/simulate/update-chargeback',
  ];
  const { json: live } = await send('POST', '/payment-requests', { body: payment });
  const pathOf = ({ id }: { readonly id: string }) => `/payment-requests/${id}`;
  expect(await listed(pathOf(live))).toEqual(partners);
  const simulated = await send('POST', `${pathOf(live)}/simulate/succeed`, { body: {} });
  expect(simulated.status).toBe(404);

  place('acc_a', 'sandbox');
  expect((await send('GET', pathOf(live))).status).toBe(404);
  const { json: test } = await send('POST', '/payment-requests', { body: payment });
  const ofPending = ['/simulate/set-payment-url', '/simulate/send', '/simulate/remind', '/simulate/succeed'];
  const simulations = [...ofPending, ...reports].map((path) => `POST ${path} simulated`);
  expect((await listed(pathOf(test))).toSorted()).toEqual([...partners, ...simulations].toSorted());
  expect((await send('POST', `${pathOf(test)}/simulate/succeed`, { body: {} })).json.status).toBe('payed');
  expect(await listed(pathOf(test))).toEqual([
    'PATCH ',
    ...reports.map((path) => `POST ${path} simulated`),
    'POST /simulate/refund simulated',
  ]);
});

test('a listed command has the schema of its input: only the fields that the state lets it change', async () => {
  const { send, requests } = open();
  const inputs = async (path: string): Promise<Readonly<Record<string, { readonly properties: object }>>> => {
    const { items } = (await send('GET', `${path}/commands`)).json;
    return Object.fromEntries(
      items.map((each: { readonly command: string; readonly path: string; readonly input: object }) => [
        `${each.command} ${each.path}`,
        each.input,
      ]),
    );
  };
  const { name, currency } = payment;
  const { json } = await send('POST', '/security-deposits', {
    body: { name, currency, depositAmount: 300, recipient },
  });
  const path = `/security-deposits/${json.id}`;
  const pending = await inputs(path);
  expect(Object.keys(pending)).toEqual(['change ', 'cancel /cancel']);
  expect(Object.keys(pending['change ']?.properties ?? {})).toContain('depositAmount');
  expect(pending['cancel /cancel']).toMatchObject({
    type: 'object',
    properties: { reason: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } } },
  });

  await done(requests.deposits.perform('acc_a', json.id, 'succeedDeposit', alone));
  const running = await inputs(path);
  expect(Object.keys(running['change ']?.properties ?? {}).toSorted()).toEqual([
    'description',
    'metadata',
    'recipient',
    'reference',
    'stay',
  ]);
  // A cash-out belongs to its deposit: the path names the deposit.
  expect(running['create /cash-outs']).toMatchObject({ required: ['amount'], additionalProperties: false });
  expect(Object.keys(running['create /cash-outs']?.properties ?? {})).not.toContain('depositId');
  const cashOut = await send('POST', `${path}/cash-outs`, { body: { amount: 50 } });
  expect(cashOut.status).toBe(201);
  const ofCashOut = await inputs(`${path}/cash-outs/${cashOut.json.id}`);
  expect(ofCashOut['offer /offer']).toMatchObject({ required: ['amount'] });
});
