import { describe, expect, test } from 'vitest';
import { err } from '#result';
import type { PageRequest } from '../../../src/base/pagination/page.ts';
import { day } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { start, testClock } from '../../support/clock.ts';
import { platform } from '../../support/kit.ts';

type Options = Parameters<typeof platform>[0];
const input = { url: 'https://partner.example/hooks', events: ['payed', 'cancel'] } as const;
const world = async (options: Options = {}, more: object = {}) => {
  const made = platform(options);
  const created = (await made.kit.endpoints.create('acc_a', { ...input, ...more }))._unsafeUnwrap();
  made.signals.length = 0;
  return { ...made, ...created, id: created.endpoint.id };
};

describe('create', () => {
  test('golden: the secret is shown here', async () => {
    const made = await world({}, { label: 'prod', deliveryHeader: { name: 'X-API-Key', value: 'k3y-value' } });
    expect(made.endpoint).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      accountId: 'acc_a',
      kind: 'push',
      url: 'https://partner.example/hooks',
      events: ['payed', 'cancel'],
      state: 'enabled',
      label: 'prod',
      standardWebhooks: false,
      includeChildren: false,
      createdAt: start,
      rotating: false,
      deliveryHeaderName: 'X-API-Key',
      version: 1,
    });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });

  test('neither secret nor API key is found, listed or stored in clear', async () => {
    const { kit, storage, secret, id } = await world({}, { deliveryHeader: { name: 'X-API-Key', value: 'k3y-value' } });
    const stored = await storage.endpoints.findEndpoint('acc_a', id);
    const seen = JSON.stringify([await kit.endpoints.find('acc_a', id), await kit.endpoints.list('acc_a'), stored]);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain('k3y-value');
    expect(stored?.secret).toMatch(/^v1\.k1\./);
    expect(stored?.deliveryHeader?.value).toMatch(/^v1\.k1\./);
    expect(JSON.stringify(await kit.endpoints.find('acc_a', id))).not.toContain('v1.k1.');
  });

  test('create and update report wrong fields', async () => {
    const { kit, id } = await world();
    const wrong = { url: 'http://partner.example', events: ['payed'] } as const;
    const refusal = err({ code: 'invalid_input', message: 'url: must be HTTPS.' });
    expect(await kit.endpoints.create('acc_a', wrong)).toMatchObject(refusal);
    expect(await kit.endpoints.update('acc_a', id, wrong)).toMatchObject(refusal);
    expect(await kit.endpoints.create('', input)).toMatchObject(
      err({ code: 'invalid_input', message: 'accountId: 1 to 256 bytes of text without control characters.' }),
    );
  });

  test('an account that the directory does not know is refused, and nothing is stored', async () => {
    const { kit, storage } = await world();
    for (const accountId of ['acc_none', 'ACC_A', 'acc_a '])
      expect((await kit.endpoints.create(accountId, input))._unsafeUnwrapErr()).toMatchObject({
        code: 'invalid_input',
        errors: [{ pointer: '/accountId', detail: 'accounts.find knows no account of this id.' }],
      });
    expect((await storage.endpoints.listEndpoints('acc_none', { limit: 1 })).items).toEqual([]);
    const failing = platform({ storage, accounts: { find: () => Promise.reject(new Error('down')) } });
    expect((await failing.kit.endpoints.create('acc_a', input))._unsafeUnwrapErr().code).toBe('unavailable');
  });

  test('of 50 simultaneous calls for one account, 20 get an endpoint', async () => {
    const { kit } = platform();
    const results = await Promise.all(Array.from({ length: 50 }, () => kit.endpoints.create('acc_a', input)));
    expect(results.filter((result) => result.isOk())).toHaveLength(20);
    expect(results.find((result) => result.isErr())).toMatchObject(err({ code: 'too_many_endpoints' }));
    expect((await kit.endpoints.list('acc_a', { page: { limit: 100 } }))._unsafeUnwrap().items).toHaveLength(20);
    expect((await kit.endpoints.create('acc_b', input)).isOk()).toBe(true);
  });

  test('maxEndpoints is an option; a deleted endpoint frees its place', async () => {
    const { kit, id } = await world({ webhooks: { maxEndpoints: 1 } });
    expect(await kit.endpoints.create('acc_a', input)).toMatchObject(err({ code: 'too_many_endpoints' }));
    (await kit.endpoints.delete('acc_a', id))._unsafeUnwrap();
    expect((await kit.endpoints.create('acc_a', input)).isOk()).toBe(true);
  });

  test('ports can be limited', async () => {
    const { kit } = platform({ webhooks: { ports: [443] } });
    expect(
      (await kit.endpoints.create('acc_a', { ...input, url: 'https://x.example:8443' }))._unsafeUnwrapErr().code,
    ).toBe('invalid_input');
  });
});

