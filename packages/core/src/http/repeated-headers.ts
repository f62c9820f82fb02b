import type { HttpHeaders } from './route.ts';

/** Headers that decide about a request, and of which Node.js keeps the first line alone. */
const keptOnce: readonly string[] = ['authorization', 'content-type'];

/** All values of a header that was sent more than once, else nothing. */
const repeated = (rawHeaders: readonly string[], name: string): readonly string[] | undefined => {
  const isIt = (place: number): boolean => {
    const sent = rawHeaders[place] as string;
    return sent.length === name.length && sent.toLowerCase() === name;
  };
  let found = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) if (isIt(place)) found++;
  return found > 1 ? rawHeaders.filter((_, place) => place % 2 === 1 && isIt(place - 1)) : undefined;
};

/**
 * The headers of a Node.js request, with every line of `Authorization` and of `Content-Type`: a route refuses a request that
 * repeats them.
 * @example
 * const headersOf = ({ headers, rawHeaders }: IncomingMessage) => repeatedHeaders(headers, rawHeaders);
 * @param rawHeaders - names and values in turns, as `IncomingMessage.rawHeaders` has them.
 * @public
 */
export const repeatedHeaders = (headers: HttpHeaders, rawHeaders: readonly string[]): HttpHeaders => {
  let all = headers;
  for (const name of keptOnce) {
    const values = repeated(rawHeaders, name);
    if (values) all = { ...all, [name]: values };
  }
  return all;
};
