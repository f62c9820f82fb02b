import { publicPart, signText } from '../contracts/tokens/forge.ts';
import {
  byStranger,
  changed,
  claimed,
  claiming,
  clientAssertion,
  es256,
  type Forge,
  type ForgeryReason,
  type ForgeryTable,
  heading,
  hmac,
  nowInSeconds,
  pem,
  replaced,
  signed,
  written,
} from './forge-assertion.ts';

/** The order of P-256 (FIPS 186-5). */
const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
const zeros = Buffer.alloc(32);
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

const algorithms: ForgeryTable = {
  'alg none without a signature': ['none', signed(() => '', { alg: 'none' })],
  'alg none': ['wrong_assertion', heading({ alg: 'none' })],
  'alg None': ['wrong_assertion', heading({ alg: 'None' })],
  'alg NONE': ['wrong_assertion', heading({ alg: 'NONE' })],
  'alg nOnE': ['wrong_assertion', heading({ alg: 'nOnE' })],
  'an empty alg': ['wrong_assertion', heading({ alg: '' })],
  'no alg': ['wrong_assertion', heading({ alg: undefined })],
  'alg as a list': ['wrong_assertion', heading({ alg: ['ES256'] })],
  'alg null': ['wrong_assertion', heading({ alg: null })],
  'alg in lower case': ['wrong_assertion', heading({ alg: 'es256' })],
  'alg __proto__': ['wrong_assertion', heading({ alg: '__proto__' })],
  'alg constructor': ['wrong_assertion', heading({ alg: 'constructor' })],
  'HS256 with the public key as a JWK': [
    'wrong_assertion',
    hmac('HS256', ({ key }) => JSON.stringify(publicPart(key))),
  ],
  'HS256 with the public key in PEM': ['wrong_assertion', hmac('HS256', ({ key }) => pem(key))],
  'HS256 with the public key of RSA in PEM': ['wrong_assertion', hmac('HS256', ({ rsa }) => pem(rsa))],
  'HS384 with the public key in PEM': ['wrong_assertion', hmac('HS384', ({ key }) => pem(key))],
  'HS512 with the client id': ['wrong_assertion', hmac('HS512', ({ clientId }) => clientId)],
  'HS256 with an empty key': ['wrong_assertion', hmac('HS256', () => '')],
  'ES384 for a signature of ES256': ['wrong_assertion', heading({ alg: 'ES384' })],
  'ES256K for a signature of ES256': ['wrong_assertion', heading({ alg: 'ES256K' })],
  'EdDSA for a signature of ES256': ['wrong_assertion', heading({ alg: 'EdDSA' })],
  'RS256 for a signature of ES256': ['wrong_assertion', heading({ alg: 'RS256' })],
  'ES256 for a signature of RS256': ['wrong_assertion', signed((text, { rsa }) => signText(rsa, text))],
  'PS256 of a key of RS256': [
    'wrong_assertion',
    signed((text, { rsa }) => signText(rsa, text, { alg: 'PS256' }), { alg: 'PS256' }),
  ],
  'RS512 of a key of RS256': [
    'wrong_assertion',
    signed((text, { rsa }) => signText(rsa, text, { alg: 'RS512' }), { alg: 'RS512' }),
  ],
};

const signatures: ForgeryTable = {
  'the key of another client': ['wrong_assertion', byStranger({})],
  'the key of another client, in the header': [
    'wrong_assertion',
    byStranger(({ stranger }) => ({ jwk: publicPart(stranger) })),
  ],
  'the key of another client, at an address': ['wrong_assertion', byStranger({ jku: 'http://127.0.0.1:9/jwks.json' })],
  'the key of another client, in a certificate at an address': [
    'wrong_assertion',
    byStranger({ x5u: 'http://127.0.0.1:9/chain.pem' }),
  ],
  'the key of another client, in a certificate': ['wrong_assertion', byStranger({ x5c: ['QQ=='] })],
  'the key of another client, under the kid of the own': [
    'wrong_assertion',
    byStranger(({ key }) => ({ kid: key.kid })),
  ],
  'the key of another client, under its kid': [
    'wrong_assertion',
    byStranger(({ stranger }) => ({ kid: stranger.kid })),
  ],
  'a signature of 64 zeros': ['wrong_assertion', signed(() => joined(zeros, zeros))],
  'a signature of 64 bytes of 255': ['wrong_assertion', signed(() => new Uint8Array(64).fill(255))],
  'a signature whose r is zero': ['wrong_assertion', signed((_text, _of, own) => joined(zeros, own.subarray(32)))],
  'a signature whose s is zero': ['wrong_assertion', signed((_text, _of, own) => joined(own.subarray(0, 32), zeros))],
  'a signature whose r and s are the order': ['wrong_assertion', signed(() => joined(order, order))],
  'a signature whose r and s have changed places': [
    'wrong_assertion',
    signed((_text, _of, own) => joined(own.subarray(32), own.subarray(0, 32))),
  ],
  'a signature in DER': ['wrong_assertion', signed((text, { key }) => signText(key, text, { dsaEncoding: 'der' }))],
  'a signature of one byte': ['wrong_assertion', signed(() => new Uint8Array(1))],
  'a signature that is cut': ['wrong_assertion', signed((_text, _of, own) => own.subarray(0, 60))],
  'a signature with a byte more': ['wrong_assertion', signed((_text, _of, own) => joined(own, new Uint8Array(1)))],
  'a signature twice': ['wrong_assertion', signed((_text, _of, own) => joined(own, own))],
  'the signature of another assertion': ['wrong_assertion', signed((_text, { key }) => signText(key, 'e30.e30'))],
  'the signature of the claims alone': [
    'wrong_assertion',
    signed((text, { key }) => signText(key, text.split('.')[1] ?? '')),
  ],
};

