import { headerKey, isHttpHeader } from '../signature/http-header.ts';

const signatures = /^(x-webhook-signature|webhook-.*)$/;

/**
 * Whether HTTP, the payload or the signature uses a header of this name. `_` counts as `-`: to many receivers (CGI,
 * WSGI, Rack) they are the same.
 */
export const isReservedHeader = (name: string): boolean => isHttpHeader(name) || signatures.test(headerKey(name));
