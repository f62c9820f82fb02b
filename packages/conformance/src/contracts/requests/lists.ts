import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestFilter, StoredRequest } from '@partnerkit/core/requests';
import type { Cases } from '../support/contract.ts';
import { allPages, idsOf, type Listing, pageCases } from '../support/pages.ts';
import { newId } from '../support/records.ts';
import { beside, insert, remove, replace, storeOf, wrongCursors } from './acts.ts';
import type { RequestsFixture } from './fixture.ts';
import { examples, type Kind, nextOf, owner } from './records.ts';

/** Ids as hosts create them: serial, prefixed, any text of 1 to 256 bytes. */
const hostIds = [
  ...['4711', '471', '1', 'pay_1', 'pay_10', 'pay_2', 'a_b_c', '_', '1_2', '1750000000000_x', 'Pay_1', ' a b'],
  ...['é', 'ﬀ', '🏡', `'"\\%{},`, 'null', 'x'.repeat(256), '🏡'.repeat(64)],
];

const begin = Date.UTC(2026, 0, 1);
/** Enough rows for every combination of filter values. */
const count = 24;
type Searched = StoredRequest & RequestFilter & { readonly recipient?: { readonly email: string } };

/** Each filter alone. */
const filtersOf = (kind: Kind, statuses: readonly string[]): readonly RequestFilter[] => [
  {},
  { statuses: statuses.slice(0, 1) },
  { statuses: statuses.slice(0, 2) },
  { statuses },
  { statuses: [...statuses.slice(-1), ...statuses.slice(-1)] },
  { statuses: ['no such status'] },
  { reference: 'Ref A' },
  { reference: 'ref a' },
  { recipientEmail: 'GUEST0@example.com' },
  { recipientEmail: 'nobody@example.com' },
  { templateId: 'parent_1' },
  ...(kind === 'cashOuts' ? [{ depositId: 'parent_1' }] : []),
  { depositId: 'no such deposit' },
  { createdFrom: begin + 300 },
  { createdTo: begin + 500 },
  { createdFrom: begin + 200, createdTo: begin + 600 },
  { updatedFrom: begin + 300 },
  { updatedTo: begin + 800 },
  { updatedFrom: begin + 200, updatedTo: begin + 900 },
  { updatedFrom: begin + 900, updatedTo: begin + 200 },
];

const fits = (row: Searched, filter: RequestFilter): boolean => {
  const { statuses, reference, recipientEmail, templateId, depositId } = filter;
  return [
    statuses === undefined || statuses.includes(row.status),
    reference === undefined || row.reference === reference,
    recipientEmail === undefined || row.recipient?.email.toLowerCase() === recipientEmail.toLowerCase(),
    templateId === undefined || row.templateId === templateId,
    depositId === undefined || row.depositId === depositId,
    row.createdAt >= (filter.createdFrom ?? 0),
    row.createdAt < (filter.createdTo ?? Number.POSITIVE_INFINITY),
    row.updatedAt >= (filter.updatedFrom ?? 0),
    row.updatedAt < (filter.updatedTo ?? Number.POSITIVE_INFINITY),
  ].every(Boolean);
};

