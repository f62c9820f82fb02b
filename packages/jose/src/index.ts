/**
 * Access tokens on jose.
 * @module
 */
export { type JoseAccessTokensOptions, joseAccessTokens } from './jose-access-tokens.ts';
export { generateRingKey, type RingKey, type SigningAlgorithm } from './key-ring.ts';
