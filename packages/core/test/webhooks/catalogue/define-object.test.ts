import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { z as zod3 } from 'zod/v3';
import { defineObject } from '../../../src/webhooks/catalogue/define-object.ts';
import { specifiedCatalogue as catalogue } from '../../../src/webhooks/catalogue/specified-catalogue.ts';

const schema = z.object({
  id: z.string(),
  status: z.string(),
  recipient: z.object({ email: z.string(), iban: z.string() }),
  lines: z.array(z.object({ label: z.string(), cents: z.int() })),
  extra: z.record(z.string(), z.unknown()),
  a: z.object({ b: z.object({ c: z.object({ d: z.object({ e: z.string(), f: z.object({ g: z.string() }) }) }) }) }),
});

/** As a host without the compiler's help would call it. */
const define = (groups: object, events: object = { default: Object.keys(groups) }, name = 'RequestPayment') =>
  defineObject(name as 'RequestPayment', { schema, groups, events } as never);
const thrown = (act: () => unknown): unknown => {
  try {
    act();
    return undefined;
  } catch (cause) {
    return cause;
  }
};

test('compiles one selection for each event type of the object', () => {
  const definition = define({ summary: ['status'] });
  expect(definition.objectName).toBe('RequestPayment');
  expect(definition.schema).toBe(schema);
  expect([...definition.selections.keys()]).toEqual([...catalogue.typesOf('RequestPayment')]);
});

test('groups can name leaves, leaves of arrays and records, five levels deep', () => {
  expect(() => define({ all: ['id', 'status', 'recipient.email', 'lines.label', 'extra', 'a.b.c.d.e'] })).not.toThrow();
  expect(() => define({ none: [] })).not.toThrow();
  expect(() => define({}, { default: [] })).not.toThrow();
});

describe('a TypeError that names', () => {
  test.each([
    [
      'the version of zod',
      () =>
        defineObject('RequestPayment', {
          schema: zod3.object({ id: zod3.string() }) as never,
          groups: {},
          events: { default: [] },
        }),
      "RequestPayment: schema is no schema of zod 4. Install zod 4, or import { z } from 'zod/v4' with zod 3.25.",
    ],
    [
      'a schema that is none',
      () => defineObject('RequestPayment', { schema: undefined as never, groups: {}, events: { default: [] } }),
      'RequestPayment: schema is no schema of zod 4.',
    ],
    [
      'the event type',
      () => define({}, { default: [], deletion: [] }),
      "RequestPayment has no type 'deletion'; use one of creation, update, payed, ",
    ],
    ['a misspelt event type', () => define({}, { default: [], paid: [] }), "has no type 'paid'; did you mean 'payed'?"],
    ['the event type: a prototype name', () => define({}, { default: [], toString: [] }), "has no type 'toString'"],
    ['the group', () => define({ a: [] }, { default: ['b'] }), 'RequestPayment has no group "b".'],
    [
      'the group: a prototype name',
      () => define({ a: [] }, { default: ['constructor'] }),
      'has no group "constructor"',
    ],
    ['the group of one event', () => define({ a: [] }, { default: [], payed: ['b'] }), 'has no group "b"'],
    ['the path', () => define({ g: ['nope'] }), 'RequestPayment, group "g": "nope" is not in the schema.'],
    ['the path: a prototype name', () => define({ g: ['constructor'] }), '"constructor" is not in the schema.'],
    ['the path below a leaf', () => define({ g: ['status.x'] }), '"status.x" is not in the schema.'],
    ['the path below a record', () => define({ g: ['extra.x'] }), '"extra.x" is not in the schema.'],
    ['an index of an array', () => define({ g: ['lines.0.label'] }), '"lines.0.label" is not in the schema.'],
    ['an empty path', () => define({ g: [''] }), '"" is not in the schema.'],
    ['a path with an empty key', () => define({ g: ['recipient.'] }), '"recipient." is not in the schema.'],
    [
      'the branch, and its leaves',
      () => define({ g: ['recipient'] }),
      '"recipient" is not a leaf: name "recipient.email", "recipient.iban" as needed.',
    ],
    ['the branch of an array', () => define({ g: ['lines'] }), '"lines" is not a leaf'],
    ['a path too deep', () => define({ g: ['a.b.c.d.f.g'] }), '"a.b.c.d.f.g" lies deeper than 5 levels.'],
    ['a path in a group that no event carries', () => define({ g: ['nope'] }, { default: [] }), 'group "g": "nope"'],
  ])('%s', (_name, act, message) => {
    const cause = thrown(act);
    expect(cause).toBeInstanceOf(TypeError);
    expect((cause as TypeError).message).toContain(message);
  });

  test('a branch on the fifth level is not a leaf', () => {
    const cause = thrown(() => define({ g: ['a.b.c.d.f'] }));
    expect(cause).toBeInstanceOf(TypeError);
    expect((cause as TypeError).message).toContain('"a.b.c.d.f" is not a leaf');
  });

  test.each(['first.name', '__proto__', 'half\ud800'])('a field of the schema that no path can name: %s', (key) => {
    const odd = z.object({ id: z.string(), inner: z.object({ ['a']: z.string() }).extend({ [key]: z.string() }) });
    const shape = { schema: odd, groups: {}, events: { default: [] } };
    if (key === '__proto__') {
      // An object literal with a computed key has it as its own.
      expect(Object.hasOwn(odd.shape.inner.shape, key)).toBe(true);
    }
    const cause = thrown(() => defineObject('RequestPayment', shape as never));
    expect(cause).toBeInstanceOf(TypeError);
    expect((cause as TypeError).message).toBe(
      `The field "${key}" cannot be named in a group: rename it in the schema.`,
    );
  });
});
