import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { Recorded, RequestFilter, RequestStore } from '@partnerkit/core/requests';
import { type Cases, type ContractOptions, runCases } from './contract.ts';
import { whileOpen } from './open-transaction.ts';
import { allPages, badCursors, idsOf, type Listing, pageCases } from './pages.ts';
import { race, raceToResolve, soon } from './racers.ts';
import { newId } from './records.ts';
import { answerCases } from './requests-answers.ts';
import type { RequestsFixture } from './requests-fixture.ts';
import { examples, type Kind, others, owner } from './requests-records.ts';

type Store = RequestStore<object, Recorded>;
const insert = ({ storage }: RequestsFixture, store: Store, ...records: readonly Recorded[]): Promise<void> =>
  storage.transaction(async (tx) => {
    for (const record of records) await store.insert(tx, record);
  });
const replace = ({ storage }: RequestsFixture, store: Store, record: Recorded): Promise<boolean> =>
  storage.transaction((tx) => store.replace(tx, record));
const remove = ({ storage }: RequestsFixture, store: Store, record: Recorded): Promise<boolean> =>
  storage.transaction((tx) => store.remove(tx, record));

const casesOf = (kind: Kind): Cases<RequestsFixture> => {
  const storeOf = ({ stores }: RequestsFixture): Store => stores[kind] as unknown as Store;
  const { bare, full } = examples[kind];

  /** Records of others stand beside: they must be as they were when `act` is over, and seen by nobody else. */
  const beside =
    (act: (fixture: RequestsFixture, store: Store, stored: Recorded) => Promise<void>) =>
    async (fixture: RequestsFixture): Promise<void> => {
      const store = storeOf(fixture);
      const stored = bare();
      const foreign = others.map(({ id: accountId, environment }) => full({ accountId, environment }));
      await insert(fixture, store, stored, ...foreign);
      await act(fixture, store, stored);
      for (const [index, other] of others.entries()) {
        const record = foreign[index] as Recorded;
        deepStrictEqual(await store.find(other, record.id), record);
        deepStrictEqual(await store.list(other, {}), { items: [record] });
        strictEqual(await store.find(owner, record.id), undefined);
      }
    };

  const listingOf = async (fixture: RequestsFixture): Promise<Listing> => {
    const store = storeOf(fixture);
    return {
      add: async (accountId, count) => {
        const added = Array.from({ length: count }, () => bare({ accountId }));
        await insert(fixture, store, ...added);
        return added.map(({ id }) => id);
      },
      change: async (accountId, id) => {
        const stored = await store.find({ ...owner, id: accountId }, id);
        ok(stored && (await replace(fixture, store, { ...stored, updatedAt: stored.updatedAt + 1 })));
      },
      page: async (accountId, request) => idsOf(await store.list({ ...owner, id: accountId }, request)),
    };
  };

  const cases: Cases<RequestsFixture> = {
    'a record comes back as it was stored': beside(async (fixture, store) => {
      for (const record of [bare(), full()]) {
        await insert(fixture, store, record);
        deepStrictEqual(await store.find(owner, record.id), record);
        ok((await store.list(owner, {})).items.some((each) => isDeepStrictEqual(each, record)));
      }
    }),
    'a record that is not there is not found': beside(async (_fixture, store, stored) => {
      for (const id of [newId(), 'no-such-id', owner.id]) strictEqual(await store.find(owner, id), undefined);
      for (const other of others) strictEqual(await store.find(other, stored.id), undefined);
    }),
    'an id that exists is not inserted again, by any account': beside(async (fixture, store, stored) => {
      await rejects(insert(fixture, store, { ...stored, updatedAt: 5 }));
      await rejects(insert(fixture, store, { ...stored, accountId: 'acc_third' }));
      deepStrictEqual(await store.find(owner, stored.id), stored);
    }),
    'of many that insert one id at once exactly one does': beside(async (fixture, store) => {
      const record = bare();
      strictEqual(await raceToResolve((index) => insert(fixture, store, { ...record, updatedAt: index })), 1);
    }),
    'a change is stored with the next version': beside(async (fixture, store, stored) => {
      const changed = full({ id: stored.id, createdAt: stored.createdAt });
      strictEqual(await replace(fixture, store, changed), true);
      deepStrictEqual(await store.find(owner, stored.id), { ...changed, version: 2 });
    }),
    'a change of an older version, of another account or of nothing changes nothing': beside(
      async (fixture, store, stored) => {
        strictEqual(await replace(fixture, store, stored), true);
        for (const act of [replace, remove]) {
          strictEqual(await act(fixture, store, { ...stored, updatedAt: 5 }), false);
          strictEqual(await act(fixture, store, { ...stored, version: 3 }), false);
          for (const { id: accountId, environment } of others)
            strictEqual(await act(fixture, store, { ...stored, accountId, environment, version: 2 }), false);
          strictEqual(await act(fixture, store, bare()), false);
        }
        deepStrictEqual(await store.find(owner, stored.id), { ...stored, version: 2 });
      },
    ),
    'of many that change one version at once exactly one wins': beside(async (fixture, store, stored) => {
      const won = await race((index) => replace(fixture, store, { ...stored, updatedAt: index }));
      strictEqual(won.filter(Boolean).length, 1);
      deepStrictEqual(await store.find(owner, stored.id), { ...stored, updatedAt: won.indexOf(true), version: 2 });
    }),
    'of changes and removals at once exactly one wins': beside(async (fixture, store, stored) => {
      const won = await race((index) =>
        index % 2 ? remove(fixture, store, stored) : replace(fixture, store, { ...stored, updatedAt: index }),
      );
      strictEqual(won.filter(Boolean).length, 1);
      const removed = won.indexOf(true) % 2 === 1;
      strictEqual((await store.find(owner, stored.id)) === undefined, removed);
    }),
    'what is taken away is gone, and its id too': beside(async (fixture, store, stored) => {
      strictEqual(await remove(fixture, store, stored), true);
      strictEqual(await store.find(owner, stored.id), undefined);
      deepStrictEqual(await store.list(owner, {}), { items: [] });
      for (const act of [replace, remove]) strictEqual(await act(fixture, store, stored), false);
    }),
    'what a transaction writes is seen in it, and by others when it commits': beside(async (fixture, store, stored) => {
      const made = full();
      await whileOpen(fixture.storage, async (open) => {
        await store.insert(open.tx, made);
        strictEqual(await store.replace(open.tx, { ...stored, updatedAt: 7 }), true);
        strictEqual(await store.replace(open.tx, { ...stored, version: 2, updatedAt: 8 }), true);
        deepStrictEqual(await store.find(owner, made.id, open.tx), made);
        deepStrictEqual(await store.find(owner, stored.id, open.tx), { ...stored, updatedAt: 8, version: 3 });
        strictEqual(await soon(store.find(owner, made.id), 'a look from outside'), undefined);
        deepStrictEqual(await soon(store.find(owner, stored.id), 'a look from outside'), stored);
        deepStrictEqual(await soon(store.list(owner, {}), 'a list'), { items: [stored] });
        await open.commit();
      });
      deepStrictEqual(await store.find(owner, made.id), made);
      deepStrictEqual(await store.find(owner, stored.id), { ...stored, updatedAt: 8, version: 3 });
    }),
    'a rollback leaves nothing of what was written': beside(async (fixture, store, stored) => {
      const made = bare();
      await whileOpen(fixture.storage, async (open) => {
        await store.insert(open.tx, made);
        strictEqual(await store.remove(open.tx, stored), true);
        strictEqual(await store.find(owner, stored.id, open.tx), undefined);
        await open.rollback();
      });
      deepStrictEqual(await store.list(owner, {}), { items: [stored] });
      await insert(fixture, store, made);
    }),
    'who changes what an open transaction has changed waits for its end': beside(async (fixture, store, stored) => {
      await whileOpen(fixture.storage, async (open) => {
        strictEqual(await store.replace(open.tx, { ...stored, updatedAt: 7 }), true);
        const second = replace(fixture, store, { ...stored, updatedAt: 8 });
        await open.commit();
        strictEqual(await second, false);
      });
      await whileOpen(fixture.storage, async (open) => {
        strictEqual(await store.replace(open.tx, { ...stored, version: 2, updatedAt: 9 }), true);
        const second = replace(fixture, store, { ...stored, version: 2, updatedAt: 10 });
        await open.rollback();
        strictEqual(await second, true);
      });
      deepStrictEqual(await store.find(owner, stored.id), { ...stored, updatedAt: 10, version: 3 });
    }),
    'no record waits for another': beside(async (fixture, store, stored) => {
      const second = bare();
      await insert(fixture, store, second);
      await whileOpen(fixture.storage, async (open) => {
        await store.replace(open.tx, { ...stored, updatedAt: 7 });
        await soon(replace(fixture, store, { ...second, updatedAt: 8 }), 'a change of another record');
        await soon(insert(fixture, store, bare()), 'a new record');
        await open.commit();
      });
    }),
    'a transaction that has ended takes nothing more': beside(async (fixture, store, stored) => {
      await whileOpen(fixture.storage, async (open) => {
        await open.commit();
        await rejects(store.insert(open.tx, bare()));
        await rejects(store.replace(open.tx, stored));
      });
      deepStrictEqual(await store.list(owner, {}), { items: [stored] });
    }),
    'a list holds what fits all that is asked for': beside(async (fixture, store, stored) => {
      const { status, createdAt } = stored;
      const second = bare({ createdAt: createdAt + 100 });
      await insert(fixture, store, second);
      const listed = async (filter: object): Promise<readonly string[]> =>
        (await store.list(owner, {}, filter)).items.map(({ id }) => id);
      deepStrictEqual(await listed({ status }), [stored.id, second.id]);
      deepStrictEqual(await listed({ status: 'no such status' }), []);
      deepStrictEqual(await listed({ createdFrom: createdAt, createdTo: createdAt + 100 }), [stored.id]);
      deepStrictEqual(await listed({ createdFrom: createdAt + 1 }), [second.id]);
      deepStrictEqual(await listed({ status, createdTo: createdAt }), []);
      deepStrictEqual(await listed({ templateId: newId() }), []);
    }),
    'a list is read newest first, filtered, in whatever pages': beside(async (fixture, store, stored) => {
      const { createdAt } = stored;
      // Three at a time share their moment: their order is that of their ids.
      const made = Array.from({ length: 9 }, (_, index) =>
        bare({ createdAt: createdAt + 100 * Math.ceil((index + 1) / 3) }),
      );
      await insert(fixture, store, ...made);
      const all = [stored, ...made];
      for (const filter of [
        {},
        { status: stored.status },
        { createdFrom: createdAt + 100 },
        { createdTo: createdAt + 300 },
        { createdFrom: createdAt + 100, createdTo: createdAt + 201, status: stored.status },
        { templateId: newId() },
      ] as const) {
        const { createdFrom = 0, createdTo = Number.POSITIVE_INFINITY, templateId } = filter as RequestFilter;
        const expected = all
          .filter((each) => each.createdAt >= createdFrom && each.createdAt < createdTo && templateId === undefined)
          .map(({ id }) => id);
        for (const limit of [1, 2, 4, 100]) {
          for (const newestFirst of [false, true]) {
            const found = await allPages((page) => store.list(owner, { ...page, newestFirst }, filter), { limit });
            deepStrictEqual(
              found.map(({ id }) => id),
              newestFirst ? expected.toReversed() : expected,
            );
          }
        }
      }
    }),
    'a cursor that is none is answered as such': beside(async (_fixture, store, stored) => {
      for (const after of badCursors)
        deepStrictEqual(await store.list(owner, { after }), { items: [], invalidCursor: true }, after);
      deepStrictEqual(await store.list(owner, {}), { items: [stored] });
    }),
    ...pageCases('records', listingOf),
  };
  return Object.fromEntries(Object.entries(cases).map(([name, each]) => [`${kind}: ${name}`, each]));
};

