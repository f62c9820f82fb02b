import type { SqlValue } from '../drivers/driver.ts';
import { arrayText } from './array-text.ts';

/** Types of bound values, as TypeScript's: only types that all drivers bind alike. */
interface TypeScript {
  text: string;
  uuid: string;
  int: number;
  bigint: number | string;
  float8: number;
  boolean: boolean;
}

/** The type of a bound value or of a column. */
export type SqlType = keyof TypeScript;

/** A place in a statement for a bound value. Places with one name are one parameter. */
interface Parameter {
  readonly name: string;
  readonly type: SqlType | `${SqlType}[]`;
  readonly bind: (values: never) => SqlValue;
}

/** A part of the text that contains the schema. */
type InSchema = (schema: string) => string;

declare const named: unique symbol;

/** A part of a statement, with the named values `V` that it binds. */
export interface Fragment<V = unknown> {
  readonly pieces: readonly (string | Parameter | InSchema)[];
  readonly [named]?: (values: V) => void;
}

/** Text, or a part with named values. Text is a constant of this package. */
export type Part = string | number | Fragment<never>;

/** The named values of parts. */
export type Named<P> = (P extends Fragment<infer V> ? (values: V) => void : (values: unknown) => void) extends (
  values: infer All,
) => void
  ? All
  : never;

/** A part of a statement. */
export const sql = <const P extends readonly Part[]>(
  texts: TemplateStringsArray,
  ...parts: P
): Fragment<Named<P[number]>> => ({
  pieces: texts.flatMap((text, place) => {
    const part: Part = parts[place] ?? '';
    return typeof part === 'object' ? [text, ...part.pieces] : [`${text}${part}`];
  }),
});

/** Parts with a text between them. */
export const join = <const P extends Part>(parts: readonly P[], between: string): Fragment<Named<P>> => ({
  pieces: parts.flatMap((part, place) => sql`${place === 0 ? '' : between}${part}`.pieces),
});

/** A part that contains the schema. */
export const withSchema = (write: InSchema): Fragment => ({ pieces: [write] });

const parameter = <V>(parameter: Parameter): Fragment<V> => ({ pieces: [parameter] });

/** A value by its name; of the type `text[]`, an array of texts. */
export const value = <const N extends string, const T extends SqlType | `${SqlType}[]`>(name: N, type: T) =>
  parameter<{
    readonly [K in N]: T extends `${infer E extends SqlType}[]`
      ? readonly TypeScript[E][]
      : T extends SqlType
        ? TypeScript[T]
        : never;
  }>({
    name,
    type,
    bind: (values: { readonly [K in N]: SqlValue | readonly SqlValue[] }) => {
      const bound = values[name];
      return typeof bound === 'object' && bound !== null ? arrayText(bound) : bound;
    },
  });

/** A value that may be null. */
export const nullable = <const N extends string, const T extends SqlType>(name: N, type: T) =>
  parameter<{ readonly [K in N]: TypeScript[T] | null }>({
    name,
    type,
    bind: (values: { readonly [K in N]: SqlValue }) => values[name],
  });

/** A column: its type as bound, its value of an item, and what is stored instead of the bound value. */
export type Column<I> = readonly [type: SqlType, of: (item: I) => SqlValue, stored?: (bound: Part) => Part];

/** Columns by name. */
export type Columns<I> = Readonly<Record<string, Column<I>>>;

/** Values by column that a statement has in its text, so that none is bound. */
export type Constants = Readonly<Record<string, string | number | null>>;

/** A batch of items in a statement: an array for each column. */
export interface Rows<V> {
  /** The names of the columns. */
  readonly names: string;
  /** What an insert selects from the batch, in the order of `names`. */
  readonly stored: Fragment;
  /** The array of one column. */
  column(name: string): Fragment<V>;
  /** The rows, without a name. */
  readonly unnested: Fragment<V>;
  /** The bound columns as a table `alias`; `nth` is one more column, their position from 1. */
  as(alias: string, nth?: string): Fragment<V>;
  /**
   * Like `as`. The planner does not know how many rows there are, and assumes few: the rows of a table are found by
   * index, never by a join that scans the table.
   */
  few(alias: string, nth?: string): Fragment<V>;
}

const textOf = (constant: Constants[string]): string =>
  typeof constant === 'string' ? `'${constant.replaceAll("'", "''")}'` : String(constant);

