import { accessTokensContract } from '@partnerkit/conformance/contracts';
import { describe, test } from 'vitest';
import { algorithms, keyOf, publicPart, tokensOf } from './support/ring.ts';

describe.each(algorithms)('%s', (alg) => {
  accessTokensContract({
    test,
    create: async () => {
      // As while keys are rotated: others still verify.
      const [signing, ...others] = [await keyOf(alg), await keyOf(alg, 'second'), await keyOf('RS256', 'old')] as const;
      return {
        tokens: await tokensOf(signing, ...others.map(publicPart)),
        foreign: await tokensOf(await keyOf(alg, 'foreign')),
        keys: [signing, ...others],
      };
    },
  });
});
