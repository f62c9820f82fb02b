/**
 * The guarded HTTPS sender of webhooks, on undici.
 * @module
 */
export type { Lookup } from './dns-lookup.ts';
export { type UndiciSender, type UndiciSenderOptions, undiciSender } from './undici-sender.ts';
