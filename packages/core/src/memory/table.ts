import type { PageRequest, StoredPage } from '../runtime/page.ts';
import { compareNumber, readPage } from './pages.ts';

/** Rows by id, in the order in which they came. @internal */
export interface Table<T> {
  get(id: string): T | undefined;
  /** @throws Error when the id exists. */
  insert(id: string, row: T): void;
  replace(id: string, row: T): void;
  delete(id: string): void;
  values(): Iterable<T>;
  /** A keyset page of the rows that fit. The cursor is the position of a row, so that rows may go meanwhile. */
  page(fits: (row: T) => boolean, request: PageRequest): StoredPage<T>;
}

/** @internal */
export const createTable = <T>(): Table<T> => {
  const rows = new Map<string, { readonly position: number; row: T }>();
  let positions = 0;
  return {
    get: (id) => rows.get(id)?.row,
    insert: (id, row) => {
      if (rows.has(id)) throw new Error('The id exists.');
      rows.set(id, { position: positions++, row });
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
      const { items, ...rest } = readPage(
        {
          rows: rows.values(),
          fits: ({ row }) => fits(row),
          cursorOf: ({ position }) => String(position),
          compare: compareNumber(({ position }) => position),
        },
        request,
      );
      return { ...rest, items: items.map(({ row }) => row) };
    },
  };
};
