import type { PageRequest } from '@partnerkit/core';
import type { ClaimedCommand, RequestStore, RequestStores } from '@partnerkit/core/adapter';
import { type MemoryTransaction, memoryStorage } from '@partnerkit/core/memory';
import type { RequestFilter, RequestHistoryEntry, StoredRequest } from '@partnerkit/core/requests';
import { describe, expect, test } from 'vitest';
import { manualClock } from '../../../../testing/src/index.ts';
import type { RequestsFixture } from '../../../src/contracts/index.ts';
import { requestStoresContract } from '../../../src/contracts/requests/stores.ts';

type Stores = RequestStores<MemoryTransaction>;
type Spoil = (stores: Stores) => Stores;

const fixture =
  (spoil: Spoil = (stores) => stores) =>
  async (): Promise<RequestsFixture<MemoryTransaction>> => {
    const clock = manualClock();
    const storage = memoryStorage({ clock });
    return {
      storage: { ...storage, requests: spoil(storage.requests) },
      elapse: async (time) => clock.pass(time),
    };
  };

describe('memory holds', () => {
  requestStoresContract({ test, create: fixture() });
});

type Kind = Exclude<keyof Stores, 'references' | 'idempotency' | 'due'>;
type Change = (store: RequestStore<MemoryTransaction, StoredRequest>) => Partial<typeof store>;

/** Changes the store of one kind. */
const spoiled =
  (kind: Kind, change: Change): Spoil =>
  (stores) => {
    const store = stores[kind] as unknown as RequestStore<MemoryTransaction, StoredRequest>;
    return { ...stores, [kind]: { ...store, ...change(store) } };
  };
const accountOf = ({ accountId, environment }: StoredRequest) => ({ id: accountId, environment });
const elsewhere = { prod: 'dev', dev: 'prod' } as Readonly<Record<string, string>>;

/** What a wrong list makes of what is asked of it. */
type Ask = (page: PageRequest, filter: RequestFilter) => readonly [PageRequest, RequestFilter];
const wrongLists: readonly (readonly [what: string, change: Ask])[] = [
  ['that lists oldest first, whatever is asked for', ({ newestFirst: _, ...page }, filter) => [page, filter]],
  ['that filters nothing', (page) => [page, {}]],
  [
    'that looks at the first of several states',
    (page, { statuses = [], ...filter }) => [
      page,
      statuses.length === 0 ? filter : { ...filter, statuses: statuses.slice(0, 1) },
    ],
  ],
  [
    'that lists by creation what is asked for by update',
    (page, { updatedFrom: _, updatedTo: __, ...filter }) => [page, filter],
  ],
  ['that knows no reference', (page, { reference: _, ...filter }) => [page, filter]],
  ['that knows no recipient', (page, { recipientEmail: _, ...filter }) => [page, filter]],
  ['that knows no deposit', (page, { depositId: _, ...filter }) => [page, filter]],
  [
    'that excludes the moment from which it lists',
    (page, { createdFrom, ...filter }) => [
      page,
      createdFrom === undefined ? filter : { ...filter, createdFrom: createdFrom + 1 },
    ],
  ],
];

/** Changes the store of due commands. */
const dueSpoiled =
  (change: (due: Stores['due']) => Partial<Stores['due']>): Spoil =>
  (stores) => ({ ...stores, due: { ...stores.due, ...change(stores.due) } });
/** Due stores with one thing wrong, and the case that each fails. */
const wrongDueStores: [what: string, spoil: Spoil, law: string][] = [
  [
    'that claims a little early',
    dueSpoiled((due) => ({
      plan: (tx, changes) =>
        due.plan(
          tx,
          changes.map((change) => ({ ...change, dueAt: change.dueAt && change.dueAt - 1_000 })),
        ),
    })),
    'due: a command is claimed from its time on, as it was planned, and never before',
  ],
  [
    'whose claims have no lease',
    dueSpoiled((due) => ({ claim: (limit) => due.claim(limit, 0) })),
    'due: a claimed command is claimed again once its lease has ended',
  ],
  [
    'that has no limit',
    dueSpoiled((due) => ({ claim: (_limit, lease) => due.claim(1_000, lease) })),
    'due: those that wait longest are claimed first, up to the limit',
  ],
  [
    'that forgets whose turn it is',
    dueSpoiled((due) => ({ claim: (limit, lease) => due.claim(limit, lease) })),
    'due: accounts take turns, one command of each, from the one after the last',
  ],
  [
    'that takes a reminder for a deadline',
    dueSpoiled((due) => ({
      plan: (tx, changes) =>
        due.plan(
          tx,
          changes.map((change) => ({ ...change, isReminder: false })),
        ),
    })),
    'due: of one account, deadlines come before reminders, then those that wait longest',
  ],
  [
    'that removes nothing',
    dueSpoiled((due) => ({
      plan: (tx, changes) =>
        due.plan(
          tx,
          changes.filter(({ dueAt }) => dueAt !== undefined),
        ),
    })),
    'due: kind, id and name tell commands apart; a plan replaces one, and removes one',
  ],
  [
    'that releases a claim that is over',
    dueSpoiled((due) => {
      const last = new Map<string, ClaimedCommand>();
      return {
        claim: async (limit, lease) => {
          const found = await due.claim(limit, lease);
          for (const each of found.claimed) last.set(each.id, each);
          return found;
        },
        release: (claimed, next) => due.release(last.get(claimed.id) ?? claimed, next),
      };
    }),
    'due: a claim that is over releases nothing',
  ],
];

