import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import { assertionType, subjectOf } from '../../access/tokens/assertion.ts';
import type { ClientAuthentication } from '../../access/tokens/authenticate.ts';
import type { Credentials } from '../../access/tokens/credentials.ts';
import { isEncoded, readContentType } from '../../base/http/content-type.ts';
import { type HttpRequest, singleHeader } from '../../base/http/route.ts';
import { fromBase64 } from '../../base/runtime/base64.ts';
import { hasDuplicateKeys } from '../../base/runtime/duplicate-keys.ts';
import { once } from '../../base/runtime/once.ts';
import { fromUtf8 } from '../../base/runtime/text.ts';
import type { CodedFailure } from '../operations/failure.ts';
import { abortedBody } from '../operations/json-body.ts';
import { repeatsAuthorization } from './authorization.ts';

export const bad = (detail: string, status?: 413): Result<never, CodedFailure> =>
  err({ code: 'invalid_request', detail, ...(status ? { status } : {}) });

/** A 415 names the accepted formats (RFC 9110 §15.5.16). */
const unsupported = (detail: string, headers: Readonly<Record<string, string>>): Result<never, CodedFailure> =>
  err({ code: 'invalid_request', detail, status: 415, headers });
/** The media types of a login. */
export const tokenRequestTypes = ['application/json', 'application/x-www-form-urlencoded'];
const accept = { accept: tokenRequestTypes.join(', ') };

const looksLikeJson = (text: string): boolean => /^\s*[{[]/.test(text);
const jsonHint = ' The body looks like JSON: send it with Content-Type: application/json.';

const parseJson = (text: string): Result<unknown, CodedFailure> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bad('The body is not valid JSON.');
  }
  return hasDuplicateKeys(text, value) ? bad('A parameter is repeated.') : ok(value);
};

const parseForm = (text: string): Result<unknown, CodedFailure> => {
  const form = new URLSearchParams(text);
  // curl sends JSON as a form without a header; the text would become the name of a parameter.
  if (looksLikeJson(text) && !form.has('grant_type')) return bad(`grant_type is missing.${jsonHint}`);
  return new Set(form.keys()).size === form.size ? ok(Object.fromEntries(form)) : bad('A parameter is repeated.');
};

const readBody = ({ headers, body }: HttpRequest): Result<unknown, CodedFailure> => {
  if ('tooLarge' in body) return bad('The body is larger than 8 KiB.', 413);
  if ('aborted' in body) return bad(abortedBody);
  if ('parsed' in body) return ok(body.parsed);
  if (isEncoded(headers))
    return unsupported('Send the body without Content-Encoding.', { 'accept-encoding': 'identity' });
  const { type, isUtf8 } = readContentType(headers);
  if (!isUtf8) return unsupported('Send the body in UTF-8.', accept);
  const text = fromUtf8(body);
  if (text === undefined) return bad('The body is not UTF-8.');
  switch (type) {
    case 'application/json':
      return parseJson(text);
    case 'application/x-www-form-urlencoded':
      return parseForm(text);
    default:
      return unsupported(
        `Send the parameters as ${tokenRequestTypes.join(' or ')}.${looksLikeJson(text) ? jsonHint : ''}`,
        accept,
      );
  }
};

/** Client id and secret are form-encoded before they are joined (RFC 6749 §2.3.1). */
const formDecode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/** The credentials of HTTP Basic, form-decoded where that can be done, and as they were sent if that differs. */
type Basic = Credentials & Pick<ClientAuthentication, 'literal'>;

/** Reads HTTP Basic credentials. Other schemes are ignored: a client may send a bearer token with every request. */
const readBasic = (headers: HttpRequest['headers']): Result<Basic | undefined, CodedFailure> => {
  const header = headers['authorization'];
  if (header === undefined) return ok(undefined);
  const value = singleHeader(headers, 'authorization');
  if (value === undefined || repeatsAuthorization(headers)) return bad('Send one Authorization header, or none.');
  if (!/^basic( |$)/i.test(value)) return ok(undefined);
  const match = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(value);
  const pair = fromUtf8(fromBase64(match?.[1] ?? '') ?? new Uint8Array()) ?? '';
  const colon = pair.indexOf(':');
  if (colon < 1) return err({ code: 'invalid_client' });
  const literal = { clientId: pair.slice(0, colon), clientSecret: pair.slice(colon + 1) };
  const [clientId, clientSecret] = [formDecode(literal.clientId), formDecode(literal.clientSecret)];
  if (clientId === undefined || clientSecret === undefined) return ok(literal);
  return ok({ clientId, clientSecret, ...(/[%+]/.test(pair) ? { literal } : {}) });
};

