import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { createPublicKey, randomBytes } from 'node:crypto';
import type { TokenClaims } from '@partnerkit/core/adapter';
import type { Cases } from '../support/contract.ts';
import type { AccessTokensFixture } from './fixture.ts';
import {
  base64url,
  forge,
  type Members,
  newKey,
  type PrivateJwk,
  publicPart,
  signText,
  signWithSecret,
  type Template,
  templateOf,
  unsigned,
} from './forge.ts';

/** What a forger knows: genuine tokens, and here even the private keys. */
interface Forgery {
  readonly template: Template;
  readonly keys: readonly [PrivateJwk, ...PrivateJwk[]];
  readonly now: number;
}

type Table = (forgery: Forgery) => readonly string[];

/** Keys of opaque tokens do not exist: the forger takes others, and each token is refused all the more. */
const forgeryOf = async ({ tokens, keys }: AccessTokensFixture, claims: TokenClaims): Promise<Forgery> => ({
  template: await templateOf(tokens, keys === undefined, claims),
  keys: keys ?? [newKey('k1'), newKey('k2')],
  now: Math.floor(Date.now() / 1_000),
});

const json = (value: unknown): string => base64url(JSON.stringify(value));

const unsignedTokens: Table = ({ template }) =>
  ['none', 'None', 'NONE', ''].flatMap((alg) => {
    const text = unsigned(template, { header: { alg } });
    return [`${text}.`, `${text}.${base64url(randomBytes(64))}`, text];
  });

const signedWithPublicKeys: Table = ({ template, keys }) =>
  keys.map(publicPart).flatMap((jwk) => {
    const loaded = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const pem = loaded.export({ type: 'spki', format: 'pem' }).toString();
    const forms = [pem, pem.trim(), loaded.export({ type: 'spki', format: 'der' }), JSON.stringify(jwk)];
    return ['HS256', 'HS384', 'HS512'].flatMap((alg) => {
      const text = unsigned(template, { header: { alg, kid: jwk.kid } });
      return forms.map((form) => `${text}.${signWithSecret(alg, form, text)}`);
    });
  });

const signedWithForeignKeys: Table = ({ template, keys: [{ kid }] }) => {
  const stranger = newKey('stranger');
  const jwk = publicPart(stranger);
  const headers: readonly Members[] = [
    {},
    { kid },
    { jwk },
    { kid, jwk },
    { kid, jku: 'https://evil.example/jwks.json' },
    { kid, x5u: 'https://evil.example/chain.pem' },
    { kid, x5c: [base64url('a certificate')] },
    { kid: undefined, jwk },
    { kid: jwk },
    { kid: [kid] },
    { kid: '__proto__' },
    { kid: '' },
  ];
  return headers.map((header) => forge(stranger, template, { header }));
};

const underOtherKids: Table = ({ template, keys: [first, ...others] }) =>
  [...others.map(({ kid }) => kid), undefined, 'unknown', 7, [first.kid]].map((kid) =>
    forge(first, template, { header: { kid } }),
  );

/** A key of RSA can sign with each algorithm of RSA. */
const ofOtherAlgorithms: Table = ({ template, keys }) =>
  keys.flatMap((key) => {
    const suitable = key.kty === 'RSA' ? ['RS256', 'RS512', 'PS256'] : [key.alg];
    const shown = ['ES256', 'ES384', 'EdDSA', 'RS256', 'RS512', 'PS256'].filter((alg) => alg !== key.alg);
    return shown.map((alg) => {
      const text = unsigned(template, { header: { kid: key.kid, alg } });
      return `${text}.${signText(key, text, { alg: suitable.includes(alg) ? alg : key.alg })}`;
    });
  });

const malformedSignatures: Table = ({ template, keys: [key] }) => {
  const text = unsigned(template, { header: { kid: key.kid, alg: key.alg } });
  const signatures = ['', base64url(new Uint8Array(64)), signText(key, text).repeat(2)];
  const der = /^ES/.test(key.alg) ? [signText(key, text, { dsaEncoding: 'der' })] : [];
  return [...signatures, ...der].map((signature) => `${text}.${signature}`);
};

const ofOtherTypes: Table = ({ template, keys: [key] }) =>
  ['JWT', 'at+jws', 'application/jwt', 'dpop+jwt', '', undefined].map((typ) =>
    forge(key, template, { header: { typ } }),
  );

const withCriticalExtensions: Table = ({ template, keys: [key], now }) =>
  [
    { crit: ['exp'], exp: now + 60 },
    { crit: ['b64'], b64: false },
  ].map((header) => forge(key, template, { header }));

const claims = ['iss', 'aud', 'exp', 'iat', 'jti', 'client_id', 'scope', 'account', 'environment', 'secret_id'];

const withWrongClaims: Table = ({ template, keys: [key], now }) => {
  const { iss, aud } = template.payload;
  const payloads: readonly Members[] = [
    { iss: 'https://evil.example' },
    { iss: `${iss}/` },
    { iss: [iss] },
    { aud: 'https://other.example' },
    { aud: `${aud}/` },
    { aud: [] },
    { aud: ['https://other.example'] },
    { exp: now },
    { exp: now - 1 },
    { exp: String(now + 60) },
    { exp: now + 60.5 },
    { exp: 2 ** 53 },
    { iat: now - 0.5 },
    { nbf: now + 3_600 },
    { nbf: String(now) },
    { iat: String(now) },
    { client_id: 7 },
    { account: null },
    { environment: ['prod'] },
    { secret_id: {} },
    { scope: ['USER'] },
    { jti: 7 },
    ...claims.map((name) => ({ [name]: undefined })),
  ];
  return payloads.map((payload) => forge(key, template, { payload }));
};

