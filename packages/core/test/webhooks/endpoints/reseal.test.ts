import { describe, expect, test } from 'vitest';
import type { Sealed } from '../../../src/base/crypto/seal.ts';
import { day } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { Endpoint } from '../../../src/webhooks/endpoints/endpoint.ts';
import type { EndpointStore } from '../../../src/webhooks/endpoints/endpoint-store.ts';
import { testClock } from '../../support/clock.ts';
import { platform } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';

const oldKey = { id: 'k1', key: new Uint8Array(32).fill(1) };
const newKey = { id: 'k2', key: new Uint8Array(32).fill(2) };
const deliveryHeader = { name: 'X-API-Key', value: 'k3y-value-0123' };

/** Endpoints of two accounts sealed with the old key; then a kit that seals with the new one. */
const world = async (count = 5, change: (store: EndpointStore) => Partial<EndpointStore> = () => ({})) => {
  const clock = testClock();
  const real = memoryStorage({ clock });
  const storage = { ...real, endpoints: { ...real.endpoints, ...change(real.endpoints) } };
  const before = platform({ clock, storage, webhooks: { maxEndpoints: count } });
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const accountId = index % 2 ? 'acc_b' : 'acc_a';
    const input = { url: `https://partner${index}.example/`, events: ['payed'], deliveryHeader } as const;
    const { endpoint } = (await before.kit.endpoints.create(accountId, input))._unsafeUnwrap();
    ids.push(endpoint.id);
    if (index % 3 === 0) (await before.kit.endpoints.prepareSecret(accountId, endpoint.id))._unsafeUnwrap();
    (await before.kit.endpoints.activateSecret(accountId, endpoint.id, { at: clock.now() + day })).isOk();
  }
  const after = platform({ clock, storage, sealingKeys: [newKey, oldKey], random: seededRandom(2) });
  /** Steps until there is no next. */
  const resealAll = async (limit = 2) => {
    const steps = [];
    for (let next: string | undefined; ; ) {
      const step = (
        await after.kit.endpoints.reseal({ limit, ...(next === undefined ? {} : { after: next }) })
      )._unsafeUnwrap();
      steps.push(step);
      next = step.next;
      if (next === undefined) return steps;
    }
  };
  const find = async (id: string | undefined): Promise<Endpoint> =>
    ((await real.endpoints.findEndpoint('acc_a', id ?? '')) ??
      (await real.endpoints.findEndpoint('acc_b', id ?? ''))) as Endpoint;
  return { ...after, before, clock, storage, real, ids, resealAll, find };
};

test('after a reseal, the old key can be removed, and deliveries do not change', async () => {
  const { before, kit, resealAll, clock, storage } = await world(7);
  const keys = async () => (await kit.endpoints.countBySealingKey())._unsafeUnwrap();
  expect(await keys()).toEqual([{ keyId: 'k1', endpoints: 7 }]);
  await resealAll();
  expect(await keys()).toEqual([{ keyId: 'k2', endpoints: 7 }]);

  const publish = () =>
    before.kit.events.publish(
      { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } },
      { tx: 'new' },
    );
  const without = platform({ clock, storage, sealingKeys: [newKey], random: seededRandom(3) });
  for (const at of [clock.now(), clock.now() + 2 * day]) {
    clock.set(at);
    await publish();
    await without.kit.worker().drain();
  }
  expect(without.sender.posts).toHaveLength(8);
  for (const { headers } of without.sender.posts) expect(headers['x-api-key']).toBe(deliveryHeader.value);
  expect(new Set(without.sender.posts.map(({ headers }) => headers['x-webhook-signature'])).size).toBeGreaterThan(4);
});

test('each step reads and changes a bounded number of endpoints', async () => {
  const reads: number[] = [];
  const { resealAll } = await world(7, ({ listAllEndpoints }) => ({
    listAllEndpoints: async (page) => {
      const read = await listAllEndpoints(page);
      reads.push(read.items.length);
      return read;
    },
  }));
  const steps = await resealAll(3);
  expect(steps.map(({ resealed }) => resealed)).toEqual([3, 3, 1]);
  expect(reads).toEqual([3, 3, 1]);
});

