import { basic, formLogin, grant, type StandardsGroup } from '../row.ts';

const type = '<jwtBearer>';
/** A login by an assertion that the platform names. */
const asserted = (name: string, ...headers: readonly string[]) =>
  formLogin(`${grant}&client_assertion_type=${type}&client_assertion=<${name}>`, ...headers);

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };
const granted = {
  status: 200,
  headers: { 'content-type': 'application/json', ...noStore },
  body: { access_token: /./, token_type: 'Bearer' },
};
const refused = (error: string, status: number) => ({
  status,
  headers: { 'content-type': 'application/json', ...noStore },
  body: { error, access_token: undefined },
});
const invalid = refused('invalid_client', 401);

/** RFC 7523 with RFC 7521, on which it stands, for the authentication of clients. */
export const assertionRows: readonly StandardsGroup[] = [
  {
    standard: 'RFC 7521',
    title: 'Assertions of clients',
    url: 'https://www.rfc-editor.org/rfc/rfc7521',
    rows: [
      {
        at: '§4.2',
        may: 'client_id is left out, because the assertion names the client.',
        request: asserted('assertion'),
        answer: granted,
      },
      {
        at: '§4.2',
        must: 'client_id, if it is sent, identifies the client of the assertion.',
        request: formLogin(`${grant}&client_id=<client>&client_assertion_type=${type}&client_assertion=<assertion>`),
        answer: invalid,
      },
      {
        at: '§4.2',
        must: 'client_assertion_type is sent with an assertion.',
        request: formLogin(`${grant}&client_assertion=<assertion>`),
        answer: refused('invalid_request', 400),
      },
      {
        at: '§4.2',
        must: 'client_assertion is sent with its type.',
        request: formLogin(`${grant}&client_assertion_type=${type}`),
        answer: refused('invalid_request', 400),
      },
      {
        at: '§4.2',
        must: 'A client uses one authentication method in a request: no assertion beside HTTP Basic.',
        request: asserted('assertion', basic),
        answer: refused('invalid_request', 400),
      },
      {
        at: '§4.2',
        must: 'A client uses one authentication method in a request: no assertion beside a secret.',
        request: formLogin(
          `${grant}&client_secret=<secret>&client_assertion_type=${type}&client_assertion=<assertion>`,
        ),
        answer: refused('invalid_request', 400),
      },
      {
        at: '§4.2.1',
        must: 'An assertion that is not valid gets the error invalid_client.',
        request: formLogin(`${grant}&client_assertion_type=${type}&client_assertion=a.b.c`),
        answer: invalid,
      },
    ],
  },
  {
    standard: 'RFC 7523',
    title: 'JWTs as assertions of clients',
    url: 'https://www.rfc-editor.org/rfc/rfc7523',
    rows: [
      {
        at: '§2.2',
        must: 'client_assertion_type is urn:ietf:params:oauth:client-assertion-type:jwt-bearer.',
        request: formLogin(`${grant}&client_assertion_type=<saml2Bearer>&client_assertion=<assertion>`),
        answer: invalid,
      },
      {
        at: '§2.2',
        must: 'client_assertion has one JWT.',
        request: formLogin(`${grant}&client_assertion_type=${type}&client_assertion=<assertion>%20<assertionRs256>`),
        answer: invalid,
      },
      { at: '§3', must: 'The JWT has iss.', request: asserted('assertionNoIss'), answer: invalid },
      { at: '§3', must: 'iss is the client.', request: asserted('assertionOtherIss'), answer: invalid },
      { at: '§3', must: 'The JWT has sub.', request: asserted('assertionNoSub'), answer: invalid },
      { at: '§3', must: 'sub is the client_id.', request: asserted('assertionOtherSub'), answer: invalid },
      { at: '§3', must: 'The JWT has aud.', request: asserted('assertionNoAud'), answer: invalid },
      {
        at: '§3',
        must: 'aud identifies the authorization server: another one is refused.',
        request: asserted('assertionOtherAud'),
        answer: invalid,
      },
      {
        at: '§3',
        must: 'aud is compared as a text, character by character.',
        request: asserted('assertionAudSlash'),
        answer: invalid,
      },
      {
        at: '§3',
        may: 'The address of the token endpoint is the aud.',
        request: asserted('assertionAudEndpoint'),
        answer: granted,
      },
      {
        at: '§3',
        may: 'aud lists other servers beside this one (RFC 7519 §4.1.3).',
        request: asserted('assertionAudList'),
        answer: invalid,
        departs: 'An assertion has one audience: each server of a list could present it to the others.',
      },
      { at: '§3', must: 'The JWT has exp.', request: asserted('assertionNoExp'), answer: invalid },
      {
        at: '§3',
        must: 'A JWT whose exp has passed is refused.',
        request: asserted('assertionExpired'),
        answer: invalid,
      },
      {
        at: '§3',
        may: 'A JWT whose exp is unreasonably far ahead is refused: more than 5 minutes.',
        request: asserted('assertionFar'),
        answer: invalid,
      },
      {
        at: '§3',
        must: 'A JWT is not accepted before its nbf.',
        request: asserted('assertionEarly'),
        answer: invalid,
      },
      {
        at: '§3',
        may: 'A JWT whose iat is unreasonably long ago is refused.',
        request: asserted('assertionOld'),
        answer: invalid,
      },
      {
        at: '§3',
        may: 'The JWT has jti.',
        request: asserted('assertionNoJti'),
        answer: invalid,
        departs: 'jti is required: it makes sure that an assertion is used once.',
      },
      {
        at: '§3',
        may: 'A JWT is used once: it is refused when its jti comes again.',
        request: asserted('assertion'),
        answer: granted,
        next: { request: asserted('assertion'), answer: invalid },
      },
      {
        at: '§3',
        may: 'The JWT has other claims.',
        request: asserted('assertionMore'),
        answer: granted,
      },
      {
        at: '§3',
        must: 'The JWT is signed: the algorithm none is refused.',
        request: asserted('assertionUnsigned'),
        answer: invalid,
      },
      {
        at: '§3',
        must: 'A JWT with an invalid signature is refused.',
        request: asserted('assertionForeign'),
        answer: invalid,
      },
      {
        at: '§3',
        must: 'A JWT with an invalid MAC is refused: a public key is no secret.',
        request: asserted('assertionHmac'),
        answer: invalid,
      },
      {
        at: '§3',
        must: 'A JWT that is not valid in another respect is refused: it has a critical extension (RFC 7515 §4.1.11).',
        request: asserted('assertionCritical'),
        answer: invalid,
      },
      {
        at: '§3',
        must: 'A JWT that is not valid in another respect is refused: it has a claim twice (RFC 7519 §4).',
        request: asserted('assertionTwice'),
        answer: invalid,
      },
      {
        at: '§3.2',
        must: 'A JWT that is not valid gets the error invalid_client.',
        request: asserted('assertionForeign'),
        answer: invalid,
      },
      {
        at: '§5',
        must: 'RS256 is supported.',
        request: asserted('assertionRs256'),
        answer: granted,
      },
    ],
  },
];
