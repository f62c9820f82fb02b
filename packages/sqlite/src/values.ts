import type { Column, Table } from '@partnerkit/core/adapter';

/** What SQLite stores. */
export type SqlValue = null | number | string;

/** Whether SQLite keeps a text as it is: a lone surrogate is no UTF-8, and tools end a text at NUL. */
export const isStorable = (value: unknown): boolean =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));

const refuse = (table: Table, name: string, what: string): never => {
  throw new TypeError(`partnerkit: ${table.name}.${name}: SQLite cannot store ${what}.`);
};

/** A value of a column as SQLite stores it. @throws TypeError when it cannot. */
export const toSql = (table: Table, name: string, { type }: Column, value: unknown): SqlValue => {
  if (value === undefined) return null;
  switch (type) {
    case 'json':
      return JSON.stringify(value) ?? refuse(table, name, `${typeof value} as JSON`);
    case 'flag':
      return value ? 1 : 0;
    case 'text':
      if (typeof value !== 'string') return refuse(table, name, `${typeof value} as text`);
      return isStorable(value) ? value : refuse(table, name, 'text with NUL or a lone surrogate');
    default:
      return typeof value === 'number' && !Number.isNaN(value)
        ? value
        : refuse(table, name, `${Number.isNaN(value) ? 'NaN' : `a ${Object(value).constructor?.name}`} as a number`);
  }
};

/** A value of a column as it was stored. */
export const fromSql = ({ type }: Column, value: unknown): unknown => {
  if (value === null) return undefined;
  if (type === 'json') return JSON.parse(value as string);
  return type === 'flag' ? value === 1 : value;
};
