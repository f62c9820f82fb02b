import { deepStrictEqual, strictEqual } from 'node:assert';
import { everyRight, type ManagementCase } from './api.ts';

const foreignPages: readonly Readonly<Record<string, string>>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
  // From an old browser.
  { origin: 'https://evil.example' },
  // From a document without an origin.
  { origin: 'null' },
];

const hook = { url: 'https://partner.example/other', events: ['payed'] };
const rename = { method: 'PATCH', path: '/api-keys/:keyId', body: { name: 'Till' } };

/** What holds beside single operations: the session, paths, methods, sizes and origins. */
export const generalValues: readonly ManagementCase[] = [
  {
    name: 'the session has the account, the person and the rights',
    isReadOnly: true,
    run: async ({ send }) => {
      const request = { method: 'GET', path: '/session' };
      const rights = ['webhooks:read', 'webhooks:write', 'events:read', 'events:write'];
      const limits = { hasNetworks: false, hasPublicKeys: false };
      const settings = { ...limits, attemptTimeoutMs: 15_000 };
      const session = { accountId: 'org_main', accountName: 'Main', userId: 'user_1', rights, ...settings };
      deepStrictEqual((await send({ ...request, rights: [] })).body, { ...session, can: {} });
      deepStrictEqual((await send({ ...request, rights: everyRight })).body, {
        ...session,
        can: {
          ...{ keys: 'write', webhooks: 'write', deliveries: 'write', audit: 'write' },
          ...{ alerts: 'write', sending: 'write' },
        },
      });
      // An account that the directory does not have.
      deepStrictEqual((await send({ ...request, rights: [], accountId: 'org_gone' })).body, {
        accountId: 'org_gone',
        userId: 'user_1',
        can: {},
        rights,
        ...settings,
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
      for (const list of ['/api-keys', '/endpoints', '/events', '/deliveries', '/audit'])
        deepStrictEqual(
          (await refuses({ method: 'GET', path: `${list}?after=made-up` }, 400, 'invalid_cursor')).body.errors,
          [{ parameter: 'after', detail: 'no next of this list.' }],
        );
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
    name: 'pages of other sites may change nothing',
    isReadOnly: true,
    run: async ({ refuses }) => {
      for (const headers of foreignPages) await refuses({ ...rename, headers }, 403, 'cross_site');
    },
  },
  {
    name: 'pages of the platform itself and of trusted origins may change something',
    run: async ({ send }) => {
      for (const headers of [
        { 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://app.platform.example', 'sec-fetch-site': 'cross-site' },
        { origin: 'http://app.platform.test', host: 'app.platform.test' },
      ])
        strictEqual((await send({ ...rename, headers })).status, 200);
      const headers = { 'content-type': 'application/merge-patch+json ; charset=utf-8' };
      strictEqual((await send({ ...rename, headers })).status, 200);
    },
  },
  {
    name: 'a body of another type than JSON is refused, and an empty one too',
    isReadOnly: true,
    run: async ({ refuses }) => {
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/jsonx', 'json', 'a/json'])
        for (const body of [undefined, '{}'])
          await refuses({ ...rename, headers: { 'content-type': type }, body }, 415, 'unsupported_media_type');
    },
  },
  {
    name: 'If-Match names versions as they were answered, or any',
    run: async ({ refuses, send }) => {
      for (const tag of ['"99"', 'W/"99"', '"99-gzip"', '""', '"01"'])
        await refuses({ ...rename, headers: { 'if-match': tag } }, 412, 'version_mismatch');
      await refuses({ ...rename, headers: { 'if-match': '1' } }, 400, 'bad_request');
      for (const [tags, version] of [
        ['"99", "1"', '"2"'],
        ['*', '"3"'],
        // As proxies that compress make it.
        ['W/"3"', '"4"'],
        ['"4-gzip"', '"5"'],
      ]) {
        const { status, headers } = await send({ ...rename, headers: { 'if-match': tags ?? '' } });
        deepStrictEqual([status, headers['etag']], [200, version]);
      }
    },
  },
  {
    name: 'an Idempotency-Key makes one endpoint, belongs to one request, and is well formed',
    run: async ({ call, refuses }) => {
      const headers = { 'idempotency-key': 'one' };
      const { secret, ...shown } = (await call('POST /endpoints', { body: hook, headers })).body;
      strictEqual(typeof secret, 'string');
      deepStrictEqual((await call('POST /endpoints', { body: hook, headers })).body, shown);
      strictEqual((await call('GET /endpoints')).body.items.length, 3);
      const other = { method: 'POST', path: '/endpoints', body: { ...hook, label: 'other' } };
      await refuses({ ...other, headers }, 422, 'idempotency_conflict');
      await refuses({ ...other, headers: { 'idempotency-key': 'x'.repeat(256) } }, 400, 'bad_request');
    },
  },
];
