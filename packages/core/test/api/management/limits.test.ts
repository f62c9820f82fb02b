import { expect, test } from 'vitest';
import type { HttpResponse } from '../../../src/base/http/route.ts';
import { day, hour } from '../../../src/base/runtime/time.ts';
import { memoryRateLimiter } from '../../../src/stores/memory/rate-limiter.ts';
import { testClock } from '../../support/clock.ts';
import { call } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const can = { keys: 'write', webhooks: 'write' } as const;
const hook = { url: 'https://partner.example/hooks', events: ['payed'] };

/** Sends POSTs of one account. */
const open = (options: Parameters<typeof platform>[0] = {}) => {
  const clock = testClock();
  const { kit } = platform({ clock, ...options });
  const routes = kit.managementRoutes({
    authorize: ({ headers }) => ({ accountId: String(headers['x-account'] ?? 'acc_a'), userId: 'user_1', can }),
  });
  const post = (path: string, body: object, account = 'acc_a'): Promise<HttpResponse> =>
    call({ routes }, 'POST', `/api/v1/partner-management${path}`, {
      headers: { 'content-type': 'application/json', 'x-account': account },
      body: JSON.stringify(body),
    });
  return { kit, clock, post };
};
const statusesOf = async (answers: readonly Promise<HttpResponse>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);
const times = <T>(count: number, act: () => T): readonly T[] => Array.from({ length: count }, act);

test('an account adds 20 keys a day, also at once; others are not limited', async () => {
  const { post, clock } = open();
  const add = (account?: string) => post('/api-keys', { name: 'Till' }, account);
  const statuses = await statusesOf(times(22, add));
  expect(statuses.filter((status) => status === 201)).toHaveLength(20);
  await clock.advance(hour);
  const { status, headers, body } = await add();
  expect([status, headers['retry-after'], JSON.parse(body).code]).toEqual([429, '82800', 'too_many_requests']);
  expect(headers['ratelimit-policy']).toBe('"keys";q=20;w=86400');
  expect((await add('acc_b')).status).toBe(201);
  await clock.advance(23 * hour);
  expect((await add()).status).toBe(201);
});

test('an account creates 60 endpoints a day, deleted ones included', async () => {
  const { post, kit } = open();
  for (let created = 0; created < 60; created += 1) {
    const { status, body } = await post('/endpoints', hook);
    expect(status).toBe(201);
    expect((await kit.endpoints.delete('acc_a', JSON.parse(body).endpoint.id)).isOk()).toBe(true);
  }
  expect((await post('/endpoints', hook)).status).toBe(429);
  // The host's own calls have no limit.
  expect((await kit.endpoints.create('acc_a', hook as never)).isOk()).toBe(true);
});

test('an account sends 500 test events a day', async () => {
  const { post, kit } = open();
  const { endpoint } = (await kit.endpoints.create('acc_a', hook as never))._unsafeUnwrap();
  const event = { objectName: 'RequestPayment', type: 'payed', data: {} };
  const send = () => post(`/endpoints/${endpoint.id}/test`, event);
  const statuses = await statusesOf(times(501, send));
  expect(statuses.filter((status) => status === 202)).toHaveLength(500);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test('what is refused does not count', async () => {
  const window = day;
  const { post } = open({
    webhooks: { maxEndpoints: 1 },
    limits: { endpointsPerAccount: { points: 2, window }, keysPerAccount: { points: 1, window } },
  });
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await post('/api-keys', { name: '' })).status).toBe(400);
    expect((await post('/endpoints', { ...hook, url: 'no url' })).status).toBe(400);
  }
  expect((await post('/endpoints', hook)).status).toBe(201);
  for (let tries = 0; tries < 5; tries += 1) expect((await post('/endpoints', hook)).status).toBe(409);
  expect(await statusesOf(times(2, () => post('/api-keys', { name: 'Till' })))).toEqual([201, 429]);
});

test('while the limiter fails nothing is created; a point that cannot be given back changes no answer', async () => {
  const limiter = memoryRateLimiter();
  const fails = { take: limiter.take, refund: async () => Promise.reject(new Error('down')) };
  const takes = open({ shared: { limiter: fails }, webhooks: { maxEndpoints: 1 } });
  expect(await statusesOf(times(2, () => takes.post('/endpoints', hook)))).toEqual([201, 409]);
  const { post, kit } = open({
    shared: { limiter: { ...limiter, take: async () => Promise.reject(new Error('down')) } },
  });
  expect((await post('/api-keys', { name: 'Till' })).status).toBe(503);
  expect((await kit.clients.list('acc_a'))._unsafeUnwrap().items).toEqual([]);
});

test('wrong limits are refused', () => {
  const limits = { keysPerAccount: { points: 0, window: day } };
  expect(() => open({ limits })).toThrow('limits.keysPerAccount.points must be a whole number from 1.');
  expect(() => open({ limits: { secretsPerAccount: limits.keysPerAccount } as never })).toThrow('secretsPerAccount');
});
