import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { type Cases, concurrently } from '../support/contract.ts';
import { whileOpen } from '../support/open-transaction.ts';
import { race, raceToResolve, soon } from '../support/racers.ts';
import { newId } from '../support/records.ts';
import { beside, insert, remove, replace } from './acts.ts';
import type { RequestsFixture } from './fixture.ts';
import { entryOf, examples, type Kind, nextOf, others, owner } from './records.ts';

/** Rules of the writes of one kind. */
export const writeCases = (kind: Kind): Cases<RequestsFixture> => {
  const { bare, full } = examples[kind];
  return {
    'a record is read as it was stored': beside(kind, async (fixture, store) => {
      for (const record of [bare(), full()]) {
        await insert(fixture, store, record);
        deepStrictEqual(await store.find(owner, record.id), record);
        ok((await store.list(owner, {})).items.some((each) => isDeepStrictEqual(each, record)));
      }
    }),
    'an unknown record is not found': beside(kind, async (_fixture, store, stored) => {
      for (const id of [newId(), 'no-such-id', owner.id, `${stored.id}x`, stored.id.toUpperCase().slice(1)])
        strictEqual(await store.find(owner, id), undefined);
      for (const other of others) strictEqual(await store.find(other, stored.id), undefined);
    }),
    'an existing id is not inserted again, by any account': beside(kind, async (fixture, store, stored) => {
      await rejects(insert(fixture, store, { ...stored, updatedAt: 5 }));
      await rejects(insert(fixture, store, { ...stored, accountId: 'acc_third' }));
      await rejects(insert(fixture, store, { ...stored, environment: 'dev' }));
      deepStrictEqual(await store.find(owner, stored.id), stored);
    }),
    'exactly one of many simultaneous inserts of an id succeeds': beside(kind, async (fixture, store) => {
      const record = bare();
      strictEqual(await raceToResolve((index) => insert(fixture, store, { ...record, updatedAt: index })), 1);
    }),
    'a change is stored unchanged': beside(kind, async (fixture, store, stored) => {
      const changed = full({ id: stored.id, createdAt: stored.createdAt, version: 2 });
      strictEqual(await replace(fixture, store, changed), true);
      deepStrictEqual(await store.find(owner, stored.id), changed);
      const bared = nextOf(stored, { version: 3 });
      strictEqual(await replace(fixture, store, bared), true);
      deepStrictEqual(await store.find(owner, stored.id), bared);
    }),
    'a change of another version, another account or an unknown record changes nothing': beside(
      kind,
      async (fixture, store, stored) => {
        const second = nextOf(stored);
        strictEqual(await replace(fixture, store, second), true);
        for (const version of [1, 2, 4])
          strictEqual(await replace(fixture, store, { ...stored, version, updatedAt: 5 }), false);
        for (const version of [1, 3]) strictEqual(await remove(fixture, store, { ...stored, version }), false);
        for (const { id: accountId, environment } of others) {
          strictEqual(await replace(fixture, store, nextOf(second, { accountId, environment })), false);
          strictEqual(await remove(fixture, store, { ...second, accountId, environment }), false);
        }
        strictEqual(await replace(fixture, store, nextOf(bare())), false);
        strictEqual(await remove(fixture, store, bare()), false);
        deepStrictEqual(await store.find(owner, stored.id), second);
      },
    ),
    'a locked record is read as it is committed, and changes of it wait': beside(
      kind,
      async (fixture, store, stored) => {
        for (const { id, environment } of others) {
          const foreign = { id, environment };
          strictEqual(await fixture.storage.transaction((tx) => store.lock(tx, foreign, stored.id)), undefined);
        }
        await whileOpen(fixture.storage, async (open) => {
          deepStrictEqual(await store.lock(open.tx, owner, stored.id), stored);
          const late = replace(fixture, store, nextOf(stored, { updatedAt: 7 }));
          strictEqual(await store.replace(open.tx, nextOf(stored, { updatedAt: 6 }), [], []), true);
          await open.commit();
          strictEqual(await late, false);
        });
        deepStrictEqual(await store.find(owner, stored.id), nextOf(stored, { updatedAt: 6 }));
      },
    ),
    'exactly one of many simultaneous changes of a version succeeds': beside(kind, async (fixture, store, stored) => {
      const won = await race((index) => replace(fixture, store, nextOf(stored, { updatedAt: index })));
      strictEqual(won.filter(Boolean).length, 1);
      deepStrictEqual(await store.find(owner, stored.id), nextOf(stored, { updatedAt: won.indexOf(true) }));
    }),
    'exactly one of many simultaneous changes and removals succeeds': beside(kind, async (fixture, store, stored) => {
      const won = await race((index) =>
        index % 2 ? remove(fixture, store, stored) : replace(fixture, store, nextOf(stored, { updatedAt: index })),
      );
      strictEqual(won.filter(Boolean).length, 1);
      const removed = won.indexOf(true) % 2 === 1;
      strictEqual((await store.find(owner, stored.id)) === undefined, removed);
    }),
    'a removed record is not found, and its id is free': beside(kind, async (fixture, store, stored) => {
      strictEqual(await remove(fixture, store, stored), true);
      strictEqual(await store.find(owner, stored.id), undefined);
      deepStrictEqual(await store.list(owner, {}), { items: [] });
      strictEqual(await replace(fixture, store, nextOf(stored)), false);
      const anew = bare({ id: stored.id });
      await insert(fixture, store, anew);
      deepStrictEqual(await store.find(owner, stored.id), anew);
    }),
    'a transaction reads its own writes; others read them after the commit': beside(
      kind,
      async (fixture, store, stored) => {
        const made = bare();
        const changed = nextOf(stored, { updatedAt: 7 });
        await whileOpen(fixture.storage, async (open) => {
          await store.insert(open.tx, made, [], []);
          strictEqual(await store.replace(open.tx, changed, [], []), true);
          deepStrictEqual(await store.find(owner, made.id, open.tx), made);
          deepStrictEqual(await store.find(owner, stored.id, open.tx), changed);
          strictEqual(await store.find(owner, made.id), undefined);
          deepStrictEqual(await store.find(owner, stored.id), stored);
          deepStrictEqual(await store.list(owner, {}), { items: [stored] });
          await open.commit();
        });
        deepStrictEqual(await store.find(owner, made.id), made);
        deepStrictEqual(await store.find(owner, stored.id), changed);
      },
    ),
    'a rollback leaves nothing': beside(kind, async (fixture, store, stored) => {
      const made = bare();
      await whileOpen(fixture.storage, async (open) => {
        await store.insert(open.tx, made, [entryOf(made)], []);
        strictEqual(await store.replace(open.tx, nextOf(stored), [], []), true);
        await open.rollback();
      });
      await whileOpen(fixture.storage, async (open) => {
        strictEqual(await store.remove(open.tx, stored, []), true);
        await open.rollback();
      });
      deepStrictEqual(await store.list(owner, {}), { items: [stored] });
      await insert(fixture, store, made);
    }),
    'a second change waits for the transaction that changed first': beside(kind, async (fixture, store, stored) => {
      const second = nextOf(stored, { updatedAt: 7 });
      await whileOpen(fixture.storage, async (open) => {
        strictEqual(await store.replace(open.tx, second, [], []), true);
        const late = replace(fixture, store, nextOf(stored, { updatedAt: 8 }));
        await open.commit();
        strictEqual(await late, false);
      });
      const third = nextOf(second, { updatedAt: 10 });
      await whileOpen(fixture.storage, async (open) => {
        strictEqual(await store.replace(open.tx, nextOf(second, { updatedAt: 9 }), [], []), true);
        const late = replace(fixture, store, third);
        await open.rollback();
        strictEqual(await late, true);
      });
      deepStrictEqual(await store.find(owner, stored.id), third);
    }),
    'writes of different records do not wait for each other': concurrently(
      beside(kind, async (fixture, store, stored) => {
        const second = bare();
        await insert(fixture, store, second);
        await whileOpen(fixture.storage, async (open) => {
          await store.replace(open.tx, nextOf(stored), [], []);
          await soon(replace(fixture, store, nextOf(second)), 'a change of another record');
          await soon(insert(fixture, store, bare()), 'a new record');
          await open.commit();
        });
      }),
    ),
    'an ended transaction writes nothing more': beside(kind, async (fixture, store, stored) => {
      await whileOpen(fixture.storage, async (open) => {
        await open.commit();
        await rejects(store.insert(open.tx, bare(), [], []));
        await rejects(store.replace(open.tx, nextOf(stored), [], []));
        await rejects(store.remove(open.tx, stored, []));
      });
      deepStrictEqual(await store.list(owner, {}), { items: [stored] });
    }),
  };
};