/** What is stored of each column: a constant, or made from what is bound. */
const storedOf = <I, V>(
  columns: Columns<I>,
  constants: Constants,
  bound: (name: string) => Fragment<V> | string,
): readonly Fragment<V>[] =>
  Object.entries(columns).map(([name, [, , stored]]) => {
    const constant = constants[name];
    if (constant !== undefined) return sql`${textOf(constant)}` as Fragment<V>;
    // What is stored has no other named values than what is bound.
    return (stored?.(bound(name)) ?? bound(name)) as Fragment<V>;
  });

/** A batch of items by its name. Columns of `constants` are not bound. */
export const rows = <const N extends string, I>(
  name: N,
  columns: Columns<I>,
  constants: Constants = {},
): Rows<{ readonly [K in N]: readonly I[] }> => {
  type V = { readonly [K in N]: readonly I[] };
  const bound = Object.keys(columns).filter((column) => constants[column] === undefined);
  const given = bound.join(', ');
  const array = (column: string): Fragment<V> => {
    const [type, of] = columns[column] as Column<I>;
    const bind = (values: V): SqlValue => arrayText(values[name].map(of));
    return parameter({ name: `${name}.${column}`, type: `${type}[]`, bind });
  };
  const arrays = bound.map(array);
  const aliased = (unnested: Fragment<V>, alias: string, nth: string | undefined): Fragment<V> =>
    nth === undefined
      ? sql`${unnested} as ${alias}(${given})`
      : sql`${unnested} with ordinality as ${alias}(${given}, ${nth})`;
  const unnested = sql`unnest(${join(arrays, ', ')})`;
  const unknownLength = sql`unnest(${join(
    arrays.map((each) => few(each)),
    ', ',
  )})`;
  return {
    names: Object.keys(columns).join(', '),
    stored: join(
      storedOf<I, unknown>(columns, constants, (column) => column),
      ', ',
    ),
    column: array,
    unnested,
    as: (alias, nth) => aliased(unnested, alias, nth),
    few: (alias, nth) => aliased(unknownLength, alias, nth),
  };
};

/** A single item in a statement: a parameter for each column. */
export interface Row<V> {
  /** The names of the columns. */
  readonly names: string;
  /** What an insert stores, in the order of `names`. */
  readonly stored: Fragment<V>;
  /** What an update sets. */
  readonly assigned: Fragment<V>;
}

/** A single item by its name. Columns of `constants` are not bound. */
export const row = <const N extends string, I>(
  name: N,
  columns: Columns<I>,
  constants: Constants = {},
): Row<{ readonly [K in N]: I }> => {
  type V = { readonly [K in N]: I };
  const names = Object.keys(columns);
  const stored = storedOf<I, V>(columns, constants, (column) => {
    const [type, of] = columns[column] as Column<I>;
    return parameter({ name: `${name}.${column}`, type, bind: (values: V) => of(values[name]) });
  });
  return {
    names: names.join(', '),
    stored: join(stored, ', '),
    assigned: join(
      stored.map((each, place) => sql`${names[place] ?? ''} = ${each}`),
      ', ',
    ),
  };
};

/**
 * A bound array whose length is unknown to the planner, which assumes a small one: rows are found by index, never by a
 * join that scans the table.
 */
export const few = <V>(array: Fragment<V>): Fragment<V> => sql`(select ${array})`;

/** A statement with the named values `V`. */
export interface Statement<V> {
  /** The text for a schema, the same each time. */
  textIn(schema: string): string;
  /** The values, in the order of the text's parameters. */
  readonly bind: (values: V) => readonly SqlValue[];
}

const write = (pieces: readonly (string | InSchema)[], schema: string): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece(schema))).join('');

/**
 * A statement. It numbers its parameters when its module is loaded, and writes its text once for each schema.
 * @throws TypeError when one name has two types.
 */
export const statement = <const P extends readonly Part[]>(
  texts: TemplateStringsArray,
  ...parts: P
): Statement<Named<P[number]>> => {
  const parameters: Parameter[] = [];
  const place = ({ name, type, bind }: Parameter): number => {
    const known = parameters.findIndex((each) => each.name === name);
    if (known === -1) return parameters.push({ name, type, bind });
    if (parameters[known]?.type !== type) throw new TypeError(`A statement binds ${name} with two types.`);
    return known + 1;
  };
  const pieces = sql(texts, ...parts).pieces.map((piece) =>
    typeof piece === 'object' ? `$${place(piece)}::${piece.type}` : piece,
  );
  const written = new Map<string, string>();
  return {
    textIn: (schema) => {
      const known = written.get(schema);
      if (known !== undefined) return known;
      const text = write(pieces, schema);
      written.set(schema, text);
      return text;
    },
    // Together, the parts name all these values; each part knows the type of its own.
    bind: (values) => parameters.map(({ bind }) => bind(values as never)),
  };
};
