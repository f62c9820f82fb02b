/**
 * Serves routes in fetch runtimes.
 * @module web
 */
export { type WebRequestInfo, webHandler } from './web-handler.ts';
