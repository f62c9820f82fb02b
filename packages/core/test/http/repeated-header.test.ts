import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repeatedHeader } from '../../src/http/repeated-header.ts';
import { runs } from '../support/runs.ts';

describe('the values of a header', () => {
  test.each([
    ['that was not sent', ['Host', 'a'], undefined],
    ['that was sent once', ['Host', 'a', 'Authorization', 'Bearer a'], undefined],
    ['that is only the value of another', ['X', 'authorization', 'Authorization', 'a'], undefined],
    [
      'that was sent more than once, in any case',
      ['authorization', 'a', 'Host', 'h', 'AUTHORIZATION', 'a', 'Authorization', 'b'],
      ['a', 'a', 'b'],
    ],
  ])('%s', (_name, sent, values) => {
    expect(repeatedHeader(sent, 'authorization')).toEqual(values);
  });

  test('law: all of them in their order, when there are several', () => {
    const pair = fc.tuple(fc.constantFrom('A', 'a', 'b', 'aa'), fc.constantFrom('a', 'b', ''));
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const values = pairs.filter(([name]) => name.toLowerCase() === 'a').map(([, value]) => value);
        expect(repeatedHeader(pairs.flat(), 'a')).toEqual(values.length > 1 ? values : undefined);
      }),
      runs,
    );
  });
});
