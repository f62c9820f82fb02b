import { z } from 'zod';
import { documentation } from '#documentation';
import { callPort } from '../../base/runtime/call-port.ts';
import { once } from '../../base/runtime/once.ts';
import type { Operation } from '../operations/operation.ts';

const keySet = once(() =>
  z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }).register(documentation, {
    // The key of RFC 7517, appendix A.1.
    example: {
      keys: [
        {
          ...{ kty: 'EC', crv: 'P-256', kid: '1', alg: 'ES256', use: 'sig' },
          x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
          y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
        },
      ],
    },
  }),
);

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
