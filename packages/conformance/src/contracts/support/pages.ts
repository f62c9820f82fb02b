import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { Page, PageRequest } from '@partnerkit/core';
import type { Cases, Fixture } from './contract.ts';
import { ours, theirs } from './records.ts';

/** A list of an account, by the ids of its rows. */
export interface Listing {
  /** Adds `count` rows at once, and resolves to their ids. */
  add(accountId: string, count: number): Promise<readonly string[]>;
  /** Changes a row, and possibly others. */
  change(accountId: string, id: string): Promise<unknown>;
  page(accountId: string, request: PageRequest): Promise<Page<string>>;
}

export const idsOf = <T extends { readonly id: string }>({ items, ...rest }: Page<T>): Page<string> => ({
  ...rest,
  items: items.map(({ id }) => id),
});

/** Cursors that no store returns. */
export const badCursors = ['', 'x', 'null', '\u0000', "1' or '1'='1", '1_2', 'é'.repeat(300)];

/** All rows of a list, page by page. */
export const allPages = async <T>(
  read: (request: PageRequest) => Promise<Page<T>>,
  {
    limit = 100,
    between = async () => {},
  }: { readonly limit?: number; readonly between?: () => Promise<unknown> } = {},
): Promise<T[]> => {
  const items: T[] = [];
  const cursors = new Set<string>();
  for (let after: string | undefined; ; ) {
    const page = await read({ limit, ...(after === undefined ? {} : { after }) });
    items.push(...page.items);
    if (page.next === undefined) return items;
    ok(!cursors.has(page.next), 'a page leads back to one that was read');
    cursors.add(page.next);
    after = page.next;
    await between();
  }
};

/** Rules of every list. */
export const pageCases = <F extends Fixture>(rows: string, listingOf: (fixture: F) => Promise<Listing>): Cases<F> => ({
  [`${rows} are listed to their own account only, page by page, each once`]: async (fixture) => {
    const listing = await listingOf(fixture);
    const expected: string[] = [];
    for (let times = 0; times < 2; times++) {
      await listing.add(theirs, 5);
      expected.push(...(await listing.add(ours, 5)));
    }
    for (const limit of [1, 3, 10, 11])
      deepStrictEqual((await allPages((page) => listing.page(ours, page), { limit })).toSorted(), expected.toSorted());
    deepStrictEqual(await listing.page('acc_nobody', {}), { items: [] });
  },
  [`${rows} are listed oldest first`]: async (fixture) => {
    const listing = await listingOf(fixture);
    const [own, foreign]: [string[], string[]] = [[], []];
    for (let times = 0; times < 8; times++) {
      own.push(...(await listing.add(ours, 1)));
      foreign.push(...(await listing.add(theirs, 1)));
    }
    deepStrictEqual(await allPages((page) => listing.page(ours, page), { limit: 3 }), own);
    deepStrictEqual(await allPages((page) => listing.page(theirs, page), { limit: 3 }), foreign);
  },
  [`${rows} are listed newest first on request, each once`]: async (fixture) => {
    const listing = await listingOf(fixture);
    const own: string[] = [];
    for (let times = 0; times < 8; times++) {
      own.unshift(...(await listing.add(ours, 1)));
      await listing.add(theirs, 1);
    }
    for (const limit of [1, 3, 8, 100]) {
      const read = (page: PageRequest) => listing.page(ours, { ...page, newestFirst: true });
      deepStrictEqual(await allPages(read, { limit }), own);
    }
  },
  [`${rows} that are added or changed between pages neither hide nor repeat a row`]: async (fixture) => {
    const listing = await listingOf(fixture);
    const before = await listing.add(ours, 7);
    const read = await allPages((page) => listing.page(ours, page), {
      limit: 3,
      between: async () => {
        await listing.add(theirs, 1);
        await listing.add(ours, 1);
        // Rows that were read, and rows that were not.
        for (const id of before.toReversed()) await listing.change(ours, id);
      },
    });
    strictEqual(new Set(read).size, read.length);
    deepStrictEqual(
      before.filter((id) => !read.includes(id)),
      [],
    );
  },
  [`${rows}: a page has the requested number of rows, 50 by default, 100 at most`]: async (fixture) => {
    const listing = await listingOf(fixture);
    await listing.add(theirs, 2);
    await listing.add(ours, 101);
    const sizes = [{ limit: 2 }, {}, { limit: 100 }, { limit: 1_000 }].map(
      async (request) => (await listing.page(ours, request)).items.length,
    );
    deepStrictEqual(await Promise.all(sizes), [2, 50, 100, 100]);
  },
  [`${rows}: the last page has no next cursor`]: async (fixture) => {
    const listing = await listingOf(fixture);
    await listing.add(theirs, 5);
    await listing.add(ours, 4);
    const { next, items } = await listing.page(ours, { limit: 2 });
    strictEqual(items.length, 2);
    ok(next !== undefined, 'the first of two pages has a next one');
    const last = await listing.page(ours, { limit: 2, after: next });
    strictEqual(last.items.length, 2);
    ok(!('next' in last), 'the last page has no next, not even an undefined one');
    ok(!('next' in (await listing.page(ours, { limit: 4 }))), 'a page that holds all has no next');
  },
  [`${rows}: a cursor of one account shows none of its rows to another`]: async (fixture) => {
    const listing = await listingOf(fixture);
    const own = await listing.add(theirs, 3);
    await listing.add(ours, 3);
    const { next } = await listing.page(ours, { limit: 1 });
    ok(next !== undefined);
    // A refusal is as good.
    const foreign = await listing.page(theirs, { after: next }).catch(() => ({ items: [] }));
    for (const id of foreign.items) ok(own.includes(id), 'a row of another account was listed');
  },
});
