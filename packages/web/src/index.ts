/**
 * Serves routes in fetch runtimes.
 * @module web
 */
export { type WebHandlerOptions, type WebRequestInfo, webHandler } from './web-handler.ts';