/** The parameters as texts. Unknown ones are ignored (RFC 6749 §3.2). */
const texts = once(() => {
  const parameter = z.string().optional();
  return z.object({
    ...{ grant_type: parameter, scope: parameter, token: parameter },
    ...{ client_id: parameter, client_secret: parameter },
    ...{ client_assertion_type: parameter, client_assertion: parameter },
  });
});

/** The parameters of a request. One without a value is absent (RFC 6749 §3.2). */
type Parameters = z.output<ReturnType<typeof texts>>;

const id = { description: 'The id of the API key.', example: 'the id of your API key' };
const secret = { description: 'The secret of the API key.', example: 'its secret' };
const notEmpty = { keywords: { minLength: 1 } };
export const inBody = once(() => ({
  client_id: z.string('client_id is missing.').register(documentation, { ...id, ...notEmpty }),
  client_secret: z.string('client_secret is missing.').register(documentation, { ...secret, ...notEmpty }),
}));
export const besideBasic = once(() => ({
  client_id: z.string().optional().register(documentation, id),
  client_secret: z.literal('', 'Credentials came in the body and by HTTP Basic; use one of them.').optional(),
}));

export const byAssertion = once(() => ({
  client_id: z
    .string()
    .optional()
    .register(documentation, { ...id, description: 'The `sub` of the assertion.' }),
  client_secret: z.literal('', 'Send a client_secret or a client_assertion, not both.').optional(),
  client_assertion_type: z
    .literal(assertionType, 'client_assertion_type is missing.')
    .register(documentation, { example: assertionType }),
  client_assertion: z.string('client_assertion is missing.').register(documentation, {
    description: 'A JWT that a public key of the API key verifies (RFC 7523 §2.2).',
    example: 'eyJhbGciOiJFUzI1NiJ9.…',
    ...notEmpty,
  }),
}));

/** How a client authenticates: the ways of RFC 6749 §2.3.1, and that of RFC 7523 §2.2. */
type Way = 'withBody' | 'withBasic' | 'withAssertion';

/** A request of a client, whose parameters are read. */
interface ClientRequest {
  readonly way: Way;
  readonly fields: Parameters;
  /** The credentials; a wrong way to send them is found by the schema of the way. */
  readonly credentials: ClientAuthentication;
}

const twoWays = 'Credentials came in two ways; use one of them.';

/** Reads the parameters of a request of a client: JSON or a form, with the credentials in it or by HTTP Basic. */
export const readClientRequest = (request: HttpRequest): Result<ClientRequest, CodedFailure> =>
  readBasic(request.headers).andThen((basic) =>
    readBody(request).andThen<ClientRequest, CodedFailure>((body) => {
      const sent = texts().safeParse(body);
      if (!sent.success) return bad('The parameters are strings in one JSON object or form.');
      const fields: Parameters = Object.fromEntries(Object.entries(sent.data).filter(([, value]) => value !== ''));
      const { client_id: clientId, client_secret: clientSecret = '', client_assertion: assertion } = fields;
      const { client_assertion_type: type } = fields;
      if (assertion === undefined && type === undefined) {
        const credentials = basic ?? { clientId: clientId ?? '', clientSecret };
        return ok({ way: basic ? 'withBasic' : 'withBody', fields, credentials });
      }
      if (basic) return bad(twoWays);
      if (type !== undefined && type !== assertionType) return err({ code: 'invalid_client' });
      const named = clientId ?? subjectOf(assertion ?? '') ?? '';
      return ok({ way: 'withAssertion', fields, credentials: { clientId: named, clientSecret: '', assertion } });
    }),
  );

/** Whether the body names another client than HTTP Basic. */
export const differsFromBasic = ({ way, fields, credentials: { clientId, literal } }: ClientRequest): boolean =>
  way === 'withBasic' && ![undefined, clientId, literal?.clientId].includes(fields.client_id);
