import { generateKeyPairSync } from 'node:crypto';
import type { AccessTokens, TokenClaims } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { type AccessTokensFixture, accessTokensContract, type PrivateJwk } from '../../../src/contracts/index.ts';
import { type Double, findsEveryFault } from '../support/doubles.ts';
import { memoryAccessTokensFixture } from '../support/memory.ts';
import { carelessAssertions, type Mistake } from './careless-assertions.ts';
import { carelessTokens, type Forgotten } from './careless-tokens.ts';

describe('memory', () => {
  accessTokensContract({ test, create: memoryAccessTokensFixture });
});

describe('memory, with logins by assertions', () => {
  accessTokensContract({
    test,
    create: async () => {
      const fixture = await memoryAccessTokensFixture();
      return { ...fixture, tokens: { ...fixture.tokens, verifyAssertion: carelessAssertions() } };
    },
  });
});

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const broken = (
  how: string,
  breaks: Double<AccessTokensFixture>['breaks'],
  change: (tokens: AccessTokens, fixture: AccessTokensFixture) => Partial<AccessTokens>,
): Double<AccessTokensFixture> => ({
  how,
  breaks,
  make: (fixture) => ({ ...fixture, tokens: { ...fixture.tokens, ...change(fixture.tokens, fixture) } }),
});

/** Claims in a text that anybody can write: three parts, the last one believed unread. */
const unsigned: AccessTokens = {
  issue: async (claims) => `eyJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AAAA`,
  verify: async (token) => {
    try {
      const claims: TokenClaims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      return typeof claims.clientId === 'string' ? claims : undefined;
    } catch {
      return undefined;
    }
  },
};

const keyOf = (kid: string): PrivateJwk => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  ...{ kid, alg: 'ES256' },
});
const keys = [keyOf('a'), keyOf('b')] as const;

/** A verifier of JWTs that forgets one check. */
const forgetting = (forgotten: Forgotten, law: string): Double<AccessTokensFixture> => ({
  how: `it forgets the ${forgotten}`,
  breaks: [law],
  make: () => ({
    tokens: carelessTokens(keys, forgotten),
    foreign: carelessTokens([keyOf('a')], 'nothing'),
    keys,
  }),
});

/** A verifier of assertions that makes one mistake. */
const mistaken = (mistake: Mistake, ...breaks: Double<AccessTokensFixture>['breaks']): Double<AccessTokensFixture> =>
  broken(`a verifier of assertions ${mistake}`, breaks, () => ({ verifyAssertion: carelessAssertions(mistake) }));

const doubles: readonly Double<AccessTokensFixture>[] = [
  broken(
    'the environment is not kept',
    ['a token verifies to the claims it was issued with, for each account'],
    ({ issue }) => ({
      issue: (claims) => issue({ ...claims, environment: 'prod' }),
    }),
  ),
  broken('a token holds its account in clear', ['a token can be sent in a header'], ({ issue, verify }) => ({
    issue: async (claims) => `${claims.accountId} ${await issue(claims)}`,
    verify: (token) => verify(token.split(' ').at(-1) ?? ''),
  })),
  broken(
    'the last token that was issued is always the one that is read',
    ['tokens issued and verified at once are not confused'],
    ({ issue, verify }) => {
      let last = '';
      return {
        issue: async (claims) => {
          last = await issue(claims);
          return last;
        },
        verify: async (token) => ((await verify(token)) ? verify(last) : undefined),
      };
    },
  ),
  broken('a client has one token', ['two tokens are never equal'], ({ issue }) => {
    const tokens = new Map<string, Promise<string>>();
    return {
      issue: (claims) => {
        const token = tokens.get(claims.clientId) ?? issue(claims);
        tokens.set(claims.clientId, token);
        return token;
      },
    };
  }),
  broken('what is no token is an error', ['a text that is not a token is invalid, without an error'], ({ verify }) => ({
    verify: async (token) => {
      const claims = await verify(token);
      if (!claims) throw new Error('jwt malformed');
      return claims;
    },
  })),
  broken(
    'only the beginning of a token is looked at',
    ['a token with any changed character is invalid'],
    ({ issue, verify }) => {
      const known = new Map<string, string>();
      return {
        issue: async (claims) => {
          const token = await issue(claims);
          known.set(token.slice(0, 20), token);
          return token;
        },
        verify: (token) => verify(known.get(token.slice(0, 20)) ?? token),
      };
    },
  ),
  broken(
    'nobody looks at the signature',
    [
      'a token with any changed character is invalid',
      'parts of two tokens do not form a third one',
      'a token with any changed bit is invalid',
    ],
    () => unsigned,
  ),
  broken('all platforms have one key', ['a token of another platform is invalid'], ({ verify }, { foreign }) => ({
    verify: async (token) => (await verify(token)) ?? foreign.verify(token),
  })),
  broken('private keys are published', ['the JWKS contains public keys only'], () => ({
    jwks: async () => ({ keys: [privateKey.export({ format: 'jwk' })] }),
  })),
  forgetting('form', 'any other text is invalid'),
  forgetting('signature', 'a token without a signature is invalid'),
  forgetting('symmetry', 'a token with a public key as its secret is invalid'),
  forgetting('origin of the key', 'a token of a foreign key is invalid, whatever its header names'),
  forgetting('key id', 'a token of a key under another key id is invalid'),
  forgetting('algorithm', 'a token of another algorithm than that of its key is invalid'),
  forgetting('signature format', 'a token with a malformed signature is invalid'),
  forgetting('type', 'a token of another type is invalid'),
  forgetting('critical extensions', 'a token with a critical extension is invalid'),
  forgetting('audience', 'a token with a wrong claim, or without one, is invalid'),
  forgetting('payload', 'a token with another payload than claims is invalid'),
  forgetting('expiry', 'an expired token is invalid'),
  mistaken('takes the key of the header', 'an assertion of another key is refused, whatever its header names'),
  mistaken('takes the algorithm of the header', 'an assertion of another algorithm than the given one is refused'),
  mistaken(
    'does not look at the signature',
    'an assertion verifies by its key and algorithm',
    'a changed assertion is refused',
    'parts of two assertions do not form a third one',
  ),
  mistaken('takes DER', 'a signature of another form is refused'),
  mistaken('checks claims', 'the claims of an assertion are left to core'),
  mistaken('throws', 'any other text is no assertion, without an error'),
  mistaken('verifies by the first key', 'assertions verified at once are not confused'),
  {
    how: 'its keys are not those that sign',
    breaks: ['a token of each key is valid, with further members in its header'],
    make: () => ({
      tokens: carelessTokens(keys, 'nothing'),
      foreign: carelessTokens([keyOf('a')], 'nothing'),
      keys: [keyOf('a')],
    }),
  },
];

findsEveryFault(accessTokensContract, memoryAccessTokensFixture, doubles);
