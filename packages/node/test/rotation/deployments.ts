import { jwtAccessTokens, type SigningKey } from '../../src/index.ts';

/** What the deployments of every rotation share. */
export interface RotatedKeys {
  readonly secrets: readonly [string, string];
  /** A signing key of the host's own. */
  readonly signing: SigningKey;
  /** A sealing key of the host's own, in Base64. */
  readonly sealing: string;
}

const origin = 'https://api.platform.example';
const newOrigin = 'https://partners.platform.example';
const own = { issuer: 'https://id.platform.example', audience: 'partners' };

/** The options of each deployment, from the first one to the last, as the documentation lists them. */
export const rotations = {
  'a secret': ({ secrets: [old, next] }: RotatedKeys) => [
    { origin, secret: old },
    { origin, secret: [old, next] },
    { origin, secret: [next, old] },
    { origin, secret: next },
  ],
  'an origin and a signing key': ({ secrets: [secret] }: RotatedKeys) => [
    { secret, origin },
    { secret, origin: [origin, newOrigin], oauth: { signingKeyVersions: [1, 2] } },
    { secret, origin: [newOrigin, origin], oauth: { signingKeyVersions: [2, 1] } },
    { secret, origin: newOrigin, oauth: { signingKeyVersions: [2] } },
  ],
  'keys of its own': ({ secrets: [secret], signing, sealing }: RotatedKeys) => {
    const sealingKey = { id: 'own', key: Buffer.from(sealing, 'base64') };
    const { d: _private, ...verifying } = signing;
    return [
      { advanced: { sealingKeys: [sealingKey] }, tokens: jwtAccessTokens({ ...own, keys: [signing] }) },
      {
        ...{ origin, secret },
        advanced: { sealingKeys: (derived: readonly object[]) => [sealingKey, ...derived] },
        tokens: (derived: Derived) => jwtAccessTokens({ ...own, keys: [signing, ...derived.keys], earlier: [derived] }),
      },
      {
        ...{ origin, secret },
        advanced: { sealingKeys: [sealingKey] },
        tokens: (derived: Derived) =>
          jwtAccessTokens({ ...derived, keys: [...derived.keys, verifying], earlier: [own] }),
      },
      { origin, secret },
    ];
  },
} satisfies Readonly<Record<string, (keys: RotatedKeys) => readonly object[]>>;

type Derived = Parameters<typeof jwtAccessTokens>[0];

export type Rotation = keyof typeof rotations;
