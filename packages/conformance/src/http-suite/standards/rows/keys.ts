import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { account, basic, formLogin, grant, request, type StandardsGroup, type StandardsWorld } from '../row.ts';

type Members = Readonly<Record<string, unknown>>;

/** The well-known path stands before that of the issuer (§3.1). */
const metadata = request('GET /.well-known/oauth-authorization-server<issuerPath>');
const jwks = request('GET /jwks.json');
const described = { status: 200, headers: { 'content-type': 'application/json' } };
const refused = {
  status: 401,
  headers: { 'www-authenticate': 'Bearer realm="partner", error="invalid_token"' },
};
const withToken = (name: string) => request(`GET ${account}/me`, [`Authorization: Bearer <${name}>`]);

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const keysOf = async ({ send }: StandardsWorld): Promise<readonly Members[]> => {
  const { keys } = JSON.parse((await send(jwks)).body);
  ok(Array.isArray(keys) && keys.length > 0, 'there are keys');
  return keys;
};
const tokenOf = async ({ send }: StandardsWorld): Promise<{ readonly token: string; readonly lifetime: number }> => {
  const answer = JSON.parse((await send(formLogin(grant, basic))).body);
  return { token: answer.access_token, lifetime: answer.expires_in };
};
const partOf = (token: string, place: number): Members =>
  JSON.parse(Buffer.from(token.split('.')[place] ?? '', 'base64url').toString());

