const reserved =
  /^(host|content-.*|transfer-encoding|connection|x-webhook-signature|webhook-.*|expect|keep-alive|te|trailer|upgrade|proxy-.*)$/;

/**
 * Whether HTTP, the payload or the signature need a header of this name. `_` counts as `-`: many receivers (CGI, WSGI, Rack) cannot tell
 * them apart.
 * @internal
 */
export const isReservedHeader = (name: string): boolean => reserved.test(name.toLowerCase().replaceAll('_', '-'));
