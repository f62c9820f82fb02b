import { ms } from './fragments.ts';
import { type Fragment, join, sql } from './statement.ts';

/** How a column is read: as text or a number, which all drivers return alike. */
const readAs = {
  text: { type: 'text', write: (column: string | Fragment) => sql`${column}` },
  uuid: { type: 'text', write: (column: string | Fragment) => sql`${column}::text` },
  bigint: { type: 'text', write: (column: string | Fragment) => sql`${column}::text` },
  boolean: { type: 'text', write: (column: string | Fragment) => sql`${column}::text` },
  int: { type: 'int', write: (column: string | Fragment) => sql`${column}::int` },
  float8: { type: 'float8', write: (column: string | Fragment) => sql`${column}::float8` },
  time: { type: 'float8', write: (column: string | Fragment) => ms(column) },
} as const;

/** Columns to select: single words, because some drivers rewrite others. */
export type Selection = Readonly<Record<string, readonly [type: keyof typeof readAs, column: string | Fragment]>>;

/** The selected columns, without their names. */
export const columnsOf = (selection: Selection): readonly Fragment[] =>
  Object.values(selection).map(([type, column]) => readAs[type].write(column));

export const selectList = (selection: Selection): Fragment => {
  const names = Object.keys(selection);
  return join(
    columnsOf(selection).map((column, place) => sql`${column} as ${names[place] ?? ''}`),
    ', ',
  );
};

/** A select list of nulls, with the names and types of the columns. */
export const nullsOf = (selection: Selection): string =>
  Object.entries(selection)
    .map(([name, [type]]) => `null::${readAs[type].type} as ${name}`)
    .join(', ');
