import type { HttpHeaders } from './route.ts';

/** A comma, a scheme and credentials: the parameters of one scheme have a "=" after their name (RFC 9110 §11.4). */
const joined = /, *[\w!#$%&'*+.^`|~-]+ +[^\s=,]/;

/**
 * Whether a request carries several `Authorization` lines. Fetch runtimes join them with a comma.
 * @internal
 */
export const repeatsAuthorization = (headers: HttpHeaders): boolean => {
  const sent = [headers['authorization'] ?? []].flat();
  return sent.length > 1 || (sent[0] !== undefined && joined.test(sent[0]));
};