const headers: ForgeryTable = {
  'the kid of another client': [
    'wrong_assertion',
    (forgery) => clientAssertion(forgery, {}, { kid: forgery.stranger.kid }),
  ],
  'a kid that no key has': ['wrong_assertion', heading({ kid: 'unknown' })],
  'an empty kid': ['wrong_assertion', heading({ kid: '' })],
  'a kid that is a number': ['wrong_assertion', heading({ kid: 1 })],
  'a kid that is null': ['wrong_assertion', heading({ kid: null })],
  'a kid that is a path': ['wrong_assertion', heading({ kid: '../../dev/null' })],
  'a kid in a list': ['wrong_assertion', (forgery) => clientAssertion(forgery, {}, { kid: [forgery.key.kid] })],
  'typ at+jwt': ['wrong_assertion', heading({ typ: 'at+jwt' })],
  'typ dpop+jwt': ['wrong_assertion', heading({ typ: 'dpop+jwt' })],
  'an empty typ': ['wrong_assertion', heading({ typ: '' })],
  'typ null': ['wrong_assertion', heading({ typ: null })],
  'a critical extension': ['wrong_assertion', heading({ crit: ['exp'], exp: 1 })],
  'a critical b64': ['wrong_assertion', heading({ crit: ['b64'], b64: false })],
  'no critical extensions, in a list': ['wrong_assertion', heading({ crit: [] })],
  'crit null': ['wrong_assertion', heading({ crit: null })],
};

const inTime = (name: 'exp' | 'nbf' | 'iat', seconds: number): Forge =>
  claiming(() => ({ [name]: nowInSeconds() + seconds }));
const wrong = (forge: Forge): readonly [ForgeryReason, Forge] => ['wrong_assertion_claims', forge];

