import { expect, test } from 'vitest';
import { minute, second } from '../../src/base/runtime/time.ts';
import { call, loginToken } from '../support/http.ts';
import { recipient, requestWorld } from './world.ts';

const path = '/api/v1/partner/organisations/acc_a/payment-requests';
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Stay ${index}`, amount: 120, currency: 'EUR', recipient }));

/** A partner, and what happens after each payment request that is stored. */
const partner = async (world: ReturnType<typeof requestWorld>) => {
  const inserted: string[] = [];
  const after = { insert: async (_count: number): Promise<unknown> => undefined };
  const { payments } = world.stores;
  const requests = world.requestsOver({
    payments: {
      ...payments,
      insert: async (...given) => {
        await payments.insert(...given);
        inserted.push(given[1].id);
        await after.insert(inserted.length);
      },
    },
  });
  const added = (await world.kit.clients.create('acc_a', { name: 'Key' }))._unsafeUnwrap();
  const routes = [...world.kit.routes, ...requests.routes];
  const authorization = `Bearer ${await loginToken(world.kit, added)}`;
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'batch' };
  return {
    ...world,
    after,
    inserted,
    client: added.client,
    send: async (count: number, isClosed = () => false) => {
      const body = JSON.stringify({ items: items(count) });
      const {
        status,
        headers: answered,
        body: text,
      } = await call({ routes }, 'POST', `${path}/batch`, {
        ...{ headers, body, isClosed },
      });
      return { status, retryAfter: answered['retry-after'], json: JSON.parse(text) };
    },
  };
};

test('a batch ends before the next item when its API key is disabled, and continues when it is enabled', async () => {
  const { kit, client, clock, after, inserted, send } = await partner(requestWorld());
  after.insert = async (count) => {
    if (count !== 2) return;
    expect((await kit.clients.disable('acc_a', client.id)).isOk()).toBe(true);
    // Another process disabled it: it is refused within the stated second.
    clock.set(clock.now() + second);
  };
  const stopped = await send(100);
  expect([stopped.status, stopped.json.code, inserted.length]).toEqual([401, 'invalid_token', 2]);
  after.insert = async () => undefined;
  expect((await kit.clients.enable('acc_a', client.id)).isOk()).toBe(true);
  clock.set(clock.now() + second);
  const rest = await send(100);
  expect([rest.status, rest.json.items.length, inserted.length]).toEqual([200, 100, 100]);
  expect(rest.json.items.map(({ object }: { readonly object: { readonly name: string } }) => object.name)).toEqual(
    items(100).map(({ name }) => name),
  );
});

test('a batch begins no item after its connection has closed', async () => {
  const { inserted, send } = await partner(requestWorld());
  await send(100, () => inserted.length >= 3);
  expect(inserted.length).toBe(3);
  const whole = await send(100);
  expect([whole.status, whole.json.items.length, inserted.length]).toEqual([200, 100, 100]);
});

test('each item of a batch is a call of its client, and one whose result is stored is none', async () => {
  const world = requestWorld(undefined, {}, { callsPerClient: { points: 4, window: minute } });
  const { clock, inserted, send } = await partner(world);
  const seen = [];
  for (let round = 0; round < 3; round += 1) {
    const { status, retryAfter } = await send(10);
    seen.push([status, retryAfter, inserted.length]);
    clock.set(clock.now() + minute);
  }
  expect(seen).toEqual([
    [429, '60', 4],
    [429, '60', 8],
    [200, undefined, 10],
  ]);
  // Every result is stored: the request alone counts.
  expect((await send(10)).status).toBe(200);
});
