import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ObjectDefinition } from '../../../src/webhooks/catalogue/define-object.ts';
import { defineObject } from '../../../src/webhooks/catalogue/define-object.ts';
import { specifiedCatalogue as catalogue } from '../../../src/webhooks/catalogue/specified-catalogue.ts';
import { prepareEvent } from '../../../src/webhooks/events/prepare.ts';
import { historyRuns } from '../../support/runs.ts';

/** What of `data` goes out, as a receiver reads it: through publish's own preparation. */
const sent = (definition: ObjectDefinition, data: unknown, type = 'payed') => {
  const event = { accountId: 'acc', objectName: 'RequestPayment', type, data };
  return prepareEvent({ definitions: new Map([['RequestPayment', definition]]) }, event, 'event-1').map(
    ({ bodyTail }) => JSON.parse(`{"timestamp":0${bodyTail}`).data as Record<string, unknown>,
  );
};
const define = (schema: z.ZodType, paths: readonly string[]): ObjectDefinition =>
  defineObject('RequestPayment', { schema, groups: { g: paths }, events: { default: ['g'] } } as never);
const taken = (fields: z.ZodRawShape, paths: readonly string[], data: object): unknown =>
  sent(define(z.object({ id: z.string(), ...fields }), paths), { id: 'p', ...data })._unsafeUnwrap();
const refused = (fields: z.ZodRawShape, paths: readonly string[], data: object): string => {
  const failure = sent(define(z.object({ id: z.string(), ...fields }), paths), { id: 'p', ...data })._unsafeUnwrapErr();
  expect(failure.code).toBe('invalid_event');
  return failure.message;
};