const sortedFor = (rows: readonly Searched[], filter: RequestFilter): readonly Searched[] => {
  const byUpdate = filter.updatedFrom !== undefined || filter.updatedTo !== undefined;
  const timeOf = ({ createdAt, updatedAt }: Searched): number => (byUpdate ? updatedAt : createdAt);
  return rows
    .filter((row) => fits(row, filter))
    .toSorted((a, b) => timeOf(a) - timeOf(b) || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
};

/** Rules of the lists of one kind. */
export const listCases = (kind: Kind): Cases<RequestsFixture> => {
  const { bare, statuses, parent } = examples[kind];
  const hasRecipient = 'recipient' in bare();
  const searched = (nth: number): Searched =>
    bare({
      // Groups of three share their time; within a group, ids decide the order.
      createdAt: begin + 100 * Math.floor(nth / 3),
      updatedAt: begin + 50 * ((nth * 7) % count),
      status: statuses[nth % statuses.length],
      ...(nth % 3 === 0 ? {} : { reference: nth % 3 === 1 ? 'Ref A' : 'ref a' }),
      ...(hasRecipient ? { recipient: { email: `Guest${nth % 2}@Example.com` } } : {}),
      ...(parent ? { [parent]: `parent_${nth % 4}` } : {}),
    });

  /** Reads a filtered list with several page sizes, in both directions unless told otherwise. */
  const assertLists = async (
    fixture: RequestsFixture,
    rows: readonly Searched[],
    filter: RequestFilter,
    limits: readonly number[],
    {
      directions = [false, true],
      within = {},
    }: { readonly directions?: readonly boolean[]; readonly within?: Pick<RequestFilter, 'children'> } = {},
  ): Promise<void> => {
    const expected = sortedFor(rows, filter).map(({ id }) => id);
    for (const limit of limits)
      for (const newestFirst of directions) {
        const asked = { ...filter, ...within };
        const read = await allPages((page) => storeOf(fixture, kind).list(owner, { ...page, newestFirst }, asked), {
          limit,
        });
        deepStrictEqual(
          read.map(({ id }) => id),
          newestFirst ? expected.toReversed() : expected,
          JSON.stringify({ filter, limit, newestFirst }),
        );
      }
  };

  const listingOf = async (fixture: RequestsFixture): Promise<Listing> => {
    const store = storeOf(fixture, kind);
    return {
      add: async (accountId, size) => {
        const added = Array.from({ length: size }, () => bare({ accountId }));
        await insert(fixture, store, ...added);
        return added.map(({ id }) => id);
      },
      change: async (accountId, id) => {
        const stored = await store.find({ ...owner, id: accountId }, id);
        ok(stored && (await replace(fixture, store, nextOf(stored, { updatedAt: stored.updatedAt + 1 }))));
      },
      page: async (accountId, request) => idsOf(await store.list({ ...owner, id: accountId }, request)),
    };
  };

  return {
    'a list has the matching records, in order, in both directions and with any page size': beside(
      kind,
      async (fixture, store, stored) => {
        const rows = Array.from({ length: count }, (_, nth) => searched(nth));
        await insert(fixture, store, ...rows);
        for (const filter of filtersOf(kind, statuses)) {
          // Pages of two end at each place of a group of three.
          const limits =
            Object.keys(filter).length === 0 || filter.updatedFrom === begin + 300 ? [1, 2, 4, 100] : [2, 100];
          await assertLists(fixture, [stored, ...rows], filter, limits);
        }
      },
    ),
    'a list has the records that match all its filters': beside(kind, async (fixture, store, stored) => {
      const rows = Array.from({ length: count }, (_, nth) => searched(nth));
      await insert(fixture, store, ...rows);
      const filters = filtersOf(kind, statuses);
      // Two fields are in several pairs, so they are read in both directions.
      for (const [nth, one] of filters.entries())
        for (const [further, another] of filters.slice(nth + 1).entries())
          await assertLists(fixture, [stored, ...rows], { ...one, ...another }, [3], {
            directions: [(nth + further) % 2 === 0],
          });
    }),
    'a list with children has their records, too, in one order': beside(kind, async (fixture, store, stored) => {
      const accounts = ['acc_first', 'acc_second', 'acc_empty', 'acc_other', 'acc_first'];
      const environments = ['prod', 'dev', 'prod', 'prod', 'dev'];
      const children = accounts.map((id, nth) => ({ id, environment: environments[nth] ?? '' })).slice(0, 3);
      const rows = Array.from({ length: count }, (_, nth): Searched => {
        const place = nth % 5;
        const account = { accountId: accounts[place] ?? '', environment: environments[place] ?? '' };
        return { ...searched(nth), ...(place === 2 ? {} : account) };
      });
      await insert(fixture, store, ...rows);
      const own = rows.filter((_, nth) => nth % 5 < 3);
      for (const filter of filtersOf(kind, statuses))
        await assertLists(fixture, [stored, ...own], filter, [3, 100], { within: { children } });
    }),
    'a list follows changes of the filtered fields': beside(kind, async (fixture, store) => {
      const row = searched(1);
      await insert(fixture, store, row);
      const changed = nextOf(row, {
        status: statuses.at(-1),
        reference: 'changed',
        updatedAt: begin + 5_000,
        ...(hasRecipient ? { recipient: { email: 'changed@example.com' } } : {}),
      });
      ok(await replace(fixture, store, changed));
      const listed = async (filter: RequestFilter): Promise<readonly string[]> =>
        (await store.list(owner, {}, { createdTo: begin + 5_000, ...filter })).items.map(({ id }) => id);
      const email = { recipientEmail: 'guest1@example.com' };
      for (const filter of [{ statuses: [row.status] }, { reference: 'Ref A' }, ...(hasRecipient ? [email] : [])])
        ok(!(await listed(filter)).includes(row.id) || row.status === changed.status, JSON.stringify(filter));
      for (const filter of [{ statuses: [changed.status] }, { reference: 'changed' }, { updatedFrom: begin + 5_000 }])
        ok((await listed(filter)).includes(row.id), JSON.stringify(filter));
      const bared = nextOf(bare({ id: row.id, createdAt: row.createdAt }), { version: 3 });
      ok(await replace(fixture, store, bared));
      deepStrictEqual(await listed({ reference: 'changed' }), []);
      ok(await remove(fixture, store, bared));
      ok(!(await listed({})).includes(row.id));
    }),
    'ids are any text, in byte order': beside(kind, async (fixture, store, stored) => {
      const rows = hostIds.map((id) => bare({ id, createdAt: begin, updatedAt: begin }));
      await insert(fixture, store, ...rows);
      for (const row of rows) {
        deepStrictEqual(await store.find(owner, row.id), row);
        const page = await store.listHistory(owner, row.id, {});
        strictEqual(page.items.length, 1);
      }
      for (const filter of [{}, { updatedFrom: 1 }, { statuses: [stored.status] }])
        await assertLists(fixture, [stored, ...rows], filter, [1, 7]);
      for (const row of rows) {
        ok(await replace(fixture, store, nextOf(row)));
        ok(await remove(fixture, store, nextOf(row)));
      }
      deepStrictEqual(await store.list(owner, {}), { items: [stored] });
    }),
    'each kind has its own ids': beside(kind, async (fixture, store, stored) => {
      const other = kind === 'payments' ? 'deposits' : 'payments';
      const namesake = examples[other].full({ id: stored.id });
      await insert(fixture, storeOf(fixture, other), namesake);
      ok(await replace(fixture, store, nextOf(stored)));
      deepStrictEqual(await storeOf(fixture, other).find(owner, stored.id), namesake);
      ok(await remove(fixture, store, nextOf(stored)));
      deepStrictEqual(await storeOf(fixture, other).list(owner, {}), { items: [namesake] });
      strictEqual((await storeOf(fixture, other).listHistory(owner, stored.id, {})).items.length, 1);
    }),
    'an invalid cursor is reported': beside(kind, async (_fixture, store, stored) => {
      for (const after of wrongCursors)
        for (const filter of [{}, { updatedFrom: 0 }, { reference: newId() }])
          deepStrictEqual(
            await store.list(owner, { after }, filter),
            { items: [], invalidCursor: true },
            JSON.stringify(after),
          );
      deepStrictEqual(await store.list(owner, {}), { items: [stored] });
    }),
    ...pageCases('records', listingOf),
  };
};
