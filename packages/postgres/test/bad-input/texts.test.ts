import { randomBytes } from 'node:crypto';
import { createPartnerkit, defineObject } from '@partnerkit/core';
import { memoryAccessTokens } from '@partnerkit/core/memory';
import { parseEnvelope } from '@partnerkit/core/wire';
import { identifierArbitrary } from '@partnerkit/testing';
import fc from 'fast-check';
import { beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { postgresSeenKeys, postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { urlOf } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
beforeEach(() => database.reset({ storeAhead: 0 }));

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), note: z.string() }),
  groups: { all: ['note'] },
  events: { default: ['all'] },
});

const start = () => {
  const sender = arrivals();
  const storage = postgresStorage(database.pool());
  const kit = createPartnerkit({
    accounts: { find: async (id) => ({ id, name: id, status: 'active', environment: 'prod' }) },
    storage,
    tokens: memoryAccessTokens(),
    sender,
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
    objects: [payment],
  });
  return { sender, storage, kit };
};

/** Texts that trip encodings: of any code units, NUL and lone surrogates among them. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(fc.constantFrom('\0', '\ud800', '\udc00', '\\', '\\u0000', "'", '"', '\u2028', '🏡', '\ufeff', '$1', '\n'), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
);

test('every text that core accepts is stored and sent unchanged, and any other is refused before it is stored', async () => {
  const { kit, sender } = start();
  let accounts = 0;
  const publish = async ([id, note, idempotencyKey]: readonly [string, string, string]) => {
    const accountId = `acc_${accounts++}`;
    (await kit.endpoints.create(accountId, { url: urlOf(accountId), events: ['payed'] }))._unsafeUnwrap();
    const event = { accountId, objectName: 'RequestPayment', type: 'payed', data: { id, note } } as const;
    return { event, idempotencyKey, published: await kit.events.tryPublish(event, { tx: 'new', idempotencyKey }) };
  };
  // A worker sends ten events in little more time than one.
  const ten = fc.array(fc.tuple(anyText, anyText, anyText), { minLength: 10, maxLength: 10 });
  const law = fc.asyncProperty(ten, async (texts) => {
    const all = [];
    for (const each of texts) all.push(await publish(each));
    await kit.worker().drain();
    for (const { event, idempotencyKey, published } of all) {
      const sent = sender.posts.filter(({ url }) => url === urlOf(event.accountId));
      if (published.isErr()) {
        expect(published.error.code).toBe('invalid_event');
        expect(sent).toEqual([]);
      } else {
        expect(sent.map(({ body }) => parseEnvelope(body)?.data)).toEqual([event.data]);
        const again = await kit.events.publish(event, { tx: 'new', idempotencyKey });
        expect(again).toEqual({ ...published.value, replayed: true });
      }
    }
  });
  await fc.assert(law, propertyRuns(10));
});

test('names and labels come back as they were given, or are refused', async () => {
  const { kit } = start();
  let accounts = 0;
  const law = fc.asyncProperty(fc.oneof(anyText, identifierArbitrary()), async (text) => {
    const account = `acc_${accounts++}`;
    const client = await kit.clients.create(account, { name: text });
    const endpoint = await kit.endpoints.create(account, { url: urlOf('hook'), events: ['payed'], label: text });
    expect(client.isOk()).toBe(endpoint.isOk());
    if (client.isErr() || endpoint.isErr()) return;
    const [listed] = (await kit.endpoints.list(account))._unsafeUnwrap().items;
    const names = (await kit.clients.list(account))._unsafeUnwrap().items.map(({ name }) => name);
    expect([names, listed?.label]).toEqual([[text], text]);
  });
  await fc.assert(law, propertyRuns(100));
});

test('a malformed id finds nothing, however long it is', async () => {
  const { storage, kit } = start();
  const { clients, endpoints, log } = storage;
  for (const id of ['', 'x', "'", '\\', '\ud800', 'x'.repeat(1_000_000), '00000000-0000-0000-0000-00000000000g']) {
    expect(await clients.findClient(id)).toBeUndefined();
    expect(await endpoints.findEndpoint('acc_host', id)).toBeUndefined();
    expect(await endpoints.deleteEndpoint('acc_host', id)).toBe(false);
    expect((await kit.deliveries.attempts('acc_host', id))._unsafeUnwrap()).toEqual([]);
    expect(await log.listDeliveries('acc_host', { endpointId: id }, {})).toEqual({ items: [] });
    expect((await kit.clients.disable('acc_host', id))._unsafeUnwrapErr().code).toBe('not_found');
  }
});

test('a malformed account id finds nothing, however long it is', async () => {
  const { storage } = start();
  for (const account of ['', "'", 'x'.repeat(1_000_000)]) {
    expect(await storage.clients.listClients(account, {})).toEqual({ items: [] });
    expect(await storage.endpoints.listEndpoints(account, {})).toEqual({ items: [] });
    expect(await storage.events.listEvents(account, {})).toEqual({ items: [] });
    expect(await storage.log.listDeliveries(account, {}, {})).toEqual({ items: [] });
  }
});

test('an unknown cursor is invalid_cursor, however long it is', async () => {
  const { storage } = start();
  const refused = { items: [], invalidCursor: true };
  for (const after of ['', '1', 'null', "' or true --", 'x'.repeat(1_000_000), '\0']) {
    expect(await storage.clients.listClients('acc_host', { after })).toEqual(refused);
    expect(await storage.endpoints.listEndpoints('acc_host', { after })).toEqual(refused);
    expect(await storage.events.listEvents('acc_host', { after })).toEqual(refused);
    expect(await storage.log.listDeliveries('acc_host', {}, { after })).toEqual(refused);
  }
});

test('a receiver deduplicates by a key of any length', async () => {
  const seen = postgresSeenKeys(database.pool());
  // Nothing that an index could compress.
  const key = JSON.stringify(['RequestPayment', randomBytes(10_000).toString('base64'), 'payed', 1]);
  const claimed = await seen.claim(key, 60_000);
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
  expect(await seen.claim(key, 60_000)).toEqual({ kind: 'in_progress' });
  expect(await seen.confirm(key, claimed.lease, 60_000)).toBe(true);
  expect(await seen.claim(key, 60_000)).toEqual({ kind: 'done' });
  expect((await seen.claim(`${key} `, 60_000)).kind).toBe('claimed');
});

test('keys of any characters are kept as they are, those that are claimed together too', async () => {
  const seen = postgresSeenKeys(database.pool());
  const isKept = (key: string): boolean => key.isWellFormed() && !key.includes('\0');
  const law = fc.asyncProperty(fc.uniqueArray(anyText, { minLength: 1, maxLength: 8 }), async (keys) => {
    await database.pool().query('delete from partnerkit.seen_keys');
    const claims = await Promise.all(keys.map((key) => seen.claim(key, 60_000)));
    expect(claims.map(({ kind }) => kind)).toEqual(keys.map(() => 'claimed'));
    const { rows } = await database.pool().query('select key from partnerkit.seen_keys');
    expect(rows.map(({ key }) => key)).toEqual(expect.arrayContaining(keys.filter(isKept)));
    expect(rows).toHaveLength(keys.length);
  });
  await fc.assert(law, propertyRuns(100));
});
