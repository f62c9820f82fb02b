const used = /^(host|content-.*|transfer-encoding|connection|expect|keep-alive|te|trailer|upgrade|proxy-.*)$/;

/**
 * Whether HTTP or the payload uses a header of this name. `_` counts as `-`: to many receivers (CGI, WSGI, Rack) they
 * are the same.
 * @internal
 */
export const isHttpHeader = (name: string): boolean => used.test(name.toLowerCase().replaceAll('_', '-'));
