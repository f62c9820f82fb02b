import { accessTokensContract } from '@partnerkit/conformance/contracts';
import { test } from 'vitest';
import { generateSigningKey } from '../../src/tokens/signing-key.ts';
import { publicPart, tokensOf } from './support/ring.ts';

accessTokensContract({
  test,
  create: async () => {
    // As while keys are rotated: an older one still verifies.
    const [signing, old] = [generateSigningKey(), generateSigningKey()];
    return {
      tokens: tokensOf(signing, publicPart(old)),
      foreign: tokensOf(generateSigningKey()),
      keys: [signing, old],
    };
  },
});
