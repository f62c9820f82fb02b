import { expect, test, vi } from 'vitest';
import { day } from '../../src/base/runtime/time.ts';
import { call, loginToken } from '../support/http.ts';
import { recipient, requestWorld } from './world.ts';

const payment = JSON.stringify({ name: 'Stay', amount: 120, currency: 'EUR', recipient });
const path = '/api/v1/partner/organisations/acc_a/payment-requests';

const partner = async (world = requestWorld()) => {
  const added = (await world.kit.clients.create('acc_a', { name: 'Key' }))._unsafeUnwrap();
  const routes = [...world.kit.routes, ...world.requests.routes];
  const login = async () => ({ authorization: `Bearer ${await loginToken({ routes }, added)}` });
  const headers = { ...(await login()), 'content-type': 'application/json' };
  return {
    ...world,
    login,
    headers,
    routes,
    post: (body: NonNullable<Parameters<typeof call>[3]>['body'], more = {}) =>
      call({ routes }, 'POST', path, { body: body as string, headers: { ...headers, ...more } }),
  };
};

test('a response is stored for 24 hours under its idempotency key', async () => {
  const { post, clock } = await partner();
  const key = { 'idempotency-key': 'order-1' };
  const first = await post(payment, key);
  expect(first.status).toBe(201);
  clock.set(clock.now() + day - 1);
  expect(await post(payment, key)).toEqual(first);
  clock.set(clock.now() + 1);
  const later = await post(payment, key);
  expect(later.status).toBe(201);
  expect(JSON.parse(later.body).id).not.toBe(JSON.parse(first.body).id);
});

test('an idempotency key with another body is a conflict', async () => {
  const { post } = await partner();
  const key = { 'idempotency-key': 'order-1' };
  expect((await post(payment, key)).status).toBe(201);
  const other = await post(payment.replace('120', '121'), key);
  expect([other.status, JSON.parse(other.body).code]).toEqual([422, 'idempotency_conflict']);
});

test('an idempotency key belongs to its client: another client of the account makes an object of its own', async () => {
  const { kit, routes, post } = await partner();
  const key = { 'idempotency-key': 'order-1' };
  const first = await post(payment, key);
  const another = (await kit.clients.create('acc_a', { name: 'Other key' }))._unsafeUnwrap();
  const authorization = `Bearer ${await loginToken({ routes }, another)}`;
  const second = await post(payment, { ...key, authorization });
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(JSON.parse(second.body).id).not.toBe(JSON.parse(first.body).id);
  // Neither can it learn of the key by asking for something else.
  const other = await post(payment.replace('120', '121'), { 'idempotency-key': 'order-2' });
  expect(other.status).toBe(201);
  expect((await post(payment, { 'idempotency-key': 'order-2', authorization })).status).toBe(201);
  expect(await post(payment, key)).toEqual(first);
});

test('an idempotency key returns no response of another environment of its account', async () => {
  const { post, login, directory } = await partner();
  const key = { 'idempotency-key': 'order-1' };
  const first = await post(payment, key);
  expect(first.status).toBe(201);
  const { find } = directory;
  const other = vi.spyOn(directory, 'find').mockImplementation(async (id) => {
    const account = await find(id);
    return account && { ...account, environment: 'dev' };
  });
  const dev = await post(payment, { ...key, ...(await login()) });
  expect([dev.status, JSON.parse(dev.body).code]).toEqual([422, 'idempotency_conflict']);
  other.mockRestore();
  expect(await post(payment, key)).toEqual(first);
});

test('a body that the host parsed is as good as its bytes', async () => {
  const { post } = await partner();
  const key = { 'idempotency-key': 'order-1' };
  const first = await post({ parsed: JSON.parse(payment) }, key);
  expect(first.status).toBe(201);
  expect(await post({ parsed: JSON.parse(payment) }, key)).toEqual(first);
  const loop: Record<string, unknown> = {};
  loop['itself'] = loop;
  expect((await post({ parsed: loop })).status).toBe(400);
  expect((await post({ parsed: 5n })).status).toBe(400);
  const metadata = JSON.parse('{ "__proto__": "x" }');
  expect((await post({ parsed: { ...JSON.parse(payment), metadata } })).status).toBe(400);
});

