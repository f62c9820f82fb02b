import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathMatcher } from '../../../src/base/http/path.ts';
import { isIdentifier } from '../../../src/base/runtime/text.ts';
import { runs } from '../../support/runs.ts';

const match = pathMatcher('/api/v1/organisations/:organisationId/me');
const outcome = (target: string) => {
  const matched = match(target);
  return 'code' in matched ? matched.code : matched.params;
};
const badEncoding = { code: 'bad_request', detail: 'The path holds a percent-encoding that is not UTF-8.' };

describe('a target and its parameters', () => {
  test.each([
    ['/api/v1/organisations/acc/me', 'acc'],
    ['/api/v1/organisations/acc/me?x=/api&y=%zz', 'acc'],
    ['/api/v1/organisations/acc/me?', 'acc'],
    ['/api/v1/organisations/acc/me#x', 'acc'],
    ['/api/v1/organisations/a%2Fb/me', 'a/b'],
    ['/api/v1/organisations/%61cc/me', 'acc'],
    ['/api/v1/organisations/a%20b/me', 'a b'],
    ['/api/v1/organisations/a+b/me', 'a+b'],
    ['/api/v1/organisations/%C3%A9/me', 'é'],
    ['/api/v1/organisations/é/me', 'é'],
    ['/api/v1/organisations/%252F/me', '%2F'],
    ['/api/v1/organisations/../me', '..'],
    ['/api/v1/organisations/%2e%2e/me', '..'],
    ['/api/v1/organisations/:organisationId/me', ':organisationId'],
    ['/api/v1/organisations/__proto__/me', '__proto__'],
    [`/api/v1/organisations/${'a'.repeat(256)}/me`, 'a'.repeat(256)],
    [`/api/v1/organisations/${'%C3%A9'.repeat(128)}/me`, 'é'.repeat(128)],
    ['http://host.example/api/v1/organisations/acc/me', 'acc'],
    ['HTTPS://user@host.example:8443/api/v1/organisations/acc/me?q', 'acc'],
  ])('%s', (target, organisationId) => {
    expect(outcome(target)).toEqual({ organisationId });
  });
});

describe('no match', () => {
  test.each([
    '',
    '/',
    '*',
    '?',
    'api/v1/organisations/acc/me',
    '/api/v1/organisations/acc/me/',
    '//api/v1/organisations/acc/me',
    '/api/v1//organisations/acc/me',
    '/api/v1/organisations//me',
    '/api/v1/organisations/acc/ME',
    '/API/v1/organisations/acc/me',
    '/api/v1/organisations/acc/%6De',
    '/api/v1/organisations/acc',
    '/api/v1/organisations/acc/me/more',
    '/api/v1/organisations/a/b/me',
    '/api/v1/organisations/x/../acc/me',
    '/x/api/v1/organisations/acc/me',
    '/api/v1/organisations/acc%00/me',
    '/api/v1/organisations/acc%0D%0A/me',
    '/api/v1/organisations/%7F/me',
    `/api/v1/organisations/${'a'.repeat(257)}/me`,
    `/api/v1/organisations/${'%C3%A9'.repeat(129)}/me`,
    'http://host.example',
    'http://host.example/',
    'http://host.example?/api/v1/organisations/acc/me',
    'http:/api/v1/organisations/acc/me',
    'host.example:443',
    '\\api\\v1\\organisations\\acc\\me',
  ])('%s', (target) => {
    expect(outcome(target)).toBe('not_found');
  });
});

test.each(['%', '%z', '%f', '%ff', '%C3', '%C3%28', '%ED%A0%80', '%c0%af', 'a%'])(
  '%s is an encoding of nothing: bad_request',
  (segment) => {
    expect(match(`/api/v1/organisations/${segment}/me`)).toEqual(badEncoding);
  },
);

test('a wrong encoding in an unknown path is not_found', () => {
  expect(outcome('/api/v1/organisations/%ff')).toBe('not_found');
  expect(outcome('/api/%ff/organisations/acc/me')).toBe('not_found');
});

test('several parameters, and none', () => {
  expect(pathMatcher('/a/:one/b/:two')('/a/1/b/2')).toEqual({ params: { one: '1', two: '2' } });
  expect(pathMatcher('/login')('/login')).toEqual({ params: {} });
});

test('any value is decoded, or it is not an identifier and not_found', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.boolean(), (value, absolute) => {
      const target = `${absolute ? 'https://h.example' : ''}/api/v1/organisations/${encodeURIComponent(value)}/me`;
      expect(outcome(target)).toEqual(isIdentifier(value) ? { organisationId: value } : 'not_found');
    }),
    runs,
  );
});

test('any target gets a result, and none throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `/api/v1/organisations/${text}/me`),
      ),
      (target) => {
        const matched = match(target);
        if ('params' in matched) expect(isIdentifier(matched.params['organisationId'])).toBe(true);
        else expect(['bad_request', 'not_found']).toContain(matched.code);
      },
    ),
    runs,
  );
});
