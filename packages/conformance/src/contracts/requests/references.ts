import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import type { ReferenceKey, ReferenceStore } from '@partnerkit/core/adapter';
import { type Cases, concurrently } from '../support/contract.ts';
import { whileOpen } from '../support/open-transaction.ts';
import { race, soon } from '../support/racers.ts';
import { newId } from '../support/records.ts';
import { insert, storeOf } from './acts.ts';
import type { RequestsFixture } from './fixture.ts';
import { examples, others as otherAccounts, owner } from './records.ts';

const key: ReferenceKey = { account: owner, object: 'RequestPayment', reference: 'Order~1 é' };
/** Keys that differ in exactly one part. */
const others: readonly ReferenceKey[] = [
  ...otherAccounts.map((account) => ({ ...key, account })),
  { ...key, object: 'CashOut' },
  { ...key, reference: 'order~1 é' },
  { ...key, reference: 'Order~1 éx' },
];
const [first, second] = ['pay_1', '4711'];

type Port = ReferenceStore<object>;
const claim = ({ storage }: RequestsFixture, of: ReferenceKey, objectId: string): ReturnType<Port['claim']> =>
  storage.transaction((tx) => storage.requests.references.claim(tx, of, objectId));
const release = ({ storage }: RequestsFixture, of: ReferenceKey, objectId: string): ReturnType<Port['release']> =>
  storage.transaction((tx) => storage.requests.references.release(tx, of, objectId));

/** Rules of stores of references. */
export const referenceCases: Cases<RequestsFixture> = {
  'references: one object has a reference, and may claim it again': async (fixture) => {
    strictEqual(await claim(fixture, key, first), true);
    strictEqual(await claim(fixture, key, second), false);
    strictEqual(await claim(fixture, key, first), true);
  },
  'references: another account, environment, kind or text is another reference': async (fixture) => {
    strictEqual(await claim(fixture, key, first), true);
    for (const other of others) strictEqual(await claim(fixture, other, second), true);
    for (const other of others) await release(fixture, other, second);
    strictEqual(await claim(fixture, key, second), false);
  },
  'references: exactly one of many simultaneous claims of a reference succeeds': async (fixture) => {
    const got = await race((index) => claim(fixture, key, `object ${index}`));
    strictEqual(got.filter(Boolean).length, 1);
    strictEqual(await claim(fixture, key, `object ${got.indexOf(true)}`), true);
    strictEqual(await claim(fixture, key, 'another'), false);
  },
  'references: a claim waits for the transaction that claimed first': async (fixture) => {
    const { storage } = fixture;
    for (const how of ['rollback', 'commit'] as const) {
      const reference = { ...key, reference: how };
      await whileOpen(storage, async (open) => {
        strictEqual(await storage.requests.references.claim(open.tx, reference, first), true);
        const late = claim(fixture, reference, second);
        await open[how]();
        strictEqual(await late, how === 'rollback');
      });
      strictEqual(await claim(fixture, reference, first), how === 'commit');
    }
  },
  'references: claims of different references do not wait for each other': concurrently(async (fixture) => {
    const { storage } = fixture;
    await whileOpen(storage, async (open) => {
      strictEqual(await storage.requests.references.claim(open.tx, key, first), true);
      const late = claim(fixture, key, second);
      for (const other of others) await soon(claim(fixture, other, newId()), 'another reference');
      await open.commit();
      strictEqual(await late, false);
    });
  }),
  'references: a released reference is free; another object cannot release it': async (fixture) => {
    await claim(fixture, key, first);
    await release(fixture, key, second);
    strictEqual(await claim(fixture, key, second), false);
    await release(fixture, key, first);
    await release(fixture, key, first);
    strictEqual(await claim(fixture, key, second), true);
  },
  'references: a claim waits for the transaction that releases': async (fixture) => {
    await claim(fixture, key, first);
    for (const how of ['rollback', 'commit'] as const) {
      await whileOpen(fixture.storage, async (open) => {
        await fixture.storage.requests.references.release(open.tx, key, first);
        const late = claim(fixture, key, second);
        await open[how]();
        strictEqual(await late, how === 'commit');
      });
    }
  },
  'references: a transaction sees what it claimed and released': async (fixture) => {
    const { references } = fixture.storage.requests;
    await whileOpen(fixture.storage, async (open) => {
      strictEqual(await references.claim(open.tx, key, first), true);
      strictEqual(await references.claim(open.tx, key, second), false);
      await references.release(open.tx, key, first);
      strictEqual(await references.claim(open.tx, key, second), true);
      await open.commit();
    });
    strictEqual(await claim(fixture, key, first), false);
    strictEqual(await claim(fixture, key, second), true);
  },
  'references: a refused claim leaves the transaction usable': async (fixture) => {
    const store = storeOf(fixture, 'payments');
    const [before, after] = [examples.payments.bare(), examples.payments.bare()];
    await claim(fixture, key, first);
    await whileOpen(fixture.storage, async (open) => {
      await store.insert(open.tx, before, [], []);
      strictEqual(await fixture.storage.requests.references.claim(open.tx, key, second), false);
      await store.insert(open.tx, after, [], []);
      await open.commit();
    });
    deepStrictEqual((await store.list(owner, {})).items, [before, after]);
    await insert(fixture, store, examples.payments.bare());
  },
  'references: an ended transaction claims nothing': async (fixture) => {
    await whileOpen(fixture.storage, async (open) => {
      await open.commit();
      await rejects(fixture.storage.requests.references.claim(open.tx, key, first));
    });
    strictEqual(await claim(fixture, key, second), true);
  },
};
