const reserved =
  /^(host|content-.*|transfer-encoding|connection|x-webhook-signature|webhook-.*|expect|keep-alive|te|trailer|upgrade|proxy-.*)$/;

/**
 * Whether HTTP, the payload or the signature uses a header of this name. `_` counts as `-`: to many receivers (CGI,
 * WSGI, Rack) they are the same.
 * @internal
 */
export const isReservedHeader = (name: string): boolean => reserved.test(name.toLowerCase().replaceAll('_', '-'));
