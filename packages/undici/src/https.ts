/**
 * The guarded HTTPS sender of webhooks on `node:https`, for runtimes that replace undici.
 * @module
 */
export type { Lookup } from './dns-lookup.ts';
export { httpsSender } from './https-sender.ts';
export type { UndiciSender, UndiciSenderOptions } from './undici-sender.ts';
