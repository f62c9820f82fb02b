import { generateKeyPairSync, hash, randomBytes, randomUUID, sign, timingSafeEqual, verify } from 'node:crypto';
import { z } from 'zod';
import { organisation } from '../checks.ts';
import { getOf, logIn, postOf, type Served } from '../served.ts';

export const issuer = 'https://api.platform.example';
const kid = 'k1';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const dsaEncoding = 'ieee-p1363';
export const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
export const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' };
const head = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid })).toString('base64url');
const lifetime = 30 * 24 * 3_600;

/** An access token in ES256. */
export const issue = (clientId: string): string => {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = {
    client_id: clientId,
    account: organisation.id,
    environment: organisation.environment,
    scope: 'USER',
    iss: issuer,
    aud: issuer,
    sub: clientId,
    jti: randomUUID(),
    iat,
    exp: iat + lifetime,
  };
  const signed = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding }).toString('base64url')}`;
};

const claimsSchema = z.object({ client_id: z.string(), account: z.string(), environment: z.string(), exp: z.number() });
export type Claims = z.output<typeof claimsSchema>;

const read = (token: string): Claims | undefined => {
  const [protectedHead = '', claims = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${protectedHead}.${claims}`);
  const key = { key: publicKey, dsaEncoding } as const;
  if (protectedHead !== head || !verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return undefined;
  return claimsSchema.safeParse(JSON.parse(Buffer.from(claims, 'base64url').toString())).data;
};

const clientSecret = randomBytes(32).toString('hex');
const client = { id: randomUUID(), accountId: organisation.id, digest: hash('sha256', clientSecret, 'buffer') };
const clients = new Map<string, typeof client>([[client.id, client]]);
const organisations = new Map([[organisation.id, organisation]]);
const verified = new Map<string, Claims>();

export const loginBytes = 8 * 1_024;
export const noStore = { 'cache-control': 'no-store' };
export const loginHeaders = { ...noStore, pragma: 'no-cache' };

const loginSchema = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  grant_type: z.literal('client_credentials'),
  scope: z.literal('USER'),
});

/** The response to a login; nothing for a refused one. */
export const loginAnswer = (body: unknown): object | undefined => {
  const { data } = loginSchema.safeParse(body);
  const asked = data && clients.get(data.client_id);
  const digest = hash('sha256', data?.client_secret ?? '', 'buffer');
  if (!data || !asked || !timingSafeEqual(digest, asked.digest)) return undefined;
  if (organisations.get(asked.accountId)?.status !== 'active') return undefined;
  return { token_type: 'Bearer', expires_in: lifetime, access_token: issue(asked.id) };
};

const claimsOf = (token: string): Claims | undefined => {
  const known = verified.get(token) ?? read(token);
  if (!known || known.exp * 1_000 <= Date.now()) return undefined;
  verified.set(token, known);
  return known;
};

/** The account of a caller with these claims; nothing if it is out of reach. */
export const reached = (claims: Claims | undefined, accountId: string): object | undefined => {
  const own = claims && clients.has(claims.client_id) ? organisations.get(claims.account) : undefined;
  const asked = organisations.get(accountId);
  if (own?.status !== 'active' || own.environment !== claims?.environment || !asked) return undefined;
  if (asked !== own && asked.parentId !== own.id) return undefined;
  const { id, name, status, environment } = asked;
  return { id, name, status, environment };
};

/** The account of a caller; nothing if it is out of reach. */
export const meAnswer = (authorization: string | undefined, accountId: string): object | undefined => {
  const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : undefined;
  return reached(token === undefined ? undefined : claimsOf(token), accountId);
};

export const mePath = '/organisations/:organisationId/me';

/** The lookup with a token of the client. */
export const meRequest = (token = issue(client.id)): string => getOf(`/organisations/${organisation.id}/me`, token);

/** The same requests as ours. */
export const servedAt = async (port: number): Promise<Served> => {
  const login = postOf('/login', 'json', {
    client_id: client.id,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope: 'USER',
  });
  return { port, login, me: meRequest(await logIn(port, login)), keys: [publicJwk] };
};
