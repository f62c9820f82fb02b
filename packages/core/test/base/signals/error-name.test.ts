import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorName } from '../../../src/base/signals/error-name.ts';
import { runs } from '../../support/runs.ts';

test.each([
  ['an error', new TypeError('SECRET'), { name: 'TypeError' }],
  [
    'one with a code',
    Object.assign(new Error('SECRET'), { code: 'ECONNREFUSED' }),
    { name: 'Error', code: 'ECONNREFUSED' },
  ],
  [
    'one of PostgreSQL',
    Object.assign(new Error('SECRET'), { name: 'DatabaseError', code: '23505' }),
    { name: 'DatabaseError', code: '23505' },
  ],
  ['a code that is a number', Object.assign(new Error(''), { code: 7 }), { name: 'Error' }],
  ['a name that is a sentence', Object.assign(new Error(''), { name: 'SECRET in a name' }), { name: 'Error' }],
  ['a code that is a sentence', Object.assign(new Error(''), { code: 'SECRET in a code' }), { name: 'Error' }],
  ['a code that is too long', Object.assign(new Error(''), { code: 'x'.repeat(65) }), { name: 'Error' }],
  ['a text', 'SECRET', { name: 'Error' }],
  ['nothing', undefined, { name: 'Error' }],
  ['null', null, { name: 'Error' }],
  ['an object', { name: 'Custom', message: 'SECRET' }, { name: 'Custom' }],
])('%s', (_name, cause, expected) => {
  expect(errorName(cause)).toEqual(expected);
});

test('any thrown value gives a name and perhaps a code, and never throws', () => {
  fc.assert(
    fc.property(fc.anything(), (cause) => {
      const { name, code = 'none' } = errorName(cause);
      expect(`${name} ${code}`, inspect(cause)).toMatch(/^[\w.-]{1,64} [\w.-]{1,64}$/);
    }),
    runs,
  );
});
