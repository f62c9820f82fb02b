const used = /^(host|content-.*|transfer-encoding|connection|expect|keep-alive|te|trailer|upgrade|proxy-.*)$/;

/**
 * A header by the name that all receivers tell from others: capitals do not count, and to many (CGI, WSGI, Rack) `_` is
 * `-`.
 */
export const headerKey = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** Whether HTTP or the payload uses a header of this name. */
export const isHttpHeader = (name: string): boolean => used.test(headerKey(name));

/** The first of these names that is another one's, as {@link headerKey} compares them. */
export const repeatedHeader = (names: readonly string[]): string | undefined => {
  const keys = names.map(headerKey);
  return names.find((_, place) => keys.indexOf(keys[place] as string) < place);
};
