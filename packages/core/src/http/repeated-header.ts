/**
 * All values of a header that was sent more than once, else nothing. Of some headers Node.js keeps only the first in `headers`: such a
 * request is for a route to refuse.
 * @example
 * const headersOf = ({ headers, rawHeaders }: IncomingMessage) => {
 *   const all = repeatedHeader(rawHeaders, 'authorization');
 *   return all ? { ...headers, authorization: all } : headers;
 * };
 * @param rawHeaders - names and values in turns, as `IncomingMessage.rawHeaders` has them.
 * @param name - in lower case.
 * @public
 */
export const repeatedHeader = (rawHeaders: readonly string[], name: string): readonly string[] | undefined => {
  const isIt = (place: number): boolean => {
    const sent = rawHeaders[place] as string;
    return sent.length === name.length && sent.toLowerCase() === name;
  };
  let found = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) if (isIt(place)) found++;
  return found > 1 ? rawHeaders.filter((_, place) => place % 2 === 1 && isIt(place - 1)) : undefined;
};
