import { column, table } from '@partnerkit/core/adapter';
import { describe, expect, test } from 'vitest';
import { literalOf, numberOf, storedValue } from '../src/rows/literals.ts';

const notes = table({ name: 'notes', columns: { id: column.text() }, key: ['id'], indexes: {} });
const literal = (value: string, width?: number): string =>
  literalOf({ table: notes, name: 'id', type: notes.columns.id.type, width }, value);

describe('a text of a column with a width', () => {
  test('may have that many bytes', () => {
    expect(literal('ab', 2)).toBe("x'6162'");
    expect(literal('é', 2)).toBe("x'c3a9'");
  });

  test.each(['abc', 'éa', '💶'])('is refused with more of them: %s', (text) => {
    expect(() => literal(text, 2)).toThrow(/^partnerkit: notes\.id: .* text of more than 2 bytes\.$/);
  });

  test('has any length without a width', () => {
    expect(literal('é'.repeat(5_000))).toHaveLength(4 * 5_000 + 3);
  });
});

describe('a value of a row', () => {
  const read = (type: 'text' | 'json' | 'number' | 'integer' | 'flag', value: unknown, isOptional = false): unknown =>
    storedValue({ type, isOptional }, { value }, 'value');

  test('is what was stored, whichever type of numbers the library has', () => {
    expect(read('text', Buffer.from('é'))).toBe('é');
    expect(read('text', new TextEncoder().encode('é'))).toBe('é');
    expect(read('json', Buffer.from('["é"]'))).toEqual(['é']);
    for (const seven of [7, 7n, '7', Buffer.from('7')]) expect(read('integer', seven)).toBe(7);
    for (const one of [1, '1', true, Buffer.from('1')]) expect(read('flag', one)).toBe(true);
    expect(read('number', '1.7976931348623157e308')).toBe(Number.POSITIVE_INFINITY);
    expect(read('text', null, true)).toBeUndefined();
  });

  test.each([
    ['a text that the library decoded, in whichever character set', 'text', 'Ã©'],
    ['JSON that the library parsed', 'json', { a: 1 }],
    ['JSON that the library decoded', 'json', '{}'],
    ['an empty text that the library made null', 'text', null],
    ['no number', 'number', 'x'],
    ['no integer', 'integer', {}],
    ['no column', 'flag', undefined],
  ] as const)('is refused as %s', (_, type, value) => {
    expect(() => read(type, value)).toThrow(/rows do not arrive as the server sends them: value is .*typeCast/);
  });

  test('is refused where a number is needed and none is there', () => {
    expect(() => numberOf(undefined, 'micros')).toThrow(/micros is undefined instead of a number/);
    expect(() => numberOf({ micros: null }, 'micros')).toThrow(/micros/);
  });
});
