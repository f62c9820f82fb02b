import type { AttackTarget } from '../../attacks/attack.ts';
import { forgeries } from '../../attacks/tokens.ts';
import { insufficientScope, invalidToken, missingToken, problem, repeatedToken } from '../support/answers.ts';
import type { WireRequest } from '../support/exchange.ts';
import { bad, type HttpCase } from '../support/http-case.ts';
import { deadTokens } from './dead-tokens.ts';
import type { Platform } from './platform.ts';
import { base, basic, form, get } from './requests.ts';

const own = '/organisations/org_main/me';
const sent =
  (authorization: (platform: Platform) => string | readonly string[]): HttpCase['request'] =>
  (platform) =>
    get(own, { authorization: authorization(platform) });

const attackedBy = ({ clientId, clientSecret, token }: Platform): AttackTarget => ({
  ...{ basePath: base, accountId: 'org_main', foreignAccountId: 'org_stranger' },
  ...{ clientId, clientSecret, token },
});

const absent: readonly HttpCase[] = [
  { name: 'no token', request: () => get(own), ...missingToken },
  { name: 'an empty Authorization', request: sent(() => ''), ...missingToken },
  { name: 'a token without a scheme', request: sent(({ token }) => token), ...missingToken },
  { name: 'a token of another scheme', request: sent(({ token }) => `Token ${token}`), ...missingToken },
  { name: 'a token in quotes', request: sent(({ token }) => `"Bearer ${token}"`), ...missingToken },
  {
    name: 'credentials instead of a token',
    request: sent(({ clientId, clientSecret }) => basic(clientId, clientSecret)),
    ...missingToken,
  },
  {
    name: 'a token in a cookie',
    request: ({ token }) => get(own, { cookie: `access_token=${token}` }),
    ...missingToken,
  },
  { name: 'a token in X-API-Key', request: ({ token }) => get(own, { 'x-api-key': token }), ...missingToken },
  {
    name: 'a token in a form',
    request: ({ token }): WireRequest => ({ ...get(own, form), body: `access_token=${token}` }),
    ...missingToken,
  },
];

const malformed: readonly HttpCase[] = [
  { name: 'the scheme alone', request: sent(() => 'Bearer'), ...invalidToken },
  { name: 'a token that is not a JWT', request: sent(() => 'Bearer nonsense'), ...invalidToken },
  { name: 'a token with a comma after it', request: sent(({ token }) => `Bearer ${token},`), ...invalidToken },
  { name: 'a token with an accent', request: sent(({ token }) => `Bearer ${token}é`), ...invalidToken },
  {
    name: 'a token and credentials of another scheme',
    request: sent(({ token }) => [basic('id', 'secret'), `Bearer ${token}`]),
    ...repeatedToken,
  },
  {
    name: 'a client secret as a token',
    request: sent(({ clientSecret }) => `Bearer ${clientSecret}`),
    ...invalidToken,
  },
  { name: 'a token of 15,000 bytes', request: sent(() => `Bearer ${'x'.repeat(15_000)}`), ...invalidToken },
  { name: 'a token of 5,000 dots', request: sent(() => `Bearer ${'.'.repeat(5_000)}`), ...invalidToken },
];

/** One of each kind: `httpAttacks` sends them all. */
const forged = [
  'an unsigned JWT (alg "none")',
  'a JWT (alg HS256) signed with an HMAC whose key is an empty text',
  'a JWT (alg HS256) signed with an HMAC whose key is the kid',
  'a JWT signed with another key',
  'a JWT that brings its own key in its header',
  'a JWT whose account was changed',
  'a token without its last character',
  'a token with an additional character',
  'a token without its first character',
  'a token twice, joined',
  'a token twice, with a dot between',
  'a token with another encoding of its last character',
  'a token with padding',
].map(
  (name): HttpCase => ({
    name,
    request: sent((platform) => `Bearer ${forgeries[name]?.(platform.token, attackedBy(platform))}`),
    ...invalidToken,
  }),
);

const dead = Object.keys(deadTokens).map(
  (name): HttpCase => ({
    name,
    request: sent((platform) => `Bearer ${platform.deadTokens[name]}`),
    ...invalidToken,
  }),
);

/** Calls whose token is missing, malformed, forged or refused. */
export const tokenCases: readonly HttpCase[] = bad('token', [
  ...absent,
  ...malformed,
  ...forged,
  ...dead,
  {
    name: 'a token of another scope',
    request: sent(({ otherScopeToken }) => `Bearer ${otherScopeToken}`),
    ...insufficientScope,
  },
  {
    name: 'a token of a suspended account',
    request: ({ suspendedToken }) =>
      get('/organisations/org_suspended/me', { authorization: `Bearer ${suspendedToken}` }),
    ...problem(403, 'account_not_active', 'This account may not use the interface.'),
  },
]);
