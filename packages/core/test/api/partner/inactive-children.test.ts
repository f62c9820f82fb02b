import { describe, expect, test } from 'vitest';
import type { InactiveChildren } from '../../../src/api/partner/caller.ts';
import { requestObjects } from '../../../src/requests/extensions/objects.ts';
import { createRequests } from '../../../src/requests/requests.ts';
import { memoryAccounts } from '../../../src/stores/memory/accounts.ts';
import { call, loginToken, withoutRequestId } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const account = (id: string, status: string, parentId?: string) => ({
  ...{ id, name: id, status, environment: 'prod' },
  ...(parentId === undefined ? {} : { parentId }),
});
const accounts = [
  account('acc_a', 'active'),
  account('acc_active', 'active', 'acc_a'),
  account('acc_closed', 'closed', 'acc_a'),
  account('acc_stranger', 'closed'),
];

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const world = async (inactiveChildren?: InactiveChildren) => {
  const { kit } = platform({
    accounts: memoryAccounts(accounts),
    objects: requestObjects as never,
    ...(inactiveChildren ? { api: { inactiveChildren } } : {}),
  });
  const requests = createRequests({ kit: kit as never });
  const own = methods
    .filter((method) => method !== 'HEAD')
    .map((method) =>
      kit.accountRoute(
        method,
        '/organisations/:organisationId/notes',
        async () => ({
          ...{ status: 200, headers: {}, body: method },
        }),
        { right: 'none' },
      ),
    );
  const routes = [...kit.routes, ...own, ...requests.routes];
  const token = await loginToken(kit, (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap());
  return async (method: string, accountId: string, path: string, body = '') =>
    withoutRequestId(
      await call({ routes }, method, `/api/v1/partner/organisations/${accountId}/${path}`, {
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        body,
      }),
    );
};
const template = JSON.stringify({ name: 'Weekend', amount: 10_000, currency: 'EUR' });

describe('a child account that mayUseApi refuses', () => {
  test.each([undefined, 'writable' as const])('with inactiveChildren %s is written to', async (inactiveChildren) => {
    const ask = await world(inactiveChildren);
    for (const method of methods) expect((await ask(method, 'acc_closed', 'notes')).status).toBe(200);
    expect((await ask('POST', 'acc_closed', 'payment-templates', template)).status).toBe(201);
  });

  test('with inactiveChildren read_only is only read: other methods are 403', async () => {
    const ask = await world('read_only');
    const statuses = async (accountId: string) => {
      const asked = methods.map(async (method) => [method, (await ask(method, accountId, 'notes')).status] as const);
      return Object.fromEntries(await Promise.all(asked));
    };
    const refused = { POST: 403, PUT: 403, PATCH: 403, DELETE: 403 };
    expect(await statuses('acc_closed')).toEqual({ GET: 200, HEAD: 200, ...refused });
    const served = Object.fromEntries(methods.map((method) => [method, 200]));
    expect(await statuses('acc_active')).toEqual(served);
    expect(await statuses('acc_a')).toEqual(served);
    expect((await ask('GET', 'acc_closed', 'me')).status).toBe(200);
    expect(await ask('POST', 'acc_closed', 'notes')).toMatchObject({
      body: '{"title":"Forbidden","status":403,"code":"account_not_active","detail":"This account may not use the interface."}',
    });
  });

  test('with inactiveChildren read_only keeps its requests as they are', async () => {
    const ask = await world('read_only');
    expect((await ask('POST', 'acc_active', 'payment-templates', template)).status).toBe(201);
    const refused = await ask('POST', 'acc_closed', 'payment-templates', template);
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([403, 'account_not_active']);
    const listed = await ask('GET', 'acc_closed', 'payment-templates');
    expect([listed.status, JSON.parse(listed.body).items]).toEqual([200, []]);
  });

  test('out of reach answers 404 to every method: its status is not revealed', async () => {
    const ask = await world('read_only');
    for (const method of methods)
      expect(await ask(method, 'acc_stranger', 'notes')).toEqual(await ask(method, 'absent', 'notes'));
    expect((await ask('POST', 'acc_stranger', 'notes')).status).toBe(404);
  });
});