test('a second round reseals nothing and changes no version', async () => {
  const { resealAll, find, ids, signals } = await world(3);
  await resealAll();
  const versions = await Promise.all(ids.map(async (id) => (await find(id)).version));
  signals.length = 0;
  expect((await resealAll()).map(({ resealed }) => resealed)).toEqual([0, 0]);
  expect(await Promise.all(ids.map(async (id) => (await find(id)).version))).toEqual(versions);
  expect(signals).toEqual([]);
});

test('each resealed endpoint is signalled once, with ids only', async () => {
  const { resealAll, ids, signals } = await world(3);
  await resealAll();
  expect(signals).toEqual(
    ids.map((endpointId, index) => ({
      kind: 'endpoint',
      change: 'resealed',
      accountId: index % 2 ? 'acc_b' : 'acc_a',
      endpointId,
      by: { type: 'host' },
    })),
  );
});

describe('an endpoint that does not open is reported, unchanged, and stops nothing', () => {
  test.each([
    ['damaged', { secret: 'v1.k1.damaged' as Sealed }],
    ['sealed with a key that is gone', { secret: 'v1.gone.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA==' as Sealed }],
    ['sent elsewhere: sealing anew must not make it good', { url: 'https://attacker.example/' }],
  ])('%s', async (_name, change) => {
    const { resealAll, real, find, ids, kit } = await world(5);
    expect(await real.endpoints.replaceEndpoint({ ...(await find(ids[2])), ...change })).toBe(true);
    const changed = await find(ids[2]);
    const steps = await resealAll();
    expect(steps.flatMap(({ failed }) => failed)).toEqual([{ accountId: 'acc_a', endpointId: ids[2] }]);
    expect(steps.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(4);
    expect(await find(ids[2])).toEqual(changed);
    const counts = (await kit.endpoints.countBySealingKey())._unsafeUnwrap();
    expect(counts).toContainEqual({ keyId: 'k2', endpoints: 4 });
    expect(counts.length).toBeGreaterThan(1);
  });
});

describe('between read and write', () => {
  const racing = async (count: number) => {
    const acts: (() => Promise<unknown>)[] = [];
    const made = await world(count, ({ replaceEndpoint }) => ({
      replaceEndpoint: async (endpoint) => {
        await acts.shift()?.();
        return replaceEndpoint(endpoint);
      },
    }));
    return { ...made, acts };
  };

  test('a change is not lost', async () => {
    const { acts, resealAll, kit, ids, find } = await racing(3);
    acts.push(async () =>
      (await kit.endpoints.update('acc_a', ids[0] as string, { label: 'meanwhile' }))._unsafeUnwrap(),
    );
    expect(await resealAll(3)).toEqual([{ resealed: 3, failed: [] }]);
    expect(await find(ids[0])).toMatchObject({ label: 'meanwhile', secret: expect.stringMatching(/^v1\.k2\./) });
  });

  test('a deleted endpoint stays deleted', async () => {
    const { acts, resealAll, kit, ids, find } = await racing(3);
    acts.push(async () => (await kit.endpoints.delete('acc_a', ids[0] as string))._unsafeUnwrap());
    expect(await resealAll(3)).toEqual([{ resealed: 2, failed: [] }]);
    expect(await find(ids[0])).toBeUndefined();
  });
});

test('a cursor of another list is refused, and a store that fails is unavailable', async () => {
  const { kit } = await world(3);
  const { next } = (await kit.endpoints.list('acc_a', { page: { limit: 1 } }))._unsafeUnwrap();
  expect((await kit.endpoints.reseal({ after: next as string }))._unsafeUnwrapErr()).toMatchObject({
    code: 'invalid_cursor',
  });
  const fails = async () => {
    throw new Error('down');
  };
  const broken = platform({
    storage: {
      ...memoryStorage(),
      endpoints: { ...memoryStorage().endpoints, listAllEndpoints: fails, countBySealingKey: fails },
    },
  });
  expect((await broken.kit.endpoints.reseal())._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable' });
  expect((await broken.kit.endpoints.countBySealingKey())._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable' });
});
