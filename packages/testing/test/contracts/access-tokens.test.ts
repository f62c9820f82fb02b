import { generateKeyPairSync } from 'node:crypto';
import type { AccessTokens, TokenClaims } from '@partnerkit/core';
import { describe, test } from 'vitest';
import { type AccessTokensFixture, accessTokensContract } from '../../src/index.ts';
import { type Double, findsEveryFault } from './doubles.ts';
import { memoryAccessTokensFixture } from './memory.ts';

describe('memory', () => {
  accessTokensContract({ test, create: memoryAccessTokensFixture });
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

const doubles: readonly Double<AccessTokensFixture>[] = [
  broken(
    'the environment is not kept',
    ['a token says what it was issued with, to each account its own'],
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
    ['many that are issued and read at once are not mixed up'],
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
  broken('a client has one token', ['two tokens are never the same'], ({ issue }) => {
    const tokens = new Map<string, Promise<string>>();
    return {
      issue: (claims) => {
        const token = tokens.get(claims.clientId) ?? issue(claims);
        tokens.set(claims.clientId, token);
        return token;
      },
    };
  }),
  broken('what is no token is an error', ['what is no token is nothing, and no error'], ({ verify }) => ({
    verify: async (token) => {
      const claims = await verify(token);
      if (!claims) throw new Error('jwt malformed');
      return claims;
    },
  })),
  broken(
    'only the beginning of a token is looked at',
    ['a token that was changed anywhere is nothing'],
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
      'a token that was changed anywhere is nothing',
      'the parts of two tokens make no third',
      'a token without a signature, or signed with what is published, is nothing',
    ],
    () => unsigned,
  ),
  broken('all platforms have one key', ['a token of another platform is nothing'], ({ verify }, { foreign }) => ({
    verify: async (token) => (await verify(token)) ?? foreign.verify(token),
  })),
  broken('private keys are published', ['what is published of the keys is public'], () => ({
    jwks: async () => ({ keys: [privateKey.export({ format: 'jwk' })] }),
  })),
];

findsEveryFault(accessTokensContract, memoryAccessTokensFixture, doubles);