describe('stores with one thing wrong fail', () => {
  /** Whether the case of this name fails. */
  const fails = async (spoil: Spoil, name: string): Promise<boolean> => {
    const cases = new Map<string, () => Promise<void>>();
    requestStoresContract({ test: (each, run) => void cases.set(each, run), create: fixture(spoil) });
    const run = cases.get(name) ?? expect.unreachable(`there is no case "${name}"`);
    return run().then(
      () => false,
      () => true,
    );
  };

  test.concurrent.each<[what: string, spoil: Spoil, law: string]>([
    ...wrongDueStores,
    [
      'a store that looks at no version',
      spoiled('payments', (store) => ({
        replace: async (tx, record, ...more) => {
          const current = await store.find(accountOf(record), record.id, tx);
          return current ? store.replace(tx, { ...record, version: current.version + 1 }, ...more) : false;
        },
      })),
      'payments: a change of another version, another account or an unknown record changes nothing',
    ],
    [
      'a store that finds what is of another environment',
      spoiled('deposits', (store) => ({
        find: async (account, id, tx) =>
          (await store.find(account, id, tx)) ??
          store.find({ ...account, environment: elsewhere[account.environment] ?? '' }, id, tx),
      })),
      'deposits: an unknown record is not found',
    ],
    [
      'a store that forgets the last cash-out',
      spoiled('deposits', (store) => ({
        insert: (tx, record, ...more) => {
          const { cashOuts } = record as unknown as { readonly cashOuts: readonly unknown[] };
          return store.insert(tx, { ...record, cashOuts: cashOuts.slice(0, -1) } as StoredRequest, ...more);
        },
      })),
      'deposits: a record is read as it was stored',
    ],
    [
      'a store that fails on a cursor that it cannot read',
      spoiled('payments', (store) => ({
        list: async (...args) => {
          const page = await store.list(...args);
          if (page.invalidCursor) throw new TypeError('after: hand over the `next` of the page before.');
          return page;
        },
      })),
      'payments: an invalid cursor is reported',
    ],
    ...[0, 1].map((known): [string, Spoil, string] => [
      `a store that knows ${known} children`,
      spoiled('cashOuts', (store) => ({
        list: (account, page, { children, ...filter } = {}) =>
          store.list(account, page, children ? { ...filter, children: children.slice(0, known) } : filter),
      })),
      'cashOuts: a list with children has their records, too, in one order',
    ]),
    ...wrongLists.map(([what, change]): [string, Spoil, string] => [
      `a store ${what}`,
      spoiled('cashOuts', (store) => ({
        list: (account, page, filter = {}) => store.list(account, ...change(page, filter)),
      })),
      'cashOuts: a list has the matching records, in order, in both directions and with any page size',
    ]),
    [
      'a store that searches addresses in their case',
      spoiled('payments', (store) => ({
        list: async (account, page, filter = {}) =>
          filter.recipientEmail === filter.recipientEmail?.toLowerCase()
            ? store.list(account, page, filter)
            : { items: [] },
      })),
      'payments: a list has the matching records, in order, in both directions and with any page size',
    ],
    [
      'a store that drops the second filter',
      spoiled('paymentTemplates', (store) => ({
        list: (account, page, { reference, statuses, ...filter } = {}) =>
          store.list(
            account,
            page,
            reference === undefined ? { ...filter, ...(statuses && { statuses }) } : { reference },
          ),
      })),
      'paymentTemplates: a list has the records that match all its filters',
    ],
    [
      'a store that knows serial ids only',
      spoiled('deposits', (store) => ({
        find: async (account, id, tx) => (/^[\w-]+$/.test(id) ? store.find(account, id, tx) : undefined),
      })),
      'deposits: ids are any text, in byte order',
    ],
    [
      'a store that keeps the entries of a change that loses',
      (stores) => {
        const lost: RequestHistoryEntry[] = [];
        return spoiled('payments', (store) => ({
          replace: async (tx, record, entries, events) => {
            const won = await store.replace(tx, record, entries, events);
            if (!won) lost.push(...entries);
            return won;
          },
          listHistory: async (account, id, page) => {
            const read = await store.listHistory(account, id, page);
            return { ...read, items: [...read.items, ...lost] };
          },
        }))(stores);
      },
      'payments: history: a lost race adds no entry',
    ],
    [
      'a store that forgets the events of new objects',
      spoiled('payments', (store) => ({
        insert: (tx, record, entries) => store.insert(tx, record, entries, []),
      })),
      'payments: events: they are committed with their write, or not at all',
    ],
    [
      'a store that forgets the events of removed objects',
      spoiled('cashOuts', (store) => ({ remove: (tx, record) => store.remove(tx, record, []) })),
      'cashOuts: events: they are committed with their write, or not at all',
    ],
    [
      'a store that stores one event of each write',
      spoiled('deposits', (store) => ({
        replace: (tx, record, entries, events) => store.replace(tx, record, entries, events.slice(0, 1)),
      })),
      'deposits: events: they are committed with their write, or not at all',
    ],
    [
      'a store that keeps the events of a change that loses',
      spoiled('payments', (store) => ({
        replace: async (tx, record, entries, events) => {
          await store.insert(tx, { ...record, id: `${record.id} ${events.length}` }, [], events);
          return store.replace(tx, record, entries, []);
        },
      })),
      'payments: events: a write that changes nothing stores none',
    ],
    [
      'a store that shows a history to every account',
      spoiled('payments', (store) => ({
        listHistory: (_account, id, page) => store.listHistory({ id: 'acc_ours', environment: 'prod' }, id, page),
      })),
      'payments: history: other accounts see none of it',
    ],
    [
      'a store whose history is in the order of texts',
      spoiled('payments', (store) => ({
        listHistory: async (account, id, page) => {
          const read = await store.listHistory(account, id, page);
          return { ...read, items: read.items.toSorted((a, b) => (`${a.version}` < `${b.version}` ? -1 : 1)) };
        },
      })),
      'payments: history: entries are in the order of versions and steps, in both directions, page by page',
    ],
    [
      'a store that forgets the steps of rules',
      spoiled('cashOuts', (store) => ({
        replace: (tx, record, entries, events) => store.replace(tx, record, entries.slice(0, 1), events),
      })),
      'cashOuts: history: entries are in the order of versions and steps, in both directions, page by page',
    ],
    [
      'a store that keeps the history of what is gone',
      (stores) => {
        const gone = new Map<string, readonly RequestHistoryEntry[]>();
        return spoiled('depositTemplates', (store) => ({
          remove: async (tx, record, events) => {
            gone.set(record.id, (await store.listHistory(accountOf(record), record.id, {})).items);
            return store.remove(tx, record, events);
          },
          listHistory: async (account, id, page) => {
            const read = await store.listHistory(account, id, page);
            return read.items.length > 0 ? read : { items: gone.get(id) ?? [] };
          },
        }))(stores);
      },
      'depositTemplates: history: it is deleted with its object, and a new object starts without one',
    ],
    [
      'transactions that are found in the order of their numbers',
      (stores) => ({
        ...stores,
        transactions: {
          ...stores.transactions,
          find: async (...asked) => (await stores.transactions.find(...asked)).toSorted((a, b) => a.number - b.number),
        },
      }),
      'transactions: those of a reference are found by their kinds, with none that is not committed',
    ],
    [
      'references that are one for all environments',
      (stores) => ({
        ...stores,
        references: {
          ...stores.references,
          claim: (tx, key, id) =>
            stores.references.claim(tx, { ...key, account: { ...key.account, environment: '' } }, id),
        },
      }),
      'references: another account, environment, kind or text is another reference',
    ],
    [
      'references that anybody releases',
      (stores) => {
        const holders = new Map<string, string>();
        return {
          ...stores,
          references: {
            claim: async (tx, key, id) => {
              const claimed = await stores.references.claim(tx, key, id);
              if (claimed) holders.set(key.reference, id);
              return claimed;
            },
            release: (tx, key, id) => stores.references.release(tx, key, holders.get(key.reference) ?? id),
          },
        };
      },
      'references: a released reference is free; another object cannot release it',
    ],
    [
      'references that are taken as soon as they are claimed',
      (stores) => {
        const taken = new Map<string, string>();
        return {
          ...stores,
          references: {
            claim: async (_tx, key, id) => {
              const name = JSON.stringify(key);
              if (!taken.has(name)) taken.set(name, id);
              return taken.get(name) === id;
            },
            release: async (_tx, key, id) => {
              if (taken.get(JSON.stringify(key)) === id) taken.delete(JSON.stringify(key));
            },
          },
        };
      },
      'references: a claim waits for the transaction that claimed first',
    ],
    [
      'responses that are the whole account’s',
      (stores) => ({
        ...stores,
        idempotency: {
          claim: (tx, key) => stores.idempotency.claim(tx, { ...key, clientId: '' }),
          complete: (tx, key, response) => stores.idempotency.complete(tx, { ...key, clientId: '' }, response),
        },
      }),
      'idempotency: a response is read as it was stored, by its own key only',
    ],
    [
      'responses whose keys have no case',
      (stores) => ({
        ...stores,
        idempotency: {
          claim: (tx, key) => stores.idempotency.claim(tx, { ...key, key: key.key.toLowerCase() }),
          complete: (tx, key, response) =>
            stores.idempotency.complete(tx, { ...key, key: key.key.toLowerCase() }, response),
        },
      }),
      'idempotency: a response is read as it was stored, by its own key only',
    ],
  ])('%s', async (_what, spoil, law) => {
    expect(await fails(spoil, law)).toBe(true);
  });
});
