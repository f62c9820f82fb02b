import fc from 'fast-check';
import { expect, test } from 'vitest';
import { publicUrlArbitrary } from '../../src/arbitraries/urls.ts';
import { many, runs } from './support.ts';

test('a public URL is written as core stores it, below a reserved name', () => {
  const property = fc.property(publicUrlArbitrary(), (text) => {
    const url = new URL(text);
    expect(url.href).toBe(text);
    expect([url.protocol, url.username, url.hash]).toEqual(['https:', '', '']);
    expect(url.hostname).toMatch(/\.example$/);
    expect(text.length).toBeLessThanOrEqual(2_048);
  });
  fc.assert(property, runs);
  const urls = many(publicUrlArbitrary()).map((text) => new URL(text));
  for (const part of ['port', 'search'] as const)
    for (const has of [true, false]) expect(urls.some((url) => (url[part] !== '') === has)).toBe(true);
});
