import type { AccessTokens } from '../access/tokens/access-tokens.ts';
import type { TokenKeys } from '../access/tokens/token-keys.ts';
import type { DerivedSecret } from '../base/crypto/derived-secret.ts';
import type { P256Jwk } from '../base/crypto/p256.ts';
import type { SealingKey } from '../base/crypto/seal.ts';
import { assertOptions, port, withMembers } from '../base/runtime/option-rules.ts';
import { sealingKeysRule } from './key-rules.ts';
import type { PartnerkitOptions } from './options.ts';
import { readSecrets } from './secret.ts';

/** The keys of a kit: derived from its secret, and given. */
export interface Keys {
  readonly tokens: AccessTokens;
  /** The first seals, every key opens. */
  readonly sealingKeys: readonly SealingKey[];
  /** Ids of the secrets, the current one first. Empty without `secret`. */
  readonly secretIds: readonly string[];
}

type Given = Pick<
  PartnerkitOptions<object, readonly []>,
  'secret' | 'origin' | 'tokens' | 'sender' | 'oauth' | 'advanced'
>;

/** What functions returned. */
const madeRule = withMembers({
  tokens: port<AccessTokens>({ issue: true, verify: true }, 'The function must return { issue, verify, jwks }.'),
  advanced: withMembers({ sealingKeys: sealingKeysRule }),
});

/** The ring of all versions of all secrets: those of the current secret first. */
const tokenKeysOf = (secrets: readonly DerivedSecret[], { origin = [], oauth = {} }: Given): TokenKeys => {
  const { signingKeyVersions = [1] } = oauth;
  const keys = secrets.flatMap((secret) => signingKeyVersions.map((version) => secret.signingKey(version)));
  // The audience is the origin, too: a new `basePath` ends no token.
  const [current, ...earlier] = [origin].flat().map((each) => ({ issuer: each, audience: each }));
  return { ...(current as NonNullable<typeof current>), earlier, keys: keys as [P256Jwk, ...P256Jwk[]] };
};

/**
 * The keys that checked options give.
 * @throws TypeError that names the wrong option and its remedy.
 */
export const keysOf = (options: Given): Keys => {
  const { secret, tokens, sender, advanced: { sealingKeys = [] } = {} } = options;
  const secrets = secret === undefined ? [] : readSecrets(secret, { development: sender.development === true });
  const made = typeof tokens === 'function' ? tokens(tokenKeysOf(secrets, options)) : tokens;
  const own = secrets.map(({ sealingKey }) => sealingKey);
  const ring = typeof sealingKeys === 'function' ? sealingKeys(own) : [...own, ...sealingKeys];
  assertOptions('createPartnerkit', madeRule, { tokens: made, advanced: { sealingKeys: ring } });
  return {
    tokens: made,
    sealingKeys: ring,
    secretIds: secrets.map(({ id }) => id),
  };
};
