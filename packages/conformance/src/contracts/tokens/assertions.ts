import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import type { AccessTokens, AssertionAlgorithm, PublicJwk } from '@partnerkit/core/adapter';
import type { Cases } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import type { AccessTokensFixture } from './fixture.ts';
import { base64url, forge, type Members, type PrivateJwk, publicPart, signText, signWithSecret } from './forge.ts';

const pairs: Readonly<Record<AssertionAlgorithm, () => KeyPairKeyObjectResult>> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  Ed25519: () => generateKeyPairSync('ed25519'),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
};
const algorithms = Object.keys(pairs) as readonly AssertionAlgorithm[];

/** The key of a client, and how it is stored. */
interface ClientKey {
  readonly alg: AssertionAlgorithm;
  readonly signing: PrivateJwk;
  readonly stored: PublicJwk;
}

const made = new Map<string, ClientKey>();
/** The same key for the same name: RSA keys take long to make. */
const keyOf = (alg: AssertionAlgorithm, name = 'own'): ClientKey => {
  const id = `${alg} ${name}`;
  const known = made.get(id);
  if (known) return known;
  const signing = { ...pairs[alg]().privateKey.export({ format: 'jwk' }), kid: name, alg };
  const key = { alg, signing, stored: publicPart(signing) as unknown as PublicJwk };
  made.set(id, key);
  return key;
};

const now = Math.floor(Date.now() / 1_000);
const claims = {
  ...{ iss: 'client', sub: 'client', aud: 'https://platform.example', jti: 'first', iat: now, exp: now + 60 },
};
const assertionOf = ({ signing }: ClientKey, payload: Members = {}, header: Members = {}): string =>
  forge(signing, { header: {}, payload: claims }, { header, payload });

type Verify = NonNullable<AccessTokens['verifyAssertion']>;
type Forged = readonly [text: string, key: ClientKey, alg?: AssertionAlgorithm];

/** Runs a case with the verifier. Without one, the platform has no logins by assertions. */
const verifying =
  (run: (verify: Verify) => Promise<void>) =>
  async ({ tokens }: AccessTokensFixture): Promise<void> => {
    if (tokens.verifyAssertion) await run(tokens.verifyAssertion);
  };

/** A verifier that refuses everything would pass, so the genuine assertion is verified as well. */
const refusing = (forgeriesOf: (key: ClientKey) => readonly Forged[]) =>
  verifying(async (verify) => {
    for (const alg of algorithms) {
      const key = keyOf(alg);
      for (const [text, { stored }, by = alg] of forgeriesOf(key))
        strictEqual(await verify(text, stored, by), false, `verified as ${by}: ${text.slice(0, 200)}`);
      strictEqual(await verify(assertionOf(key), key.stored, alg), true, `refused: ${alg}`);
    }
  });

/** The assertion with another signature. */
const signedBy = (assertion: string, signature: (signed: string, old: string) => string): string => {
  const [head, body, old = ''] = assertion.split('.');
  return `${head}.${body}.${signature(`${head}.${body}`, old)}`;
};

const flipped = (part: string, place: number): string => {
  const bytes = Buffer.from(part, 'base64url');
  bytes[place] = (bytes[place] as number) ^ (1 << (place % 8));
  return base64url(bytes);
};

/** One bit changed in each ninth byte of each part. */
const tampered = (assertion: string): readonly string[] =>
  assertion.split('.').flatMap((part, at, parts) => {
    const places = Math.ceil(Buffer.from(part, 'base64url').length / 9);
    return Array.from({ length: places }, (_, index) =>
      parts.map((each, place) => (place === at ? flipped(each, index * 9) : each)).join('.'),
    );
  });

const otherNames = (alg: AssertionAlgorithm): readonly AssertionAlgorithm[] =>
  algorithms.filter((each) => each !== alg && !(/^Ed/.test(each) && /^Ed/.test(alg)));

