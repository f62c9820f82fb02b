import { type PageRequest, pageLimit, type StoredPage } from '../runtime/page.ts';

/** Rows by id, in the order in which they came. @internal */
export interface Table<T> {
  get(id: string): T | undefined;
  /** @throws Error when the id exists. */
  insert(id: string, row: T): void;
  replace(id: string, row: T): void;
  delete(id: string): void;
  values(): Iterable<T>;
  /** A keyset page of the rows that fit. The cursor is the place of a row, so that rows may go meanwhile. */
  page(fits: (row: T) => boolean, request: PageRequest): StoredPage<T>;
}

/** @internal */
export const createTable = <T>(): Table<T> => {
  const rows = new Map<string, { readonly place: number; row: T }>();
  let places = 0;
  return {
    get: (id) => rows.get(id)?.row,
    insert: (id, row) => {
      if (rows.has(id)) throw new Error('The id exists.');
      rows.set(id, { place: places++, row });
    },
    replace: (id, row) => {
      const held = rows.get(id);
      if (held) held.row = row;
    },
    delete: (id) => {
      rows.delete(id);
    },
    values: function* () {
      for (const { row } of rows.values()) yield row;
    },
    page: (fits, request) => {
      const { after, newestFirst = false } = request;
      if (after !== undefined && !/^\d{1,15}$/.test(after)) return { items: [], invalidCursor: true };
      const limit = pageLimit(request);
      const items: T[] = [];
      let last = -1;
      for (const { place, row } of newestFirst ? [...rows.values()].reverse() : rows.values()) {
        const seen = after !== undefined && (newestFirst ? place >= Number(after) : place <= Number(after));
        if (seen || !fits(row)) continue;
        if (items.length === limit) return { items, next: String(last) };
        items.push(row);
        last = place;
      }
      return { items };
    },
  };
};
