import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { createPublicKey, type webcrypto } from 'node:crypto';
import type { AccessTokens, TokenClaims } from '@partnerkit/core/adapter';
import { type Cases, type ContractOptions, runCases } from '../support/contract.ts';
import { race, racers } from '../support/racers.ts';
import { newId, ours, theirs } from '../support/records.ts';
import { assertionCases } from './assertions.ts';
import type { AccessTokensFixture } from './fixture.ts';
import { refusals } from './refusals.ts';

const issuedAt = Math.floor(Date.now() / 1_000);
const claims = (change: Partial<TokenClaims> = {}): TokenClaims => ({
  clientId: newId(),
  accountId: ours,
  environment: 'prod',
  secretId: 's3cr3tId',
  scope: 'USER',
  jti: newId(),
  issuedAt,
  expiresAt: issuedAt + 30 * 86_400,
  ...change,
});

type Jwk = webcrypto.JsonWebKey & { readonly kid?: string };

const published = async ({ jwks }: AccessTokens): Promise<readonly Jwk[]> =>
  ((await jwks?.())?.keys ?? []) as readonly Jwk[];

const pem = (jwk: Jwk): string =>
  createPublicKey({ key: { ...jwk }, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Other Base64url spellings of the same bytes: a decoder ignores the unused bits of the last character. */
const respelled = (token: string): readonly string[] =>
  token.split('.').flatMap((part, index, parts) => {
    const last = letters.indexOf(part.slice(-1));
    const unused = part.length % 4 === 2 ? 15 : part.length % 4 === 3 ? 3 : 0;
    return Array.from({ length: unused }, (_, bits) => {
      const other = part.slice(0, -1) + letters[last ^ (bits + 1)];
      return parts.map((each, place) => (place === index ? other : each)).join('.');
    });
  });

/** The token with one character changed, at several places. */
const tampered = (token: string): readonly string[] => {
  const places = Array.from({ length: 40 }, (_, index) => Math.floor((index * (token.length - 2)) / 40));
  return places.map((place) => {
    const other = token[place] === 'A' ? 'B' : 'A';
    return `${token.slice(0, place)}${other}${token.slice(place + 1)}`;
  });
};

const assertNoToken = async ({ verify }: AccessTokens, texts: readonly string[]): Promise<void> => {
  for (const text of texts) strictEqual(await verify(text), undefined, `taken for a token: ${text.slice(0, 200)}`);
};

const cases: Cases<AccessTokensFixture> = {
  'a token verifies to the claims it was issued with, for each account': async ({ tokens }) => {
    const all = [
      claims(),
      claims({ accountId: theirs, environment: 'dev', scope: 'OTHER scope' }),
      claims({ accountId: 'org/ü 1 — “é” 🏡', environment: 'préproduction' }),
    ];
    const issued = await Promise.all(all.map((each) => tokens.issue(each)));
    for (const [index, token] of issued.entries()) deepStrictEqual(await tokens.verify(token), all[index]);
  },
  'a token can be sent in a header': async ({ tokens }) => {
    const token = await tokens.issue(claims({ accountId: 'org/ü 1 🏡' }));
    // RFC 6750 §2.1: the form of a bearer token.
    ok(/^[A-Za-z0-9._~+/-]+=*$/.test(token), 'a token has the form of a bearer token');
    ok(token.length <= 4_096, 'a token fits into the headers that every server takes');
  },
  'tokens issued and verified at once are not confused': async ({ tokens }) => {
    const read = await race(async (index) => {
      const issued = claims({ accountId: index % 2 ? ours : theirs });
      const token = await tokens.issue(issued);
      deepStrictEqual(await tokens.verify(token), issued);
      return token;
    });
    strictEqual(new Set(read).size, racers);
  },
  'two tokens are never equal': async ({ tokens }) => {
    const same = claims();
    notStrictEqual(await tokens.issue(same), await tokens.issue({ ...same, jti: newId() }));
    notStrictEqual(await tokens.issue(same), await tokens.issue({ ...same, accountId: theirs }));
  },
  'a text that is not a token is invalid, without an error': async ({ tokens }) => {
    await tokens.issue(claims());
    await assertNoToken(tokens, [
      ...['', ' ', '.', '..', '...', 'a.b.c', 'undefined', '{}', '__proto__', 'constructor', '\u0000', 'é🏡'],
      ...['eyJhbGciOiJFUzI1NiJ9..', 'eyJhbGciOiJFUzI1NiJ9.e30.', 'x'.repeat(100_000), '.'.repeat(10_000)],
    ]);
  },
  'a token with any changed character is invalid': async ({ tokens }) => {
    const token = await tokens.issue(claims());
    const half = Math.floor(token.length / 2);
    const pieces = [token.slice(1), token.slice(0, -1), token.slice(0, half), `${token}A`, `${token}.`, ` ${token}`];
    await assertNoToken(tokens, [...tampered(token), ...pieces, `${token},${token}`, `Bearer ${token}`]);
    ok(await tokens.verify(token));
  },
  'another Base64url spelling of a token is invalid': async ({ tokens }) => {
    const token = await tokens.issue(claims());
    const padded = token.split('.').map((_, index, parts) => parts.map((p, at) => (at === index ? `${p}=` : p)));
    await assertNoToken(tokens, [...respelled(token), ...padded.map((parts) => parts.join('.'))]);
    ok(await tokens.verify(token));
  },
  'parts of two tokens do not form a third one': async ({ tokens }) => {
    const [own, other] = [await tokens.issue(claims()), await tokens.issue(claims({ accountId: theirs }))];
    const [ownParts, otherParts] = [own.split('.'), other.split('.')];
    const mixed = ownParts.map((_, index) => ownParts.map((part, place) => (place < index ? otherParts[place] : part)));
    const half = Math.floor(own.length / 2);
    const texts = [...mixed.map((parts) => parts.join('.')), own.slice(0, half) + other.slice(half)];
    await assertNoToken(
      tokens,
      texts.filter((text) => text !== own && text !== other),
    );
  },
  'a token of another platform is invalid': async ({ tokens, foreign }) => {
    const issued = claims();
    const token = await foreign.issue(issued);
    strictEqual(await tokens.verify(token), undefined);
    deepStrictEqual(await foreign.verify(token), issued);
  },
  'the JWKS contains public keys only': async ({ tokens }) => {
    const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
    for (const key of await published(tokens)) {
      for (const member of secret) ok(!(member in key), `the member ${member} of a key is published`);
      ok(pem(key).startsWith('-----BEGIN PUBLIC KEY-----'));
    }
  },
  ...refusals(claims),
  ...assertionCases,
};

/**
 * Tests the obligations of `AccessTokens`.
 * @example
 * accessTokensContract({
 *   test,
 *   create: async () => ({
 *     tokens: memoryAccessTokens({ clock: systemClock }),
 *     foreign: memoryAccessTokens({ clock: systemClock }),
 *   }),
 * });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const accessTokensContract = (options: ContractOptions<AccessTokensFixture>): void => runCases(cases, options);