const templateCases: Cases<RequestsFixture> = Object.fromEntries(
  (['payments', 'deposits'] as const).map((kind) => [
    `${kind}: a list by template holds what was made from it`,
    async (fixture: RequestsFixture) => {
      const store = fixture.stores[kind] as unknown as Store;
      const { full } = examples[kind];
      const templateId = newId();
      const made = [full({ templateId }), full({ templateId })];
      await insert(fixture, store, ...made, full());
      deepStrictEqual((await store.list(owner, {}, { templateId })).items, made);
      const page = await store.list(owner, { limit: 1 }, { templateId });
      deepStrictEqual(page.items, made.slice(0, 1));
      deepStrictEqual(
        (await store.list(owner, { limit: 1, after: page.next ?? '' }, { templateId })).items,
        made.slice(1),
      );
    },
  ]),
);

/**
 * Holds the stores of payment requests, security deposits, templates and kept answers to their obligations.
 * @example
 * // `create` as {@link RequestsFixture} shows it.
 * requestStoresContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const requestStoresContract = (options: ContractOptions<RequestsFixture>): void =>
  runCases(
    {
      ...casesOf('payments'),
      ...casesOf('deposits'),
      ...casesOf('paymentTemplates'),
      ...casesOf('depositTemplates'),
      ...templateCases,
      ...answerCases,
    },
    options,
  );