describe('assertNoLeafLeaks', () => {
  /** A description of a random schema. It knows the nameable leaves independently of the code under test. */
  type Kind =
    | { readonly kind: 'scalar'; readonly type: 'string' | 'number' | 'boolean' }
    | { readonly kind: 'object'; readonly loose: boolean; readonly fields: Readonly<Record<string, Kind>> }
    | { readonly kind: 'record' }
    | { readonly kind: 'array' | 'optional' | 'nullable' | 'default'; readonly inner: Kind }
    | { readonly kind: 'union'; readonly options: readonly Kind[] };

  const names = fc.constantFrom('a', 'b', 'c', 'status', 'email');
  const kindOf = (levels: number): fc.Arbitrary<Kind> => {
    const scalar: fc.Arbitrary<Kind> = fc.record({
      kind: fc.constant('scalar' as const),
      type: fc.constantFrom('string' as const, 'number' as const, 'boolean' as const),
    });
    if (levels === 0) return scalar;
    const lower = fc.limitShrink(kindOf(levels - 1), 20);
    return fc.oneof(
      { weight: 3, arbitrary: scalar },
      { weight: 1, arbitrary: fc.constant<Kind>({ kind: 'record' }) },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('object' as const),
          loose: fc.boolean(),
          fields: fc.dictionary(names, lower, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constantFrom('array' as const, 'optional' as const, 'nullable' as const),
          inner: lower,
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('default' as const), inner: scalar }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('union' as const),
          options: fc.array(lower, { minLength: 2, maxLength: 3 }),
        }),
      },
    );
  };
  const rootKind = fc
    .record({
      loose: fc.boolean(),
      fields: fc.dictionary(names, kindOf(5), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
    })
    .map(
      ({ loose, fields }): Kind => ({
        kind: 'object',
        loose,
        fields: { ...fields, id: { kind: 'scalar', type: 'string' } },
      }),
    );

  const scalars = { string: z.string(), number: z.number(), boolean: z.boolean() };
  const defaults = { string: 'default', number: 0, boolean: false };
  const schemaOf = (kind: Kind): z.ZodType => {
    switch (kind.kind) {
      case 'scalar':
        return scalars[kind.type];
      case 'record':
        return z.record(z.string(), z.unknown());
      case 'object': {
        const shape = Object.fromEntries(Object.entries(kind.fields).map(([key, field]) => [key, schemaOf(field)]));
        return kind.loose ? z.looseObject(shape) : z.object(shape);
      }
      case 'array':
        return z.array(schemaOf(kind.inner));
      case 'optional':
        return schemaOf(kind.inner).optional();
      case 'nullable':
        return schemaOf(kind.inner).nullable();
      case 'default':
        return schemaOf(kind.inner).default(defaults[(kind.inner as { type: keyof typeof defaults }).type]);
      case 'union':
        return z.union(kind.options.map(schemaOf));
    }
  };

  const extraKeys = fc.dictionary(fc.constantFrom('unknown', 'internal', 'b', 'email'), fc.string(), {
    maxKeys: 2,
    noNullPrototype: true,
  });
  const dataOf = (kind: Kind): fc.Arbitrary<unknown> => {
    switch (kind.kind) {
      case 'scalar':
        return {
          string: fc.string(),
          number: fc.double({ noNaN: true, noDefaultInfinity: true }),
          boolean: fc.boolean(),
        }[kind.type];
      case 'record':
        return fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true });
      case 'object': {
        const fields = Object.fromEntries(Object.entries(kind.fields).map(([key, field]) => [key, dataOf(field)]));
        return fc
          .tuple(extraKeys, fc.record(fields, { noNullPrototype: true }))
          .map(([extra, known]) => ({ ...extra, ...known }));
      }
      case 'array':
        return fc.array(dataOf(kind.inner), { maxLength: 3 });
      case 'optional':
      case 'default':
        // In an array there is no place for what is absent.
        return dataOf(kind.inner);
      case 'nullable':
        return fc.oneof(dataOf(kind.inner), fc.constant(null));
      case 'union':
        return fc.oneof(...kind.options.map(dataOf));
    }
  };
  /** The data, with some optional fields left out. */
  const thinned = (kind: Kind, data: unknown, drop: () => boolean): unknown => {
    if (kind.kind !== 'object' || typeof data !== 'object' || data === null) return data;
    const entries = Object.entries(data).flatMap(([key, value]) => {
      const field = Object.hasOwn(kind.fields, key) ? kind.fields[key] : undefined;
      if (field && (field.kind === 'optional' || field.kind === 'default') && drop()) return [];
      return [[key, field ? thinned(field, value, drop) : value]];
    });
    return Object.fromEntries(entries);
  };

  type Path = readonly string[];
  /** What may be named: leaves, and records, down to five levels. */
  const nameable = (kind: Kind, path: Path = []): readonly Path[] => {
    switch (kind.kind) {
      case 'scalar':
      case 'record':
        return path.length <= 5 ? [path] : [];
      case 'object':
        return Object.entries(kind.fields).flatMap(([key, field]) => nameable(field, [...path, key]));
      case 'union':
        return kind.options.flatMap((option) => nameable(option, path));
      default:
        return nameable(kind.inner, path);
    }
  };
  const recordsIn = (kind: Kind, path: Path = []): readonly Path[] => {
    switch (kind.kind) {
      case 'scalar':
        return [];
      case 'record':
        return [path];
      case 'object':
        return Object.entries(kind.fields).flatMap(([key, field]) => recordsIn(field, [...path, key]));
      case 'union':
        return kind.options.flatMap((option) => recordsIn(option, path));
      default:
        return recordsIn(kind.inner, path);
    }
  };

  /** Each scalar of a value, with its path: array places do not count. */
  const leavesOf = (value: unknown, path: Path = []): readonly (readonly [Path, unknown])[] => {
    if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, path));
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
    }
    return value === undefined ? [] : [[path, value]];
  };
  const startsWith = (path: Path, prefix: Path): boolean => prefix.every((key, index) => path[index] === key);
  const same = (a: Path, b: Path): boolean => a.length === b.length && startsWith(a, b);

  const assertNoLeafLeaks = (out: unknown, parsed: unknown, named: readonly Path[], records: readonly Path[]): void => {
    const whole = named.filter((path) => records.some((record) => same(record, path)));
    const isNamed = (path: Path): boolean =>
      named.some((name) => same(name, path)) || whole.some((name) => startsWith(path, name));
    const isAbove = (path: Path): boolean => named.some((name) => startsWith(name, path));
    const leaves = leavesOf(out);
    for (const [path, value] of leaves) {
      // A branch that is null may say so.
      expect(isNamed(path) || (value === null && isAbove(path)), `${path.join('.')} leaked`).toBe(true);
    }
    const textOf = (all: ReturnType<typeof leavesOf>): readonly string[] =>
      all
        .filter(([path]) => isNamed(path))
        .map(([path, value]) => `${JSON.stringify(path)} ${JSON.stringify(value)}`)
        .sort();
    expect(textOf(leaves)).toEqual(textOf(leavesOf(parsed)));
  };

  test('each sent leaf was named, and each named leaf that exists is sent with its value', () => {
    const choice = rootKind.chain((kind) => {
      const all = nameable(kind).map((path) => path.join('.'));
      return fc.record({
        kind: fc.constant(kind),
        data: dataOf(kind),
        drops: fc.infiniteStream(fc.boolean()),
        groups: fc.tuple(fc.subarray([...new Set(all)]), fc.subarray([...new Set(all)])),
        type: fc.constantFrom(...catalogue.typesOf('RequestPayment')),
      });
    });
    let leaves = 0;
    fc.assert(
      fc.property(choice, ({ kind, data, drops, groups: [first, second], type }) => {
        const schema = schemaOf(kind);
        const published = { ...(thinned(kind, data, () => drops.next().value) as object), id: 'object-1' };
        const parsed = schema.parse(published) as object;
        const definition = defineObject('RequestPayment', {
          schema,
          groups: { first, second },
          events: { default: ['first'], payed: ['second'], update: ['second', 'first'], cancel: [] },
        } as never);
        const carried: Partial<Record<typeof type, readonly string[]>> = {
          payed: second,
          update: [...second, ...first],
          cancel: [],
        };
        const named = [['id'], ...(carried[type] ?? first).map((path) => path.split('.'))];
        const out = sent(definition, published, type)._unsafeUnwrap();
        expect(out['id']).toBe('object-1');
        assertNoLeafLeaks(out, parsed, named, recordsIn(kind));
        leaves += leavesOf(out).length;
      }),
      historyRuns,
    );
    // The data is rich enough for the law to mean something.
    expect(leaves).toBeGreaterThan(3 * historyRuns.numRuns);
  });
});

