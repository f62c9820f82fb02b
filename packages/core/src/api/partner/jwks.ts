import { z } from 'zod';
import { callPort } from '../../base/runtime/call-port.ts';
import { once } from '../../base/runtime/once.ts';
import type { Operation } from '../operations/operation.ts';

const keySet = once(() => z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }));

/** The public keys of access tokens. */
export const jwksOperation = (jwks: () => Promise<unknown>): Operation<undefined, undefined, undefined> => ({
  method: 'GET',
  path: '/jwks.json',
  operationId: 'getKeys',
  summary: 'Reads the public keys of the access tokens (RFC 7517)',
  tag: 'Login',
  answers: {
    200: {
      description: 'The keys.',
      get schema() {
        return keySet();
      },
      type: 'application/jwk-set+json',
    },
  },
  conditional: true,
  headers: { 'cache-control': 'public, max-age=300' },
  refuses: ['internal', 'unavailable'],
  handle: () => callPort(jwks).map((body) => ({ body })),
});
