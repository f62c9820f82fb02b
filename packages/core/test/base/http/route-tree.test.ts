import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mountRoutes, routeFinder } from '../../../src/base/http/mount-routes.ts';
import type { Route } from '../../../src/base/http/route.ts';
import { runs } from '../../support/runs.ts';

const routeOf = (path: string): Route => ({
  path: path as `/${string}`,
  methods: ['GET'],
  maxBodyBytes: 0,
  handle: () => expect.unreachable(),
});

/** Whether a parameter takes a segment; one whose encoding is not UTF-8 ends the comparison. */
const takes = (segment: string): boolean | 'malformed' => {
  try {
    const text = decodeURIComponent(segment);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
    return text !== '' && Buffer.byteLength(text) <= 256 && !/[\u0000-\u001f\u007f-\u009f]/.test(text);
  } catch {
    return 'malformed';
  }
};

/** Whether a path without `*` fits, segment by segment. */
const fits = (path: string, asked: string): boolean => {
  const [own, others] = [path.split('/'), asked.split('/')];
  if (own.length !== others.length) return false;
  let isMalformed = false;
  for (const [place, segment] of own.entries()) {
    const other = others[place] ?? '';
    if (!segment.startsWith(':')) {
      if (segment !== other) return false;
    } else if (!isMalformed) {
      const taken = takes(other);
      if (taken === false) return false;
      isMalformed = taken === 'malformed';
    }
  }
  return true;
};

/** The first route that fits, in the order of `mountRoutes`; else the first `*` above the path. */
const naive = (mounted: readonly Route[], asked: string): string | undefined =>
  mounted.find(({ path }) => !path.endsWith('/*') && fits(path, asked))?.path ??
  mounted.find(({ path }) => path.endsWith('/*') && asked.startsWith(path.slice(0, -1)))?.path;

const segment = fc.constantFrom('a', 'b', 'a.b', ':x', ':y', '');
const table = fc.uniqueArray(
  fc
    .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([segments, isRest]) => `/${segments.join('/')}${isRest ? '/*' : ''}`),
  { maxLength: 12, selector: (path) => path.replace(/:[^/]+/g, ':') },
);
const asked = fc
  .array(fc.constantFrom('a', 'b', 'a.b', 'aXb', 'A', '', '%61', '%ff', '%00', '%', ':x', '*', 'é', 'x'.repeat(257)), {
    minLength: 1,
    maxLength: 6,
  })
  .map((segments) => `/${segments.join('/')}`);

test('assertFinderEqualsNaiveMatcher: the tree finds what trying each route in turn finds', () =>
  fc.assert(
    fc.property(table, fc.array(asked, { minLength: 1, maxLength: 10 }), (paths, targets) => {
      const mounted = mountRoutes(paths.map(routeOf));
      const find = routeFinder(mounted);
      for (const target of targets) {
        expect(find(target)?.path).toBe(naive(mounted, target));
        expect(find(`https://h.example${target}?q=/a`)?.path).toBe(naive(mounted, target));
      }
    }),
    runs,
  ));

test('a path of many segments is looked at no further than the routes reach', () => {
  const find = routeFinder(mountRoutes([routeOf('/:x/:y/a'), routeOf('/:x/b/:y')]));
  expect(find(`/${'b/'.repeat(1_000_000)}`)).toBeUndefined();
  expect(find('/b/b/a')?.path).toBe('/:x/b/:y');
});
