import { expect } from 'vitest';
import type { NewClientSecret } from '../../src/access/clients/clients.ts';
import { mountRoutes } from '../../src/base/http/mount-routes.ts';
import type { HttpRequest, HttpResponse, Route } from '../../src/base/http/route.ts';
import { toUtf8 } from '../../src/base/runtime/text.ts';

/** Something with routes: a kit. */
export interface Routed {
  readonly routes: readonly Route[];
}

/** A request as an adapter would hand it over; a text goes as its UTF-8 bytes. */
export const request = (
  method: string,
  target: string,
  {
    headers = {},
    body = '',
    ...more
  }: Partial<Omit<HttpRequest, 'body'>> & { readonly body?: HttpRequest['body'] | string } = {},
): HttpRequest => ({
  method,
  target,
  headers,
  body: typeof body === 'string' ? toUtf8(body) : body,
  remoteAddress: '203.0.113.7',
  ...more,
});

/** What a strict adapter would do: the route of exactly this path, or else the one with `*`. */
export const call = async (
  { routes }: Routed,
  method: string,
  target: string,
  options?: Parameters<typeof request>[2],
): Promise<HttpResponse> => {
  const asked = request(method, target, options);
  const path = (target.split('?')[0] as string).split('/');
  const fits = (route: Route): boolean => {
    const pattern = route.path.split('/');
    return (
      pattern.length === path.length && pattern.every((part, index) => part.startsWith(':') || part === path[index])
    );
  };
  const mounted = mountRoutes(routes);
  const route =
    mounted.find(fits) ?? mounted.find((each) => each.path.endsWith('/*') && target.startsWith(each.path.slice(0, -1)));
  if (!route) return expect.unreachable(`no route for ${target}`);
  return route.handle(asked);
};

export const loginPath = '/api/v1/partner/login';

/** Logs in with JSON, as the specification shows it. */
export const login = (
  kit: Routed,
  fields: Readonly<Record<string, unknown>>,
  options: Parameters<typeof request>[2] = {},
): Promise<HttpResponse> =>
  call(kit, 'POST', loginPath, {
    body: JSON.stringify({ grant_type: 'client_credentials', scope: 'USER', ...fields }),
    ...options,
    headers: { 'content-type': 'application/json', ...options?.headers },
  });

/** The access token that a secret obtains, `undefined` if none. */
export const loginToken = async (
  kit: Routed,
  { client, secret }: Pick<NewClientSecret, 'client' | 'secret'>,
): Promise<string | undefined> => {
  const response = await login(kit, { client_id: client.id, client_secret: secret });
  return response.status === 200 ? (JSON.parse(response.body).access_token as string) : undefined;
};

/** `GET …/organisations/:organisationId/me` with a token. */
export const me = (kit: Routed, token: string | undefined, accountId = 'acc_a'): Promise<HttpResponse> =>
  call(kit, 'GET', `/api/v1/partner/organisations/${encodeURIComponent(accountId)}/me`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

/** Everything of an answer but its request id. */
export const withoutRequestId = ({ headers, ...response }: HttpResponse): HttpResponse => {
  const { 'x-request-id': _id, ...rest } = headers;
  return { ...response, headers: rest };
};
