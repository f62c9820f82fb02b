import type { HttpHeaders } from '../../base/http/route.ts';

/**
 * A comma, then a scheme and credentials. A parameter of the same scheme would have "=" after its name (RFC 9110
 * §11.4).
 */
const joined = /, *[\w!#$%&'*+.^`|~-]+ +[^\s=,]/;

/** A token has no comma, and a search for one costs a fraction of the expression. */
const isJoined = (value: string): boolean => value.includes(',') && joined.test(value);

/** Whether a request has several `Authorization` lines. Fetch runtimes join them with a comma. */
export const repeatsAuthorization = (headers: HttpHeaders): boolean => {
  const sent = headers['authorization'] ?? [];
  return typeof sent === 'string' ? isJoined(sent) : sent.length > 1 || sent.some(isJoined);
};
