import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathSegment } from '../../../src/base/http/path-segment.ts';

const inUrl = (segment: string): string => new URL(`https://h/a/${segment}/b`).pathname;

test.each(['', '.', '..', '\ud800', undefined, null, 1, {}, ['x']])('%o is no id', (id) => {
  expect(() => pathSegment(id as string)).toThrow('An id in a path is a text, and neither empty nor "." nor ".."');
});

test('any other text stays one segment of a URL, and is read as it was', () => {
  for (const id of ['a', '...', '.a', '%2e%2e', '%', 'a/b', 'a?b#c', '\\', ' ', 'é', '..;']) {
    expect(inUrl(pathSegment(id))).toBe(`/a/${pathSegment(id)}/b`);
    expect(decodeURIComponent(pathSegment(id))).toBe(id);
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
      fc.pre(id !== '.' && id !== '..');
      const [, before, own = '', after] = inUrl(pathSegment(id)).split('/');
      expect([before, decodeURIComponent(own), after]).toEqual(['a', id, 'b']);
    }),
  );
});
