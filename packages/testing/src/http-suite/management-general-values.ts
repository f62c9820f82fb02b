import { deepStrictEqual, strictEqual } from 'node:assert';
import { everyRight, type ManagementCase } from './management-api.ts';

/** What holds beside single operations: the session, paths, methods, sizes and origins. @internal */
export const generalValues: readonly ManagementCase[] = [
  {
    name: 'the session has the account, the person and the rights',
    isReadOnly: true,
    run: async ({ send }) => {
      const request = { method: 'GET', path: '/session' };
      const session = { accountId: 'org_main', accountName: 'Main', userId: 'user_1' };
      deepStrictEqual((await send({ ...request, rights: [] })).body, { ...session, can: {} });
      deepStrictEqual((await send({ ...request, rights: everyRight })).body, {
        ...session,
        can: { keys: 'write', webhooks: 'write', deliveries: 'write' },
      });
      // An account that the directory does not have.
      deepStrictEqual((await send({ ...request, rights: [], accountId: 'org_gone' })).body, {
        accountId: 'org_gone',
        userId: 'user_1',
        can: {},
      });
    },
  },
  {
    name: 'a head has the headers of the key, without a body',
    isReadOnly: true,
    run: async ({ send }) => {
      const [head, whole] = [
        await send({ method: 'HEAD', path: '/api-keys/:keyId' }),
        await send({ method: 'GET', path: '/api-keys/:keyId' }),
      ];
      deepStrictEqual([head.status, head.body], [200, undefined]);
      strictEqual(head.headers['content-length'], String(JSON.stringify(whole.body).length));
      strictEqual(head.headers['etag'], whole.headers['etag']);
    },
  },
  {
    name: 'an unknown path, an unknown method and a made-up cursor are refused',
    isReadOnly: true,
    run: async ({ refuses }) => {
      await refuses({ method: 'GET', path: '/no-such-path' }, 404, 'not_found');
      const refused = await refuses({ method: 'PUT', path: '/api-keys', body: {} }, 405, 'method_not_allowed');
      deepStrictEqual(refused.headers['allow']?.split(', ').toSorted(), ['GET', 'HEAD', 'POST']);
      for (const list of ['/api-keys', '/endpoints', '/events', '/deliveries'])
        await refuses({ method: 'GET', path: `${list}?after=made-up` }, 400, 'invalid_cursor');
    },
  },
  {
    name: 'a body has at most 64 KiB',
    run: async ({ refuses, send }) => {
      const withLabel = (bytes: number) => {
        const body = { label: '' };
        return {
          method: 'PATCH',
          path: '/endpoints/:endpointId',
          body: `${JSON.stringify(body)}${' '.repeat(bytes - 12)}`,
        };
      };
      const headers = { 'content-type': 'application/json' };
      await refuses({ ...withLabel(65_537), headers }, 413, 'too_large');
      // Read, and refused for its label.
      strictEqual((await send({ ...withLabel(65_536), headers })).status, 400);
    },
  },
  {
    name: 'pages of the platform itself and of trusted origins may change something',
    run: async ({ call }) => {
      for (const headers of [
        { 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://app.platform.example', 'sec-fetch-site': 'cross-site' },
        { origin: 'http://app.platform.test', host: 'app.platform.test' },
      ])
        await call('PATCH /api-keys/:keyId', { headers, body: { name: 'Till' } });
      const headers = { 'content-type': 'application/merge-patch+json ; charset=utf-8' };
      await call('PATCH /api-keys/:keyId', { headers, body: { name: 'Till 2' } });
    },
  },
];
