import type { Column, Table } from '@partnerkit/core/adapter';
import type { SqlRow } from '../drivers/driver.ts';
import { wrongForm } from '../errors.ts';

/** Stands for infinity, which the database has not. */
const largest = Number.MAX_VALUE;

/** Whether a text has a form in UTF-8, and in tools that end a text at NUL. */
export const isStorable = (value: unknown): boolean =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));

/** A text as its bytes. No SQL mode reads it in another way, and no character set of a connection converts it. */
export const textLiteral = (text: string): string => `x'${Buffer.from(text, 'utf8').toString('hex')}'`;

/** A number as a double. */
export const numberLiteral = (value: number): string => {
  const finite = Number.isFinite(value) ? value : Math.sign(value) * largest;
  const text = String(finite);
  // Without an exponent it would be a decimal.
  return text.includes('e') ? text : `${text}e0`;
};

const integerOf = (value: number): string => BigInt(value).toString();

const refuse = (table: Table, name: string, what: string): never => {
  throw new TypeError(`partnerkit: ${table.name}.${name}: MariaDB and MySQL cannot store ${what}.`);
};

/** Where a value stands. */
interface Place extends Pick<Column, 'type'> {
  readonly table: Table;
  /** The column. */
  readonly name: string;
  /** Maximum number of bytes of a text. @defaultValue any */
  readonly width?: number | undefined;
}

/**
 * A value of a column in SQL.
 * @throws TypeError when it cannot be stored.
 */
export const literalOf = ({ table, name, type, width = Number.POSITIVE_INFINITY }: Place, value: unknown): string => {
  if (value === undefined) return 'null';
  switch (type) {
    case 'json':
      return textLiteral(JSON.stringify(value) ?? refuse(table, name, `${typeof value} as JSON`));
    case 'flag':
      return value ? '1' : '0';
    case 'text':
      if (typeof value !== 'string') return refuse(table, name, `${typeof value} as text`);
      if (!isStorable(value)) return refuse(table, name, 'text with NUL or a lone surrogate');
      // Without strict mode, the server would cut it.
      if (Buffer.byteLength(value) > width) return refuse(table, name, `text of more than ${width} bytes`);
      return textLiteral(value);
    case 'number':
      return typeof value === 'number' && !Number.isNaN(value)
        ? numberLiteral(value)
        : refuse(table, name, `${Number.isNaN(value) ? 'NaN' : `a ${Object(value).constructor?.name}`} as a number`);
    default:
      return Number.isSafeInteger(value)
        ? integerOf(value as number)
        : refuse(table, name, `${String(value)} as an integer`);
  }
};

/** A text of its bytes. A string is refused: in which character set the host's library decoded it is unknown. */
const textOf = (name: string, value: unknown): string => {
  if (Buffer.isBuffer(value)) return value.toString('utf8');
  if (!ArrayBuffer.isView(value)) throw wrongForm(name, `${typeof value} instead of bytes`);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8');
};

/**
 * A number of a row, whichever type the host's library has for it.
 * @throws Error with the code `wrong_form` when the row has none.
 */
export const numberOf = (row: SqlRow | undefined, name: string): number => {
  const value = row?.[name];
  const number = value === null || value === undefined ? Number.NaN : Number(value);
  if (Number.isNaN(number)) throw wrongForm(name, `${typeof value} instead of a number`);
  return number;
};

/**
 * A value of a column as it was stored.
 * @throws Error with the code `wrong_form` when the row does not have it as the server sent it.
 */
export const storedValue = (
  { type, isOptional }: Pick<Column, 'type' | 'isOptional'>,
  row: SqlRow,
  name: string,
): unknown => {
  const value = row[name];
  if (value === undefined || (value === null && !isOptional)) throw wrongForm(name, `${value} instead of a value`);
  if (value === null) return undefined;
  switch (type) {
    case 'json':
      return JSON.parse(textOf(name, value));
    case 'text':
      return textOf(name, value);
    case 'flag':
      return numberOf(row, name) === 1;
    case 'number': {
      const number = numberOf(row, name);
      return Math.abs(number) === largest ? number * 2 : number;
    }
    default:
      return numberOf(row, name);
  }
};
