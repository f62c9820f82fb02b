import { defineObject, hour, PublishError } from '@partnerkit/core';
import { maxAttempts, systemRandom } from '@partnerkit/core/adapter';
import { memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventPairArbitrary } from '../../src/arbitraries/catalogue.ts';
import {
  assertNeverReceived,
  assertReceivedOnce,
  assertSameBytes,
  assertSigned,
} from '../../src/scripted/assertions.ts';
import { manualClock } from '../../src/scripted/clock.ts';
import { scriptedHost } from '../../src/scripted/host.ts';

const me = (id: string): string => `/api/v1/partner/organisations/${id}/me`;

describe('the platform', () => {
  test('is the same each time', async () => {
    const [one, other] = [await scriptedHost(), await scriptedHost()];
    expect([one.client, one.endpoint]).toEqual([other.client, other.endpoint]);
    expect(await one.publish()).toEqual(await other.publish());
    const own = await scriptedHost({ random: systemRandom });
    expect(own.client.secret).not.toBe(one.client.secret);
  });

  test('has a partner who logs in and reaches the own account and its child, and nobody else’s', async () => {
    const { accounts, login, request } = await scriptedHost();
    const token = await login();
    const statuses = Object.values(accounts).map(async ({ id }) => (await request('GET', me(id), { token })).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
  });

  test('takes further accounts, changes of them, and keys for each', async () => {
    const stranger = { id: 'acc_x', name: 'X', status: 'active', environment: 'prod' };
    const { addClient, login, request, setAccount, accounts } = await scriptedHost({ accounts: [stranger] });
    const client = await addClient('acc_x');
    const token = await login(client);
    expect((await request('GET', me('acc_x'), { token })).body).toContain('"X"');
    setAccount({ ...accounts.foreign, parentId: 'acc_x' });
    expect((await request('GET', me('acc_foreign'), { token })).status).toBe(200);
    setAccount({ ...stranger, status: 'suspended' });
    await expect(login(client)).rejects.toThrow('The login was refused: 401 {"error":"invalid_client"');
  });

  test('takes every option of the kit, and routes of the host’s own', async () => {
    const { login, request } = await scriptedHost({
      api: { basePath: '/partner' },
      oauth: { secretPrefix: 'acme' },
      routes: (kit) => [
        kit.accountRoute(
          'GET',
          '/organisations/:organisationId/notes',
          async ({ account }) => ({
            status: 200,
            headers: {},
            body: account.id,
          }),
          { right: 'none' },
        ),
      ],
    });
    const notes = await request('GET', '/partner/organisations/acc_child/notes', { token: await login() });
    expect(notes).toMatchObject({ status: 200, body: 'acc_child' });
  });

  test('tells of a login that is refused without its secret', async () => {
    const { login, client } = await scriptedHost();
    const refused = login({ id: client.id, secret: `${client.secret}x` });
    await expect(refused).rejects.toThrow(/401/);
    await expect(refused).rejects.not.toThrow(client.secret);
  });

  test('has time that the test lets pass: a token expires', async () => {
    const { clock, login, request } = await scriptedHost();
    const token = await login();
    await clock.pass(30 * 24 * hour - 1_000);
    expect((await request('GET', me('acc_own'), { token })).status).toBe(200);
    await clock.pass(1_000);
    expect((await request('GET', me('acc_own'), { token })).status).toBe(401);
  });
});

describe('publish and deliver', () => {
  test('a published event arrives once, signed with the endpoint’s secret', async () => {
    const { publish, deliver, partner, endpoint } = await scriptedHost();
    const event = await publish({ id: 'p1', data: { status: 'done' }, occurredAt: 1_732_147_200_000 });
    expect(event).toMatchObject({ accountId: 'acc_own', objectName: 'RequestPayment', type: 'payed', id: 'p1' });
    assertNeverReceived(partner.posts);
    expect([await deliver(), await deliver()]).toEqual([1, 0]);
    assertReceivedOnce(partner.posts, event);
    assertSigned(partner.posts, endpoint.secret);
    expect(partner.posts[0]).toMatchObject({
      signature: 'good',
      envelope: { timestamp: 1_732_147_200, data: { id: 'p1', status: 'done' } },
    });
  });

  test('every pair of the kit can be published, by its name or its type alone as well', async () => {
    const { kit, publish } = await scriptedHost();
    const property = fc.asyncProperty(eventPairArbitrary(), async ({ objectName, type }) => {
      expect(await publish({ objectName, type })).toMatchObject({ objectName, type });
      for (const event of [await publish({ objectName }), await publish({ type })])
        expect(kit.catalogue.has(event.objectName, event.type)).toBe(true);
    });
    await fc.assert(property);
    expect((await publish()).id).not.toBe((await publish()).id);
  });

  test('objects of the host give the defaults', async () => {
    const schema = z.object({ id: z.string() });
    const objects = [
      defineObject('Customer', { schema, events: { removal: [], creation: [] } }),
      defineObject('Invoice', { schema, events: { late: [], payed: [] } }),
    ] as const;
    const { publish, deliver, partner } = await scriptedHost({ objects });
    const named = [await publish(), await publish({ objectName: 'Customer' }), await publish({ type: 'late' })];
    expect(named.map(({ objectName, type }) => `${objectName}.${type}`)).toEqual([
      'Invoice.payed',
      'Customer.removal',
      'Invoice.late',
    ]);
    await deliver();
    expect(partner.posts).toHaveLength(3);
    // @ts-expect-error no such type
    await expect(publish({ type: 'cancel' })).rejects.toThrow("type: Customer has no type 'cancel'");
  });

  test('what is rolled back is never received; what the kit does not have is rejected', async () => {
    const { publish, deliver, partner, storage } = await scriptedHost();
    const rolledBack = storage.transaction(async (tx) => {
      await publish({}, tx);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await deliver();
    assertNeverReceived(partner.posts);
    await expect(publish({ objectName: 'RequestPayment', type: 'check_in' })).rejects.toThrow(PublishError);
  });

  test('the same idempotency key makes no second event', async () => {
    const { publish, deliver, partner } = await scriptedHost();
    const [one, again] = [
      await publish({ id: 'p', idempotencyKey: 'k' }),
      await publish({ id: 'p', idempotencyKey: 'k' }),
    ];
    expect(again).toEqual(one);
    await deliver();
    assertReceivedOnce(partner.posts, one);
  });

  test('deliverAll lets time pass until nothing waits: delivered after failures, or exhausted', async () => {
    const { publish, deliverAll, partner, kit, clock } = await scriptedHost();
    partner.script(500, { status: 503, headers: { 'retry-after': '86400' } }, 'silence');
    const event = await publish();
    expect(await deliverAll()).toBe(4);
    assertSameBytes(partner.posts, event);
    partner.otherwise('cut');
    await publish();
    expect(await deliverAll()).toBe(maxAttempts);
    const states = (await kit.deliveries.list('acc_own', { page: {} }))._unsafeUnwrap().items.map(({ state }) => state);
    expect(states.toSorted()).toEqual(['delivered', 'exhausted']);
    const before = clock.now();
    expect([await deliverAll(), clock.now()]).toEqual([0, before]);
  });

  test('deliverAll ends with a partner that never confirms: one delivery is exhausted, and the breaker holds the rest', async () => {
    const { publish, deliverAll, partner, kit, signals } = await scriptedHost();
    partner.otherwise('cut');
    for (let count = 0; count < 20; count++) await publish();
    await deliverAll();
    const states = (await kit.deliveries.list('acc_own', { page: { limit: 100 } }))
      ._unsafeUnwrap()
      .items.map(({ state }) => state);
    expect(states.toSorted()).toEqual(['exhausted', ...Array(19).fill('held')]);
    expect(signals.filter(({ kind }) => kind === 'endpoint_disabled')).toHaveLength(1);
  });

  test('deliverAll says so when its clock is not the storage’s', async () => {
    const { publish, deliverAll, partner } = await scriptedHost({ storage: memoryStorage({ clock: manualClock() }) });
    partner.otherwise(500);
    await publish();
    await expect(deliverAll()).rejects.toThrow(
      'Deliveries wait, and no time passes for them: is their storage on `clock`?',
    );
  });

  test('further endpoints have partners of their own; two at one URL are both trusted', async () => {
    const { publish, deliver, addEndpoint, sender, partner, endpoint } = await scriptedHost();
    const other = await addEndpoint('acc_foreign');
    const twin = await addEndpoint('acc_foreign', { url: endpoint.url, events: ['creation'] });
    expect(twin.secret).not.toBe(endpoint.secret);
    const event = await publish({ accountId: 'acc_foreign', type: 'creation' });
    await publish({ id: 'ours' });
    await deliver();
    assertReceivedOnce(sender.at(other.url).posts, event);
    assertNeverReceived(sender.at(other.url).posts, { id: 'ours' });
    expect(partner.posts.map(({ signature }) => signature)).toEqual(['good', 'good']);
    await expect(addEndpoint('acc_own', { url: 'http://partner.example/' })).rejects.toThrow(
      'The endpoint was not created: invalid_input. url: must be HTTPS.',
    );
  });

  test('a worker that runs by itself sleeps on the clock of the test', async () => {
    const { kit, publish, partner, clock } = await scriptedHost();
    const worker = kit.worker();
    worker.start();
    await publish();
    await clock.pass(1_000);
    await partner.arrived(1);
    await worker.stop();
  });
});

test('objects of the host’s own are published through the kit, typed', async () => {
  const payment = defineObject('RequestPayment', {
    schema: z.object({ id: z.string(), amount: z.number() }),
    groups: { all: ['amount'] },
    events: { default: ['all'] },
  });
  const { kit, deliver, partner, signals } = await scriptedHost({ objects: [payment] });
  const data = { id: 'p', amount: 7 };
  await kit.events.publish({ accountId: 'acc_own', objectName: 'RequestPayment', type: 'payed', data }, { tx: 'new' });
  await deliver();
  expect(partner.posts[0]?.envelope?.data).toEqual(data);
  expect(signals.map(({ kind }) => kind)).toEqual(['client', 'endpoint', 'published', 'dispatched', 'attempt']);
});
