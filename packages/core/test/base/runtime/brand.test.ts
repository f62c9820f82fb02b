import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { brand, hasBrand, isBytes, isDate, isError, isThenable, isTypeError } from '../../../src/base/runtime/brand.ts';

/** Makes a value in a realm of its own, as Jest runs tests. */
const elsewhere = (code: string): unknown => runInContext(code, createContext({}));

test('values of another realm are what they are', () => {
  expect(isError(elsewhere('new RangeError("no")'))).toBe(true);
  expect(isTypeError(elsewhere('new TypeError("no")'))).toBe(true);
  expect(isBytes(elsewhere('new Uint8Array(2)'))).toBe(true);
  expect(isDate(elsewhere('new Date(0)'))).toBe(true);
  expect(isThenable(elsewhere('Promise.resolve()'))).toBe(true);
});

test('other values are not', () => {
  const others = [undefined, null, 0, '', 'text', true, {}, [], () => 1, Symbol('x')];
  for (const value of others)
    for (const is of [isError, isTypeError, isBytes, isDate, isThenable]) expect(is(value)).toBe(false);
  for (const value of [new Uint16Array(2), new DataView(new ArrayBuffer(2)), new ArrayBuffer(2), [1]])
    expect(isBytes(value)).toBe(false);
  expect(isTypeError(new RangeError('no'))).toBe(false);
  expect(isBytes(Buffer.alloc(1))).toBe(true);
});

test('a brand is kept by subclasses, shown to nobody, and not forged by JSON', () => {
  class Refused extends Error {
    constructor() {
      super('no');
      brand(this, 'Refused');
    }
  }
  class More extends Refused {}
  for (const error of [new Refused(), new More()]) {
    expect(hasBrand(error, 'Refused')).toBe(true);
    expect(hasBrand(error, 'Other')).toBe(false);
    expect(Object.keys(error)).toEqual([]);
  }
  expect(hasBrand(JSON.parse('{"partnerkit.Refused":true}'), 'Refused')).toBe(false);
  for (const value of [undefined, null, 'Refused', 1]) expect(hasBrand(value, 'Refused')).toBe(false);
});