const claims: ForgeryTable = {
  'no iss': wrong(claiming({ iss: undefined })),
  'another iss': wrong(claiming(({ otherId }) => ({ iss: otherId }))),
  'the platform as iss': wrong(claiming(({ audience }) => ({ iss: audience }))),
  'iss in a list': wrong(claiming(({ clientId }) => ({ iss: [clientId] }))),
  'iss with a blank': wrong(claiming(({ clientId }) => ({ iss: `${clientId} ` }))),
  'no sub': ['none', claiming({ sub: undefined })],
  'another sub': ['none', claiming(({ otherId }) => ({ sub: otherId }))],
  'another iss and sub': ['none', claiming(({ otherId }) => ({ iss: otherId, sub: otherId }))],
  'sub in a list': ['none', claiming(({ clientId }) => ({ sub: [clientId] }))],
  'no aud': wrong(claiming({ aud: undefined })),
  'an empty list of aud': wrong(claiming({ aud: [] })),
  'the aud of another server': wrong(claiming({ aud: 'https://other.example' })),
  'our aud beside another': wrong(claiming(({ audience }) => ({ aud: [audience, 'https://other.example'] }))),
  'our aud after another': wrong(claiming(({ audience }) => ({ aud: ['https://other.example', audience] }))),
  'our aud twice': wrong(claiming(({ audience }) => ({ aud: [audience, audience] }))),
  'our aud with a slash more': wrong(claiming(({ audience }) => ({ aud: `${audience}/` }))),
  'the beginning of our aud': wrong(claiming(({ audience }) => ({ aud: audience.slice(0, -1) }))),
  'an aud that begins as ours': wrong(claiming(({ audience }) => ({ aud: `${audience}.other.example` }))),
  'our aud in capitals': wrong(claiming(({ audience }) => ({ aud: audience.toUpperCase() }))),
  'our aud without TLS': wrong(claiming(({ audience }) => ({ aud: audience.replace('https:', 'http:') }))),
  'aud in a list of a list': wrong(claiming(({ audience }) => ({ aud: [[audience]] }))),
  'aud in an object': wrong(claiming(({ audience }) => ({ aud: { 0: audience, length: 1 } }))),
  'aud null': wrong(claiming({ aud: null })),
  'no exp': wrong(claiming({ exp: undefined })),
  'exp as text': wrong(claiming(() => ({ exp: String(nowInSeconds() + 60) }))),
  'exp null': wrong(claiming({ exp: null })),
  'exp true': wrong(claiming({ exp: true })),
  'exp without an end': wrong(claimed((text) => text.replace(/"exp":\d+/, '"exp":1e999'))),
  'an exp that has passed': ['expired_assertion', inTime('exp', -60)],
  'exp zero': ['expired_assertion', claiming({ exp: 0 })],
  'a negative exp': ['expired_assertion', claiming({ exp: -1 })],
  'exp in six minutes': wrong(inTime('exp', 360)),
  'exp in milliseconds': wrong(claiming(() => ({ exp: Date.now() }))),
  'an nbf that is to come': wrong(inTime('nbf', 120)),
  'nbf as text': wrong(claiming(() => ({ nbf: String(nowInSeconds()) }))),
  'nbf null': wrong(claiming({ nbf: null })),
  'an iat that is to come': wrong(inTime('iat', 120)),
  'an iat of yesterday': wrong(inTime('iat', -86_400)),
  'iat as text': wrong(claiming(() => ({ iat: String(nowInSeconds()) }))),
  'no jti': wrong(claiming({ jti: undefined })),
  'an empty jti': wrong(claiming({ jti: '' })),
  'a jti of 129 bytes': wrong(claiming({ jti: `${'é'.repeat(64)}x` })),
  'a jti that is a number': wrong(claiming({ jti: 7 })),
  'a jti in a list': wrong(claiming({ jti: ['jti'] })),
  'a jti that is null': wrong(claiming({ jti: null })),
  'claims of a prototype': wrong(claimed((text) => text.replace(/"iss":("[^"]+")/, '"__proto__":{"iss":$1}'))),
};

const texts: ForgeryTable = {
  'three letters': ['none', () => 'a.b.c'],
  'two parts': ['none', changed((text) => text.slice(0, text.lastIndexOf('.')))],
  'four parts': ['none', changed((text) => `${text}.AA`)],
  'five parts, as an encrypted JWT': ['none', changed((text) => `${text}.AA.AA`)],
  'JSON serialization': [
    'none',
    changed((text) => {
      const [protectedHeader, payload, signature] = text.split('.');
      return JSON.stringify({ payload, protected: protectedHeader, signature });
    }),
  ],
  'padding after the signature': ['none', changed((text) => `${text}==`)],
  'padding after the header': ['none', replaced(0, (part) => `${part}=`)],
  'padding after the claims': ['none', replaced(1, (part) => `${part}==`)],
  'another spelling of the signature': [
    'none',
    replaced(2, (part) => part.slice(0, -1) + String.fromCharCode(part.charCodeAt(85) + 1)),
  ],
  'a blank before it': ['none', changed((text) => ` ${text}`)],
  'a line end after it': ['none', changed((text) => `${text}\n`)],
  'a NUL after it': ['none', changed((text) => `${text}\u0000`)],
  'a header that is no JSON': ['none', written((text) => ['alg=ES256', text])],
  'a header that is a list': ['none', written((text) => [`[${es256}]`, text])],
  'a header that is null': ['none', written((text) => ['null', text])],
  'a header with alg twice': ['none', written((text) => ['{"alg":"none","alg":"ES256"}', text])],
  'a header with alg twice, once escaped': ['none', written((text) => ['{"\\u0061lg":"none","alg":"ES256"}', text])],
  'claims that are null': ['none', claimed(() => 'null')],
  'claims that are a text': ['none', claimed((text) => JSON.stringify(text))],
  'claims in a list': ['none', claimed((text) => `[${text}]`)],
  'claims with sub twice': ['none', claimed((text) => text.replace('{', '{"sub":"admin",'))],
  'claims with aud twice': ['none', claimed((text) => text.replace('{', '{"aud":"https://other.example",'))],
  'claims with exp twice, once escaped': ['none', claimed((text) => text.replace('{', '{"\\u0065xp":9999999999,'))],
  'claims that are not UTF-8': ['none', claimed((text) => Buffer.from(text.replace('{', '{"x":"é",'), 'latin1'))],
  'claims with a comma more': ['none', claimed((text) => text.replace(/\}$/, ',}'))],
  'claims with a comment': ['none', claimed((text) => `${text}//`)],
  'claims before other claims': ['none', claimed((text) => `${text}{}`)],
  'claims in single quotes': ['none', claimed((text) => text.replaceAll('"', "'"))],
  'claims before a NUL': ['none', claimed((text) => `${text}\u0000`)],
  'an access token': ['none', ({ token }) => token],
};

/** Assertions that no platform may accept, by what is wrong with each. Written by hand. */
export const forgedAssertions: ForgeryTable = { ...algorithms, ...signatures, ...headers, ...claims, ...texts };
