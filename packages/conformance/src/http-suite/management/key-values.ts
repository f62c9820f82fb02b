import { deepStrictEqual, match, strictEqual } from 'node:assert';
import type { ManagementCase } from './api.ts';
import { start } from './platform.ts';

const key = '/api-keys/:keyId';
const expire = `POST ${key}/secrets/:secretId/expire`;
/** What a login answers, and what a call with a token does. */
const [accepted, refused] = [200, 401];

/** The usage of a key that made no call. */
const unusedYet = { calls: 0, days: [], isUnused: false };

/** What answers about API keys say, and what changes do to logins and tokens. */
export const keyValues: readonly ManagementCase[] = [
  {
    name: 'a new key has one secret, shown once, that logs in',
    run: async ({ call, logIn, platform }) => {
      const { headers, body } = await call('POST /api-keys', { body: { name: 'Booking system' } });
      const { id } = body.key;
      const secrets = [{ id: body.secretId, createdAt: start, revoked: false }];
      deepStrictEqual(body.key, { id, name: 'Booking system', createdAt: start, disabled: false, secrets });
      match(body.secret, /^pks_/);
      strictEqual(headers['etag'], '"1"');
      deepStrictEqual((await call(`GET ${key}`, {}, { keyId: id })).body, { ...body.key, usage: unusedYet });
      strictEqual((await logIn(platform.secret)).status, accepted);
    },
  },
  {
    name: 'a key has its times in seconds',
    run: async ({ call, logIn, platform: { clock, known, secret } }) => {
      await clock.pass(90_000);
      await logIn(secret);
      await call(expire, { body: { at: start + 3_600 } });
      await call(`PATCH ${key}`, { body: { name: 'Till' } });
      deepStrictEqual((await call(`GET ${key}`)).body, {
        id: known['keyId'],
        name: 'Till',
        createdAt: start,
        disabled: false,
        secrets: [
          {
            id: known['secretId'],
            createdAt: start,
            expiresAt: start + 3_600,
            revoked: false,
            lastUsedAt: start + 90,
          },
        ],
        usage: unusedYet,
      });
    },
  },
  {
    name: 'a key is made with its limits, and changed, with its end in seconds',
    run: async ({ call, refuses, platform: { clock } }) => {
      const limits = { rights: ['requests:read'], children: ['org_child'], expiresAt: start + 3_600 };
      const { body } = await call('POST /api-keys', { body: { name: 'Reports', ...limits } });
      const { id } = body.key;
      const read = async () => (await call(`GET ${key}`, {}, { keyId: id })).body;
      deepStrictEqual(
        [body.key.rights, body.key.children, body.key.expiresAt],
        [limits.rights, limits.children, limits.expiresAt],
      );
      deepStrictEqual(await read(), { ...body.key, usage: { calls: 0, days: [], isUnused: false } });
      await call(`PATCH ${key}`, { body: { expiresAt: start + 60, children: [] } }, { keyId: id });
      deepStrictEqual([(await read()).expiresAt, (await read()).children], [start + 60, []]);
      await call(`PATCH ${key}`, { body: { expiresAt: null, children: null, rights: null } }, { keyId: id });
      deepStrictEqual(Object.keys(await read()), ['id', 'name', 'createdAt', 'disabled', 'secrets', 'usage']);
      await clock.pass(10_000);
      for (const wrong of [
        { expiresAt: start + 10 },
        { expiresAt: 0 },
        { expiresAt: (start + 60) * 1_000 },
        { children: ['org_child'] },
        { children: [], rights: ['webhooks:read'] },
        // The platform does not say how it knows the caller.
        { networks: ['203.0.113.0/24'] },
      ])
        await refuses({ method: 'PATCH', path: key, body: wrong }, 400, 'invalid_input');
    },
  },
  {
    name: 'a key shows its last refused login with the reason, in seconds',
    run: async ({ call, logIn, platform: { clock, known } }) => {
      strictEqual('lastRefusal' in (await call(`GET ${key}`)).body, false);
      await clock.pass(90_000);
      strictEqual((await logIn('pks_half')).status, refused);
      const lastRefusal = { at: start + 90, reason: 'malformed_secret' };
      deepStrictEqual((await call(`GET ${key}`)).body.lastRefusal, lastRefusal);
      const { items } = (await call('GET /api-keys')).body;
      const [first, ...others] = items.map((each: { readonly id: string; readonly lastRefusal?: object }) => [
        each.id,
        each.lastRefusal,
      ]);
      deepStrictEqual(first, [known['keyId'], lastRefusal]);
      deepStrictEqual(others, [[known['disabledKeyId'], undefined]]);
    },
  },
  {
    name: 'a key shows its calls by day, with the last one in seconds, where it is read and listed',
    run: async ({ call, logIn, callWith, platform: { clock, known, secret } }) => {
      const { token } = await logIn(secret);
      await clock.pass(90_000);
      strictEqual(await callWith(token), accepted);
      const usage = { lastCallAt: start + 90, calls: 1, days: [{ date: '2027-01-15', calls: 1 }], isUnused: false };
      deepStrictEqual((await call(`GET ${key}`)).body.usage, usage);
      const { items } = (await call('GET /api-keys')).body;
      deepStrictEqual(
        items.map((each: { readonly id: string; readonly usage: object }) => [each.id, each.usage]),
        [
          [known['keyId'], usage],
          [known['disabledKeyId'], unusedYet],
        ],
      );
    },
  },
  {
    name: 'keys are listed page by page, in both orders',
    run: async ({ call, platform: { known } }) => {
      const [first, second] = [known['keyId'], known['disabledKeyId']];
      const idsOf = async (query: string) => {
        const { items, next } = (await call(`GET /api-keys${query}`)).body;
        return { ids: items.map(({ id }: { readonly id: string }) => id), next };
      };
      const { ids, next } = await idsOf('?limit=1');
      deepStrictEqual(ids, [first]);
      deepStrictEqual(await idsOf(`?limit=1&after=${next}`), { ids: [second], next: undefined });
      deepStrictEqual((await idsOf('?order=newest')).ids, [second, first]);
    },
  },
  {
    name: 'a secret that expires now logs in no more; its tokens and other secrets work on',
    run: async ({ call, logIn, callWith, platform: { clock, secret } }) => {
      const { token } = await logIn(secret);
      const { body: added } = await call(`POST ${key}/secrets`, { body: { label: 'next' } });
      await clock.pass(10_000);
      const [first, next] = (await call(expire)).body.secrets;
      deepStrictEqual([first.expiresAt, first.revoked], [start + 10, false]);
      deepStrictEqual(next, { id: added.secretId, label: 'next', createdAt: start, revoked: false });
      strictEqual((await logIn(secret)).status, refused);
      strictEqual((await logIn(added.secret)).status, accepted);
      strictEqual(await callWith(token), accepted);
    },
  },
  {
    name: 'a secret that expires later logs in until then',
    run: async ({ call, logIn, platform: { clock, secret } }) => {
      await call(expire, { body: { at: start + 60 } });
      await clock.pass(58_000);
      strictEqual((await logIn(secret)).status, accepted);
      await clock.pass(2_000);
      strictEqual((await logIn(secret)).status, refused);
    },
  },
  {
    name: 'a revoked secret logs in no more, nor do its tokens work',
    run: async ({ call, logIn, callWith, platform: { secret } }) => {
      const { token } = await logIn(secret);
      const { body } = await call(`POST ${key}/secrets/:secretId/revoke`);
      deepStrictEqual(
        body.secrets.map(({ revoked }: { readonly revoked: boolean }) => revoked),
        [true],
      );
      strictEqual((await logIn(secret)).status, refused);
      strictEqual(await callWith(token), refused);
    },
  },
  {
    name: 'revoked tokens work no more; the secret logs in again',
    run: async ({ call, logIn, callWith, platform: { secret } }) => {
      const { token } = await logIn(secret);
      strictEqual(await callWith(token), accepted);
      await call(`POST ${key}/revoke-tokens`);
      strictEqual(await callWith(token), refused);
      strictEqual(await callWith((await logIn(secret)).token), accepted);
    },
  },
  {
    name: 'a disabled key neither logs in nor calls, until it is enabled',
    run: async ({ call, logIn, callWith, platform: { secret } }) => {
      const { token } = await logIn(secret);
      strictEqual((await call(`POST ${key}/disable`)).body.disabled, true);
      strictEqual((await logIn(secret)).status, refused);
      strictEqual(await callWith(token), refused);
      strictEqual((await call(`POST ${key}/enable`)).body.disabled, false);
      strictEqual((await logIn(secret)).status, accepted);
      strictEqual(await callWith(token), accepted);
    },
  },
  {
    name: 'a deleted key is gone: it neither logs in nor calls',
    run: async ({ call, logIn, callWith, refuses, platform: { secret } }) => {
      const { token } = await logIn(secret);
      strictEqual(await callWith(token), accepted);
      await call(`DELETE ${key}`);
      strictEqual((await logIn(secret)).status, refused);
      strictEqual(await callWith(token), refused);
      await refuses({ method: 'GET', path: key }, 404, 'not_found');
      await refuses({ method: 'DELETE', path: key }, 404, 'not_found');
    },
  },
  {
    name: 'a key has at most five secrets',
    run: async ({ call, refuses }) => {
      for (let secrets = 2; secrets <= 5; secrets += 1) await call(`POST ${key}/secrets`);
      await refuses({ method: 'POST', path: `${key}/secrets` }, 409, 'too_many_secrets');
    },
  },
  {
    name: 'a name is 1 to 256 bytes of text',
    run: async ({ call, refuses }) => {
      for (const name of ['', 'é'.repeat(129), 'a\u0000b', 7, null])
        await refuses({ method: 'PATCH', path: key, body: { name } }, 400, 'invalid_input');
      const name = 'é'.repeat(128);
      strictEqual((await call(`PATCH ${key}`, { body: { name } })).body.name, name);
    },
  },
];
