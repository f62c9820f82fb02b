import { describe, expect, test } from 'vitest';
import type { TokenKeys } from '../../src/access/tokens/token-keys.ts';
import { deriveSecret } from '../../src/base/crypto/derived-secret.ts';
import { createPartnerkit } from '../../src/kit/create-partnerkit.ts';
import type { Secret } from '../../src/kit/secret.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/stores/memory/accounts.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { es256Tokens } from '../support/es256.ts';
import { loginToken, me } from '../support/http.ts';
import { accounts, objects } from '../support/kit.ts';
import vectors from '../vectors/secret-vectors.json' with { type: 'json' };

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const [first, second] = vectors.secrets.map(({ secret }) => bytesOf(secret)) as [Uint8Array, Uint8Array];
const origin = 'https://api.platform.example';

interface Keyed {
  readonly secret?: Secret | readonly Secret[] | undefined;
  readonly [option: string]: unknown;
}
const kitWith = (options: Keyed) =>
  createPartnerkit({
    accounts: memoryAccounts(accounts),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    objects,
    ...(options as { readonly secret: Secret }),
  });

/** The keys that a function in `tokens` receives. */
const tokenKeysOf = (options: Keyed): TokenKeys => {
  const received: TokenKeys[] = [];
  kitWith({
    ...{ secret: first, origin },
    ...options,
    tokens: (keys: TokenKeys) => {
      received.push(keys);
      return memoryAccessTokens();
    },
  });
  expect(received).toHaveLength(1);
  return received[0] as TokenKeys;
};

describe('secret-vectors.json, computed with Python’s cryptography', () => {
  test.each(vectors.secrets)('$name', ({ secret, id, sealing, signing }) => {
    const derived = deriveSecret(bytesOf(secret));
    expect([derived.id, derived.sealingKey.id, hexOf(derived.sealingKey.key)]).toEqual([id, `s_${id}`, sealing]);
    for (const { version, d, x, y, kid } of signing)
      expect(derived.signingKey(version)).toEqual({
        ...{ kty: 'EC', crv: 'P-256', alg: 'ES256', x, y, kid },
        d: Buffer.from(d, 'hex').toString('base64url'),
      });
  });
});

describe('the forms of a secret', () => {
  const [vector] = vectors.secrets;
  const base64 = Buffer.from(second).toString('base64');
  test.each([
    ['bytes', second],
    ['a Buffer', Buffer.from(second)],
    ['Base64', base64],
    ['Base64 with a line end, as in a file', `${base64}\n`],
    ['Base64 without padding', base64.replace('=', '')],
    ['Base64url', Buffer.from(second).toString('base64url')],
    ['a function that returns Base64', () => base64],
  ])('%s', (_, secret) => {
    expect(tokenKeysOf({ secret }).keys.map(({ kid }) => kid)).toEqual([vectors.secrets[1]?.signing[0]?.kid]);
    expect(tokenKeysOf({ secret: first }).keys.map(({ kid }) => kid)).toEqual([vector?.signing[0]?.kid]);
  });

  test.each([true, false])('a function learns whether the sender is for development: %s', (development) => {
    const modes: unknown[] = [];
    kitWith({
      sender: { ...memorySender(), development },
      secret: (mode) => {
        modes.push(mode);
        return first;
      },
    });
    expect(modes).toEqual([{ development }]);
  });
});

const remedy = `Make one with: node -p "crypto.randomBytes(32).toString('base64')".`;
const sixteen = 'c2VjcmV0LXNlY3JldA==';
const text = 'correct horse battery staple 123';

