import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Result } from '#result';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { day, hour, minute } from '../../src/base/runtime/time.ts';
import type { Signal } from '../../src/base/signals/signal.ts';
import { createPartnerkit } from '../../src/kit/create-partnerkit.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/stores/memory/accounts.ts';
import { memoryRateLimiter } from '../../src/stores/memory/rate-limiter.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import type { Storage } from '../../src/stores/storage/storage.ts';
import { defineObject } from '../../src/webhooks/catalogue/define-object.ts';
import type { DeliveryRequest, Sender, SendOutcome } from '../../src/webhooks/deliveries/sender.ts';
import { skippingClock } from '../support/clock.ts';
import { call, login, loginToken, me } from '../support/http.ts';
import { accounts, objects, platform, sealingKeys } from '../support/kit.ts';
import { seededRandom } from '../support/random.ts';

describe('createPartnerkit', () => {
  const sound = {
    accounts: memoryAccounts(accounts),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    objects,
    advanced: { sealingKeys },
  };
  /** Sixteen, and `catalogue`. */
  const topLevel = [
    ...['accounts', 'storage', 'secret', 'origin', 'tokens', 'sender', 'objects', 'api', 'oauth'],
    ...['limits', 'webhooks', 'observe', 'onError', 'imported', 'shared', 'advanced'],
  ];
  const made = (change: object) => () => createPartnerkit({ ...sound, ...change } as typeof sound);

  test('needs only the required options', () => {
    const kit = made({})();
    expect(Object.keys(kit).toSorted()).toEqual([
      'accountRoute',
      'alerts',
      'audit',
      'authenticate',
      'catalogue',
      'check',
      'clients',
      'deliveries',
      'endpoints',
      'events',
      'export',
      'handlers',
      'health',
      'import',
      'managementRoutes',
      'nudge',
      'openApi',
      'openApiRoute',
      'payloadSchemas',
      'routes',
      'sending',
      'worker',
    ]);
    expect(kit.routes.map(({ path }) => path)).toContain('/api/v1/partner/login');
  });

  test('without secret and advanced.sealingKeys: a TypeError that names the secret', () => {
    for (const value of [undefined, null])
      expect(made({ advanced: { sealingKeys: value } })).toThrow(
        /createPartnerkit: .*the option secret is missing\. Make one with: /,
      );
  });

  test.each(Object.keys(sound).filter((name) => name !== 'advanced'))(
    'without %s: a TypeError that names it',
    (name) => {
      for (const value of [undefined, null]) {
        expect(made({ [name]: value })).toThrow(TypeError);
        expect(made({ [name]: value })).toThrow(`createPartnerkit: the option ${name} is missing.`);
      }
      expect(made({ [name]: 'x' })).toThrow(TypeError);
      expect(made({ [name]: 'x' })).toThrow(`createPartnerkit: the option ${name} is `);
    },
  );

  const pool = { query: () => undefined, connect: () => undefined, totalCount: 0 };
  test.each([
    [{ accounts: { findOne: () => undefined } }, 'the option accounts has no method find. Hand over { find: async'],
    [{ accounts: () => undefined }, 'the option accounts is a function: call it.'],
    [
      { storage: pool },
      'the option storage has no method transaction. Hand over postgresStorage(pool) or memoryStorage().',
    ],
    [{ storage: memoryStorage }, 'the option storage is a function: call it. Hand over postgresStorage(pool) or'],
    [{ storage: { ...memoryStorage(), shards: {} } }, 'the option storage.shards has no method join.'],
    [{ tokens: Promise.resolve(sound.tokens) }, 'the option tokens is a promise: await it. Hand over jwtAccessTokens('],
    [
      { sender: () => undefined },
      'the option sender is a function: call it. Hand over httpsSender() of @partnerkit/node.',
    ],
    [{ objects: objects[0] }, 'the option objects is no list. Hand over a list of what defineObject made.'],
    [{ objects: [{ objectName: 'RequestPayment' }] }, 'the option objects[0] must be made by defineObject(objectName'],
    [
      { advanced: { sealingKeys: sealingKeys[0] } },
      "the option advanced.sealingKeys is no list. Hand over [{ id: 'k1', key: ",
    ],
    [
      { advanced: { sealingKeys: [{ id: 'k1', key: Buffer.alloc(32).toString('base64') }] } },
      "the option advanced.sealingKeys[0].key is 44 bytes of text; 32 bytes are needed: Buffer.from(SEALING_KEY, 'base64').",
    ],
    [
      { advanced: { sealingKeys: [{ id: 'k1', key: Buffer.alloc(0) }] } },
      'the option advanced.sealingKeys[0].key has 0 bytes; 32 bytes are',
    ],
    [
      { advanced: { sealingKeys: [{ id: 'k 1', key: Buffer.alloc(32) }] } },
      'the option advanced.sealingKeys[0].id must be 1 to 32 of',
    ],
    [{ clock: sound }, "createPartnerkit: there is no option 'clock'; did you mean 'advanced.clock'?"],
    [{ limits: { limiter: {} } }, "limits: there is no option 'limiter'; use one of failedLogins, "],
    [{ objekts: [] }, "createPartnerkit: there is no option 'objekts'; did you mean 'objects'?"],
    [{ xyz: 1 }, `createPartnerkit: there is no option 'xyz'; use one of ${topLevel.join(', ')}.`],
    [
      { limits: { failedLogins: { perAdress: {} } } },
      "limits.failedLogins: there is no option 'perAdress'; did you mean 'perAddress'?",
    ],
    [
      { webhooks: { retention: { events: 10 } } },
      'the option webhooks.retention.events must be a whole number from 1000.',
    ],
    [{ observe: 'log' }, 'the option observe must be a function, or an object such as openTelemetry().'],
    [{ observe: { observer: () => undefined } }, "observe: there is no option 'observer'; did you mean 'observe'?"],
    [{ observe: { traceContext: 'x' } }, 'the option observe.traceContext must be a function.'],
    [{ advanced: { clock: { now: Date.now } } }, 'the option advanced.clock has no method sleep.'],
    [{ shared: { limiter: {} } }, 'the option shared.limiter has no method take. Hand over redisRateLimiter(client).'],
    [
      { api: { pathAliases: 'yes' } },
      "the option api.pathAliases must be true, false or { basePaths: ['/partner/v2'], login: ['/partner/v2/oauth'] }.",
    ],
    [{ api: { inactiveChildren: 'none' } }, "the option api.inactiveChildren must be 'writable' or 'read_only'."],
    [{ api: { environmentReach: 'none' } }, "the option api.environmentReach must be 'same' or 'all'."],
    [{ oauth: { defaultScope: 'ADMIN' } }, "the option oauth.defaultScope must be 'USER'."],
    [{ api: { pathAlias: true } }, "api: there is no option 'pathAlias'; did you mean 'pathAliases'?"],
    [{ api: { mayUseAPI: () => true } }, "api: there is no option 'mayUseAPI'; did you mean 'mayUseApi'?"],
    [{ oauth: { tokenLifeTime: 1 } }, "oauth: there is no option 'tokenLifeTime'; did you mean 'tokenLifetime'?"],
    [{ shared: { maxStalenes: 1 } }, "shared: there is no option 'maxStalenes'; did you mean 'maxStaleness'?"],
    [{ limits: { callPerClient: {} } }, "limits: there is no option 'callPerClient'; did you mean 'callsPerClient'?"],
    [{ webhooks: { port: [443] } }, "webhooks: there is no option 'port'; did you mean 'ports'?"],
    [
      { webhooks: { retention: { evnts: 1_000 } } },
      "webhooks.retention: there is no option 'evnts'; did you mean 'events'?",
    ],
    [{ api: '/api' }, 'the option api must be an object.'],
  ])('names the wrong option and says what to do (%#)', (change, message) => {
    expect(made(change)).toThrow(TypeError);
    expect(made(change)).toThrow(message);
  });

  test('missing options and several wrong options are reported at once', () => {
    expect(() => createPartnerkit(undefined as never)).toThrow('createPartnerkit: the options must be an object.');
    expect(made({ accounts: undefined, api: { basePath: 'api' }, oauth: { tokenLifetime: 1 } })).toThrow(
      /the option accounts is missing\. .* the option api\.basePath must begin .* the option oauth\.tokenLifetime must be/,
    );
  });

  test.each([
    ['not in development', { canReach: (): boolean => true }],
    ['of a sender that cannot tell what it reaches', { development: true }],
    ['that the sender does not reach', { development: true, canReach: (): boolean => false }],
  ])('an endpoint on this machine over HTTP is refused: %s', async (_, rules) => {
    const { send } = memorySender();
    const create = (sender: Sender) =>
      made({ sender })().endpoints.create('acc_a', { url: 'http://127.0.0.1:3001/', events: ['payed'] });
    expect((await create({ send, development: true, canReach: (): boolean => true })).isOk()).toBe(true);
    expect((await create({ send, ...rules }))._unsafeUnwrapErr().code).toBe('invalid_input');
  });

  test('a wrong key is never quoted', () => {
    const key = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I=';
    expect(made({ advanced: { sealingKeys: [{ id: 'k1', key }] } })).not.toThrow(key);
    expect(made({ advanced: { sealingKeys: [{ id: key, key }] } })).not.toThrow(key);
  });

  test('an option that is undefined has its default', () => {
    const kit = made({
      webhooks: { retention: { held: undefined } },
      limits: { failedLogins: { perAddress: undefined } },
      api: { basePath: undefined },
      shared: undefined,
    })();
    expect(kit.routes[0]?.path).toBe('/api/v1/partner/login');
  });

  test.each([
    ['api', { basePath: '' }, 'api.basePath'],
    ['api', { basePath: '/' }, 'api.basePath'],
    ['api', { basePath: 'api' }, 'api.basePath'],
    ['api', { basePath: '/api/' }, 'api.basePath'],
    ['api', { basePath: '/api//v1' }, 'api.basePath'],
    ['api', { basePath: '/:id' }, 'api.basePath'],
    ['api', { basePath: '/api/*' }, 'api.basePath'],
    ['api', { basePath: '/é' }, 'api.basePath'],
    ['oauth', { secretPrefix: '' }, 'oauth.secretPrefix'],
    ['oauth', { secretPrefix: 'a_b' }, 'oauth.secretPrefix'],
    ['oauth', { secretPrefix: 'x'.repeat(17) }, 'oauth.secretPrefix'],
    ['oauth', { tokenLifetime: 999 }, 'oauth.tokenLifetime'],
    ['oauth', { tokenLifetime: 1_000.5 }, 'oauth.tokenLifetime'],
    ['oauth', { tokenLifetime: Number.POSITIVE_INFINITY }, 'oauth.tokenLifetime'],
    ['oauth', { revocationDelay: -1 }, 'oauth.revocationDelay'],
    ['oauth', { revocationDelay: Number.NaN }, 'oauth.revocationDelay'],
    ['shared', { maxStaleness: -1 }, 'shared.maxStaleness'],
    ['webhooks', { maxEndpoints: 0 }, 'webhooks.maxEndpoints'],
    ['webhooks', { maxEndpoints: 1.5 }, 'webhooks.maxEndpoints'],
    ['advanced', { sealingKeys: [] }, 'advanced.sealingKeys'],
    ['advanced', { sealingKeys: [{ id: 'k', key: new Uint8Array(16) }] }, 'advanced.sealingKeys'],
    [
      'objects',
      [objects[0], objects[0]],
      'the option objects has RequestPayment twice: remove one of the definitions.',
    ],
  ])('%s: a TypeError (%#)', (name, value, message) => {
    expect(made({ [name]: value })).toThrow(TypeError);
    expect(made({ [name]: value })).toThrow(message);
  });

  test.each([
    ['points', { points: 0, window: minute }],
    ['points', { points: Number.NaN, window: minute }],
    ['window', { points: 10, window: 0 }],
  ])('limits.failedLogins with wrong %s: a TypeError, rather than no limit', (_name, rule) => {
    expect(made({ limits: { failedLogins: { perClientAndAddress: rule } } })).toThrow(TypeError);
  });

  test('an own base path moves all routes and those of the host', () => {
    const kit = made({ api: { basePath: '/partners/v9' } })();
    const route = kit.accountRoute(
      'GET',
      '/organisations/:organisationId/x',
      async () => ({
        status: 200,
        headers: {},
        body: '',
      }),
      { right: 'none' },
    );
    for (const { path } of [...kit.routes, route]) expect(path).toMatch(/^\/partners\/v9\//);
  });
});

describe('assertNoSecretStored', () => {
  /** Everything that any method of a port was given, as text in several forms. */
  const recorder = () => {
    const texts: string[] = [];
    const note = (value: unknown): void => {
      texts.push(
        inspect(value, { depth: 9, maxStringLength: null, maxArrayLength: null }),
        JSON.stringify(value) ?? '',
      );
    };
    const recorded = <T extends object>(port: T): T =>
      new Proxy(port, {
        get: (target, name) => {
          const method: unknown = Reflect.get(target, name);
          if (typeof method === 'function') {
            return (...args: readonly unknown[]) => {
              texts.push(JSON.stringify([name, ...args]));
              return method.apply(target, args);
            };
          }
          return typeof method === 'object' && method !== null ? recorded(method) : method;
        },
      });
    return { texts, note, recorded };
  };

  /** A receiver that answers with all it was sent, in one form or another. */
  const echoes: readonly ((post: DeliveryRequest) => string)[] = [
    (post) => JSON.stringify(post),
    (post) =>
      Object.entries(post.headers)
        .map((pair) => pair.join(': '))
        .join('\r\n'),
    (post) => `unexpected ${inspect(post.headers)}`,
    (post) => `<p>${Object.values(post.headers).join('</p><p>')}</p>`,
  ];
  const deliveryHeaderValue = fc
    .string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 8,
      maxLength: 40,
    })
    .filter((value) => /^\S.*\S$/.test(value) && !/^[\w. :/-]*$/.test(value));

  /** Every secret that a platform showed, and all that it stored, signalled or returned as an error. */
  const life = async (
    seed: number,
    deliveryHeader: string,
    statuses: readonly number[],
    echo: number,
    failures: readonly number[],
  ) => {
    const clock = skippingClock();
    const random = seededRandom(seed);
    const { texts, note, recorded } = recorder();
    const secrets: string[] = [deliveryHeader];
    const storage = memoryStorage({ clock });
    let operations = 0;
    /** Now and then a call fails, with an error that quotes what it was called with. */
    const flaky = <T extends object>(port: T): T =>
      new Proxy(port, {
        get: (target, name) => {
          const method: unknown = Reflect.get(target, name);
          if (typeof method !== 'function') return method;
          return (...args: readonly unknown[]) => {
            if (failures.includes(operations++ % 97))
              return Promise.reject(Object.assign(new Error(inspect(args, { depth: 9 })), { code: 'EFLAKY' }));
            return method.apply(target, args);
          };
        },
      });
    const all: Storage<never> = {
      clients: recorded(flaky(storage.clients)),
      endpoints: recorded(flaky(storage.endpoints)),
      events: recorded(flaky(storage.events)) as never,
      shards: recorded(flaky(storage.shards)),
      deliveries: recorded(flaky(storage.deliveries)),
      parents: recorded(flaky(storage.parents)),
      feeds: recorded(flaky(storage.feeds)),
      handlers: recorded(flaky(storage.handlers)),
      alerts: recorded(flaky(storage.alerts)),
      sending: recorded(flaky(storage.sending)),
      log: recorded(storage.log),
      requests: storage.requests as never,
      secretIds: recorded(flaky(storage.secretIds)),
      audit: recorded(flaky(storage.audit)),
      transaction: storage.transaction as never,
    };
    let sent = 0;
    const sender = memorySender((post): SendOutcome => {
      const status = statuses[sent++ % statuses.length] as number;
      if (status === 0) throw new Error(`could not send ${inspect(post)}`);
      return {
        kind: 'answered',
        status,
        body: (echoes[echo % echoes.length] as (post: DeliveryRequest) => string)(post),
        durationMs: 1,
      };
    });
    const signals: Signal[] = [];
    const kit = createPartnerkit({
      accounts: memoryAccounts(accounts),
      storage: all,
      tokens: memoryAccessTokens({ random }),
      shared: { limiter: recorded(memoryRateLimiter({ clock })) },
      sender,
      objects,
      observe: (signal) => {
        signals.push(signal);
        note(signal);
      },
      advanced: { sealingKeys: [{ id: 'k1', key: random.bytes(32) }], clock, random },
    });
    const keep = <T, E>(result: Result<T, E>): T | undefined =>
      result.match(
        (value) => value,
        (failure) => {
          note(failure);
          return undefined;
        },
      );

    const client = keep(await kit.clients.create('acc_a', { name: 'key' }));
    if (client) {
      secrets.push(client.secret);
      const second = keep(await kit.clients.addSecret('acc_a', client.client.id, { label: 'second' }));
      if (second) secrets.push(second.secret);
      for (const secret of [client.secret, second?.secret ?? client.secret]) {
        note((await login(kit, { client_id: client.client.id, client_secret: `${secret}x` })).body);
        note((await login(kit, { client_id: secret, client_secret: client.client.id })).body);
        note((await login(kit, { client_id: client.client.id, client_secret: secret, scope: 'ADMIN' })).body);
        const token = await loginToken(kit, { client: client.client, secret });
        if (token === undefined) continue;
        secrets.push(token);
        note(await me(kit, token));
        note(await me(kit, `${token}x`));
        note(
          await call(kit, 'GET', `/api/v1/partner/organisations/${token}/me`, {
            headers: { authorization: `Bearer ${token}` },
          }),
        );
        keep(await kit.clients.revokeToken('acc_a', token));
        keep(await kit.clients.revokeToken('acc_b', token));
      }
      for (const change of [
        kit.clients.disable('acc_a', client.client.id),
        kit.clients.revokeTokens('acc_a', client.client.id),
      ]) {
        const view = keep(await change);
        if (view) note(view);
      }
    }

    for (const standardWebhooks of [false, true]) {
      const created = keep(
        await kit.endpoints.create('acc_a', {
          url: 'https://partner.example/hooks',
          events: ['payed'],
          deliveryHeader: { name: standardWebhooks ? 'Authorization' : 'X-API-Key', value: deliveryHeader },
          standardWebhooks,
        }),
      );
      if (!created) continue;
      secrets.push(created.secret);
      note(created.endpoint);
      const next = keep(await kit.endpoints.prepareSecret('acc_a', created.endpoint.id));
      if (next) secrets.push(next.secret);
      keep(await kit.endpoints.activateSecret('acc_a', created.endpoint.id, { at: clock.now() + hour }));
      keep(
        await kit.endpoints.update('acc_a', created.endpoint.id, {
          deliveryHeader: { name: 'X-Key', value: deliveryHeader },
        }),
      );
      keep(
        await kit.endpoints.update('acc_a', created.endpoint.id, { url: `http://user:${deliveryHeader}@x.example` }),
      );
      note(keep(await kit.endpoints.list('acc_a')));
    }

    const worker = kit.worker();
    for (let times = 0; times < 3; times++) {
      const event = {
        accountId: 'acc_a',
        objectName: 'RequestPayment',
        type: 'payed',
        data: { id: `p${times}` },
      } as const;
      keep(await kit.events.tryPublish(event, { tx: 'new', idempotencyKey: `key ${times}` }));
      await kit.events
        .publish({ ...event, data: { id: 'q' } }, { tx: 'new', idempotencyKey: `key ${times}` })
        .catch(note);
      await worker.drain().catch(note);
      clock.set(clock.now() + hour);
      await worker.drain().catch(note);
    }
    for (const { id } of (await storage.log.listDeliveries('acc_a', {}, {})).items)
      note(keep(await kit.deliveries.attempts('acc_a', id)));
    clock.set(clock.now() + day);
    return { secrets, texts, posts: sender.posts, signals, operations };
  };

  const assertNoSecretStored = (secrets: readonly string[], texts: readonly string[]): void => {
    for (const secret of secrets) {
      for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1), inspect(secret).slice(1, -1)])) {
        const leak = texts.find((text) => text.includes(form));
        expect(leak === undefined ? undefined : `${form} in ${leak}`).toBeUndefined();
      }
    }
  };

  test('no secret is stored, counted, signalled, logged or part of a failure', async () => {
    const seen = { secrets: 0, texts: 0, posts: 0, redacted: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        deliveryHeaderValue,
        fc.array(fc.constantFrom(200, 400, 500, 0), { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 3 }),
        fc.array(fc.nat({ max: 96 }), { maxLength: 4 }),
        async (seed, deliveryHeader, statuses, echo, failures) => {
          const { secrets, texts, posts } = await life(seed, deliveryHeader, statuses, echo, failures);
          assertNoSecretStored(secrets, texts);
          seen.secrets += secrets.length;
          seen.texts += texts.length;
          seen.posts += posts.length;
          seen.redacted += texts.filter((text) => text.includes('[redacted]')).length;
        },
      ),
      propertyRuns(70),
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(500);
  });

  test('the assertion itself: it finds a secret where there is one', async () => {
    const { secrets, texts, posts } = await life(1, 'k3y+value="1"', [200], 0, []);
    expect(secrets).toHaveLength(9);
    // What is sent holds secrets: the API key. So would a log that kept what receivers echo.
    for (const value of [posts[0], { at: [new Error(secrets[1])] }, secrets[3], new Map([[secrets[2], 1]])]) {
      const { texts: found, note } = recorder();
      note(value);
      expect(() => assertNoSecretStored(secrets, found)).toThrow();
    }
    expect(() => assertNoSecretStored(secrets, texts)).not.toThrow();
  });
});

