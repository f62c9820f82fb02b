import type { PageRequest, StoredPage } from '../pagination/page.ts';
import { compareNumber, readPage } from './pages.ts';

/** Rows by id, in order of insertion. @internal */
export interface Table<T> {
  /** A row by id. */
  get(id: string): T | undefined;
  /** @throws Error when the id exists. */
  insert(id: string, row: T): void;
  /** Replaces a row. */
  replace(id: string, row: T): void;
  /** Removes a row. */
  delete(id: string): void;
  /** All rows. */
  values(): Iterable<T>;
  /**
   * A keyset page of rows that `fits` accepts. The cursor is the position of a row, so rows may be deleted between
   * pages.
   */
  page(fits: (row: T) => boolean, request: PageRequest): StoredPage<T>;
}

/** Creates a table. @internal */
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
