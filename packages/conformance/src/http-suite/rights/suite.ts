import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert/strict';
import { createPartnerkit, type Route } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, requestObjects } from '@partnerkit/core/requests';
import { manualClock } from '@partnerkit/testing';
import { exchange } from '../support/exchange.ts';
import type { StartedServer } from '../support/started-server.ts';
import { rightsTable, type TabledOperation, type TabledRight } from './table.ts';

const basePath = '/api/v1/partner';
const below = `${basePath}/organisations/:organisationId`;
const reads = (method: string): boolean => method === 'GET';

const accounts = [
  { id: 'org_main', name: 'Main', status: 'active', environment: 'prod' },
  { id: 'org_child', name: 'Child', status: 'active', environment: 'prod', parentId: 'org_main' },
  { id: 'org_other', name: 'Other', status: 'active', environment: 'prod' },
] as const;
const allRights = [...new Set(rightsTable.map(({ right }) => right))].filter((right) => right !== 'none');

/** Whether a key with one right may call an operation: `write` includes `read`. Written by hand. */
const mayCall = (right: TabledRight, { right: needed }: TabledOperation): boolean =>
  needed === 'none' || needed === right || needed === right.replace('write', 'read');

const createWorld = (staleness: number) => {
  const clock = manualClock();
  const kit = createPartnerkit({
    accounts: memoryAccounts(accounts),
    storage: memoryStorage({ clock }),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    api: { webhooks: true, rights: ['bookings'] },
    oauth: { revocationDelay: staleness },
    objects: requestObjects,
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }], clock },
  });
  const requests = createRequests({
    kit,
    testEnvironments: ['prod'],
    evidenceUpload: async () => ({ id: 'f1', url: 'https://files.example/f1', expiresAt: 4_000_000_000_000 }),
  });
  const empty = async () => ({ status: 204, headers: {}, body: '' });
  const bookings = '/organisations/:organisationId/bookings';
  const routes: readonly Route[] = [
    ...kit.routes,
    ...requests.routes,
    kit.accountRoute('GET', bookings, empty, { right: 'bookings:read' }),
    kit.accountRoute('POST', bookings, empty, { right: 'bookings:write' }),
  ];
  return { kit, clock, routes };
};

/** Sends requests of one platform. */
const open = async (start: (routes: readonly Route[]) => Promise<StartedServer>, staleness = 1_000) => {
  const { kit, clock, routes } = createWorld(staleness);
  const server = await start(routes);
  const logIn = async (rights?: readonly TabledRight[], scope = 'USER') => {
    const given = rights === undefined ? {} : { rights: rights as never };
    const { client, secret } = (await kit.clients.create('org_main', { name: 'Key', ...given }))._unsafeUnwrap();
    const body = { grant_type: 'client_credentials', client_id: client.id, client_secret: secret, scope };
    const answer = await exchange(server.port, {
      method: 'POST',
      target: `${basePath}/login`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    strictEqual(answer.status, 200, answer.body);
    return { client, token: String(JSON.parse(answer.body).access_token) };
  };
  const ask = ({ method, path }: Pick<TabledOperation, 'method' | 'path'>, token: string, account = 'org_main') => {
    const target = `${below}${path}`.replace(':organisationId', account).replace(/:\w+/g, 'unknown_1');
    const headers = {
      authorization: `Bearer ${token}`,
      ...(reads(method) ? {} : { 'content-type': 'application/json' }),
    };
    return exchange(server.port, { method, target, headers, body: reads(method) ? '' : '{}' });
  };
  return { kit, clock, routes, logIn, ask, close: () => server.close() };
};

const nameOf = ({ method, path }: TabledOperation): string => `${method} ${path}`;

/** What the tests of rights need. */
export interface RightsSuiteOptions {
  readonly test: (name: string, run: () => Promise<void>) => void;
  readonly start: (routes: readonly Route[]) => Promise<StartedServer>;
}

/** Asserts the right of every operation, for the own account, a child and a foreign one. */
export const rightsSuite = ({ test, start }: RightsSuiteOptions): void => {
  test('every operation below an account is in the table of rights, and in the document with its right', async () => {
    const { kit, routes } = createWorld(1_000);
    const served = routes.filter(({ path }) => path.startsWith(`${below}/`));
    deepStrictEqual(
      served
        .flatMap(({ path, methods }) => methods.map((method) => `${method} ${path.slice(below.length)}`))
        .toSorted(),
      rightsTable.map(nameOf).toSorted(),
    );
    const { paths } = kit.openApi({ title: 'Rights', routes });
    for (const { method, path, right } of rightsTable.filter((each) => !each.right.startsWith('bookings'))) {
      const described = paths[`${below}${path}`.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      const scopes = right === 'none' ? [['USER']] : [['USER'], [right]];
      deepStrictEqual(
        (described as { readonly security?: unknown } | undefined)?.security,
        scopes.map((oauth2) => ({ oauth2 })),
        `${method} ${path}`,
      );
    }
  });

  for (const right of allRights)
    test(`a key with ${right} may call what needs it, and gets 403 with the name of the right from all else`, async () => {
      const { logIn, ask, close } = await open(start);
      const { token } = await logIn([right]);
      const narrowed = await logIn(undefined, right);
      for (const [index, operation] of rightsTable.entries()) {
        // Every second by a key that may do all, with a narrower token.
        const by = index % 2 === 0 ? token : narrowed.token;
        for (const account of ['org_main', 'org_child', 'org_other']) {
          const { status, body, headers } = await ask(operation, by, account);
          const where = `${nameOf(operation)} of ${account}: ${body}`;
          if (!mayCall(right, operation)) {
            deepStrictEqual([status, JSON.parse(body).code], [403, 'insufficient_scope'], where);
            const challenge = `Bearer realm="partner", error="insufficient_scope", scope="${operation.right}"`;
            strictEqual(headers['www-authenticate'], challenge);
          } else if (account === 'org_other') strictEqual(status, 404, where);
          else {
            notStrictEqual(status, 401, where);
            notStrictEqual(status, 403, where);
          }
        }
      }
      await close();
    });

  test('a key without rights of its own may do everything', async () => {
    const { logIn, ask, close } = await open(start);
    const { token } = await logIn();
    for (const operation of rightsTable) notStrictEqual((await ask(operation, token)).status, 403, nameOf(operation));
    await close();
  });

  for (const [cache, staleness] of Object.entries({ warm: 1_000, cold: 0 }))
    test(`a right that is taken away while a token lives is gone within the staleness (${cache} cache)`, async () => {
      const { kit, clock, logIn, ask, close } = await open(start, staleness);
      const { client, token } = await logIn(['requests:write', 'events:read']);
      const asked = async (): Promise<readonly number[]> => {
        const list = await ask({ method: 'GET', path: '/payment-requests' }, token);
        return [list.status, (await ask({ method: 'POST', path: '/payment-requests' }, token)).status];
      };
      deepStrictEqual(await asked(), [200, 400]);
      (await kit.clients.update('org_main', client.id, { rights: ['requests:read'] }))._unsafeUnwrap();
      await clock.pass(staleness);
      deepStrictEqual(await asked(), [200, 403]);
      (await kit.clients.update('org_main', client.id, { rights: null }))._unsafeUnwrap();
      await clock.pass(staleness);
      deepStrictEqual(await asked(), [200, 400]);
      await close();
    });
};
