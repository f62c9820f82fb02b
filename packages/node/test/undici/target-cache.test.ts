import { expect, test } from 'vitest';
import { createTargetCache } from '../../src/undici/target-cache.ts';

test.each([
  ['https://partner.test/hooks?a=1#part', { isHttps: true, origin: 'https://partner.test', path: '/hooks?a=1' }],
  ['https://Partner.test:443', { isHttps: true, origin: 'https://partner.test', path: '/' }],
  ['https://partner.test:8443/%20é', { isHttps: true, origin: 'https://partner.test:8443', path: '/%20%C3%A9' }],
  ['http://partner.test/', { isHttps: false, origin: 'http://partner.test', path: '/' }],
])('%s is taken apart', (url, target) => {
  expect(createTargetCache()(url)).toEqual(target);
});

test('a URL is parsed once', () => {
  const targetOf = createTargetCache();
  expect(targetOf('https://a.test/1')).toBe(targetOf('https://a.test/1'));
  expect(targetOf('https://a.test/1')).not.toBe(targetOf('https://a.test/2'));
});

test('a text that is not a URL throws each time', () => {
  const targetOf = createTargetCache();
  expect(() => targetOf('a.test')).toThrow(TypeError);
  expect(() => targetOf('a.test')).toThrow(TypeError);
});

test('a full cache drops its oldest URL for a new one', () => {
  const targetOf = createTargetCache(2);
  const [first, second] = ['https://a.test/1', 'https://a.test/2'].map(targetOf);
  targetOf('https://a.test/2');
  const third = targetOf('https://a.test/3');
  expect(targetOf('https://a.test/2')).toBe(second);
  expect(targetOf('https://a.test/3')).toBe(third);
  expect(targetOf('https://a.test/1')).not.toBe(first);
});
