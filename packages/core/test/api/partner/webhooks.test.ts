import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../../src/base/http/route.ts';
import { day } from '../../../src/base/runtime/time.ts';
import type { Signal } from '../../../src/base/signals/signal.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { testClock } from '../../support/clock.ts';
import { call, loginToken } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

type Given = Parameters<typeof platform>[0];
interface Asked {
  readonly body?: unknown;
  readonly account?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

const hook = { url: 'https://partner.example/hooks', events: ['payed'] };
const header = { name: 'X-API-Key', value: 'k3y-of-the-partner' };

/** A platform whose partners manage webhooks by key; everything that is stored as an answer is kept. */
const world = async (options: Given = {}) => {
  const clock = testClock();
  const stored: string[] = [];
  const memory = memoryStorage({ clock });
  const { complete, ...claims } = memory.requests.idempotency;
  const storage = {
    ...memory,
    requests: {
      ...memory.requests,
      idempotency: {
        ...claims,
        complete: async (...args: Parameters<typeof complete>) => {
          stored.push(JSON.stringify(args.slice(1)));
          return complete(...args);
        },
      },
    },
  };
  const { kit, signals } = platform({ clock, storage, api: { webhooks: true }, ...options });
  const newClient = async (accountId = 'acc_a') => {
    const made = (await kit.clients.create(accountId, { name: 'key' }))._unsafeUnwrap();
    return { id: made.client.id, token: await loginToken(kit, made) };
  };
  const client = await newClient();
  const ask = async (
    method: string,
    path: string,
    { body, account = 'acc_a', token = client.token, headers = {} }: Asked = {},
  ) => {
    const answer: HttpResponse = await call(kit, method, `/api/v1/partner/organisations/${account}${path}`, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { ...answer, json: answer.body === '' ? undefined : JSON.parse(answer.body) };
  };
  const create = (key: string | undefined, { body = hook, ...more }: Asked = {}) =>
    ask('POST', '/webhooks', { body, headers: key === undefined ? {} : { 'idempotency-key': key }, ...more });
  const endpoints = async (accountId = 'acc_a') => (await kit.endpoints.list(accountId))._unsafeUnwrap().items;
  return { kit, clock, signals, stored, client, newClient, ask, create, endpoints };
};
const changes = (signals: readonly Signal[]) =>
  signals.flatMap((signal) => (signal.kind === 'endpoint' ? [[signal.change, signal.by]] : []));

test('without the option, a kit serves nothing of webhooks; with it, no API keys', async () => {
  const pathsOf = (kit: { readonly routes: readonly { readonly path: string }[] }) =>
    kit.routes.map(({ path }) => path.slice('/api/v1/partner/organisations/:organisationId'.length));
  expect(pathsOf(platform().kit).filter((path) => path.includes('webhook'))).toEqual([]);
  const { kit } = await world();
  expect(pathsOf(kit)).toContain('/webhooks/:endpointId');
  expect(pathsOf(kit).filter((path) => /key|session|secrets/.test(path))).toEqual([]);
});

test('every path is served below the aliases, too', async () => {
  const { kit } = await world({ api: { webhooks: true, pathAliases: true } });
  for (const { path, aliases } of kit.routes.filter((route) => route.path.includes('/webhook')))
    expect(aliases).toContain(path.replace('/api/v1/partner', '/v1/partner'));
});

test('the client makes the change, and counts as the partner', async () => {
  const { ask, create, signals, client } = await world();
  const { id } = (await create(undefined)).json.endpoint;
  const by = { type: 'client', id: client.id };
  await ask('PATCH', `/webhooks/${id}`, { body: { label: 'prod' } });
  const { json } = await ask('POST', `/webhooks/${id}/disable`, { body: {} });
  expect(json.health).toMatchObject({ status: 'disabled', disabledBy: 'partner' });
  await ask('DELETE', `/webhooks/${id}`);
  expect(changes(signals)).toEqual([
    ['created', by],
    ['updated', by],
    ['disabled', by],
    ['deleted', by],
  ]);
});

test('the limits of an account count its clients and its persons together', async () => {
  const points = { points: 2, window: day };
  const { kit, ask, create, newClient } = await world({
    limits: { endpointsPerAccount: points, testEventsPerAccount: { points: 1, window: day } },
  });
  const routes = kit.managementRoutes({
    authorize: () => ({ accountId: 'acc_a', userId: 'user_1', can: { webhooks: 'write' } }),
  });
  const byPerson = () =>
    call({ routes }, 'POST', '/api/v1/partner-management/endpoints', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(hook),
    });
  const { id } = (await create(undefined)).json.endpoint;
  expect((await create(undefined, { body: { ...hook, url: 'no url' } })).status).toBe(400);
  expect((await byPerson()).status).toBe(201);
  expect((await byPerson()).status).toBe(429);
  const refused = await create(undefined, { token: (await newClient()).token });
  expect([refused.status, refused.headers['ratelimit-policy']]).toEqual([429, '"endpoints";q=2;w=86400']);
  expect((await create(undefined, { account: 'acc_child' })).status).toBe(201);
  const event = { objectName: 'RequestPayment', type: 'payed', data: {} };
  const sent = [1, 2].map(() => ask('POST', `/webhooks/${id}/test`, { body: event }));
  expect((await Promise.all(sent)).map(({ status }) => status).toSorted()).toEqual([202, 429]);
});

describe('an Idempotency-Key', () => {
  test('makes one endpoint, whose secret is in one answer', async () => {
    const { create, endpoints, stored, signals } = await world();
    const body = { ...hook, deliveryHeader: header };
    const first = await create('one', { body });
    const again = await create('"one"', { body });
    expect([first.status, again.status]).toEqual([201, 201]);
    const { secret, ...shown } = first.json;
    expect(secret).toMatch(/^whsec_/);
    expect(again.json).toEqual(shown);
    expect(again.headers['location']).toBe(first.headers['location']);
    expect(await endpoints()).toHaveLength(1);
    expect(changes(signals).map(([change]) => change)).toEqual(['created']);
    for (const text of [...stored, JSON.stringify(signals), again.body])
      for (const hidden of [secret, header.value]) expect(text).not.toContain(hidden);
  });

  test('makes one endpoint of simultaneous requests', async () => {
    const { create, endpoints, signals } = await world();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('one')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(answers.filter(({ json }) => json.secret !== undefined)).toHaveLength(1);
    expect(new Set(answers.map(({ json }) => json.endpoint.id)).size).toBe(1);
    expect(await endpoints()).toHaveLength(1);
    expect(changes(signals)).toHaveLength(1);
  });

  test('belongs to a client, an account and a request, for 24 hours', async () => {
    const { create, endpoints, newClient, clock } = await world();
    await create('one');
    const other = await create('one', { body: { ...hook, label: 'other' } });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_conflict']);
    expect((await create('one', { account: 'acc_child' })).json.secret).toBeDefined();
    expect((await create('one', { token: (await newClient()).token })).json.secret).toBeDefined();
    await clock.advance(day + 1);
    expect((await create('one')).json.secret).toBeDefined();
    expect([(await endpoints()).length, (await endpoints('acc_child')).length]).toEqual([3, 1]);
  });

  test('leaves the digest of a guessed header value out of the store', async () => {
    const storedFor = async (value: string) => {
      const { create, stored } = await world();
      await create('one', { body: { ...hook, deliveryHeader: { ...header, value } } });
      return stored.map((text) => JSON.parse(text)[1].requestHash);
    };
    expect(await storedFor('guess')).toEqual(await storedFor(header.value));
  });

  test('that a refusal or a failure ended is free again', async () => {
    const { create, endpoints, kit } = await world({ webhooks: { maxEndpoints: 1 } });
    const [made] = [(await create('first')).json.endpoint];
    expect((await create('one')).json.code).toBe('too_many_endpoints');
    expect((await create('one', { body: { ...hook, url: 'no url' } })).json.code).toBe('invalid_input');
    expect((await kit.endpoints.delete('acc_a', made.id)).isOk()).toBe(true);
    expect((await create('one')).json.secret).toBeDefined();
    expect(await endpoints()).toHaveLength(1);
  });

  test('and its endpoint are stored together: a store that fails after one of them has neither', async () => {
    const memory = memoryStorage({ clock: testClock() });
    let fails = true;
    const storage = {
      ...memory,
      requests: {
        ...memory.requests,
        idempotency: {
          ...memory.requests.idempotency,
          complete: async (...args: Parameters<typeof memory.requests.idempotency.complete>) => {
            if (fails) throw new Error('down');
            return memory.requests.idempotency.complete(...args);
          },
        },
      },
    };
    const { create, endpoints, signals } = await world({ storage });
    const lost = await create('one');
    expect([lost.status, lost.json.code, 'secret' in lost.json]).toEqual([503, 'unavailable', false]);
    expect([(await endpoints()).length, changes(signals)]).toEqual([0, []]);
    fails = false;
    expect((await create('one')).json.secret).toBeDefined();
    expect(await endpoints()).toHaveLength(1);
  });

  test('is also for persons, and another one than that of a client', async () => {
    const { kit, create, endpoints } = await world();
    const routes = kit.managementRoutes({
      authorize: () => ({ accountId: 'acc_a', userId: 'user_1', can: { webhooks: 'write' } }),
    });
    const byPerson = async () =>
      JSON.parse(
        (
          await call({ routes }, 'POST', '/api/v1/partner-management/endpoints', {
            headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
            body: JSON.stringify(hook),
          })
        ).body,
      );
    await create('one');
    expect([(await byPerson()).secret, (await byPerson()).secret]).toEqual([expect.any(String), undefined]);
    expect(await endpoints()).toHaveLength(2);
  });
});

test('a loop of create, read, change and delete that runs twice changes nothing the second time', async () => {
  const { ask, create, endpoints, signals } = await world();
  const loop = async () => {
    const made = await create('one');
    const path = `/webhooks/${made.json.endpoint.id}`;
    const read = await ask('GET', path);
    const changed = await ask('PATCH', path, {
      body: { label: 'prod' },
      headers: { 'if-match': made.headers['etag'] ?? '' },
    });
    const deleted = await ask('DELETE', path);
    return [made, read, changed, deleted].map(({ status }) => status);
  };
  expect(await loop()).toEqual([201, 200, 200, 204]);
  const before = signals.length;
  expect(await loop()).toEqual([201, 404, 404, 404]);
  expect([await endpoints(), signals.slice(before).filter(({ kind }) => kind === 'endpoint')]).toEqual([[], []]);
});
