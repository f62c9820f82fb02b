import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import { day, hour } from '@partnerkit/core';
import type { IdempotencyKey, StoredResponse } from '@partnerkit/core/adapter';
import { type Cases, concurrently } from '../support/contract.ts';
import { whileOpen } from '../support/open-transaction.ts';
import { race, soon } from '../support/racers.ts';
import { ours, theirs } from '../support/records.ts';
import type { RequestsFixture } from './fixture.ts';

const key: IdempotencyKey = { accountId: ours, clientId: 'client', key: 'Order~1' };
/** Keys that differ in exactly one part. */
const others: readonly IdempotencyKey[] = [
  { ...key, accountId: theirs },
  { ...key, clientId: 'another' },
  { ...key, key: 'order~1' },
  { ...key, key: 'Order~1x' },
];
const response = (change: Partial<StoredResponse> = {}): StoredResponse => ({
  requestHash: 'a digest',
  status: 201,
  headers: { 'content-type': 'application/json', etag: '"1"' },
  body: '{"name":"Gîte “des Érables” 🏡", "b" : 1.0}',
  ...change,
});

type Given = Pick<RequestsFixture, 'storage'>;
const claim = ({ storage }: Given, of: IdempotencyKey): Promise<StoredResponse | undefined> =>
  storage.transaction((tx) => storage.requests.idempotency.claim(tx, of));
const complete = ({ storage }: Given, of: IdempotencyKey, stored: StoredResponse): Promise<void> =>
  storage.transaction(async (tx) => {
    await storage.requests.idempotency.claim(tx, of);
    await storage.requests.idempotency.complete(tx, of, stored);
  });

/** Rules of stores of responses. */
export const idempotencyCases: Cases<RequestsFixture> = {
  'idempotency: a response is read as it was stored, by its own key only': async (fixture) => {
    strictEqual(await claim(fixture, key), undefined);
    await complete(fixture, key, response());
    deepStrictEqual(await claim(fixture, key), response());
    for (const other of others) strictEqual(await claim(fixture, other), undefined);
    deepStrictEqual(await claim(fixture, key), response());
  },
  'idempotency: a claimed key without a response is free again': async (fixture) => {
    for (let times = 0; times < 2; times++) strictEqual(await claim(fixture, key), undefined);
  },
  'idempotency: a rollback leaves the key free': async (fixture) => {
    await whileOpen(fixture.storage, async (open) => {
      await fixture.storage.requests.idempotency.claim(open.tx, key);
      await fixture.storage.requests.idempotency.complete(open.tx, key, response());
      await open.rollback();
    });
    strictEqual(await claim(fixture, key), undefined);
  },
  'idempotency: a second claim waits, and sees what the first transaction committed': async (fixture) => {
    const { storage } = fixture;
    for (const how of ['rollback', 'commit'] as const) {
      await whileOpen(storage, async (open) => {
        strictEqual(await storage.requests.idempotency.claim(open.tx, key), undefined);
        const second = claim(fixture, key);
        await storage.requests.idempotency.complete(open.tx, key, response());
        await open[how]();
        deepStrictEqual(await second, how === 'commit' ? response() : undefined);
      });
    }
  },
  'idempotency: claims of different keys do not wait for each other': concurrently(async (fixture) => {
    const { storage } = fixture;
    await whileOpen(storage, async (open) => {
      strictEqual(await storage.requests.idempotency.claim(open.tx, key), undefined);
      const second = claim(fixture, key);
      for (const other of others) await soon(claim(fixture, other), 'another key');
      await open.rollback();
      strictEqual(await second, undefined);
    });
  }),
  'idempotency: exactly one of many simultaneous claims of a key succeeds': async (fixture) => {
    const { storage } = fixture;
    const seen = await race((index) =>
      storage.transaction(async (tx) => {
        const stored = await storage.requests.idempotency.claim(tx, key);
        if (stored) return stored.body;
        await storage.requests.idempotency.complete(tx, key, response({ body: `racer ${index}` }));
        return undefined;
      }),
    );
    strictEqual(seen.filter((body) => body === undefined).length, 1);
    const winner = `racer ${seen.indexOf(undefined)}`;
    for (const body of seen) strictEqual(body ?? winner, winner);
  },
  'idempotency: a response is kept for 24 hours, and then the key is free': async (fixture) => {
    await complete(fixture, key, response());
    await fixture.elapse(day - hour);
    await complete(fixture, { ...key, key: 'later' }, response());
    deepStrictEqual(await claim(fixture, key), response());
    await fixture.elapse(hour + 1);
    strictEqual(await claim(fixture, key), undefined);
    deepStrictEqual(await claim(fixture, { ...key, key: 'later' }), response());
    await complete(fixture, key, response({ body: 'anew' }));
    deepStrictEqual(await claim(fixture, key), response({ body: 'anew' }));
  },
  'idempotency: an ended transaction claims no key': async (fixture) => {
    await whileOpen(fixture.storage, async (open) => {
      await open.commit();
      await rejects(fixture.storage.requests.idempotency.claim(open.tx, key));
    });
  },
};
