import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestHistoryEntry, StoredRequest } from '@partnerkit/core/requests';
import type { Cases } from '../support/contract.ts';
import { whileOpen } from '../support/open-transaction.ts';
import { allPages } from '../support/pages.ts';
import { race } from '../support/racers.ts';
import { type AnyStore, beside, historyOf, insert, remove, replace, wrongCursors } from './acts.ts';
import type { RequestsFixture } from './fixture.ts';
import { entryOf, examples, type Kind, nextOf, others, owner } from './records.ts';

/** Enough changes for versions with one and with two digits. */
const changes = 11;

/** Changes a record; every second change is followed by a rule. Resolves to all entries, oldest first. */
const changeOften = async (
  fixture: RequestsFixture,
  store: AnyStore,
  stored: StoredRequest,
): Promise<readonly RequestHistoryEntry[]> => {
  const entries = [entryOf(stored)];
  let record = stored;
  for (let count = 0; count < changes; count++) {
    record = nextOf(record);
    const rule = entryOf(record, { step: 1, command: 'resume', by: { type: 'rule', command: 'change' } });
    const added = [entryOf(record, { by: { type: 'client', id: `client ${count}` } }), ...(count % 2 ? [rule] : [])];
    ok(await replace(fixture, store, record, added));
    entries.push(...added);
  }
  return entries;
};

/** Rules of the history of one kind. */
export const historyCases = (kind: Kind): Cases<RequestsFixture> => {
  const { bare } = examples[kind];
  return {
    'history: an entry is read as it was stored': beside(kind, async (fixture, store) => {
      const record = bare();
      const full = entryOf(record, {
        by: { type: 'host', id: 'Zoë 🏡 \\ "' },
        reason: { code: 'insufficient_funds', text: 'Deux fois\n\t“refusé” \\ \'"%_{},' },
        cashOutId: 'cash_out, {1}',
      });
      await fixture.storage.transaction((tx) => store.insert(tx, record, [full], []));
      deepStrictEqual(await store.listHistory(owner, record.id, {}), { items: [full] });
    }),
    'history: entries are in the order of versions and steps, in both directions, page by page': beside(
      kind,
      async (fixture, store, stored) => {
        const entries = await changeOften(fixture, store, stored);
        for (const limit of [1, 2, 5, entries.length, 100])
          for (const newestFirst of [false, true])
            deepStrictEqual(
              await allPages((page) => store.listHistory(owner, stored.id, { ...page, newestFirst }), { limit }),
              newestFirst ? entries.toReversed() : entries,
            );
      },
    ),
    'history: a page has the requested number of entries, and the last one has no next cursor': beside(
      kind,
      async (fixture, store, stored) => {
        const count = (await changeOften(fixture, store, stored)).length;
        const first = await store.listHistory(owner, stored.id, { limit: count - 1 });
        strictEqual(first.items.length, count - 1);
        ok(first.next !== undefined, 'the first of two pages has a next one');
        ok(!('next' in (await store.listHistory(owner, stored.id, { limit: count }))), 'a page that holds all');
        ok(!('next' in (await store.listHistory(owner, stored.id, { after: first.next }))), 'the last page');
      },
    ),
    'history: an object is inserted with the entries of its earlier versions, and changed after them': beside(
      kind,
      async (fixture, store) => {
        const versions = Array.from({ length: changes }, (_, index) => index + 1);
        const record = bare({ version: changes });
        const entries = versions.flatMap((version) => [
          entryOf({ ...record, version }),
          ...(version % 2 ? [] : [entryOf({ ...record, version }, { step: 1 })]),
        ]);
        await fixture.storage.transaction((tx) => store.insert(tx, record, entries, []));
        for (const limit of [1, 4, 100])
          deepStrictEqual(await allPages((page) => store.listHistory(owner, record.id, page), { limit }), entries);
        const next = nextOf(record);
        ok(await replace(fixture, store, next));
        deepStrictEqual(await historyOf(store, record.id), [...entries, entryOf(next)]);
      },
    ),
    'history: entries that are added between pages neither hide nor repeat one': beside(
      kind,
      async (fixture, store, stored) => {
        const entries = await changeOften(fixture, store, stored);
        let record = nextOf(stored, { version: 1 + changes });
        const read = await allPages((page) => store.listHistory(owner, stored.id, page), {
          limit: 4,
          between: async () => {
            if (record.version > changes + 2) return;
            record = nextOf(record);
            ok(await replace(fixture, store, record));
          },
        });
        deepStrictEqual(read.slice(0, entries.length), entries);
        strictEqual(new Set(read.map(({ version, step }) => `${version} ${step}`)).size, read.length);
      },
    ),
    'history: other accounts see none of it': beside(kind, async (fixture, store, stored) => {
      await changeOften(fixture, store, stored);
      for (const other of others) {
        deepStrictEqual(await store.listHistory(other, stored.id, {}), { items: [] });
        const { next } = await store.listHistory(owner, stored.id, { limit: 1 });
        deepStrictEqual(await store.listHistory(other, stored.id, { after: next ?? '' }), { items: [] });
      }
      deepStrictEqual(await store.listHistory(owner, bare().id, {}), { items: [] });
    }),
    'history: an entry is committed with its record, or not at all': beside(kind, async (fixture, store, stored) => {
      const changed = nextOf(stored);
      for (const how of ['rollback', 'commit'] as const) {
        await whileOpen(fixture.storage, async (open) => {
          ok(await store.replace(open.tx, changed, [entryOf(changed)], []));
          deepStrictEqual(await historyOf(store, stored.id), [entryOf(stored)]);
          await open[how]();
        });
      }
      deepStrictEqual(await historyOf(store, stored.id), [entryOf(stored), entryOf(changed)]);
    }),
    'history: a write without an entry adds none': beside(kind, async (fixture, store, stored) => {
      ok(await replace(fixture, store, nextOf(stored), []));
      deepStrictEqual(await historyOf(store, stored.id), [entryOf(stored)]);
    }),
    'history: a lost race adds no entry': beside(kind, async (fixture, store, stored) => {
      const won = await race((index) => {
        const changed = nextOf(stored, { updatedAt: index });
        return replace(fixture, store, changed, [entryOf(changed)]);
      });
      const winner = nextOf(stored, { updatedAt: won.indexOf(true) });
      deepStrictEqual(await historyOf(store, stored.id), [entryOf(stored), entryOf(winner)]);
    }),
    'history: it is deleted with its object, and a new object starts without one': beside(
      kind,
      async (fixture, store, stored) => {
        await changeOften(fixture, store, stored);
        await whileOpen(fixture.storage, async (open) => {
          ok(await store.remove(open.tx, { ...stored, version: changes + 1 }, []));
          await open.rollback();
        });
        ok((await historyOf(store, stored.id)).length > changes);
        strictEqual(await remove(fixture, store, stored), false);
        ok((await historyOf(store, stored.id)).length > changes);
        strictEqual(await remove(fixture, store, { ...stored, version: changes + 1 }), true);
        deepStrictEqual(await historyOf(store, stored.id), []);
        const anew = bare({ id: stored.id });
        await insert(fixture, store, anew);
        deepStrictEqual(await historyOf(store, stored.id), [entryOf(anew)]);
      },
    ),
    'history: an invalid cursor is reported': beside(kind, async (_fixture, store, stored) => {
      for (const after of wrongCursors)
        deepStrictEqual(
          await store.listHistory(owner, stored.id, { after }),
          { items: [], invalidCursor: true },
          JSON.stringify(after),
        );
    }),
  };
};
