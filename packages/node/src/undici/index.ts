/**
 * The guarded HTTPS sender of webhooks, on undici.
 * @module node/undici
 */
export type { Lookup } from '../sender/dns-lookup.ts';
export type { HttpsSender, HttpsSenderOptions } from '../sender/sender-options.ts';
export { undiciSender } from './undici-sender.ts';
