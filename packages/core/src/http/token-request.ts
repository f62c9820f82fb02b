import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { fromBase64 } from '../runtime/base64.ts';
import { hasDuplicateKeys } from '../runtime/duplicate-keys.ts';
import { fromUtf8 } from '../runtime/text.ts';
import type { TokenRequest } from '../tokens/grant.ts';
import { requiredScope } from '../tokens/scope.ts';
import { repeatsAuthorization } from './authorization.ts';
import { readContentType } from './content-type.ts';
import type { HttpFailure } from './failure.ts';
import { type HttpRequest, singleHeader } from './route.ts';

type Failure = Extract<
  HttpFailure,
  { readonly code: 'invalid_request' | 'unsupported_grant_type' | 'invalid_scope' | 'invalid_client' }
>;
/** Detail of the failure for an aborted body. @internal */
export const abortedBody = 'The connection closed before the whole body had come.';

const bad = (detail: string, status?: 413) =>
  err({ code: 'invalid_request' as const, detail, ...(status ? { status } : {}) });

/** A 415 names the accepted formats (RFC 9110 §15.5.16). */
const unsupported = (detail: string, headers: Readonly<Record<string, string>>) =>
  err({ code: 'invalid_request' as const, detail, status: 415 as const, headers });
const accept = { accept: 'application/json, application/x-www-form-urlencoded' };

const looksLikeJson = (text: string): boolean => /^\s*[{[]/.test(text);
const jsonHint = ' The body looks like JSON: send it with Content-Type: application/json.';

/** A parameter without a value counts as absent, unknown ones are ignored (RFC 6749 §3.2). */
const parameter = z
  .string()
  .optional()
  .transform((value) => value || undefined);
const parameters = z.object({
  client_id: parameter,
  client_secret: parameter,
  grant_type: parameter,
  scope: parameter,
});
type Parameters = z.output<typeof parameters>;

const parseJson = (text: string): Result<unknown, Failure> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bad('The body is not valid JSON.');
  }
  return hasDuplicateKeys(text, value) ? bad('A parameter is repeated.') : ok(value);
};

const parseForm = (text: string): Result<unknown, Failure> => {
  const form = new URLSearchParams(text);
  // curl sends JSON as a form without a header; the text would become the name of a parameter.
  if (looksLikeJson(text) && !form.has('grant_type')) return bad(`grant_type is missing.${jsonHint}`);
  return new Set(form.keys()).size === form.size ? ok(Object.fromEntries(form)) : bad('A parameter is repeated.');
};

const readBody = ({ headers, body }: HttpRequest): Result<unknown, Failure> => {
  if ('tooLarge' in body) return bad('The body is larger than 8 KiB.', 413);
  if ('aborted' in body) return bad(abortedBody);
  if ('parsed' in body) return ok(body.parsed);
  if ((singleHeader(headers, 'content-encoding') ?? 'identity') !== 'identity')
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
        'Send the parameters as application/json or application/x-www-form-urlencoded.' +
          `${looksLikeJson(text) ? jsonHint : ''}`,
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

/** Reads HTTP Basic credentials. Other schemes are ignored: a client may send a bearer token with every request. */
const readBasic = (
  headers: HttpRequest['headers'],
): Result<{ readonly id: string; readonly secret: string } | undefined, Failure> => {
  const header = headers['authorization'];
  if (header === undefined) return ok(undefined);
  const value = singleHeader(headers, 'authorization');
  if (value === undefined || repeatsAuthorization(headers)) return bad('Send one Authorization header, or none.');
  if (!/^basic( |$)/i.test(value)) return ok(undefined);
  const match = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(value);
  const pair = fromUtf8(fromBase64(match?.[1] ?? '') ?? new Uint8Array()) ?? '';
  const colon = pair.indexOf(':');
  const id = formDecode(pair.slice(0, Math.max(colon, 0)));
  const secret = formDecode(pair.slice(colon + 1));
  if (colon < 1 || id === undefined || secret === undefined) return err({ code: 'invalid_client' });
  return ok({ id, secret });
};

const combine = (
  fields: Parameters,
  basic: { readonly id: string; readonly secret: string } | undefined,
): Result<Pick<TokenRequest, 'clientId' | 'clientSecret'>, Failure> => {
  if (!basic) {
    if (!fields.client_id) return bad('client_id is missing.');
    if (!fields.client_secret) return bad('client_secret is missing.');
    return ok({ clientId: fields.client_id, clientSecret: fields.client_secret });
  }
  if (fields.client_secret !== undefined)
    return bad('Credentials came in the body and by HTTP Basic; use one of them.');
  if (fields.client_id !== undefined && fields.client_id !== basic.id)
    return bad('client_id differs from the one sent by HTTP Basic.');
  return ok({ clientId: basic.id, clientSecret: basic.secret });
};

/**
 * Reads a login: the specified JSON or a form body, with the credentials in it or by HTTP Basic.
 * @internal
 */
export const parseTokenRequest = (
  request: HttpRequest,
  defaultScope: string | undefined,
): Result<TokenRequest, Failure> =>
  readBasic(request.headers).andThen((basic) =>
    readBody(request).andThen((body) => {
      const parsed = parameters.safeParse(body);
      if (!parsed.success) return bad('The parameters are strings in one JSON object or form.');
      const fields = parsed.data;
      if (fields.grant_type === undefined) return bad('grant_type is missing.');
      if (fields.grant_type !== 'client_credentials') {
        return err({ code: 'unsupported_grant_type' as const, detail: 'grant_type must be client_credentials.' });
      }
      return combine(fields, basic).andThen((credentials) => {
        const scope = fields.scope ?? defaultScope;
        if (scope !== requiredScope)
          return err({ code: 'invalid_scope' as const, detail: `scope must be ${requiredScope}.` });
        return ok({ ...credentials, scope, scopeDefaulted: fields.scope === undefined });
      });
    }),
  );