describe('a wrong secret is a TypeError that says what to do and quotes nothing', () => {
  test.each([
    [undefined, `secret is missing. ${remedy}`],
    [null, `secret is missing. ${remedy}`],
    ['', `secret is missing. ${remedy}`],
    [[], 'secret is empty: list at least one secret.'],
    [sixteen, `secret has 20 characters, and is not 32 bytes in Base64. ${remedy}`],
    [text, `secret has 32 characters, and is not 32 bytes in Base64. ${remedy}`],
    [Buffer.from(sixteen), `secret has 20 bytes; 32 are needed. ${remedy}`],
    [Buffer.from(text), `secret is not random. ${remedy}`],
    [Buffer.from(text).toString('base64'), `secret is not random. ${remedy}`],
    [new Uint8Array(32), `secret is not random. ${remedy}`],
    [42, `secret is no text, no Uint8Array and no function. ${remedy}`],
    [Promise.resolve(first), `secret is no text, no Uint8Array and no function. ${remedy}`],
    [[first, sixteen], `secret[1] has 20 characters, and is not 32 bytes in Base64. ${remedy}`],
    [() => sixteen, `secret has 20 characters, and is not 32 bytes in Base64. ${remedy}`],
    [[first, () => undefined], `secret[1] is missing. ${remedy}`],
    [[first, second, Buffer.from(first).toString('base64')], 'secret[2] is the same secret as secret[0]: list each'],
  ])('%#', (secret, message) => {
    const make = () => kitWith({ secret: secret as Secret });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(`createPartnerkit: the option ${message}`);
    for (const hidden of [sixteen, text]) expect(make).not.toThrow(hidden);
  });

  test.each([
    ['https://api.platform.example/', 'origin must be scheme and host'],
    ['https://api.platform.example/api', 'origin must be scheme and host'],
    ['http://api.platform.example', 'origin must be scheme and host'],
    ['http://localhost.platform.example', 'origin must be scheme and host'],
    ['api.platform.example', 'origin must be scheme and host'],
    [7, 'origin must be scheme and host'],
    [[], 'origin is empty: list at least one origin.'],
    [[origin, 'ftp://a.example'], 'origin[1] must be scheme and host'],
    [[origin, origin], 'origin lists an origin twice.'],
  ])('origin: %j', (wrong, message) => {
    expect(() => kitWith({ secret: first, origin: wrong })).toThrow(`createPartnerkit: the option ${message}`);
  });

  test.each([{ secret: first }, { origin }])('tokens that are a function need secret and origin', (options) => {
    expect(() =>
      kitWith({
        advanced: { sealingKeys: [{ id: 'k1', key: first }] },
        ...options,
        tokens: () => memoryAccessTokens(),
      }),
    ).toThrow('the option tokens is a function: call it, or give secret and origin, of which it makes tokens.');
  });

  test('a function that makes no tokens', () => {
    const make = () => kitWith({ secret: first, origin, tokens: async () => memoryAccessTokens() });
    expect(make).toThrow('the option tokens is a promise: await it. The function must return { issue, verify, jwks }.');
  });

  test.each([[[]], [[0]], [[1, 1]], [[1.5]], [2], [['1']]])('signingKeyVersions: %j', (signingKeyVersions) => {
    expect(() => kitWith({ secret: first, oauth: { signingKeyVersions } })).toThrow(
      /the option oauth\.signingKeyVersions(\[\d\])? must be a/,
    );
  });
});

describe('what tokens are made of', () => {
  test('the origin is issuer and audience, whatever the base path; earlier origins follow', () => {
    const given = { origin: [origin, 'http://localhost:3000', 'https://old.example'], api: { basePath: '/v2' } };
    expect(tokenKeysOf(given)).toMatchObject({
      issuer: origin,
      audience: origin,
      earlier: [
        { issuer: 'http://localhost:3000', audience: 'http://localhost:3000' },
        { issuer: 'https://old.example', audience: 'https://old.example' },
      ],
    });
  });

  test('the ring: each version of the first secret, then of the next', () => {
    const { keys } = tokenKeysOf({ secret: [second, first], oauth: { signingKeyVersions: [2, 1] } });
    const kids = vectors.secrets.map(({ signing }) => signing.map(({ kid }) => kid));
    expect(keys.map(({ kid }) => kid)).toEqual([kids[1]?.[1], kids[1]?.[0], kids[0]?.[1], kids[0]?.[0]]);
  });
});

/** A platform on one storage, deployed with these options. */
const deployments = () => {
  const storage = memoryStorage();
  const deploy = (options: Keyed) => kitWith({ storage, origin, tokens: es256Tokens, ...options });
  return { storage, deploy };
};
type Kit = ReturnType<typeof kitWith>;

const logIn = async (kit: Kit): Promise<string> => {
  const token = await loginToken(kit, (await kit.clients.create('acc_a', { name: 'Till' }))._unsafeUnwrap());
  return token ?? expect.unreachable('the login was refused');
};
const statusOf = async (kit: Kit, token: string): Promise<number> => (await me(kit, token)).status;
/** A webhook endpoint, whose secret this kit seals. */
const seal = async (kit: Kit): Promise<string> =>
  (await kit.endpoints.create('acc_a', { url: 'https://partner.example/', events: ['payed'] }))._unsafeUnwrap().endpoint
    .id;
const opens = async (kit: Kit): Promise<boolean> => {
  for await (const line of kit.export({ accounts: ['acc_a'], secrets: 'clear' })) if (!line) return false;
  return true;
};
const reseal = async (kit: Kit): Promise<void> => {
  expect((await kit.endpoints.reseal())._unsafeUnwrap().failed).toEqual([]);
};

/** What each deployment signed and sealed is good in the one beside it, on both sides. */
const agree = async (one: Kit, other: Kit): Promise<void> => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    await seal(from);
    expect(await statusOf(to, await logIn(from))).toBe(200);
    expect(await opens(to)).toBe(true);
  }
};

