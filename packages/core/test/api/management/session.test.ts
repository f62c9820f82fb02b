import { expect, test } from 'vitest';
import { call } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const path = (rest: string): string => `/api/v1/partner-management${rest}`;

test.each([
  ['nothing', {}],
  ['no account', { userId: 'user_1', can: {} }],
  ['an empty account', { accountId: '', userId: 'user_1', can: {} }],
  ['an account that is a number', { accountId: 7, userId: 'user_1', can: {} }],
  ['no person', { accountId: 'acc_a', can: {} }],
  ['an empty person', { accountId: 'acc_a', userId: '', can: {} }],
  ['no rights', { accountId: 'acc_a', userId: 'user_1' }],
  ['rights that are null', { accountId: 'acc_a', userId: 'user_1', can: null }],
  ['rights that are a text', { accountId: 'acc_a', userId: 'user_1', can: 'write' }],
])('a session with %s is answered 500, and onError says what a session has', async (_name, session) => {
  const told: unknown[] = [];
  const { kit } = platform({ onError: (cause) => told.push(cause) });
  const routes = kit.managementRoutes({ authorize: () => session as never });
  for (const rest of ['/session', '/api-keys']) expect((await call({ routes }, 'GET', path(rest))).status).toBe(500);
  const cause = new TypeError('authorize: a session has accountId, userId and can.');
  expect(told).toEqual([cause, cause]);
});

test('a read is answered whichever page asks, and whatever type it names', async () => {
  const { kit } = platform();
  const routes = kit.managementRoutes({ authorize: () => ({ accountId: 'acc_a', userId: 'user_1', can: {} }) });
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { 'content-type': 'text/plain' },
  ])
    expect((await call({ routes }, 'GET', path('/session'), { headers })).status).toBe(200);
});

test('the figures of all endpoints are those of more than a page of them', async () => {
  const { kit } = platform({ webhooks: { maxEndpoints: 100 } });
  const routes = kit.managementRoutes({
    authorize: () => ({ accountId: 'acc_a', userId: 'user_1', can: { deliveries: 'read' } }),
  });
  for (let nth = 0; nth < 60; nth++)
    (await kit.endpoints.create('acc_a', { url: `https://e${nth}.example/`, events: ['payed'] }))._unsafeUnwrap();
  const { body } = await call({ routes }, 'GET', path('/statistics'));
  expect(JSON.parse(body).items).toHaveLength(60);
});
