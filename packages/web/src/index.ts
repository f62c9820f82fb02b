/**
 * Serves routes to fetch runtimes.
 * @module
 */
export { type WebRequestInfo, webHandler } from './web-handler.ts';
