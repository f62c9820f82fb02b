// The tokens of a platform on Node.js, from where they lie: this package knows none.
import { generateSigningKey, jwtAccessTokens } from '../../../../node/src/index.ts';

/** The key that signs. */
export const signingKey = generateSigningKey();

/** The first key signs; the second is published, too. */
export const standardsTokens = jwtAccessTokens({
  keys: [signingKey, generateSigningKey()],
  issuer: 'https://api.platform.example/partners',
  audience: 'https://api.platform.example/api/v1/partner',
});
