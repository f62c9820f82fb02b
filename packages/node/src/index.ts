/**
 * partnerkit on Node.js: the guarded HTTPS sender of webhooks, and access tokens.
 * @module node
 */
export type { Lookup } from './sender/dns-lookup.ts';
export { httpsSender } from './sender/https-sender.ts';
export type { HttpsSender, HttpsSenderOptions } from './sender/sender-options.ts';
export { type JwtAccessTokensOptions, jwtAccessTokens } from './tokens/jwt-access-tokens.ts';
export { generateSigningKey, type SigningKey } from './tokens/signing-key.ts';
