/**
 * The guarded HTTPS sender of webhooks, on undici.
 * @module node/undici
 */
export type { Lookup } from '../sender/dns-lookup.ts';
export type { UndiciSenderOptions } from '../sender/sender-options.ts';
export { type UndiciSender, undiciSender } from './undici-sender.ts';
