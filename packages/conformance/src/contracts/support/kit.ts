import { ok } from 'node:assert';
import { defineObject, type HttpResponse, type Partnerkit } from '@partnerkit/core';
import { z } from 'zod';

/** The object of a kit over a storage under test. */
export const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string() }),
  groups: { all: [] },
  events: { default: ['all'] },
});

/** The value; throws an error that names the refusal. */
export const allowed = <T>(result: {
  match<A>(ok: (value: T) => A, err: (failure: { readonly code: string }) => A): Promise<A>;
}): Promise<T> =>
  result.match<T>(
    (value) => value,
    ({ code }) => {
      throw new Error(`Refused: ${code}.`);
    },
  );

/** Logs in with JSON. */
export const login = async (
  kit: Partnerkit<object, typeof payment>,
  clientId: string,
  clientSecret: string,
): Promise<HttpResponse> => {
  const route = kit.routes.find(({ path }) => path.endsWith('/login'));
  ok(route, 'there is a login');
  const body = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials', scope: 'USER' };
  return route.handle({
    method: 'POST',
    target: route.path,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  });
};
