import { accessTokensContract } from '@partnerkit/conformance/contracts';
import { describe, test } from 'vitest';
import { algorithms, keyOf, publicPart, tokensOf } from './support/ring.ts';

describe.each(algorithms)('%s', (alg) => {
  accessTokensContract({
    test,
    create: async () => ({
      // As while keys are rotated: an older one still verifies.
      tokens: await tokensOf(await keyOf(alg), publicPart(await keyOf('ES256', 'old'))),
      foreign: await tokensOf(await keyOf(alg, 'foreign')),
    }),
  });
});
