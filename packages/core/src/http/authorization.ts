import type { HttpHeaders } from './route.ts';

/**
 * A comma, then a scheme and credentials. A parameter of the same scheme would have "=" after its name (RFC 9110
 * §11.4).
 */
const joined = /, *[\w!#$%&'*+.^`|~-]+ +[^\s=,]/;

/**
 * Whether a request has several `Authorization` lines. Fetch runtimes join them with a comma.
 * @internal
 */
export const repeatsAuthorization = (headers: HttpHeaders): boolean => {
  const sent = [headers['authorization'] ?? []].flat();
  // A token has no comma, and a search for one costs a fraction of the expression.
  return sent.length > 1 || (sent[0]?.includes(',') === true && joined.test(sent[0]));
};
