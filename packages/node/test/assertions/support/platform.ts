import { randomUUID } from 'node:crypto';
import {
  createPartnerkit as createKit,
  type HttpResponse,
  type PartnerkitOptions,
  type PublicJwkInput,
  type Signal,
} from '@partnerkit/core';
import type { AccessTokens } from '@partnerkit/core/adapter';
import { type MemoryTransaction, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { generateSigningKey, jwtAccessTokens } from '../../../src/index.ts';
import { generateRingKey, joseAccessTokens } from '../../../src/jose/index.ts';

export const issuer = 'https://api.platform.example';
export const loginAddress = `${issuer}/api/v1/partner/login`;
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const of = { issuer, audience: issuer };
/** Both adapters. */
export const adapters: readonly (readonly [name: string, make: () => Promise<AccessTokens>])[] = [
  ['jwtAccessTokens', async () => jwtAccessTokens({ keys: [generateSigningKey()], ...of })],
  ['joseAccessTokens', async () => joseAccessTokens({ keys: [await generateRingKey()], ...of })],
];

type Options = Partial<Omit<PartnerkitOptions<MemoryTransaction, []>, 'objects' | 'advanced'>>;

/** A platform of two accounts on memory, its time, and how it is asked. */
export const startPlatform = async (options: Options = {}) => {
  const signals: Signal[] = [];
  const storage = memoryStorage();
  const accounts = ['acc_a', 'acc_b'].map((id) => ({ id, name: id, status: 'active', environment: 'prod' }));
  const kit = createKit({
    ...{ accounts: memoryAccounts(accounts), storage, sender: memorySender(), objects: [] },
    tokens: jwtAccessTokens({ keys: [generateSigningKey()], ...of }),
    oauth: { metadata: { issuer }, revocationDelay: 0 },
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    observe: (signal) => signals.push(signal),
    ...options,
  });
  const ask = (
    method: string,
    path: string,
    { headers = {}, form }: { readonly headers?: Record<string, string>; readonly form?: Record<string, string> } = {},
  ): Promise<HttpResponse> => {
    const pattern = path.replace(/(?<=organisations\/)[^/]+/, ':organisationId');
    const route = kit.routes.find((candidate) => candidate.path === pattern);
    if (!route) throw new Error(`No route ${path}`);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = form ? Buffer.from(new URLSearchParams(form).toString()) : new Uint8Array();
    return route.handle({ headers: { ...(form ? type : {}), ...headers }, body, target: path, method });
  };
  const logIn = (form: Record<string, string>) =>
    ask('POST', '/api/v1/partner/login', { form: { grant_type: 'client_credentials', scope: 'USER', ...form } });
  return {
    kit,
    signals,
    ask,
    logIn,
    /** Logs in with an assertion. */
    present: (assertion: string, form: Record<string, string> = {}) =>
      logIn({ client_assertion_type: assertionType, client_assertion: assertion, ...form }),
    revoke: (form: Record<string, string>, headers: Record<string, string> = {}) =>
      ask('POST', '/api/v1/partner/revoke', { form, headers }),
    /** The status of a request with a token. */
    me: async (token: string, accountId = 'acc_a') =>
      (
        await ask('GET', `/api/v1/partner/organisations/${accountId}/me`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status,
    /** A client with public keys. */
    addClient: async (keys: readonly PublicJwkInput[], accountId = 'acc_a'): Promise<string> =>
      (await kit.clients.create(accountId, { name: 'Booking system', jwks: { keys } }))._unsafeUnwrap().client.id,
    refusalOf: async (clientId: string) =>
      (await kit.clients.find('acc_a', clientId))._unsafeUnwrap().lastRefusal?.reason,
  };
};
export type Platform = Awaited<ReturnType<typeof startPlatform>>;

export const tokenOf = (response: HttpResponse): string => {
  if (response.status !== 200) throw new Error(`${response.status} ${response.body}`);
  return JSON.parse(response.body).access_token;
};

/** A key pair of a partner. */
export interface Pair {
  readonly privateKey: CryptoKey;
  readonly publicJwk: PublicJwkInput;
  readonly alg: string;
}

export const pairOf = async (alg: string, members: Partial<PublicJwkInput> = {}): Promise<Pair> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = (await exportJWK(publicKey)) as PublicJwkInput;
  return { privateKey, publicJwk: { ...jwk, ...(jwk.kty === 'RSA' ? { alg } : {}), ...members }, alg };
};

const seconds = (): number => Math.floor(Date.now() / 1_000);

/** Claims of a genuine assertion. */
export const claimsOf = (clientId: string): Record<string, unknown> => {
  const now = seconds();
  return { iss: clientId, sub: clientId, aud: issuer, jti: randomUUID(), iat: now, nbf: now, exp: now + 60 };
};

/** A signed assertion; a claim or a header that is `undefined` is left out. */
export const sign = (
  { privateKey, alg }: Pair,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> => {
  const given = Object.fromEntries(Object.entries({ alg, ...header }).filter(([, value]) => value !== undefined));
  return new SignJWT(Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined)))
    .setProtectedHeader(given as { alg: string })
    .sign(privateKey);
};
