import type { HttpHeaders, HttpResponse, RequestBody, Route } from '@partnerkit/core';
import { mountRoutes, routeFinder } from '@partnerkit/core/adapter';

/**
 * The parts of a request besides method and target.
 * @public
 */
export interface InProcessRequest {
  /** Header names in lower case. */
  readonly headers?: HttpHeaders;
  /** Body; a text is sent as UTF-8. */
  readonly body?: string | Uint8Array;
  /** Body to send as JSON, with its content type. */
  readonly json?: unknown;
  /** An access token, sent as `Authorization: Bearer`. */
  readonly token?: string;
  /** @defaultValue '203.0.113.7' */
  readonly remoteAddress?: string;
}

const noRoute: HttpResponse = {
  status: 404,
  headers: { 'content-type': 'text/plain' },
  body: 'No route has this path.',
};

/**
 * Sends requests to routes without a socket, as a strict adapter does: to the routes of a platform or of a receiver. An
 * unknown path returns 404 in plain text, as a framework does.
 * @example
 * const { kit, login } = await scriptedHost();
 * const request = inProcess(kit.routes);
 * const response = await request('GET', '/api/v1/partner/organisations/acc_own/me', { token: await login() });
 * strictEqual(response.status, 200);
 * @throws TypeError when two routes have the same method and path.
 * @public
 */
export const inProcess = (
  routes: readonly Route[],
): ((method: string, target: string, request?: InProcessRequest) => Promise<HttpResponse>) => {
  const find = routeFinder(mountRoutes(routes));
  return async (method, target, { headers, body, json, token, remoteAddress = '203.0.113.7' } = {}) => {
    const route = find(target);
    if (!route) return noRoute;
    const content = json === undefined ? (body ?? '') : JSON.stringify(json);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const read: RequestBody = bytes.length > route.maxBodyBytes ? { tooLarge: true } : bytes;
    return route.handle({
      method,
      target,
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: read,
      remoteAddress,
    });
  };
};
