/**
 * Access tokens on jose.
 * @module node/jose
 */

export type { SigningAlgorithm } from '../tokens/signer.ts';
export { type JoseAccessTokensOptions, joseAccessTokens } from './jose-access-tokens.ts';
export { generateRingKey, type RingKey } from './key-ring.ts';