/** Signatures that prove nothing, whatever the key. */
const worthless = (key: ClientKey): readonly string[] => {
  const assertion = assertionOf(key);
  const length = Buffer.from(assertion.split('.')[2] ?? '', 'base64url').length;
  const secret = JSON.stringify(key.stored);
  return [
    signedBy(assertion, () => ''),
    signedBy(assertion, () => 'AA'),
    signedBy(assertion, () => base64url(new Uint8Array(length))),
    signedBy(assertion, () => base64url(new Uint8Array(length).fill(255))),
    signedBy(assertion, (_signed, old) => base64url(Buffer.concat([Buffer.from(old, 'base64url'), Buffer.alloc(1)]))),
    signedBy(assertion, (_signed, old) => base64url(Buffer.from(old, 'base64url').subarray(1))),
    signedBy(assertion, (signed) => signWithSecret('HS256', secret, signed)),
    ...(key.stored.kty === 'EC'
      ? [signedBy(assertion, (signed) => signText(key.signing, signed, { dsaEncoding: 'der' }))]
      : []),
  ];
};

/** `verifyAssertion` checks the signature by one key, and nothing else. */
export const assertionCases: Cases<AccessTokensFixture> = {
  'an assertion verifies by its key and algorithm': verifying(async (verify) => {
    for (const alg of algorithms) {
      const [own, other] = [keyOf(alg), keyOf(alg, 'other')];
      const results = [
        await verify(assertionOf(own), own.stored, alg),
        await verify(assertionOf(other), own.stored, alg),
      ];
      deepStrictEqual(results, [true, false], alg);
    }
  }),
  'the claims of an assertion are left to core': verifying(async (verify) => {
    const key = keyOf('ES256');
    const payloads: readonly Members[] = [
      { aud: ['https://platform.example', 'https://other.example'] },
      { aud: undefined },
      { exp: now - 3_600 },
      { exp: now + 3_600 },
      { exp: undefined },
      { nbf: now + 3_600 },
      { jti: 'j'.repeat(129) },
      { iss: undefined, sub: undefined },
    ];
    for (const payload of payloads)
      strictEqual(await verify(assertionOf(key, payload), key.stored, 'ES256'), true, JSON.stringify(payload));
  }),
  'an assertion of another key is refused, whatever its header names': refusing(({ alg }) => {
    const [own, stranger] = [keyOf(alg), keyOf(alg, 'other')];
    const headers: readonly Members[] = [
      {},
      { kid: 'own' },
      { jwk: stranger.stored },
      { kid: 'own', jku: 'http://127.0.0.1:9/jwks.json' },
      { kid: 'own', x5u: 'http://127.0.0.1:9/chain.pem' },
      { kid: 'own', x5c: ['QQ=='] },
    ];
    return headers.map((header) => [assertionOf(stranger, {}, header), own]);
  }),
  'an assertion of another algorithm than the given one is refused': refusing((key) => [
    ...otherNames(key.alg).map((alg): Forged => [assertionOf(key), key, alg]),
    ...otherNames(key.alg).map((alg): Forged => [assertionOf(keyOf(alg)), key]),
  ]),
  'a changed assertion is refused': refusing((key) => tampered(assertionOf(key)).map((text) => [text, key])),
  'parts of two assertions do not form a third one': refusing((key) => {
    const [first, second] = [assertionOf(key).split('.'), assertionOf(key, { jti: 'second' }).split('.')];
    return [[`${first[0]}.${second[1]}.${first[2]}`, key]];
  }),
  'a signature of another form is refused': refusing((key) => worthless(key).map((text) => [text, key])),
  'any other text is no assertion, without an error': refusing((key) =>
    ['', '.', '..', 'a.b.c', 'é', '\u0000', '__proto__', 'x'.repeat(8_000), '.'.repeat(8_000)].map((text) => [
      text,
      key,
    ]),
  ),
  'assertions verified at once are not confused': verifying(async (verify) => {
    const [own, other] = [keyOf('ES256'), keyOf('ES256', 'other')];
    const results = await race((index) => verify(assertionOf(own), (index % 2 ? own : other).stored, 'ES256'));
    for (const [index, isVerified] of results.entries()) strictEqual(isVerified, index % 2 === 1);
    ok(results.includes(true));
  }),
};
