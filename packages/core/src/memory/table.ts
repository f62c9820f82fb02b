import { type Page, type PageRequest, pageLimit } from '../runtime/page.ts';

/** Rows by id, in the order in which they came. @internal */
export interface Table<T> {
  get(id: string): T | undefined;
  /** @throws Error when the id exists. */
  insert(id: string, row: T): void;
  replace(id: string, row: T): void;
  delete(id: string): void;
  /** A keyset page of the rows that fit. The cursor is the place of a row, so that rows may go meanwhile. */
  page(fits: (row: T) => boolean, request: PageRequest): Page<T>;
}

/** @internal */
export const createTable = <T>(): Table<T> => {
  const rows = new Map<string, { readonly place: number; readonly row: T }>();
  let places = 0;
  return {
    get: (id) => rows.get(id)?.row,
    insert: (id, row) => {
      if (rows.has(id)) throw new Error('The id exists.');
      rows.set(id, { place: places++, row });
    },
    replace: (id, row) => {
      const held = rows.get(id);
      if (held) rows.set(id, { ...held, row });
    },
    delete: (id) => {
      rows.delete(id);
    },
    page: (fits, request) => {
      const after = request.after === undefined ? -1 : Number.parseInt(request.after, 10);
      const limit = pageLimit(request);
      const items: T[] = [];
      let last = after;
      for (const { place, row } of rows.values()) {
        if (place <= after || !fits(row)) continue;
        if (items.length === limit) return { items, next: String(last) };
        items.push(row);
        last = place;
      }
      return { items };
    },
  };
};
