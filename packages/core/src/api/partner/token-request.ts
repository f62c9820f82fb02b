import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import type { TokenRequest } from '../../access/tokens/grant.ts';
import { requiredScope } from '../../base/accounts/rights.ts';
import type { HttpRequest } from '../../base/http/route.ts';
import { once } from '../../base/runtime/once.ts';
import type { CodedFailure } from '../operations/failure.ts';
import { bad, besideBasic, byAssertion, differsFromBasic, inBody, readClientRequest } from './client-request.ts';

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

/** The schemas of a login, by the way in which the client authenticates. */
const schemasOf = <S extends z.ZodType>(name: string, scope: S) => {
  const body = { name, description: 'A login with the credentials in the body.' };
  const basic = { name: `Basic${name}`, description: 'A login with HTTP Basic (RFC 6749 §2.3.1).' };
  const assertion = { name: `Assertion${name}`, description: 'A login by `private_key_jwt` (RFC 7523 §2.2).' };
  return {
    withBody: tokenRequest(body, inBody(), scope),
    withBasic: tokenRequest(basic, besideBasic(), scope),
    withAssertion: tokenRequest(assertion, byAssertion(), scope),
  };
};

/**
 * Reads a login: the specified JSON or a form body, with the credentials in it or by HTTP Basic.
 * `verifiesAssertions`: whether the document has logins by `private_key_jwt`.
 */
export const tokenRequestReader = (scopes: LoginScopes, verifiesAssertions = false) => {
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
    readClientRequest(request).andThen<TokenRequest, CodedFailure>((sent) => {
      const { way, fields, credentials } = sent;
      const wrong = schemas()[way].safeParse(fields).error?.issues[0];
      const [wrongName] = wrong?.path ?? [];
      if (wrong && wrongName === 'grant_type' && fields.grant_type !== undefined)
        return err({ code: 'unsupported_grant_type', detail: wrong.message });
      if (wrong && wrongName !== 'scope') return bad(wrong.message);
      if (differsFromBasic(sent)) return bad('client_id differs from the one sent by HTTP Basic.');
      if (wrong) return err({ code: 'invalid_scope', detail: wrong.message });
      return ok({
        ...credentials,
        scope: granted(fields.scope, scopes),
        isScopeOther: fields.scope !== requiredScope,
      });
    });
  return {
    /** The schema of a login's body. */
    schema: once((): z.ZodType => {
      const { withBody, withBasic, withAssertion } = schemas();
      return z.union([withBody, withBasic, ...(verifiesAssertions ? [withAssertion] : [])]);
    }),
    read,
  };
};
