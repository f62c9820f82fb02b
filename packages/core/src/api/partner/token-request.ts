import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import type { Credentials } from '../../access/tokens/credentials.ts';
import type { TokenRequest } from '../../access/tokens/grant.ts';
import { requiredScope } from '../../base/accounts/rights.ts';
import { isEncoded, readContentType } from '../../base/http/content-type.ts';
import { type HttpRequest, singleHeader } from '../../base/http/route.ts';
import { fromBase64 } from '../../base/runtime/base64.ts';
import { hasDuplicateKeys } from '../../base/runtime/duplicate-keys.ts';
import { once } from '../../base/runtime/once.ts';
import { fromUtf8 } from '../../base/runtime/text.ts';
import type { CodedFailure } from '../operations/failure.ts';
import { abortedBody } from '../operations/json-body.ts';
import { repeatsAuthorization } from './authorization.ts';

const bad = (detail: string, status?: 413): Result<never, CodedFailure> =>
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
type Basic = Credentials & Pick<TokenRequest, 'literal'>;

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
  return z.object({ grant_type: parameter, client_id: parameter, client_secret: parameter, scope: parameter });
});

/** One way to send a login. Its first wrong parameter is reported. */
const tokenRequest = <S extends z.ZodType, C extends z.core.$ZodLooseShape>(
  documented: { readonly name: string; readonly description: string },
  credentials: C,
  scope: S,
) =>
  z
    .object({
      grant_type: z.literal('client_credentials', {
        error: ({ input }) =>
          input === undefined ? 'grant_type is missing.' : 'grant_type must be client_credentials.',
      }),
      ...credentials,
      scope,
    })
    .register(documentation, documented);

const id = { description: 'The id of the API key.', example: 'the id of your API key' };
const secret = { description: 'The secret of the API key.', example: 'its secret' };
const notEmpty = { keywords: { minLength: 1 } };
const inBody = once(() => ({
  client_id: z.string('client_id is missing.').register(documentation, { ...id, ...notEmpty }),
  client_secret: z.string('client_secret is missing.').register(documentation, { ...secret, ...notEmpty }),
}));
const besideBasic = once(() => ({
  client_id: z.string().optional().register(documentation, id),
  client_secret: z.literal('', 'Credentials came in the body and by HTTP Basic; use one of them.').optional(),
}));

/** Which values of `scope` a login may have. */
export interface LoginScopes {
  /** The scope of a login that sends none. */
  readonly default: string | undefined;
  /** Values beside `USER`. */
  readonly accepted: readonly string[];
  /** The rights of the platform: with some of them, a token can do less than its client. */
  readonly rights: readonly string[];
}

/** A word in a regular expression. */
const literally = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const scopeRule = `scope must be ${requiredScope}, or rights such as requests:read.`;

/** One or more of these words, separated by blanks (RFC 6749 §3.3). */
const oneOrMore = (words: readonly string[]): string => {
  const word = `(?:${words.map(literally).join('|')})`;
  return `${word}(?: ${word})*`;
};

/** Everything, by its name or by accepted words, or some rights. */
const scopeSchema = ({ accepted, rights }: Pick<LoginScopes, 'accepted' | 'rights'>) => {
  const everything = accepted.length === 0 ? requiredScope : oneOrMore([requiredScope, ...accepted]);
  const isAllowed = (scope: string): boolean => {
    const words = scope.split(' ');
    const isEverything = words.every((word) => word === requiredScope || accepted.includes(word));
    return (
      (isEverything && (words.length === 1 || accepted.length > 0)) || words.every((word) => rights.includes(word))
    );
  };
  return z
    .string(scopeRule)
    .refine(isAllowed, scopeRule)
    .register(documentation, {
      keywords: { pattern: `^(?:${everything}|${oneOrMore(rights)})$` },
      description: `\`${requiredScope}\`: all that the API key may do. Or some of its rights, separated by blanks.`,
      example: requiredScope,
    });
};

/** What a login grants: everything that the client may do, or only the rights that it names. */
const granted = (scope = '', { accepted, rights }: LoginScopes): string => {
  const words = [...new Set(scope.split(' '))];
  return words.every((word) => rights.includes(word) && !accepted.includes(word)) ? words.join(' ') : requiredScope;
};

/** The schemas of a login: with the credentials in the body, and beside those of HTTP Basic. */
const schemasOf = <S extends z.ZodType>(name: string, scope: S) => {
  const body = { name, description: 'A login with the credentials in the body.' };
  const basic = { name: `Basic${name}`, description: 'A login with HTTP Basic (RFC 6749 §2.3.1).' };
  return { withBody: tokenRequest(body, inBody(), scope), withBasic: tokenRequest(basic, besideBasic(), scope) };
};

/** A parameter without a value counts as absent (RFC 6749 §3.2). */
const present = (fields: z.output<ReturnType<typeof texts>>): z.output<ReturnType<typeof texts>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** Reads a login: the specified JSON or a form body, with the credentials in it or by HTTP Basic. */
export const tokenRequestReader = (scopes: LoginScopes) => {
  const { default: defaultScope } = scopes;
  const schemas = once(() => {
    const scope = scopeSchema(scopes);
    return defaultScope === undefined
      ? schemasOf<z.ZodType>('TokenRequest', scope)
      : schemasOf(
          'TokenRequestOfDefaultScope',
          scope.optional().register(documentation, { description: `Default: \`${requiredScope}\`.` }),
        );
  });
  const read = (request: HttpRequest): Result<TokenRequest, CodedFailure> =>
    readBasic(request.headers).andThen((basic) =>
      readBody(request).andThen<TokenRequest, CodedFailure>((body) => {
        const sent = texts().safeParse(body);
        if (!sent.success) return bad('The parameters are strings in one JSON object or form.');
        const fields = present(sent.data);
        const { withBasic, withBody } = schemas();
        const wrong = (basic ? withBasic : withBody).safeParse(fields).error?.issues[0];
        const [wrongName] = wrong?.path ?? [];
        if (wrong && wrongName === 'grant_type' && fields.grant_type !== undefined)
          return err({ code: 'unsupported_grant_type', detail: wrong.message });
        if (wrong && wrongName !== 'scope') return bad(wrong.message);
        if (basic && ![undefined, basic.clientId, basic.literal?.clientId].includes(fields.client_id))
          return bad('client_id differs from the one sent by HTTP Basic.');
        if (wrong) return err({ code: 'invalid_scope', detail: wrong.message });
        const { client_id: clientId = '', client_secret: clientSecret = '' } = fields;
        const credentials = basic ?? { clientId, clientSecret };
        return ok({
          ...credentials,
          scope: granted(fields.scope, scopes),
          isScopeOther: fields.scope !== requiredScope,
        });
      }),
    );
  return {
    /** The schema of a login's body. */
    schema: once((): z.ZodType => z.union(Object.values(schemas()))),
    read,
  };
};