export const keyRows: readonly StandardsGroup[] = [
  {
    standard: 'RFC 8414',
    title: 'Authorization server metadata',
    url: 'https://www.rfc-editor.org/rfc/rfc8414',
    rows: [
      {
        at: '§3.1',
        must: 'The document is read with GET, at the well-known path before the path of the issuer.',
        request: metadata,
        answer: described,
      },
      {
        at: '§3.1',
        must: 'Without the path of the issuer, there is no document.',
        request: request('GET /.well-known/oauth-authorization-server'),
        answer: { status: 404 },
      },
      {
        at: '§3.3',
        must: 'The issuer is the one that the path names, character by character.',
        request: metadata,
        answer: { ...described, body: { issuer: '<issuer>' } },
      },
      {
        at: '§2',
        must: 'The document names the token endpoint.',
        request: metadata,
        answer: { ...described, body: { token_endpoint: /^https:\/\/[^?#]+$/ } },
        next: { request: request('POST <token_endpoint>', [basic], ''), answer: { status: 415 } },
      },
      {
        at: '§2',
        must: 'The document names the response types.',
        request: metadata,
        answer: { ...described, body: { response_types_supported: [] } },
        departs: 'No grant has a response type, so the list is empty. §3.2 omits empty lists; §2 requires this one.',
      },
      {
        at: '§2',
        must: 'The document names the grant types and the methods of authentication, which differ from the default.',
        request: metadata,
        answer: {
          ...described,
          body: {
            grant_types_supported: ['client_credentials'],
            token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
          },
        },
      },
      {
        at: '§2',
        should: 'The document names the scopes.',
        request: metadata,
        answer: { ...described, body: { scopes_supported: ['USER'] } },
      },
      {
        at: '§2',
        must: 'jwks_uri leads to the keys.',
        request: metadata,
        answer: { ...described, body: { jwks_uri: /^https:\/\/[^?#]+$/ } },
        next: {
          request: request('GET <jwks_uri>'),
          answer: { status: 200, headers: { 'content-type': 'application/jwk-set+json' } },
        },
      },
    ],
  },
  {
    standard: 'RFC 7517',
    title: 'JSON Web Keys',
    url: 'https://www.rfc-editor.org/rfc/rfc7517',
    rows: [
      {
        at: '§8.5.2',
        must: 'A set of keys has the type application/jwk-set+json.',
        request: jwks,
        answer: { status: 200, headers: { 'content-type': 'application/jwk-set+json' } },
      },
      {
        at: '§4.1',
        must: 'Each key has a kty.',
        requests: '`GET /jwks.json`',
        answers: 'each of `keys` has a `kty`',
        check: async (world) => {
          for (const { kty } of await keysOf(world)) ok(['EC', 'RSA', 'OKP'].includes(String(kty)), String(kty));
        },
      },
      {
        at: '§4.5',
        should: 'Different keys have different values of kid.',
        requests: '`GET /jwks.json`',
        answers: 'each of `keys` has a `kid`, and no two have one',
        check: async (world) => {
          const kids = (await keysOf(world)).map(({ kid }) => kid);
          strictEqual(new Set(kids).size, kids.length);
          for (const kid of kids) strictEqual(typeof kid, 'string');
        },
      },
      {
        at: '§4.2',
        should: 'Keys for signatures say so: use is sig, and alg names the algorithm.',
        requests: '`GET /jwks.json`',
        answers: 'each of `keys` has `use: "sig"` and an `alg`',
        check: async (world) => {
          for (const { use, alg } of await keysOf(world)) {
            strictEqual(use, 'sig');
            strictEqual(typeof alg, 'string');
          }
        },
      },
      {
        at: '§9.3',
        must: 'Private members are not published.',
        requests: '`GET /jwks.json`',
        answers: `no key has one of ${privateMembers.map((name) => `\`${name}\``).join(', ')}`,
        check: async (world) => {
          for (const key of await keysOf(world))
            deepStrictEqual(
              privateMembers.filter((name) => name in key),
              [],
            );
        },
      },
    ],
  },
  {
    standard: 'RFC 9068',
    title: 'JWT access tokens',
    url: 'https://www.rfc-editor.org/rfc/rfc9068',
    rows: [
      {
        at: '§2.1',
        must: 'A token is signed, and its typ is at+jwt.',
        requests: '`POST /login`',
        answers: 'the header of the token has `typ: "at+jwt"` and an asymmetric `alg`',
        check: async (world) => {
          const { typ, alg } = partOf((await tokenOf(world)).token, 0);
          strictEqual(typ, 'at+jwt');
          ok(/^((ES|RS|PS)\d{3}|EdDSA|Ed25519)$/.test(String(alg)), String(alg));
        },
      },
      {
        at: '§2.2',
        must: 'A token has the claims iss, exp, aud, sub, client_id, iat and jti.',
        requests: '`POST /login`, twice',
        answers: '`iss` is the issuer, `sub` and `client_id` the client; `exp` − `iat` is `expires_in`; `jti` differs',
        check: async (world) => {
          const [{ token, lifetime }, other] = [await tokenOf(world), await tokenOf(world)];
          const { iss, aud, sub, client_id: client, iat, exp, jti } = partOf(token, 1);
          strictEqual(iss, world.platform.issuer);
          ok(typeof aud === 'string' || (Array.isArray(aud) && aud.length > 0), 'aud');
          deepStrictEqual(
            [sub, client],
            Array.from({ length: 2 }, () => world.platform.clientId),
          );
          strictEqual(Number(exp) - Number(iat), lifetime);
          notStrictEqual(jti, partOf(other.token, 1)['jti']);
        },
      },
      {
        at: '§2.2.3',
        should: 'A token has the scope that was asked for.',
        requests: '`POST /login` with `scope=USER`',
        answers: '`scope` is `USER`',
        check: async (world) => strictEqual(partOf((await tokenOf(world)).token, 1)['scope'], 'USER'),
      },
      {
        at: '§4',
        must: 'A published key verifies the signature.',
        requests: '`POST /login` and `GET /jwks.json`',
        answers: 'the key that the `kid` of the token names has its `alg`, and verifies it',
        check: async (world) => {
          const { token } = await tokenOf(world);
          const { kid, alg } = partOf(token, 0);
          const jwk = (await keysOf(world)).find((key) => key['kid'] === kid);
          strictEqual(jwk?.['alg'], alg);
          const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
          const [signed, signature] = [token.slice(0, token.lastIndexOf('.')), token.split('.')[2] ?? ''];
          const bytes = Buffer.from(signature, 'base64url');
          ok(verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, bytes), 'it verifies');
        },
      },
      {
        at: '§2.1',
        must: 'The algorithm none is refused.',
        request: withToken('unsigned'),
        answer: refused,
      },
      {
        at: '§4',
        must: 'A token with another typ is refused, also if the platform has signed it.',
        request: withToken('otherType'),
        answer: refused,
      },
      {
        at: '§4',
        must: 'A token whose claims were changed is refused.',
        request: withToken('changed'),
        answer: refused,
      },
      {
        at: '§4',
        must: 'A token that another key signed is refused.',
        request: withToken('foreign'),
        answer: refused,
      },
      {
        at: '§4',
        must: 'A token is refused from its exp on.',
        request: withToken('expired'),
        answer: refused,
      },
    ],
  },
];
