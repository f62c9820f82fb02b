import { deepStrictEqual, strictEqual } from 'node:assert';
import type { RequestStore } from '@partnerkit/core/adapter';
import type { RequestHistoryEntry, StoredRequest } from '@partnerkit/core/requests';
import { allPages, badCursors } from '../support/pages.ts';
import type { RequestsFixture } from './fixture.ts';
import { entryOf, examples, type Kind, others, owner } from './records.ts';

/** A store of any kind. */
export type AnyStore = RequestStore<object, StoredRequest>;

export const storeOf = ({ storage }: RequestsFixture, kind: Kind): AnyStore => storage.requests[kind] as AnyStore;

/** Inserts records in one transaction, each with the entry of its creation. */
export const insert = (
  { storage }: RequestsFixture,
  store: AnyStore,
  ...records: readonly StoredRequest[]
): Promise<void> =>
  storage.transaction(async (tx) => {
    for (const record of records) await store.insert(tx, record, [entryOf(record)], []);
  });

export const replace = (
  { storage }: RequestsFixture,
  store: AnyStore,
  record: StoredRequest,
  entries: readonly RequestHistoryEntry[] = [entryOf(record)],
): Promise<boolean> => storage.transaction((tx) => store.replace(tx, record, entries, []));

export const remove = ({ storage }: RequestsFixture, store: AnyStore, record: StoredRequest): Promise<boolean> =>
  storage.transaction((tx) => store.remove(tx, record, []));

/** The whole history of an object of the owner. */
export const historyOf = (store: AnyStore, id: string, newestFirst = false): Promise<RequestHistoryEntry[]> =>
  allPages((page) => store.listHistory(owner, id, { ...page, newestFirst }));

/** Cursors that no list of requests returns. Ids are any text, so `1_2` may be a valid one. */
export const wrongCursors = badCursors.filter((cursor) => cursor !== '1_2');

/** The body of a case, for a stored record of one kind. */
type Act = (fixture: RequestsFixture, store: AnyStore, stored: StoredRequest) => Promise<void>;

/**
 * Runs a case beside records of other accounts. After `act`, they must be unchanged, with their history, and invisible
 * to others.
 */
export const beside =
  (kind: Kind, act: Act) =>
  async (fixture: RequestsFixture): Promise<void> => {
    const store = storeOf(fixture, kind);
    const { bare, full } = examples[kind];
    const stored = bare();
    const foreign = others.map(({ id: accountId, environment }) => full({ accountId, environment }));
    await insert(fixture, store, stored, ...foreign);
    await act(fixture, store, stored);
    for (const [index, other] of others.entries()) {
      const record = foreign[index] as StoredRequest;
      deepStrictEqual(await store.find(other, record.id), record);
      deepStrictEqual(await store.list(other, {}), { items: [record] });
      deepStrictEqual(await store.listHistory(other, record.id, {}), { items: [entryOf(record)] });
      strictEqual(await store.find(owner, record.id), undefined);
    }
  };
