import { expect, test, vi } from 'vitest';
import { createRequests } from '../../src/requests/requests.ts';
import { day } from '../../src/runtime/time.ts';
import { call, loginToken } from '../support/http.ts';
import { recipient, requestWorld } from './world.ts';

const payment = JSON.stringify({ name: 'Stay', amount: 120, currency: 'EUR', recipient });
const path = '/api/v1/partner/organisations/acc_a/payment-requests';

const partner = async (world = requestWorld()) => {
  const added = (await world.kit.clients.add('acc_a', { name: 'Key' }))._unsafeUnwrap();
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

test('an answer is kept for 24 hours under its idempotency key', async () => {
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
  expect([other.status, JSON.parse(other.body).code]).toEqual([409, 'idempotency_conflict']);
});

test('an idempotency key belongs to its client: another client of the account makes an object of its own', async () => {
  const { kit, routes, post } = await partner();
  const key = { 'idempotency-key': 'order-1' };
  const first = await post(payment, key);
  const another = (await kit.clients.add('acc_a', { name: 'Other key' }))._unsafeUnwrap();
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

test('an idempotency key answers nothing of the other environment of its account', async () => {
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
  expect([dev.status, JSON.parse(dev.body).code]).toEqual([409, 'idempotency_conflict']);
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
});

test('a store that fails is 503, and nothing of the cause is answered', async () => {
  const world = requestWorld();
  const cause = new Error('connection to 10.0.0.5 refused');
  const { kit, storage, stores } = world;
  const failing = createRequests({
    kit,
    storage,
    stores: {
      ...stores,
      payments: { ...stores.payments, insert: () => Promise.reject(cause), list: () => Promise.reject(cause) },
    },
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

test('routes are mounted below the base path of the kit, each once', async () => {
  const { requests } = requestWorld();
  const served = requests.routes.map(
    (route) => `${route.methods.join()} ${route.path.replace('/api/v1/partner/organisations/:organisationId', '')}`,
  );
  expect(new Set(served).size).toBe(served.length);
  expect(served.sort()).toEqual([
    'DELETE /payment-templates/:id',
    'DELETE /security-deposit-templates/:id',
    'GET /payment-requests',
    'GET /payment-requests/:id',
    'GET /payment-templates',
    'GET /payment-templates/:id',
    'GET /security-deposit-templates',
    'GET /security-deposit-templates/:id',
    'GET /security-deposits',
    'GET /security-deposits/:depositId/cash-outs',
    'GET /security-deposits/:depositId/cash-outs/:id',
    'GET /security-deposits/:id',
    'PATCH /payment-requests/:id',
    'PATCH /payment-templates/:id',
    'PATCH /security-deposit-templates/:id',
    'PATCH /security-deposits/:id',
    'POST /payment-requests',
    'POST /payment-requests/:id/cancel',
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
  ]);
});

test('no route reads more than 64 KiB of a body', () => {
  const { requests } = requestWorld();
  for (const { maxBodyBytes } of requests.routes) expect(maxBodyBytes).toBe(65_536);
});
