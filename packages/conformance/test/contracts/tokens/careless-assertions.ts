import { constants, createPublicKey, verify } from 'node:crypto';
import type { AccessTokens, AssertionAlgorithm, PublicJwk } from '@partnerkit/core/adapter';

/** What a verifier of assertions can get wrong. */
export type Mistake =
  | 'takes the key of the header'
  | 'takes the algorithm of the header'
  | 'does not look at the signature'
  | 'takes DER'
  | 'checks claims'
  | 'throws'
  | 'verifies by the first key';

type Verify = NonNullable<AccessTokens['verifyAssertion']>;

const kinds: Readonly<Record<AssertionAlgorithm, { readonly curve: string; readonly digest: string | null }>> = {
  ES256: { curve: 'P-256', digest: 'sha256' },
  ES384: { curve: 'P-384', digest: 'sha384' },
  Ed25519: { curve: 'Ed25519', digest: null },
  EdDSA: { curve: 'Ed25519', digest: null },
  RS256: { curve: 'RSA', digest: 'sha256' },
  PS256: { curve: 'RSA', digest: 'sha256' },
};
const paddingOf = (alg: AssertionAlgorithm) => {
  if (alg === 'PS256')
    return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return alg === 'RS256' ? { padding: constants.RSA_PKCS1_PADDING } : {};
};
const parse = (part: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(part, 'base64url').toString());

/** Verifies assertions correctly, but for one mistake. */
export const carelessAssertions = (mistake?: Mistake): Verify => {
  let first: PublicJwk | undefined;
  const check = async (assertion: string, given: PublicJwk, alg: AssertionAlgorithm): Promise<boolean> => {
    const [head = '', body = '', signature = ''] = assertion.split('.');
    const header = parse(head);
    const claims = parse(body);
    first ??= given;
    if (mistake === 'does not look at the signature') return true;
    if (mistake === 'checks claims' && !(Number(claims['exp']) > Date.now() / 1_000)) return false;
    const named = mistake === 'takes the key of the header' ? (header['jwk'] as PublicJwk | undefined) : undefined;
    const key = mistake === 'verifies by the first key' ? first : (named ?? given);
    const by = mistake === 'takes the algorithm of the header' ? (header['alg'] as AssertionAlgorithm) : alg;
    if ((key.crv ?? key.kty) !== kinds[by].curve) return false;
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
    const isBy = (dsaEncoding: 'der' | 'ieee-p1363', text: string): boolean =>
      verify(
        kinds[by].digest,
        Buffer.from(text),
        { key: publicKey, dsaEncoding, ...paddingOf(by) },
        Buffer.from(signature, 'base64url'),
      );
    return isBy('ieee-p1363', `${head}.${body}`) || (mistake === 'takes DER' && isBy('der', `${head}.${body}`));
  };
  return async (assertion, key, alg) => {
    try {
      return await check(assertion, key, alg);
    } catch (cause) {
      if (mistake === 'throws') throw cause;
      return false;
    }
  };
};