describe('a whole day of a platform', () => {
  test('from the key that a partner adds to the webhook that it receives', async () => {
    const schema = z.object({
      id: z.string(),
      status: z.string(),
      recipient: z.object({ email: z.email(), iban: z.string() }),
    });
    const deposit = defineObject('RequestSecurityDeposit', {
      schema,
      groups: { summary: ['status'], recipient: ['recipient.email'] },
      events: { default: ['summary'], user_register: ['summary', 'recipient'] },
    });
    const { kit, storage, sender, signals } = platform({ objects: [deposit] as never });
    const added = (await kit.clients.create('acc_a', { name: 'Booking system' }))._unsafeUnwrap();
    const token = await loginToken(kit, added);
    expect((await me(kit, token, 'acc_child')).status).toBe(200);
    expect((await me(kit, token, 'acc_grandchild')).status).toBe(404);
    (
      await kit.endpoints.create('acc_a', {
        url: 'https://partner.example/hooks',
        events: ['user_register', 'check_in'],
      })
    )._unsafeUnwrap();
    const data = { id: 'sd_01', status: 'in_progress', recipient: { email: 'zoe@example.org', iban: 'FR76' } };
    await storage.transaction(async (tx) => {
      for (const type of ['user_register', 'check_in', 'finish'] as const) {
        await kit.events.publish({ accountId: 'acc_a', objectName: 'RequestSecurityDeposit', type, data } as never, {
          tx,
        });
      }
    });
    expect(await kit.worker().drain()).toBe(2);
    const bodies = sender.posts.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ type, data: out }) => [type, out])).toEqual([
      ['user_register', { id: 'sd_01', status: 'in_progress', recipient: { email: 'zoe@example.org' } }],
      ['check_in', { id: 'sd_01', status: 'in_progress' }],
    ]);
    expect(bodies.map(({ timestamp }) => timestamp - bodies[0].timestamp)).toEqual([0, 1]);
    expect(signals.map(({ kind }) => kind)).toEqual([
      ...['client', 'login', 'endpoint', 'published', 'published', 'published'],
      ...['dispatched', 'attempt', 'attempt'],
    ]);
  });
});