const ofOtherPayloads: Table = ({ template: { header, payload }, keys: [key] }) => {
  const endless = ['exp', 'iat'].map((name) =>
    JSON.stringify({ ...payload, [name]: 0 }).replace(`"${name}":0`, `"${name}":1e999`),
  );
  const texts = ['[]', '"text"', 'null', '7', '', '{', '{"a":1}{"b":2}', '\u0000', ...endless];
  return texts.map((each) => {
    const text = `${json({ ...header, kid: key.kid, alg: key.alg })}.${base64url(each)}`;
    return `${text}.${signText(key, text)}`;
  });
};

const notTokens: Table = ({ template, keys: [key] }) => {
  const token = forge(key, template);
  const headers = [`{"alg":"ES256","a":"${'b'.repeat(75_000)}"}`, '[['.repeat(10_000), 'null', '7', '{'];
  return [
    ...[` ${token}`, `${token}.`, `.${token}`, `${token}.x`, `Bearer ${token}`, `${token}\n`],
    ...['', '..', '....', 'token', 'a.b.c', '{"payload":"","signatures":[]}', 'a'.repeat(100_000), '.'.repeat(100_000)],
    `${'e'.repeat(33_333)}.${'y'.repeat(33_333)}.${'J'.repeat(33_333)}`,
    ...headers.map((header) => `${base64url(header)}.e30.AA`),
    // As a JWE (RFC 7516 §7.1).
    `${json({ alg: 'dir', enc: 'A256GCM', typ: 'at+jwt', kid: key.kid })}..AAAA.${base64url(token)}.AAAA`,
  ];
};

const tables: Readonly<Record<string, Table>> = {
  'a token without a signature is invalid': unsignedTokens,
  'a token with a public key as its secret is invalid': signedWithPublicKeys,
  'a token of a foreign key is invalid, whatever its header names': signedWithForeignKeys,
  'a token of a key under another key id is invalid': underOtherKids,
  'a token of another algorithm than that of its key is invalid': ofOtherAlgorithms,
  'a token with a malformed signature is invalid': malformedSignatures,
  'a token of another type is invalid': ofOtherTypes,
  'a token with a critical extension is invalid': withCriticalExtensions,
  'a token with a wrong claim, or without one, is invalid': withWrongClaims,
  'a token with another payload than claims is invalid': ofOtherPayloads,
  'any other text is invalid': notTokens,
};

const refuse =
  (table: Table, newClaims: () => TokenClaims) =>
  async (fixture: AccessTokensFixture): Promise<void> => {
    for (const text of table(await forgeryOf(fixture, newClaims())))
      strictEqual(await fixture.tokens.verify(text), undefined, `taken for a token: ${text.slice(0, 300)}`);
  };

/**
 * The texts that no adapter takes for a token. Without them, nothing would show that the forger signs correctly, so
 * the first case verifies unchanged tokens of the forger.
 */
export const refusals = (newClaims: (change?: Partial<TokenClaims>) => TokenClaims): Cases<AccessTokensFixture> => ({
  'a token of each key is valid, with further members in its header': async (fixture) => {
    const { tokens, keys } = fixture;
    if (!keys) return;
    const issued = newClaims();
    const { template } = await forgeryOf(fixture, issued);
    const [first] = keys;
    const headers = [{ typ: 'application/at+jwt' }, { jwk: newKey('stranger') }, { jku: 'https://evil.example/jwks' }];
    const forged = [
      ...keys.map((key) => forge(key, template)),
      ...headers.map((header) => forge(first, template, { header })),
      forge(first, template, { payload: { aud: ['https://other.example', template.payload['aud']] } }),
    ];
    for (const token of forged) deepStrictEqual(await tokens.verify(token), issued);
  },
  ...Object.fromEntries(Object.entries(tables).map(([law, table]) => [law, refuse(table, newClaims)])),
  'a token with any changed bit is invalid': async ({ tokens }) => {
    const parts = (await tokens.issue(newClaims())).split('.').map((part) => Buffer.from(part, 'base64url'));
    for (const [place, part] of parts.entries())
      for (let at = 0; at < part.length; at++) {
        const changed = Buffer.from(part);
        changed[at] = (part[at] as number) ^ (1 << (at % 8));
        const token = parts.map((each, index) => base64url(index === place ? changed : each)).join('.');
        strictEqual(await tokens.verify(token), undefined, `a bit of byte ${at} of part ${place} was changed`);
      }
  },
  'an expired token is invalid': async ({ tokens }) => {
    const now = Math.floor(Date.now() / 1_000);
    for (const expiresAt of [now, now - 1, now - 86_400]) {
      const token = await tokens.issue(newClaims({ issuedAt: now - 2 * 86_400, expiresAt }));
      strictEqual(
        await tokens.verify(token),
        undefined,
        `a token that expired ${now - expiresAt} seconds ago is valid`,
      );
    }
    ok(await tokens.verify(await tokens.issue(newClaims({ issuedAt: now, expiresAt: now + 3_600 }))));
  },
});
