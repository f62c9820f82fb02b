import type { Column } from '@partnerkit/core/adapter';

/** The type of a column where a parameter of JSON is read. */
export const parameterTypes: Readonly<Record<Column['type'], string>> = {
  text: 'text',
  json: 'text',
  number: 'float8',
  integer: 'int8',
  flag: 'boolean',
  identity: 'int8',
};

/** Whether PostgreSQL stores a text as it is. */
export const isStorable = (value: unknown): boolean =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));

/** A value inside a parameter of JSON. A number that JSON lacks is a text, which PostgreSQL casts. */
export const toJson = (type: Column['type'], value: unknown): unknown => {
  if (value === undefined) return null;
  if (!isStorable(value)) throw new TypeError('PostgreSQL cannot store this text.');
  if (type === 'json') return JSON.stringify(value);
  return typeof value === 'number' ? String(value) : value;
};

const integerOf = (value: unknown): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`partnerkit: ${value} is no safe integer: a sequence of this server begins too high.`);
  return number;
};

/** A column in a result: text or a number, which no host parses in another way. */
export const selected = (type: Column['type'], column: string): string =>
  type === 'flag' ? `${column}::int4` : column;

/** A value of a column of a result. */
export const fromSql = (type: Column['type'], value: unknown): unknown => {
  if (value === null) return undefined;
  switch (type) {
    case 'json':
      return JSON.parse(value as string);
    case 'text':
      return value;
    case 'flag':
      return Number(value) === 1;
    case 'number':
      return Number(value);
    default:
      return integerOf(value);
  }
};