test('the error behind a signal goes to onError, with its request id', async () => {
  const told: unknown[][] = [];
  const cause = Object.assign(new Error('password=hunter2'), { code: 'ECONNREFUSED' });
  const { kit: before, storage } = platform();
  const added = (await before.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
  const { kit, signals } = platform({
    accounts: { find: () => Promise.reject(cause) },
    storage,
    onError: (...each) => told.push(each),
  });
  const { status, headers } = await login(kit, { client_id: added.client.id, client_secret: added.secret });
  expect([status, told]).toEqual([503, [[cause, { requestId: headers['x-request-id'] }]]]);
  expect(JSON.stringify(signals)).not.toContain('hunter2');
});

test.each([
  ['get', '/organisations/:organisationId/x'],
  ['GET', '/organisations/:organisationIdX'],
  ['GET', '/organisations/:organisationId/*'],
  ['GET', '/organisations/:organisationId/'],
])('accountRoute refuses what could never be matched: %s %s', (method, path) => {
  const { kit } = platform();
  expect(() =>
    kit.accountRoute(
      method,
      path as '/organisations/:organisationId',
      async () => ({
        status: 200,
        headers: {},
        body: '',
      }),
      { right: 'none' },
    ),
  ).toThrow(TypeError);
});

test.each([
  ['/payments', 'must begin with "/organisations/:organisationId", by which the caller'],
  ['/organisations/:id/payments', 'must begin with "/organisations/:organisationId"'],
  ['/api/v1/partner/organisations/:organisationId/payments', 'basePath is added before it.'],
])('accountRoute without the account whose reach is checked says so: %s', (path, message) => {
  const { kit } = platform();
  const answer = async () => ({ status: 200, headers: {}, body: '' });
  expect(() => kit.accountRoute('GET', path as '/organisations/:organisationId', answer, { right: 'none' })).toThrow(
    message,
  );
  expect(() =>
    kit.accountRoute('GET', '/organisations/:organisationId/x', undefined as never, { right: 'none' }),
  ).toThrow('accountRoute: the third argument handles the request: a function.');
});

test.each([
  [{ userAgent: 'a\r\nb' }, 'webhooks.userAgent'],
  [{ userAgent: 'Œuvre/1' }, 'webhooks.userAgent'],
  [{ ports: [] }, 'webhooks.ports'],
])('an option that would fail every delivery is refused when the kit is made', (webhooks, name) => {
  expect(() => platform({ webhooks })).toThrow(name);
});

test('a mayUseApi that returns a promise grants no access', async () => {
  const { kit } = platform({ api: { mayUseApi: (async () => false) as never } });
  const added = (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
  expect((await login(kit, { client_id: added.client.id, client_secret: added.secret })).status).toBe(401);
});
