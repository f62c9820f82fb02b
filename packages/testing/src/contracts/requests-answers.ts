import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import { day, hour } from '@partnerkit/core';
import type { AnswerKey, KeptAnswer } from '@partnerkit/core/requests';
import type { Cases } from './contract.ts';
import { whileOpen } from './open-transaction.ts';
import { race, soon } from './racers.ts';
import { ours, theirs } from './records.ts';
import type { RequestsFixture } from './requests-fixture.ts';

const key: AnswerKey = { accountId: ours, clientId: 'client', key: 'Order~1' };
/** Keys that differ in one part alone. */
const others: readonly AnswerKey[] = [
  { ...key, accountId: theirs },
  { ...key, clientId: 'another' },
  { ...key, key: 'order~1' },
  { ...key, key: 'Order~1x' },
];
const answer = (change: Partial<KeptAnswer> = {}): KeptAnswer => ({
  asked: 'a digest',
  status: 201,
  headers: { 'content-type': 'application/json', etag: '"1"' },
  body: '{"name":"Gîte “des Érables” 🏡", "b" : 1.0}',
  ...change,
});

type Given = Pick<RequestsFixture, 'storage' | 'stores'>;
const take = ({ storage, stores }: Given, of: AnswerKey): Promise<KeptAnswer | undefined> =>
  storage.transaction((tx) => stores.answers.take(tx, of));
const keep = ({ storage, stores }: Given, of: AnswerKey, kept: KeptAnswer): Promise<void> =>
  storage.transaction(async (tx) => {
    await stores.answers.take(tx, of);
    await stores.answers.keep(tx, of, kept);
  });

/** What kept answers obey. @internal */
export const answerCases: Cases<RequestsFixture> = {
  'answers: an answer comes back as it was kept, to its own key alone': async (fixture) => {
    strictEqual(await take(fixture, key), undefined);
    await keep(fixture, key, answer());
    deepStrictEqual(await take(fixture, key), answer());
    for (const other of others) strictEqual(await take(fixture, other), undefined);
    deepStrictEqual(await take(fixture, key), answer());
  },
  'answers: a key that was taken and given no answer is free': async (fixture) => {
    for (let times = 0; times < 2; times++) strictEqual(await take(fixture, key), undefined);
  },
  'answers: a rollback leaves the key free': async (fixture) => {
    await whileOpen(fixture.storage, async (open) => {
      await fixture.stores.answers.take(open.tx, key);
      await fixture.stores.answers.keep(open.tx, key, answer());
      await open.rollback();
    });
    strictEqual(await take(fixture, key), undefined);
  },
  'answers: who asks for a key that is taken waits, and sees what became of it': async (fixture) => {
    const { storage, stores } = fixture;
    for (const how of ['rollback', 'commit'] as const) {
      await whileOpen(storage, async (open) => {
        strictEqual(await stores.answers.take(open.tx, key), undefined);
        const second = take(fixture, key);
        for (const other of others) await soon(take(fixture, other), 'another key');
        await stores.answers.keep(open.tx, key, answer());
        await open[how]();
        deepStrictEqual(await second, how === 'commit' ? answer() : undefined);
      });
    }
  },
  'answers: of many that use one key at once exactly one is answered anew': async (fixture) => {
    const { storage, stores } = fixture;
    const seen = await race((index) =>
      storage.transaction(async (tx) => {
        const kept = await stores.answers.take(tx, key);
        if (kept) return kept.body;
        await stores.answers.keep(tx, key, answer({ body: `racer ${index}` }));
        return undefined;
      }),
    );
    strictEqual(seen.filter((body) => body === undefined).length, 1);
    const winner = `racer ${seen.indexOf(undefined)}`;
    for (const body of seen) strictEqual(body ?? winner, winner);
  },
  'answers: an answer is kept for 24 hours, and then the key is free': async (fixture) => {
    await keep(fixture, key, answer());
    await fixture.elapse(day - hour);
    await keep(fixture, { ...key, key: 'later' }, answer());
    deepStrictEqual(await take(fixture, key), answer());
    await fixture.elapse(hour + 1);
    strictEqual(await take(fixture, key), undefined);
    deepStrictEqual(await take(fixture, { ...key, key: 'later' }), answer());
    await keep(fixture, key, answer({ body: 'anew' }));
    deepStrictEqual(await take(fixture, key), answer({ body: 'anew' }));
  },
  'answers: a transaction that has ended takes no key': async (fixture) => {
    await whileOpen(fixture.storage, async (open) => {
      await open.commit();
      await rejects(fixture.stores.answers.take(open.tx, key));
    });
  },
};
