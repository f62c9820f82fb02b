import { describe, expect, test } from 'vitest';
import {
  type Columns,
  few,
  join,
  nullable,
  row,
  rows,
  sql,
  statement,
  value,
  withSchema,
} from '../../src/database/statement.ts';
import { t } from '../../src/database/tables.ts';

interface Item {
  readonly name: string;
  readonly size: number | undefined;
}

const columns: Columns<Item> = {
  name: ['text', ({ name }) => name],
  size: ['int', ({ size }) => size ?? null, (size) => sql`${size} + 1`],
};
const items = [
  { name: 'a "b" \\c', size: 1 },
  { name: 'null', size: undefined },
];

describe('a statement', () => {
  test('numbers its values in the order of their first places, and names each once', () => {
    const [id, limit] = [value('id', 'uuid'), value('limit', 'int')];
    const found = statement`select ${limit} where id = ${id} and other <> ${id} limit ${limit}`;
    expect(found.textIn('any')).toBe('select $1::int where id = $2::uuid and other <> $2::uuid limit $1::int');
    expect(found.bind({ id: 'x', limit: 3 })).toEqual([3, 'x']);
  });

  test('composes parts with values of their own', () => {
    const isOf = <const N extends 'low' | 'high'>(name: N) => sql`at > ${value(name, 'float8')}`;
    const both = statement`select ${join([isOf('low'), isOf('high')], ' and ')}, ${1}, ${'two'}`;
    expect(both.textIn('any')).toBe('select at > $1::float8 and at > $2::float8, 1, two');
    expect(both.bind({ high: 2, low: 1 })).toEqual([1, 2]);
  });

  test('is written for each schema, the same each time', () => {
    const read = statement`select from ${t.outbox} o, ${withSchema((schema) => `'${schema}:wake'`)}`;
    expect(read.textIn('partnerkit')).toBe(`select from "partnerkit".outbox o, 'partnerkit:wake'`);
    expect(read.textIn('other')).toBe(`select from "other".outbox o, 'other:wake'`);
    expect(read.textIn('partnerkit')).toBe(read.textIn('partnerkit'));
  });

  test('binds null only where a value may be null', () => {
    const found = statement`select ${nullable('before', 'text')}`;
    expect(found.bind({ before: null })).toEqual([null]);
    // @ts-expect-error: this value is never null.
    expect(statement`select ${value('before', 'text')}`.bind({ before: null })).toEqual([null]);
  });

  test('refuses one name with two types', () => {
    expect(() => statement`select ${value('id', 'uuid')}, ${value('id', 'text')}`).toThrow(
      new TypeError('A statement binds id with two types.'),
    );
  });

  test('refuses missing and unknown names, and values of another type, when it is compiled', () => {
    const found = statement`select ${value('id', 'uuid')}, ${value('sizes', 'int[]')}`;
    const values = { id: 'x', sizes: [1, 2] };
    expect(found.bind(values)).toEqual(['x', '{1,2}']);
    // @ts-expect-error: `more` is no name.
    found.bind({ ...values, more: 1 });
    // @ts-expect-error: `id` is a text.
    found.bind({ id: 1, sizes: [] });
    // @ts-expect-error: `sizes` is missing.
    expect(() => found.bind({ id: 'x' })).not.toThrow();
  });
});

describe('a batch', () => {
  const given = rows('given', columns);

  test('binds an array for each column', () => {
    const insert = statement`insert into x (${given.names}) select ${given.stored} from ${given.as('g')}`;
    expect(insert.textIn('any')).toBe(
      'insert into x (name, size) select name, size + 1 from unnest($1::text[], $2::int[]) as g(name, size)',
    );
    expect(insert.bind({ given: items })).toEqual(['{"a \\"b\\" \\\\c","null"}', '{1,null}']);
    expect(insert.bind({ given: [] })).toEqual(['{}', '{}']);
  });

  test('may have positions, and a length that the planner does not know', () => {
    expect(statement`${given.as('g', 'nth')}`.textIn('any')).toBe(
      'unnest($1::text[], $2::int[]) with ordinality as g(name, size, nth)',
    );
    expect(statement`${given.few('g')}`.textIn('any')).toBe(
      'unnest((select $1::text[]), (select $2::int[])) as g(name, size)',
    );
    expect(statement`${few(given.column('size'))} in ${given.unnested}`.textIn('any')).toBe(
      '(select $1::int[]) in unnest($2::text[], $1::int[])',
    );
  });

  test('shares its arrays with a batch of the same name that has fewer columns', () => {
    const names = rows('given', { name: ['text', ({ name }: Pick<Item, 'name'>) => name] });
    const both = statement`${names.as('n')}, ${given.as('g')}`;
    expect(both.textIn('any')).toBe('unnest($1::text[]) as n(name), unnest($1::text[], $2::int[]) as g(name, size)');
    expect(both.bind({ given: items.slice(1) })).toEqual(['{"null"}', '{null}']);
  });
});

test('a single item is inserted and updated by the same columns', () => {
  const item = row('item', columns);
  const insert = statement`insert into x (${item.names}) values (${item.stored})`;
  expect(insert.textIn('any')).toBe('insert into x (name, size) values ($1::text, $2::int + 1)');
  expect(insert.bind({ item: { name: 'a', size: 5 } })).toEqual(['a', 5]);
  expect(statement`update x set ${item.assigned}`.textIn('any')).toBe(
    'update x set name = $1::text, size = $2::int + 1',
  );
});