test('a failing store is 503, and the response reveals no cause', async () => {
  const world = requestWorld();
  const cause = new Error('connection to 10.0.0.5 refused');
  const { stores } = world;
  const failing = world.requestsOver({
    payments: { ...stores.payments, insert: () => Promise.reject(cause), list: () => Promise.reject(cause) },
  });
  const { routes, headers } = await partner({ ...world, requests: failing });
  for (const [method, body] of [
    ['POST', payment],
    ['GET', ''],
  ] as const) {
    const answer = await call({ routes }, method, path, { headers, body });
    expect([answer.status, JSON.parse(answer.body).code, answer.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '5',
    ]);
    expect(answer.body).not.toContain('10.0.0.5');
  }
});

/** Below the account. */
const served = (world: ReturnType<typeof requestWorld>): readonly string[] =>
  world.requests.routes.map(
    (route) => `${route.methods.join()} ${route.path.replace('/api/v1/partner/organisations/:organisationId', '')}`,
  );

test('routes are mounted below the base path of the kit, each once', () => {
  const routes = served(requestWorld());
  expect(new Set(routes).size).toBe(routes.length);
  expect([...routes].sort()).toEqual([
    'DELETE /payment-templates/:id',
    'DELETE /security-deposit-templates/:id',
    'GET /cash-outs',
    'GET /cash-outs/:id',
    'GET /cash-outs/:id/events',
    'GET /payment-requests',
    'GET /payment-requests/:id',
    'GET /payment-requests/:id/events',
    'GET /payment-requests/:id/transactions',
    'GET /payment-templates',
    'GET /payment-templates/:id',
    'GET /payment-templates/:id/events',
    'GET /security-deposit-templates',
    'GET /security-deposit-templates/:id',
    'GET /security-deposit-templates/:id/events',
    'GET /security-deposits',
    'GET /security-deposits/:depositId/cash-outs',
    'GET /security-deposits/:depositId/cash-outs/:id',
    'GET /security-deposits/:depositId/cash-outs/:id/events',
    'GET /security-deposits/:id',
    'GET /security-deposits/:id/events',
    'GET /security-deposits/:id/transactions',
    'GET /transactions',
    'GET /transactions/sums',
    'PATCH /payment-requests/:id',
    'PATCH /payment-templates/:id',
    'PATCH /security-deposit-templates/:id',
    'PATCH /security-deposits/:depositId/cash-outs/:id',
    'PATCH /security-deposits/:id',
    'POST /payment-requests',
    'POST /payment-requests/:id/cancel',
    'POST /payment-requests/:id/give-evidence',
    'POST /payment-requests/batch',
    'POST /payment-requests/batch/cancel',
    'POST /payment-templates',
    'POST /security-deposit-templates',
    'POST /security-deposits',
    'POST /security-deposits/:depositId/cash-outs',
    'POST /security-deposits/:depositId/cash-outs/:id/cancel',
    'POST /security-deposits/:depositId/cash-outs/:id/deny',
    'POST /security-deposits/:depositId/cash-outs/:id/offer',
    'POST /security-deposits/:id/cancel',
    'POST /security-deposits/:id/check-in',
    'POST /security-deposits/:id/check-out',
    'POST /security-deposits/:id/finish',
    'POST /security-deposits/:id/give-evidence',
    'POST /security-deposits/batch',
    'POST /security-deposits/batch/cancel',
  ]);
});

test('a test environment adds a route for each command of the host, and one for test events', () => {
  const plain = served(requestWorld());
  const routes = served(requestWorld(undefined, { testEnvironments: ['test'] }));
  expect(new Set(routes).size).toBe(routes.length);
  const simulated = (of: string, commands: string) =>
    commands.split(' ').map((command) => `POST ${of}/simulate/${command}`);
  expect([...routes].sort()).toEqual(
    [
      ...plain,
      ...simulated(
        '/payment-requests/:id',
        'set-payment-url send remind succeed succeed-transaction fail-transaction cancel-transaction return-transaction ' +
          'update-chargeback refund',
      ),
      ...simulated(
        '/security-deposits/:id',
        'set-payment-url send remind register-user succeed-transaction fail-transaction cancel-transaction ' +
          'return-transaction update-chargeback succeed-deposit extend set-term warn-of-end litigate resume fail',
      ),
      ...simulated(
        '/security-deposits/:depositId/cash-outs/:id',
        'claim accept settle warn-of-silence pause-deadline resume-deadline escrow complete collect mark-irrecoverable refund fail',
      ),
      'POST /webhooks/test',
    ].sort(),
  );
});

test('a batch reads at most 1 MiB of a body, any other request at most 64 KiB', () => {
  const { requests } = requestWorld(undefined, { testEnvironments: ['test'] });
  for (const { path, maxBodyBytes = 0 } of requests.routes)
    expect(maxBodyBytes).toBeLessThanOrEqual(path.includes('/batch') ? 1_048_576 : 65_536);
});
