import type { HttpHeaders } from './route.ts';

/** Security-relevant headers of which Node.js keeps only the first line. */
const keptOnce: readonly string[] = ['authorization', 'content-type'];

/** All values of a repeated header, else `undefined`. */
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
 * The headers of a Node.js request, with every line of `Authorization` and `Content-Type`. A route refuses a request
 * that repeats them.
 * @example
 * const headersOf = ({ headers, rawHeaders }: IncomingMessage) => repeatedHeaders(headers, rawHeaders);
 * @param rawHeaders - Alternating names and values, as in `IncomingMessage.rawHeaders`.
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