describe('the sent data', () => {
  const inner = z.object({ a: z.string(), b: z.string() });

  test('contains the id, even without groups', () => {
    expect(taken({ status: z.string() }, [], { status: 's' })).toEqual({ id: 'p' });
  });

  test('golden: the id, then the named leaves in the order of their groups', () => {
    const schema = z.object({
      id: z.string(),
      a: z.string(),
      b: z.object({ c: z.string(), d: z.number() }),
      e: z.null(),
    });
    const definition = define(schema, ['e', 'b.d', 'a', 'b.c']);
    const event = {
      accountId: 'acc',
      objectName: 'RequestPayment',
      type: 'payed',
      data: { a: 'é', e: null, b: { c: '"', d: 0.1 }, id: 'p' },
    };
    expect(
      prepareEvent({ definitions: new Map([['RequestPayment', definition]]) }, event, 'e')._unsafeUnwrap().bodyTail,
    ).toBe(',"data":{"id":"p","e":null,"b":{"d":0.1,"c":"\\""},"a":"é"},"objectName":"RequestPayment","type":"payed"}');
  });

  test('contains no key outside the schema, at any level', () => {
    const schema = z.looseObject({ id: z.string(), status: z.string(), inner: z.looseObject({ a: z.string() }) });
    const data = { id: 'p', status: 's', iban: 'FR76', inner: { a: 'x', iban: 'FR76', more: { a: 'y' } } };
    expect(sent(define(schema, ['status', 'inner.a']), data)._unsafeUnwrap()).toEqual({
      id: 'p',
      status: 's',
      inner: { a: 'x' },
    });
  });

  test('contains only the named leaves of a variant of a union', () => {
    const union = z.union([
      z.object({ card: z.string(), cvc: z.string() }),
      z.object({ bank: z.string() }),
      z.string(),
    ]);
    expect(taken({ pay: union }, ['pay.card'], { pay: { card: 'c', cvc: '123' } })).toEqual({
      id: 'p',
      pay: { card: 'c' },
    });
    expect(taken({ pay: union }, ['pay.card'], { pay: { bank: 'b' } })).toEqual({ id: 'p', pay: {} });
    expect(taken({ pay: union }, ['pay.card'], { pay: 'text' })).toEqual({ id: 'p' });
    expect(taken({ pay: union }, ['pay'], { pay: 'text' })).toEqual({ id: 'p', pay: 'text' });
    expect(taken({ pay: union }, ['pay'], { pay: { bank: 'b' } })).toEqual({ id: 'p' });
    expect(taken({ pay: union }, ['pay', 'pay.bank'], { pay: { bank: 'b' } })).toEqual({ id: 'p', pay: { bank: 'b' } });
  });

  test('contains only the named leaves of a discriminated union', () => {
    const union = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('card'), number: z.string() }),
      z.object({ kind: z.literal('bank'), iban: z.string() }),
    ]);
    const paths = ['pay.kind', 'pay.number'];
    expect(taken({ pay: union }, paths, { pay: { kind: 'bank', iban: 'FR76' } })).toEqual({
      id: 'p',
      pay: { kind: 'bank' },
    });
  });

  test('contains the named leaves of each element of an array, and of nested arrays', () => {
    const data = {
      lines: [
        [{ a: '1', b: 'x' }],
        [],
        [
          { a: '2', b: 'y' },
          { a: '3', b: 'z' },
        ],
      ],
    };
    expect(taken({ lines: z.array(z.array(inner)) }, ['lines.a'], data)).toEqual({
      id: 'p',
      lines: [[{ a: '1' }], [], [{ a: '2' }, { a: '3' }]],
    });
    expect(taken({ tags: z.array(z.array(z.string())) }, ['tags'], { tags: [['a'], ['b', 'c']] })).toEqual({
      id: 'p',
      tags: [['a'], ['b', 'c']],
    });
  });

  test('contains null for a nullable leaf or branch, and nothing for an absent one', () => {
    const fields = { a: z.string().nullable(), b: inner.nullable(), c: z.string().optional(), d: inner.optional() };
    expect(taken(fields, ['a', 'b.a', 'c', 'd.a'], { a: null, b: null })).toEqual({ id: 'p', a: null, b: null });
  });

  test('contains the default of an absent value', () => {
    expect(taken({ n: z.number().default(7) }, ['n'], {})).toEqual({ id: 'p', n: 7 });
  });

  test('contains a named record whole', () => {
    const extra = { a: { b: [1, null, { c: 'd' }], gone: undefined }, e: false };
    expect(taken({ extra: z.record(z.string(), z.unknown()) }, ['extra'], { extra })).toEqual({
      id: 'p',
      extra: { a: { b: [1, null, { c: 'd' }] }, e: false },
    });
    expect(taken({ extra: z.record(z.string(), z.unknown()) }, [], { extra })).toEqual({ id: 'p' });
  });

  test('contains an object with free keys only as one leaf, like a record', () => {
    const extra = { colour: 'red' };
    expect(taken({ extra: z.looseObject({}) }, ['extra'], { extra })).toEqual({ id: 'p', extra });
  });

  test('contains a field named like a member of the prototype', () => {
    expect(taken({ toString: z.string(), valueOf: z.string() }, ['toString'], { toString: 'x', valueOf: 'y' })).toEqual(
      {
        id: 'p',
        toString: 'x',
      },
    );
  });

  test('contains a transformed scalar, and a transformed object only with declared leaves', () => {
    const cents = z.number().transform((euros) => euros * 100);
    expect(taken({ amount: cents }, ['amount'], { amount: 2 })).toEqual({ id: 'p', amount: 200 });
    const split = z.string().transform((text) => ({ first: text.slice(0, 1), rest: text.slice(1) }));
    const declared = split.pipe(z.object({ first: z.string(), rest: z.string() }));
    expect(taken({ name: declared }, ['name.first'], { name: 'xyz' })).toEqual({ id: 'p', name: { first: 'x' } });
    expect(taken({ name: split }, ['name.first'], { name: 'xyz' })).toEqual({ id: 'p', name: { first: 'x' } });
    expect(refused({ name: split }, ['name'], { name: 'xyz' })).toBe(
      'data.name: a transform made an object here; declare it with .pipe(z.object(…)) and name its leaves.',
    );
    expect(taken({ name: split }, [], { name: 'xyz' })).toEqual({ id: 'p' });
  });

  test('below a transform, contains named scalars and no objects', () => {
    const made = z.string().transform((text) => ({ first: { letter: text }, all: [text] }));
    const named =
      'data.name.first: a transform made an object here; declare it with .pipe(z.object(…)) and name its leaves.';
    expect(taken({ name: made }, ['name.all'], { name: 'x' })).toEqual({ id: 'p', name: { all: ['x'] } });
    expect(taken({ name: made }, ['name.first.letter'], { name: 'x' })).toEqual({
      id: 'p',
      name: { first: { letter: 'x' } },
    });
    expect(refused({ name: made }, ['name.first'], { name: 'x' })).toBe(named);
  });
});