describe('rotation', () => {
  test('of the secret in three deployments: neighbours accept each other, and tokens outlive it', async () => {
    const { deploy } = deployments();
    const before = deploy({ secret: first });
    const token = await logIn(before);
    await agree(before, deploy({ secret: [first, second] }));
    await agree(deploy({ secret: [first, second] }), deploy({ secret: [second, first] }));
    const both = deploy({ secret: [second, first] });
    expect(await statusOf(both, token)).toBe(200);
    await reseal(both);
    const after = deploy({ secret: second });
    await agree(both, after);
    expect((await after.endpoints.countBySealingKey())._unsafeUnwrap()).toEqual([
      { keyId: `s_${vectors.secrets[1]?.id}`, endpoints: 6 },
    ]);
    expect(await statusOf(after, token)).toBe(401);
  });

  test('without the first deployment, a process with the old secret alone refuses the new one', async () => {
    const { deploy } = deployments();
    const [old, ahead] = [deploy({ secret: first }), deploy({ secret: [second, first] })];
    await seal(ahead);
    expect(await statusOf(old, await logIn(ahead))).toBe(401);
    await expect(opens(old)).rejects.toThrow(
      `A value was sealed with the secret ${vectors.secrets[1]?.id}, which this process does not have: list it in secret.`,
    );
  });

  test('of the signing key alone: seals stay, and tokens of the old version last as long as it is listed', async () => {
    const { deploy } = deployments();
    const versions = (...signingKeyVersions: number[]) => deploy({ secret: first, oauth: { signingKeyVersions } });
    const before = deploy({ secret: first });
    const token = await logIn(before);
    await agree(before, versions(1, 2));
    await agree(versions(1, 2), versions(2, 1));
    expect([await statusOf(versions(2, 1), token), await statusOf(versions(2), token)]).toEqual([200, 401]);
    expect(await opens(versions(2))).toBe(true);
  });

  test('of the origin: tokens of the old domain last as long as it is listed', async () => {
    const { deploy } = deployments();
    const at = (...origins: string[]) => deploy({ secret: first, origin: origins });
    const [old, moved] = [at(origin), at('https://new.example', origin)];
    const token = await logIn(old);
    expect([await statusOf(moved, token), await statusOf(at('https://new.example'), token)]).toEqual([200, 401]);
    await agree(at(origin, 'https://new.example'), moved);
  });
});

test('of keys of a host’s own by a secret in three deployments: neighbours accept each other, and tokens outlive it', async () => {
  const { deploy } = deployments();
  const key = { id: 'k1', key: second };
  const own = deriveSecret(second).signingKey(9);
  const { d: _private, ...publicJwk } = own;
  const names = { issuer: 'https://platform.example', audience: 'partners' };
  const before = deploy({
    ...{ origin: undefined, advanced: { sealingKeys: [key] } },
    tokens: es256Tokens({ ...names, keys: [own], earlier: [] }),
  });
  const token = await logIn(before);
  const opening = deploy({
    secret: first,
    advanced: { sealingKeys: (derived: readonly object[]) => [key, ...derived] },
    tokens: (keys: TokenKeys) => es256Tokens({ ...names, keys: [own, ...keys.keys], earlier: [keys] }),
  });
  await agree(before, opening);
  const sealing = deploy({
    secret: first,
    advanced: { sealingKeys: [key] },
    tokens: (keys: TokenKeys) => es256Tokens({ ...keys, keys: [...keys.keys, publicJwk], earlier: [names] }),
  });
  await agree(opening, sealing);
  expect(await statusOf(sealing, token)).toBe(200);
  await reseal(sealing);
  const after = deploy({ secret: first });
  await agree(sealing, after);
  expect((await after.endpoints.countBySealingKey())._unsafeUnwrap()).toEqual([
    { keyId: `s_${vectors.secrets[0]?.id}`, endpoints: 6 },
  ]);
  expect(await statusOf(after, token)).toBe(401);
});

test.each([
  [() => undefined, 'advanced.sealingKeys is missing. Hand over [{ id:'],
  [() => [], 'advanced.sealingKeys is empty. Hand over [{ id:'],
  [() => [{ id: 'k1', key: 'short' }], 'advanced.sealingKeys[0].key is 5 bytes of text; 32 bytes are needed'],
  [async () => [{ id: 'k1', key: second }], 'advanced.sealingKeys is no list. Hand over [{ id:'],
])('a function in sealingKeys that returns no keys is refused: %#', (sealingKeys, message) => {
  expect(() => kitWith({ secret: first, advanced: { sealingKeys } })).toThrow(
    `createPartnerkit: the option ${message}`,
  );
});
