/**
 * Access tokens on jose.
 * @module jose
 */
export { type JoseAccessTokensOptions, joseAccessTokens } from './jose-access-tokens.ts';
export { generateRingKey, type RingKey } from './key-ring.ts';
export type { SigningAlgorithm } from './signer.ts';