describe('refused, with the path and never a value', () => {
  class Money {
    readonly secret = 'SECRET';
  }
  const secret = 'SECRET';
  const open = { x: z.unknown() };
  const nested = (value: unknown): object => ({ x: { a: [{ b: value }] } });

  test.each([
    ['a Date', new Date(0), 'a Date has no form in JSON; publish a number or a text.'],
    ['a BigInt', 7n, 'a BigInt has no form in JSON; publish a number or a text.'],
    ['NaN', Number.NaN, 'NaN has no form in JSON.'],
    ['Infinity', Number.POSITIVE_INFINITY, 'Infinity has no form in JSON.'],
    ['-Infinity', Number.NEGATIVE_INFINITY, '-Infinity has no form in JSON.'],
    ['a function', () => secret, 'a function has no form in JSON.'],
    ['a symbol', Symbol(secret), 'a symbol has no form in JSON.'],
    ['a class instance', new Money(), 'only plain objects can be published.'],
    ['a Map', new Map([[secret, secret]]), 'only plain objects can be published.'],
    ['a Set', new Set([secret]), 'only plain objects can be published.'],
    ['a Uint8Array', new Uint8Array(3), 'only plain objects can be published.'],
    ['a boxed text', Object(secret), 'only plain objects can be published.'],
    ['a promise', Promise.resolve(secret), 'only plain objects can be published.'],
    ['an object with toJSON', { toJSON: () => secret }, undefined],
  ])('%s below a record', (_name, value, message) => {
    const detail = refused(open, ['x'], nested(value));
    expect(detail).toBe(message ? `data.x.a.0.b: ${message}` : 'data.x.a.0.b.toJSON: a function has no form in JSON.');
    expect(detail).not.toContain(secret);
    expect(taken(open, [], nested(value))).toEqual({ id: 'p' });
  });

  test('undefined in an array, whose place would be lost', () => {
    expect(refused(open, ['x'], { x: [1, undefined] })).toBe('data.x.1: undefined has no form in JSON.');
    const lines = z.array(z.string().optional());
    expect(refused({ lines }, ['lines'], { lines: ['a', undefined] })).toBe(
      'data.lines.1: undefined has no form in JSON.',
    );
  });

  test('a hole in an array, which JSON would fill with null', () => {
    const holed = [1, 2, 3];
    delete holed[1];
    expect(refused(open, ['x'], { x: holed })).toBe('data.x.1: undefined has no form in JSON.');
  });

  test('a leaf that is a Date, an instance or a number without form', () => {
    expect(refused({ at: z.date() }, ['at'], { at: new Date(0) })).toContain('data.at: a Date has no form in JSON');
    expect(refused({ url: z.instanceof(URL) }, ['url'], { url: new URL('https://x.example/SECRET') })).not.toContain(
      secret,
    );
    expect(refused({ n: z.any() }, ['n'], { n: Number.NaN })).toBe('data.n: NaN has no form in JSON.');
    expect(refused({ at: z.coerce.date() }, ['at'], { at: 0 })).toContain('data.at: a Date has no form in JSON');
  });

  test('a named Set or File is refused, not left out silently', () => {
    expect(refused({ tags: z.set(z.string()) }, ['tags'], { tags: new Set(['SECRET']) })).toMatch(/^data\.tags: /);
    expect(refused({ file: z.file() }, ['file'], { file: new File(['x'], 'SECRET') })).toMatch(/^data\.file: /);
  });

  test('data deeper than about 64 levels, in objects and in lists', () => {
    const nested = (levels: number, wrap: (value: unknown) => unknown): unknown =>
      levels === 0 ? 'end' : wrap(nested(levels - 1, wrap));
    for (const wrap of [(value: unknown) => ({ a: value }), (value: unknown) => [value]]) {
      expect(taken(open, ['x'], { x: nested(63, wrap) })).toEqual({ id: 'p', x: nested(63, wrap) });
      expect(refused(open, ['x'], { x: nested(65, wrap) })).toMatch(/^data\.x(\.a|\.0){64}: nested too deeply\.$/);
    }
  });

  test('a cycle', () => {
    const loop: Record<string, unknown> = {};
    loop['a'] = loop;
    expect(refused(open, ['x'], { x: loop })).toMatch(/^data\.x(\.a)+: nested too deeply\.$/);
    const list: unknown[] = [];
    list.push(list);
    expect(refused(open, ['x'], { x: list })).toMatch(/^data\.x(\.0)+: nested too deeply\.$/);
  });
});
