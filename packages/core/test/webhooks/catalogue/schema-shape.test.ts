import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Shape, shapeOf } from '../../../src/webhooks/catalogue/schema-shape.ts';

/** A shape as text: `leaf`, `open`, `opaque` and the fields. */
const drawn = (shape: Shape): unknown => {
  const marks = [shape.leaf && 'leaf', shape.open && 'open', shape.opaque && 'opaque'].filter((mark) => mark !== false);
  const fields = Object.fromEntries([...shape.fields].map(([key, field]) => [key, drawn(field)]));
  return shape.fields.size === 0 ? marks.join(' ') : marks.length === 0 ? fields : [marks.join(' '), fields];
};

describe('a schema and its shape', () => {
  const a = z.object({ a: z.string() });
  test.each([
    ['string', z.string(), 'leaf'],
    ['number', z.number(), 'leaf'],
    ['boolean', z.boolean(), 'leaf'],
    ['null', z.null(), 'leaf'],
    ['literal', z.literal('x'), 'leaf'],
    ['enum', z.enum(['x', 'y']), 'leaf'],
    ['date', z.date(), 'leaf'],
    ['object', a, { a: 'leaf' }],
    ['loose object', z.looseObject({ a: z.string() }), { a: 'leaf' }],
    ['strict object', z.strictObject({ a: z.string() }), { a: 'leaf' }],
    ['empty object', z.object({}), 'leaf'],
    ['array', z.array(a), { a: 'leaf' }],
    ['array of arrays', z.array(z.array(a)), { a: 'leaf' }],
    ['tuple', z.tuple([a, z.object({ b: z.string() })]), { a: 'leaf', b: 'leaf' }],
    [
      'tuple with rest',
      z.tuple([a, z.object({ b: z.string() })], z.object({ c: z.string() })),
      { a: 'leaf', b: 'leaf', c: 'leaf' },
    ],
    [
      'union',
      z.union([z.string(), a, z.object({ a: z.object({ b: z.null() }) })]),
      ['leaf', { a: ['leaf', { b: 'leaf' }] }],
    ],
    [
      'discriminated union',
      z.discriminatedUnion('k', [
        z.object({ k: z.literal(1), x: z.string() }),
        z.object({ k: z.literal(2), y: z.string() }),
      ]),
      { k: 'leaf', x: 'leaf', y: 'leaf' },
    ],
    ['intersection', z.intersection(a, z.object({ b: z.string() })), { a: 'leaf', b: 'leaf' }],
    ['optional', a.optional(), { a: 'leaf' }],
    ['nullable', a.nullable(), { a: 'leaf' }],
    ['default', a.default({ a: '' }), { a: 'leaf' }],
    ['prefault', a.prefault({ a: '' }), { a: 'leaf' }],
    ['catch', a.catch({ a: '' }), { a: 'leaf' }],
    ['readonly', a.readonly(), { a: 'leaf' }],
    ['nonoptional', z.nonoptional(a.optional()), { a: 'leaf' }],
    ['lazy', z.lazy(() => a), { a: 'leaf' }],
    ['preprocess', z.preprocess((value) => value, a), { a: 'leaf' }],
    ['pipe', z.string().pipe(z.coerce.number()), 'leaf'],
    ['refined', a.refine(() => true), { a: 'leaf' }],
    ['branded', a.brand('A'), { a: 'leaf' }],
    ['record', z.record(z.string(), a), 'open'],
    ['map', z.map(z.string(), a), 'open'],
    ['unknown', z.unknown(), 'open'],
    ['any', z.any(), 'open'],
    ['transform', a.transform(() => 1), 'opaque'],
    ['instanceof', z.instanceof(URL), 'opaque'],
    ['transform that is declared', a.transform(() => ({ b: 1 })).pipe(z.object({ b: z.number() })), { b: 'leaf' }],
  ] as const)('%s', (_name, schema, shape) => {
    expect(drawn(shapeOf(schema))).toEqual(shape);
  });
});

test('a recursive schema ends at the fifth level', () => {
  const node = z.object({
    name: z.string(),
    get parent() {
      return node.optional();
    },
  });
  const level = (shape: Shape | undefined): number => {
    const parent = shape?.fields.get('parent');
    return parent === undefined ? 0 : 1 + level(parent);
  };
  expect(level(shapeOf(node))).toBe(5);
});

test('a lazy schema that returns itself ends', () => {
  const list: z.ZodType = z.lazy(() => z.array(list));
  expect(drawn(shapeOf(list))).toBe('');
});

test('a lazy schema is not a level: its leaf on the fifth level is found', () => {
  const lazy = z.object({
    a: z.lazy(() => z.object({ b: z.object({ c: z.object({ d: z.object({ e: z.string() }) }) }) })),
  });
  expect(drawn(shapeOf(lazy))).toEqual({ a: { b: { c: { d: { e: 'leaf' } } } } });
});
