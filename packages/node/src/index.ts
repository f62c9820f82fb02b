/**
 * partnerkit on Node.js: core, with a guarded HTTPS sender and signed access tokens.
 * @module node
 */
export * from '@partnerkit/core';
export { createPartnerkit, type NodePartnerkitOptions } from './create-partnerkit.ts';
export { secretFile } from './secret-file.ts';
export type { Lookup } from './sender/dns-lookup.ts';
export { httpsSender } from './sender/https-sender.ts';
export type { HttpsSender, HttpsSenderOptions } from './sender/sender-options.ts';
export { type JwtAccessTokensOptions, jwtAccessTokens } from './tokens/jwt-access-tokens.ts';
export { generateSigningKey, type SigningKey } from './tokens/signing-key.ts';