describe('update', () => {
  test('changes what is named and leaves the rest', async () => {
    const { kit, id, endpoint } = await world({}, { label: 'prod', deliveryHeader: { name: 'X-API-Key', value: 'v' } });
    const after = (
      await kit.endpoints.update('acc_a', id, {
        url: 'https://partner.example/moved',
        standardWebhooks: true,
        includeChildren: true,
      })
    )._unsafeUnwrap();
    expect(after).toEqual({
      ...endpoint,
      url: 'https://partner.example/moved',
      standardWebhooks: true,
      includeChildren: true,
      version: endpoint.version + 1,
    });
    expect((await kit.endpoints.find('acc_a', id))._unsafeUnwrap()).toEqual(after);
  });

  test('null removes', async () => {
    const { kit, id } = await world({}, { label: 'prod', deliveryHeader: { name: 'X-API-Key', value: 'v' } });
    const after = (await kit.endpoints.update('acc_a', id, { label: null, deliveryHeader: null }))._unsafeUnwrap();
    expect(after).not.toHaveProperty('label');
    expect(after).not.toHaveProperty('deliveryHeaderName');
  });

  test('a new API key is sealed', async () => {
    const { kit, storage, id } = await world();
    (
      await kit.endpoints.update('acc_a', id, { deliveryHeader: { name: 'Authorization', value: 'Bearer abc' } })
    )._unsafeUnwrap();
    const stored = await storage.endpoints.findEndpoint('acc_a', id);
    expect(stored?.deliveryHeader).toEqual({ name: 'Authorization', value: expect.stringMatching(/^v1\.k1\./) });
  });

  test('does not touch a rotation', async () => {
    const { kit, storage, id } = await world();
    (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
    const before = await storage.endpoints.findEndpoint('acc_a', id);
    (await kit.endpoints.update('acc_a', id, { label: 'x' }))._unsafeUnwrap();
    const after = await storage.endpoints.findEndpoint('acc_a', id);
    expect([after?.secret, after?.nextSecret]).toEqual([before?.secret, before?.nextSecret]);
  });

  test('simultaneous updates of different fields each succeed or return changed_meanwhile', async () => {
    const { kit, id } = await world();
    const results = await Promise.all([
      kit.endpoints.update('acc_a', id, { label: 'one' }),
      kit.endpoints.update('acc_a', id, { standardWebhooks: true }),
      kit.endpoints.update('acc_a', id, { events: ['creation'] }),
      kit.endpoints.disable('acc_a', id),
    ]);
    expect(results.map((result) => result.isOk())).toEqual([true, true, true, true]);
    expect((await kit.endpoints.find('acc_a', id))._unsafeUnwrap()).toMatchObject({
      label: 'one',
      standardWebhooks: true,
      events: ['creation'],
      state: 'disabled',
    });
  });
});

describe('secret rotation', () => {
  const state = async ({ kit, id }: Awaited<ReturnType<typeof world>>) =>
    (await kit.endpoints.find('acc_a', id))._unsafeUnwrap();

  test('prepare shows the next secret; activate switches now', async () => {
    const made = await world();
    const { kit, id, secret } = made;
    const next = (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
    expect(next.secret).toMatch(/^whsec_/);
    expect(next.secret).not.toBe(secret);
    expect(next.endpoint.rotating).toBe(true);
    expect((await state(made)).rotating).toBe(true);
    expect((await kit.endpoints.activateSecret('acc_a', id))._unsafeUnwrap().rotating).toBe(false);
    expect(await kit.endpoints.activateSecret('acc_a', id)).toMatchObject(err({ code: 'no_next_secret' }));
  });

  test('activates at a set time without a further call', async () => {
    const clock = testClock();
    const made = await world({ clock });
    const { kit, id } = made;
    (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
    expect((await kit.endpoints.activateSecret('acc_a', id, { at: 1_795_456_800 }))._unsafeUnwrapErr()).toMatchObject({
      errors: [{ pointer: '/at', detail: expect.stringContaining('this is a time in seconds') }],
    });
    const planned = (await kit.endpoints.activateSecret('acc_a', id, { at: start + day }))._unsafeUnwrap();
    expect(planned).toMatchObject({ rotating: true, activateNextAt: start + day });
    clock.set(start + day - 1);
    expect(await state(made)).toMatchObject({ rotating: true, activateNextAt: start + day });
    clock.set(start + day);
    expect(await kit.endpoints.cancelSecret('acc_a', id)).toMatchObject(err({ code: 'no_next_secret' }));
  });

  test('a view shows no prepared secret after the activation time', async () => {
    const clock = testClock();
    const made = await world({ clock });
    const { kit, id } = made;
    (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
    (await kit.endpoints.activateSecret('acc_a', id, { at: start + day }))._unsafeUnwrap();
    clock.set(start + day);
    const seen = [await state(made), ...(await kit.endpoints.list('acc_a'))._unsafeUnwrap().items];
    for (const view of seen) {
      expect(view.rotating).toBe(false);
      expect(view).not.toHaveProperty('activateNextAt');
    }
  });

  test('cancel removes the next secret', async () => {
    const { kit, storage, id } = await world();
    const before = await storage.endpoints.findEndpoint('acc_a', id);
    (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
    expect((await kit.endpoints.cancelSecret('acc_a', id))._unsafeUnwrap().rotating).toBe(false);
    const after = await storage.endpoints.findEndpoint('acc_a', id);
    expect(after).toEqual({ ...before, version: after?.version });
    expect(await kit.endpoints.cancelSecret('acc_a', id)).toMatchObject(err({ code: 'no_next_secret' }));
    expect(await kit.endpoints.activateSecret('acc_a', id)).toMatchObject(err({ code: 'no_next_secret' }));
  });

  test('a second prepare replaces the first and its activation time', async () => {
    const { kit, storage, id } = await world();
    const first = (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
    (await kit.endpoints.activateSecret('acc_a', id, { at: start + day }))._unsafeUnwrap();
    const sealedFirst = (await storage.endpoints.findEndpoint('acc_a', id))?.nextSecret;
    const second = (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
    const stored = await storage.endpoints.findEndpoint('acc_a', id);
    expect(second.secret).not.toBe(first.secret);
    expect(stored?.nextSecret).not.toBe(sealedFirst);
    expect(stored).not.toHaveProperty('activateNextAt');
  });

  test('activation at 0 activates now', async () => {
    const { kit, id } = await world();
    (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
    expect((await kit.endpoints.activateSecret('acc_a', id, { at: 0 }))._unsafeUnwrap().rotating).toBe(false);
  });

  test.each([-1, 1.5, Number.NaN, 'tomorrow'])('a time like %s is refused', async (at) => {
    const { kit, id } = await world();
    (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
    expect(await kit.endpoints.activateSecret('acc_a', id, { at: at as number })).toMatchObject(
      err({ code: 'invalid_input', message: 'at: milliseconds since 1970, a whole number.' }),
    );
  });
});

describe('of another account', () => {
  test('every call returns not_found, as for an unknown id, and changes nothing', async () => {
    const { kit, storage, id } = await world();
    (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
    const before = structuredClone(await storage.endpoints.findEndpoint('acc_a', id));
    const { endpoints } = kit;
    const calls = (accountId: string, endpointId: string) => [
      endpoints.find(accountId, endpointId),
      endpoints.update(accountId, endpointId, { url: 'https://evil.example' }),
      endpoints.enable(accountId, endpointId),
      endpoints.disable(accountId, endpointId),
      endpoints.prepareSecret(accountId, endpointId),
      endpoints.activateSecret(accountId, endpointId),
      endpoints.cancelSecret(accountId, endpointId),
      endpoints.delete(accountId, endpointId),
    ];
    for (const each of calls('acc_b', id)) expect(await each).toMatchObject(err({ code: 'not_found' }));
    for (const each of calls('acc_child', id)) expect(await each).toMatchObject(err({ code: 'not_found' }));
    for (const each of calls('acc_a', '01935a6e-0000-7000-8000-000000000000'))
      expect(await each).toMatchObject(err({ code: 'not_found' }));
    expect((await endpoints.list('acc_b'))._unsafeUnwrap().items).toEqual([]);
    expect(await storage.endpoints.findEndpoint('acc_a', id)).toEqual(before);
  });

  test('an endpoint of another account is not_found even if a store returns it', async () => {
    const storage = memoryStorage();
    const { id } = await world({ storage });
    const careless = {
      ...storage.endpoints,
      findEndpoint: () => storage.endpoints.findEndpoint('acc_a', id),
      listEndpoints: () => storage.endpoints.listEndpoints('acc_a', {}),
    };
    const { kit } = platform({ storage: { ...storage, endpoints: careless } });
    expect(await kit.endpoints.find('acc_b', id)).toMatchObject(err({ code: 'not_found' }));
    expect(await kit.endpoints.find('acc_a', 'other')).toMatchObject(err({ code: 'not_found' }));
    expect(await kit.endpoints.prepareSecret('acc_b', id)).toMatchObject(err({ code: 'not_found' }));
    expect((await kit.endpoints.list('acc_b'))._unsafeUnwrap().items).toEqual([]);
  });
});

test('a list is paged, oldest first by default', async () => {
  const { kit } = platform();
  for (let index = 0; index < 5; index++)
    (await kit.endpoints.create('acc_a', { ...input, label: String(index) }))._unsafeUnwrap();
  const first = (await kit.endpoints.list('acc_a', { page: { limit: 3 } }))._unsafeUnwrap();
  const second = (
    await kit.endpoints.list('acc_a', { page: { limit: 3, after: first.next as string } })
  )._unsafeUnwrap();
  expect([first, second].map(({ items }) => items.map(({ label }) => label))).toEqual([
    ['0', '1', '2'],
    ['3', '4'],
  ]);
  expect(second).not.toHaveProperty('next');
  const refused = { code: 'invalid_cursor' };
  for (const after of ['', 'x', '2', `${first.next}x`])
    expect((await kit.endpoints.list('acc_a', { page: { after } }))._unsafeUnwrapErr()).toMatchObject(refused);
  expect(
    (await kit.endpoints.list('acc_b', { page: { after: first.next as string } }))._unsafeUnwrapErr(),
  ).toMatchObject(refused);
  const labels = async (request: PageRequest) =>
    (await kit.endpoints.list('acc_a', { page: { ...request, newestFirst: true } })).map(({ items }) =>
      items.map(({ label }) => label),
    );
  expect((await labels({}))._unsafeUnwrap()).toEqual(['4', '3', '2', '1', '0']);
  // A cursor belongs to its order.
  expect((await labels({ after: first.next as string }))._unsafeUnwrapErr()).toMatchObject(refused);
});

test('each change is signalled once, with ids only', async () => {
  const { kit, signals, id } = await world();
  (await kit.endpoints.update('acc_a', id, { label: 'SECRET' }))._unsafeUnwrap();
  (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
  (await kit.endpoints.cancelSecret('acc_a', id))._unsafeUnwrap();
  (await kit.endpoints.prepareSecret('acc_a', id))._unsafeUnwrap();
  (await kit.endpoints.activateSecret('acc_a', id))._unsafeUnwrap();
  (await kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
  (await kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
  (await kit.endpoints.delete('acc_a', id))._unsafeUnwrap();
  (await kit.endpoints.delete('acc_a', id))._unsafeUnwrapErr();
  const changes = [
    'updated',
    'secret_prepared',
    'secret_cancelled',
    'secret_prepared',
    'secret_activated',
    'disabled',
    'enabled',
    'deleted',
  ];
  expect(signals).toEqual(
    changes.map((change) => ({ kind: 'endpoint', change, accountId: 'acc_a', endpointId: id, by: { type: 'host' } })),
  );
});

test('a failing store is unavailable, with its cause', async () => {
  const cause = new Error('down');
  const failing = () => Promise.reject(cause);
  const storage = memoryStorage();
  const { id } = await world({ storage });
  const names = ['insertEndpoint', 'findEndpoint', 'listEndpoints', 'deleteEndpoint'] as const;
  const endpoints = { ...storage.endpoints, ...Object.fromEntries(names.map((name) => [name, failing])) };
  const { kit, signals } = platform({ storage: { ...storage, endpoints } });
  const unavailable = err({ code: 'unavailable', cause });
  expect(await kit.endpoints.create('acc_a', input)).toMatchObject(unavailable);
  expect(await kit.endpoints.find('acc_a', id)).toMatchObject(unavailable);
  expect(await kit.endpoints.list('acc_a')).toMatchObject(unavailable);
  expect(await kit.endpoints.enable('acc_a', id)).toMatchObject(unavailable);
  expect(await kit.endpoints.delete('acc_a', id)).toMatchObject(unavailable);
  expect(signals).toEqual([]);
});
