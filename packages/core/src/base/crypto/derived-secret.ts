import { toBase64url } from '../runtime/base64.ts';
import { derive } from './derive.ts';
import { type P256Jwk, p256Bytes, p256Key } from './p256.ts';
import type { SealingKey } from './seal.ts';

/** What one secret gives. Only the id is stored. */
export interface DerivedSecret {
  /** Names the secret: 8 characters that disclose nothing of it. */
  readonly id: string;
  /** Encrypts webhook secrets and values of delivery headers. */
  readonly sealingKey: SealingKey;
  /** A version of the key that signs access tokens. */
  signingKey(version: number): P256Jwk;
}

/**
 * Derives the keys of a secret of 32 random bytes. Each purpose has a version of its own. With another text of a
 * purpose, no stored value opens and no token verifies.
 */
export const deriveSecret = (secret: Uint8Array): DerivedSecret => {
  const id = toBase64url(derive(secret, 'partnerkit secret id v1', 6));
  return {
    id,
    sealingKey: { id: `s_${id}`, key: derive(secret, 'partnerkit sealing AES-256-GCM v1', 32) },
    signingKey: (version) => p256Key(derive(secret, `partnerkit signing ES256 v${version}`, p256Bytes)),
  };
};
