import { describe, expect, it } from 'vitest';
import {
  assertOptions,
  booleanOption,
  every,
  exactly,
  listOf,
  must,
  oneOf,
  optional,
  port,
  text,
  wholeNumber,
  withMembers,
} from '../../../src/base/runtime/option-rules.ts';

const rules = exactly({
  count: optional(wholeNumber(1)),
  name: optional(text('must be a short text.', /^.{1,8}$/)),
  mode: optional(oneOf('fast', 'safe')),
  isOpen: optional(booleanOption),
  store: optional(port<{ read(): void }>({ read: true }, 'Hand over memoryStore().')),
  list: optional(
    every(
      listOf(exactly({ id: text() }), 'must be a list.'),
      must('is empty.', (list) => (list as []).length > 0),
    ),
  ),
  parts: optional(withMembers({ main: text() })),
});
const messageOf = (options: unknown): string | undefined => {
  try {
    assertOptions('createThing', rules, options);
    return undefined;
  } catch (error) {
    return (error as TypeError).message;
  }
};

describe('assertOptions', () => {
  it.each([
    {},
    { count: 1, name: 'a', mode: 'safe', isOpen: false, list: [{ id: 'a' }], parts: { main: 'a', other: 1 } },
    {
      store: new (class {
        read() {}
      })(),
    },
    { count: undefined },
  ])('accepts %o', (options) => expect(messageOf(options)).toBeUndefined());

  it.each([
    [undefined, 'the options must be an object.'],
    [[], 'the options must be an object.'],
    [{ count: 0 }, 'the option count must be a whole number from 1.'],
    [{ count: 1.5 }, 'the option count must be a whole number from 1.'],
    [{ count: null }, 'the option count must be a whole number from 1.'],
    [{ name: 'much too long' }, 'the option name must be a short text.'],
    [{ mode: 'fsat' }, "the option mode must be 'fast' or 'safe'."],
    [{ isOpen: 'yes' }, 'the option isOpen must be true or false.'],
    [{ store: () => undefined }, 'the option store is a function: call it. Hand over memoryStore().'],
    [{ store: Promise.resolve() }, 'the option store is a promise: await it. Hand over memoryStore().'],
    [{ store: {} }, 'the option store has no method read. Hand over memoryStore().'],
    [{ list: [] }, 'the option list is empty.'],
    [{ list: [{ id: 'a' }, { id: 1 }] }, 'the option list[1].id must be a text.'],
    [{ list: [{ id: 'a', ids: 1 }] }, "list[0]: there is no option 'ids'; did you mean 'id'?"],
    [{ parts: {} }, 'the option parts.main must be a text.'],
    [{ cuont: 1 }, "there is no option 'cuont'; did you mean 'count'?"],
    [
      { count: 0, mode: 1 },
      "the option count must be a whole number from 1. the option mode must be 'fast' or 'safe'.",
    ],
  ])('refuses %o', (options, message) => expect(messageOf(options)).toBe(`createThing: ${message}`));

  it('quotes no name that may be a secret', () => {
    expect(messageOf({ pks_1234567890: 1 })).toBe(
      'createThing: there is no option of that name; use one of count, name, mode, isOpen, store, list, parts.',
    );
  });
});
