import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repeatedHeaders } from '../../../src/base/http/repeated-headers.ts';
import { runs } from '../../support/runs.ts';

const headers = { host: 'h' };
const valuesOf = (sent: readonly string[], name: string) => repeatedHeaders(headers, sent)[name];

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
    expect(valuesOf(sent, 'authorization')).toEqual(values);
    expect(repeatedHeaders(headers, sent)['host']).toBe('h');
  });

  test('law: all of them in their order, when there are several', () => {
    const pair = fc.tuple(
      fc.constantFrom('Content-Type', 'content-type', 'b', 'content-typ'),
      fc.constantFrom('a', 'b', ''),
    );
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const values = pairs.filter(([name]) => name.toLowerCase() === 'content-type').map(([, value]) => value);
        expect(valuesOf(pairs.flat(), 'content-type')).toEqual(values.length > 1 ? values : undefined);
      }),
      runs,
    );
  });
});
