import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApi } from '../../src/element/api.ts';

describe('a call of the management API', () => {
  const base = 'https://platform.example/partner-portal/api';
  /** The URLs that a call fetches. */
  const fetched = async (path: readonly string[], query = {}): Promise<readonly string[]> => {
    const urls: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      urls.push(url);
      return new Response('{}');
    });
    await createApi(base)
      .call('GET', path, { query })
      .catch((cause) => expect(cause).toMatchObject({ code: 'not_found' }));
    return urls;
  };
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('goes to a path of exactly its segments, below the API, whatever they contain', async () => {
    const segment = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '',
        '.',
        '..',
        '%2e%2e',
        '..%2F..%2Flogout',
        '../../logout',
        '..\\..',
        '//evil.example',
        'é😀',
        '\ud800',
        '?a',
        '#a',
      ),
    );
    const property = fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 4 }), async (path) => {
      const urls = await fetched(path);
      if (path.some((each) => ['', '.', '..'].includes(each) || !each.isWellFormed())) expect(urls).toEqual([]);
      else {
        const { origin, pathname, search, hash } = new URL(urls[0] ?? '');
        expect([origin, search, hash]).toEqual(['https://platform.example', '', '']);
        expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'partner-portal', 'api', ...path]);
      }
    });
    await fc.assert(property);
  });

  it('has the values of its query that are given', async () => {
    const urls = await fetched(['deliveries'], { objectId: 'a&b=/..', limit: 50, state: '', after: undefined });
    expect(urls).toEqual([`${base}/deliveries?objectId=a%26b%3D%2F..&limit=50`]);
  });
});
