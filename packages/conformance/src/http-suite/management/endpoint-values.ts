import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { createHmac } from 'node:crypto';
import type { ManagementAnswer, ManagementApi, ManagementCase } from './api.ts';
import { start } from './platform.ts';

const endpoint = '/endpoints/:endpointId';
const input = {
  url: 'https://partner.example/hooks',
  events: ['payed', 'RequestPayment.creation'],
  deliveryHeader: { name: 'X-API-Key', value: 'k3y' },
};
const payed = { objectName: 'RequestPayment', type: 'payed' };
const healthOf = async ({ call }: ManagementApi) => {
  const { state, health } = (await call(`GET ${endpoint}`)).body;
  return { state, ...health };
};
const pointersOf = ({ body }: ManagementAnswer): readonly string[] =>
  body.errors.map(({ pointer }: { readonly pointer: string }) => pointer);
/** Whether the last POST is signed with a secret. */
const isSignedWith = ({ platform: { sender } }: ManagementApi, secret: string): boolean => {
  const { headers, body = '' } = sender.posts.at(-1) ?? {};
  return Object.values(headers ?? {}).includes(createHmac('sha1', secret).update(body).digest('hex'));
};

/** What answers about webhook endpoints say, and what changes do to deliveries. */
export const endpointValues: readonly ManagementCase[] = [
  {
    name: 'a new endpoint is enabled, and its secret signs',
    run: async (api) => {
      const { call, platform } = api;
      await platform.clock.pass(1_000);
      const { headers, body } = await call('POST /endpoints', { body: { ...input, label: 'stage' } });
      const { id } = body.endpoint;
      deepStrictEqual(body.endpoint, {
        id,
        kind: 'push',
        url: 'https://partner.example/hooks',
        events: ['payed', 'RequestPayment.creation'],
        state: 'enabled',
        label: 'stage',
        standardWebhooks: false,
        includeChildren: false,
        deliveryHeaderName: 'X-API-Key',
        createdAt: start + 1,
        rotating: false,
        health: { status: 'delivering', failures: 0 },
      });
      match(body.secret, /^whsec_/);
      strictEqual(headers['etag'], '"1"');
      deepStrictEqual((await call(`GET ${endpoint}`, {}, { endpointId: id })).body, body.endpoint);
      (await platform.kit.endpoints.delete('org_main', platform.known['endpointId'] ?? ''))._unsafeUnwrap();
      await platform.deliver();
      strictEqual(isSignedWith(api, body.secret), true, 'signed with the secret that was shown');
    },
  },
  {
    name: 'a pull endpoint has neither URL nor secret, and refuses what needs them',
    run: async ({ call, refuses }) => {
      const { body: made } = await call('POST /endpoints', { body: { kind: 'pull', events: ['payed'] } });
      const { id } = made.endpoint;
      deepStrictEqual(Object.keys(made), ['endpoint']);
      deepStrictEqual([made.endpoint.kind, 'url' in made.endpoint], ['pull', false]);
      const period = { body: { from: 0, to: 1_900_000_000 } };
      for (const [path, request] of [
        ['secret/prepare', {}],
        ['replay', period],
        ['recover', period],
      ] as const)
        await refuses({ method: 'POST', path: `/endpoints/${id}/${path}`, ...request }, 409, 'wrong_kind');
      const body = { url: 'https://partner.example/hooks' };
      await refuses({ method: 'PATCH', path: `/endpoints/${id}`, body }, 400, 'invalid_input');
    },
  },
  {
    name: 'a change removes fields that are null, and keeps absent ones',
    run: async ({ call, refuses }) => {
      const { body: before } = await call(`GET ${endpoint}`);
      const { label: _removed, ...kept } = before;
      const { body } = await call(`PATCH ${endpoint}`, { body: { label: null, includeChildren: true } });
      deepStrictEqual(body, { ...kept, includeChildren: true });
      const { deliveryHeaderName: _none, ...open } = body;
      const url = 'https://other.example/hooks';
      await refuses({ method: 'PATCH', path: endpoint, body: { url } }, 409, 'delivery_header_needed');
      deepStrictEqual((await call(`PATCH ${endpoint}`, { body: { url, deliveryHeader: null } })).body, {
        ...open,
        url,
      });
    },
  },
  {
    name: 'wrong fields of an endpoint are named',
    isReadOnly: true,
    run: async ({ refuses }) => {
      for (const [body, pointer] of [
        [{ url: 'http://partner.example/' }, '/url'],
        [{ url: 'https://me:secret@partner.example/' }, '/url'],
        [{ events: ['no such event'] }, '/events/0'],
        [{ label: '' }, '/label'],
      ] as const)
        for (const [method, path] of [
          ['POST', '/endpoints/check'],
          ['PATCH', endpoint],
        ] as const) {
          const { body: problem } = await refuses({ method, path, body }, 400, 'invalid_input');
          strictEqual(problem.errors[0].pointer, pointer);
        }
    },
  },
  {
    name: 'an endpoint that fails is failing, then paused, then delivering again',
    run: async (api) => {
      const { clock, answerWith, deliver } = api.platform;
      answerWith({ status: 500 });
      await deliver();
      deepStrictEqual(await healthOf(api), { state: 'enabled', status: 'failing', failures: 1, failingSince: start });
      await clock.pass(2_000);
      for (let failures = 2; failures <= 5; failures += 1) await deliver();
      deepStrictEqual(await healthOf(api), {
        state: 'enabled',
        status: 'paused',
        failures: 5,
        failingSince: start,
        pausedUntil: start + 2 + 60,
      });
      answerWith({ status: 200 });
      await clock.pass(61_000);
      await deliver();
      deepStrictEqual(await healthOf(api), { state: 'enabled', status: 'delivering', failures: 0 });
    },
  },
  {
    name: 'resume ends a pause and keeps the failures; an endpoint that is not paused stays as it is',
    run: async (api) => {
      const { answerWith, deliver, changes } = api.platform;
      answerWith({ status: 429, retryAfter: '3600' });
      await deliver();
      const failing = { state: 'enabled', failures: 1, failingSince: start };
      deepStrictEqual(await healthOf(api), { ...failing, status: 'paused', pausedUntil: start + 3_600 });
      await api.call(`POST ${endpoint}/resume`);
      deepStrictEqual(await healthOf(api), { ...failing, status: 'failing' });
      const changed = changes.length;
      await api.call(`POST ${endpoint}/resume`);
      deepStrictEqual([changes.length, await healthOf(api)], [changed, { ...failing, status: 'failing' }]);
    },
  },
  {
    name: 'an endpoint says since when the platform pauses sending; resume does not end that',
    run: async (api) => {
      const { kit, clock, answerWith, deliver } = api.platform;
      await clock.pass(30_000);
      (await kit.sending.pause({ accountId: 'org_main' }))._unsafeUnwrap();
      const paused = { state: 'enabled', status: 'paused', failures: 0, sendingPausedSince: start + 30 };
      deepStrictEqual(await healthOf(api), paused);
      await api.call(`POST ${endpoint}/resume`);
      answerWith({ status: 500 });
      await deliver();
      deepStrictEqual(await healthOf(api), paused);
      (await kit.sending.resume({ accountId: 'org_main' }))._unsafeUnwrap();
      deepStrictEqual(await healthOf(api), { state: 'enabled', status: 'delivering', failures: 0 });
    },
  },
  {
    name: 'an endpoint says who disabled it, and since when',
    run: async (api) => {
      const { call, platform } = api;
      await platform.clock.pass(30_000);
      await call(`POST ${endpoint}/disable`);
      const disabled = { status: 'disabled', failures: 0, disabledSince: start + 30 };
      deepStrictEqual(await healthOf(api), { state: 'disabled', ...disabled, disabledBy: 'partner' });
      // The host's own call; to disable it again names nobody else.
      const { disable } = platform.kit.endpoints;
      (await disable('org_main', platform.known['endpointId'] ?? ''))._unsafeUnwrap();
      deepStrictEqual(await healthOf(api), { state: 'disabled', ...disabled, disabledBy: 'partner' });
      await call(`POST ${endpoint}/enable`);
      (await disable('org_main', platform.known['endpointId'] ?? ''))._unsafeUnwrap();
      deepStrictEqual(await healthOf(api), { state: 'disabled', ...disabled, disabledBy: 'host' });
      await call(`POST ${endpoint}/enable`);
      deepStrictEqual(await healthOf(api), { state: 'enabled', status: 'delivering', failures: 0 });
      platform.answerWith({ status: 410 });
      await platform.deliver();
      deepStrictEqual(await healthOf(api), { state: 'disabled_by_breaker', ...disabled, disabledBy: 'gone' });
    },
  },
  {
    name: 'a prepared secret signs from its activation on',
    run: async (api) => {
      const { call, refuses, platform } = api;
      const { body: prepared } = await call(`POST ${endpoint}/secret/prepare`);
      strictEqual(prepared.endpoint.rotating, true);
      const at = start + 60;
      const { body: later } = await call(`POST ${endpoint}/secret/activate`, { body: { at } });
      deepStrictEqual([later.rotating, later.activateNextAt], [true, at]);
      await platform.deliver();
      strictEqual(isSignedWith(api, prepared.secret), false, 'signed with the next secret before its time');
      const { body: now } = await call(`POST ${endpoint}/secret/activate`);
      deepStrictEqual([now.rotating, now.activateNextAt], [false, undefined]);
      await platform.deliver();
      strictEqual(isSignedWith(api, prepared.secret), true, 'signed with the next secret');
      for (const step of ['activate', 'cancel'])
        await refuses({ method: 'POST', path: `${endpoint}/secret/${step}` }, 409, 'no_next_secret');
    },
  },
  {
    name: 'a cancelled secret never signs',
    run: async (api) => {
      const { body: prepared } = await api.call(`POST ${endpoint}/secret/prepare`);
      strictEqual((await api.call(`POST ${endpoint}/secret/cancel`)).body.rotating, false);
      await api.platform.deliver();
      strictEqual(isSignedWith(api, prepared.secret), false);
    },
  },
  {
    name: 'a deleted endpoint is gone',
    run: async ({ call, refuses }) => {
      await call(`DELETE ${endpoint}`);
      await refuses({ method: 'GET', path: endpoint }, 404, 'not_found');
      deepStrictEqual((await call('GET /endpoints')).body.items.length, 1);
    },
  },
  {
    name: 'a test event goes to the one endpoint, whatever it selects',
    run: async ({ call, refuses, platform }) => {
      const url = 'https://partner.example/tests';
      const other = await call('POST /endpoints', { body: { url, events: ['cancel'] } });
      const sent = platform.sender.posts.length;
      const { body } = await call(
        `POST ${endpoint}/test`,
        { body: { ...payed, data: { amount: 1 } } },
        { endpointId: other.body.endpoint.id },
      );
      await platform.kit.worker().drain();
      const posts = platform.sender.posts.slice(sent).map((post) => ({ url: post.url, ...JSON.parse(post.body) }));
      const { id } = posts[0].data;
      match(id, /^test_/);
      deepStrictEqual(posts, [{ url, timestamp: start, data: { id, amount: 1 }, ...payed }]);
      const { items } = (await call('GET /events?order=newest&limit=1')).body;
      deepStrictEqual([items[0].id, items[0].isTest], [body.eventId, true]);

      const wrong = { method: 'POST', path: `${endpoint}/test`, body: { ...payed, data: {} } };
      const missing = { pointer: '/data/amount', detail: 'Invalid input: expected number, received undefined' };
      deepStrictEqual((await refuses(wrong, 400, 'invalid_event')).body.errors, [missing]);
      for (const [body, pointer] of [
        [{ ...payed, type: 'paid', data: {} }, '/type'],
        [{ ...payed, objectName: 'Payment', data: {} }, '/objectName'],
        [{ ...payed, data: { amount: 1, note: 7 } }, '/data/note'],
      ] as const) {
        const refused = await refuses({ ...wrong, body }, 400, 'invalid_event');
        deepStrictEqual(pointersOf(refused), [pointer]);
      }
      const unheard = '/endpoints/:disabledEndpointId/test';
      await refuses({ ...wrong, path: unheard, body: { ...payed, data: { amount: 1 } } }, 409, 'endpoint_disabled');
    },
  },
  {
    name: 'the figures of endpoints are read, with times in seconds',
    run: async ({ call, refuses, platform: { clock, known, answerWith, deliver } }) => {
      await clock.pass(3_600_000);
      answerWith({ status: 429, retryAfter: '600', body: 'slow down', durationMs: 40 });
      await deliver();
      await clock.pass(10_000);
      // Its first attempt waits for the end of the pause.
      await deliver();
      const none = { clientError: 0, serverError: 0, otherStatus: 0, timeout: 0, connection: 0, tls: 0, platform: 0 };
      const [early, late] = [
        { delivered: 1, failed: none },
        { delivered: 0, failed: { ...none, clientError: 1 } },
      ];
      const total = { delivered: 1, failed: { ...none, clientError: 1 } };
      const { body } = await call(`GET ${endpoint}/statistics`);
      const { buckets, last, nextAttemptAt, ...rest } = body;
      strictEqual(buckets.length, 24);
      deepStrictEqual(buckets.slice(-2), [
        { at: start, ...early },
        { at: start + 3_600, ...late },
      ]);
      deepStrictEqual(rest, {
        endpointId: known['endpointId'],
        total,
        successRate: 0.5,
        durations: { medianMs: 12, p90Ms: 40 },
        ...{ waiting: 2, held: 0, isComplete: true },
      });
      const { deliveryId, ...answer } = last;
      const outcome = { kind: 'answered', status: 429, retryAfter: '600', body: 'slow down', durationMs: 40 };
      deepStrictEqual(answer, { ...outcome, at: start + 3_600 });
      match(deliveryId, new RegExp(`\\.${known['endpointId']}$`));
      // The receiver asked for ten minutes.
      strictEqual(nextAttemptAt, start + 4_200);
      const day = start - (start % 86_400);
      for (const [period, days] of [
        ['7d', 7],
        ['30d', 30],
      ] as const) {
        const { body: longer } = await call(`GET ${endpoint}/statistics?period=${period}`);
        strictEqual(longer.buckets.length, days);
        deepStrictEqual(longer.buckets.at(-1), { at: day, ...total });
      }
      const { items } = (await call('GET /statistics?period=24h')).body;
      deepStrictEqual(
        items.map(({ endpointId }: { readonly endpointId: string }) => endpointId),
        [known['endpointId'], known['disabledEndpointId']],
      );
      deepStrictEqual(items[0], body);
      deepStrictEqual(items[1].total, { delivered: 0, failed: none });
      strictEqual('successRate' in items[1], false);
      await refuses({ method: 'GET', path: `${endpoint}/statistics?period=24` }, 400, 'invalid_query');
    },
  },
];
