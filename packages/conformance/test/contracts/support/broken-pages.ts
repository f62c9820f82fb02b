import type { Page, PageRequest } from '@partnerkit/core';

export type List = (accountId: string, request: PageRequest) => Promise<Page<{ readonly id: string }>>;

const everything = async (list: List, accountId: string) => {
  const items: { readonly id: string }[] = [];
  for (let after: string | undefined; ; ) {
    const page = await list(accountId, { limit: 100, ...(after === undefined ? {} : { after }) });
    items.push(...page.items);
    if (page.next === undefined) return items;
    after = page.next;
  }
};

/** Lists with one thing wrong, by what is wrong, with the case that must find it. */
export const brokenPages = (
  rows: string,
): readonly { readonly how: string; readonly breaks: readonly [string]; readonly of: (list: List) => List }[] => [
  {
    how: 'everybody sees our rows',
    breaks: [`${rows} are listed to their own account only, page by page, each once`],
    of: (list) => async (_accountId, request) => list('acc_ours', request),
  },
  {
    how: 'a page is turned round',
    breaks: [`${rows} are listed oldest first`],
    of: (list) => async (accountId, request) => {
      const page = await list(accountId, request);
      return { ...page, items: page.items.toReversed() };
    },
  },
  {
    how: 'a list knows one order',
    breaks: [`${rows} are listed newest first on request, each once`],
    of:
      (list) =>
      async (accountId, { newestFirst: _order, ...request }) =>
        list(accountId, request),
  },
  {
    how: 'pages are cut by number, newest first',
    breaks: [`${rows} that are added or changed between pages neither hide nor repeat a row`],
    of:
      (list) =>
      async (accountId, { after = '0', limit = 50 }) => {
        const from = Number.parseInt(after, 10) || 0;
        const items = (await everything(list, accountId)).toReversed();
        const rest = items.length > from + limit ? { next: String(from + limit) } : {};
        return { items: items.slice(from, from + Math.min(limit, 100)), ...rest };
      },
  },
  {
    how: 'a page may be of any size',
    breaks: [`${rows}: a page has the requested number of rows, 50 by default, 100 at most`],
    of:
      (list) =>
      async (accountId, { limit = 20, ...request }) =>
        limit > 100 ? { items: await everything(list, accountId) } : list(accountId, { ...request, limit }),
  },
  {
    how: 'a page that is full always has a next one',
    breaks: [`${rows}: the last page has no next cursor`],
    of: (list) => async (accountId, request) => {
      const page = await list(accountId, request);
      const full = page.items.length === request.limit;
      return full && page.next === undefined ? { ...page, next: '999999' } : page;
    },
  },
  {
    how: 'a cursor says whose it is',
    breaks: [`${rows}: a cursor of one account shows none of its rows to another`],
    of:
      (list) =>
      async (accountId, { after, ...request }) => {
        const [owner = accountId, place] = after?.split('/') ?? [];
        const page = await list(owner, { ...request, ...(place === undefined ? {} : { after: place }) });
        return page.next === undefined ? page : { ...page, next: `${owner}/${page.next}` };
      },
  },
];
