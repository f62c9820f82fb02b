/**
 * The guarded HTTPS sender of webhooks on `node:https`, for runtimes that replace undici.
 * @module undici/https
 */
export type { Lookup } from './dns-lookup.ts';
export { httpsSender } from './https-sender.ts';
export type { UndiciSenderOptions } from './sender-options.ts';
export type { UndiciSender } from './undici-sender.ts';
