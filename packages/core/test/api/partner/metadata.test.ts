import { expect, test } from 'vitest';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { call } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const wellKnown = '/.well-known/oauth-authorization-server';
const issuer = 'https://api.platform.example';
const withKeys = { ...memoryAccessTokens(), jwks: async () => ({ keys: [] }) };

test('golden: authorization server metadata (RFC 8414)', async () => {
  const { kit } = platform({ oauth: { metadata: { issuer } }, tokens: withKeys });
  const answer = await call(kit, 'GET', wellKnown);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
  expect(JSON.parse(answer.body)).toEqual({
    issuer,
    token_endpoint: `${issuer}/api/v1/partner/login`,
    jwks_uri: `${issuer}/api/v1/partner/jwks.json`,
    scopes_supported: ['USER'],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint: `${issuer}/api/v1/partner/revoke`,
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  });
  expect((await call(kit, 'POST', wellKnown)).status).toBe(405);
});

test('golden: with tokens that verify assertions, private_key_jwt and its algorithms', async () => {
  const tokens = { ...withKeys, verifyAssertion: async () => false };
  const { kit } = platform({ oauth: { metadata: { issuer } }, tokens });
  const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  const algorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'RS256', 'PS256'];
  expect(JSON.parse((await call(kit, 'GET', wellKnown)).body)).toMatchObject({
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
  });
});

test('an issuer with a path has it behind the well-known one (RFC 8414 §3.1); the API may be elsewhere', async () => {
  const { kit } = platform({
    oauth: { metadata: { issuer: 'https://id.platform.example/partners/', origin: 'https://api.platform.example/' } },
    api: { basePath: '/p' },
  });
  const { body } = await call(kit, 'GET', `${wellKnown}/partners`);
  expect(JSON.parse(body)).toMatchObject({
    issuer: 'https://id.platform.example/partners/',
    token_endpoint: 'https://api.platform.example/p/login',
  });
  expect(JSON.parse(body)).not.toHaveProperty('jwks_uri');
});

test('an issuer other than that of the tokens is a TypeError: validators compare them', () => {
  const tokens = (of: string) => ({ ...withKeys, issuer: of });
  for (const other of ['https://api.platform.example/', 'https://other.example'])
    expect(() => platform({ oauth: { metadata: { issuer } }, tokens: tokens(other) })).toThrow(
      new TypeError(`oauth.metadata.issuer: the tokens have the issuer "${other}"; use the same text for both.`),
    );
  expect(platform({ oauth: { metadata: { issuer } }, tokens: tokens(issuer) }).kit.routes.length).toBeGreaterThan(0);
  expect(platform({ tokens: tokens('anything') }).kit.routes.length).toBeGreaterThan(0);
});

test('true describes the first origin, and needs one', async () => {
  const { kit } = platform({ origin: [issuer, 'https://old.example'], oauth: { metadata: true }, tokens: withKeys });
  expect(JSON.parse((await call(kit, 'GET', wellKnown)).body)).toMatchObject({
    issuer,
    token_endpoint: `${issuer}/api/v1/partner/login`,
  });
  expect(() => platform({ oauth: { metadata: true } })).toThrow(
    'createPartnerkit: the option origin is missing: oauth.metadata: true describes it.',
  );
});

test('without the option there is none', () => {
  expect(
    platform()
      .kit.routes.map(({ path }) => path)
      .filter((path) => path.includes('.well-known')),
  ).toEqual([]);
});

test('http is accepted for loopback only', () => {
  for (const host of ['localhost:3000', '127.0.0.1', '[::1]'])
    expect(platform({ oauth: { metadata: { issuer: `http://${host}` } } }).kit.routes.length).toBeGreaterThan(0);
});

test.each([
  '',
  'api.platform.example',
  'http://api.platform.example',
  `${issuer}?a`,
  `${issuer}#`,
  'https://u:p@a.example',
])('an issuer that is none is refused: %s', (wrong) => {
  expect(() => platform({ oauth: { metadata: { issuer: wrong } } })).toThrow(
    /^oauth\.metadata\.(issuer|origin): an https URL/,
  );
  expect(() => platform({ oauth: { metadata: { issuer, origin: wrong } } })).toThrow(
    /^oauth\.metadata\.origin: an https URL/,
  );
});
