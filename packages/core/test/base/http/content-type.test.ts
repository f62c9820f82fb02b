import { expect, test } from 'vitest';
import { isEncoded, readContentType } from '../../../src/base/http/content-type.ts';

const read = (value: string | readonly string[] | undefined) => readContentType({ 'content-type': value });

test.each([
  ['application/json', 'application/json', true],
  ['Application/JSON ; Charset="UTF-8"', 'application/json', true],
  ['application/json;charset=utf8', 'application/json', true],
  [' application/json', 'application/json', true],
  ['application/json; v=1', 'application/json', true],
  ['application/jsonx', 'application/jsonx', true],
  ['application/json charset=utf-8', 'application/json charset=utf-8', true],
  ['application/json; charset=utf-16', 'application/json', false],
  ['application/json; charset=utf-8; charset=latin1', 'application/json', false],
  ['application/json; charset=', 'application/json', false],
  ['application/json; charset="utf-8', 'application/json', false],
  ['application/json; charset="utf-8x', 'application/json', false],
  ['application/json; charset="utf-8\\"', 'application/json', false],
  ['application/json; charset="u\\t\\f-8"', 'application/json', true],
  ['application/json; charset="latin1"', 'application/json', false],
  ['application/json; a=";charset=latin1"; b="\\";charset=latin1"', 'application/json', true],
  ['application/json; a="x"; charset=latin1', 'application/json', false],
  ['"application/json"', '"application/json"', true],
  ['', '', true],
  [undefined, '', true],
  [['application/json', 'text/plain'], '', true],
])('%j is the type %j', (value, type, isUtf8) => {
  expect(read(value)).toEqual({ type, isUtf8 });
});

test.each([
  [undefined, false],
  ['identity', false],
  ['Identity', false],
  ['gzip', true],
  ['identity, gzip', true],
  [['identity', 'gzip'], true],
  [['identity', 'identity'], false],
])('the coding %j is one to refuse: %j', (coding, refused) => {
  expect(isEncoded({ 'content-encoding': coding })).toBe(refused);
});

test.each(['"', '\\"', '";'])('14,000 of %j are read in one pass', (piece) => {
  expect(read(`application/json; a="${piece.repeat(14_000)}`).type).toBe('application/json');
});

test.each([1_000, 14_000])('%i spaces are no part of the type', (count) => {
  const spaces = ' '.repeat(count);
  expect(read(`application/json${spaces}; charset=utf-8${spaces}`)).toEqual({ type: 'application/json', isUtf8: true });
  expect(read(`application/json${spaces}x`)).toEqual({ type: `application/json${spaces}x`, isUtf8: true });
});
