import { err, ok, type Result } from 'neverthrow';
import { isIdentifier } from '../runtime/text.ts';

/** The names of the parameters in a path, as an object type. @public */
export type PathParams<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? { readonly [K in Name]: string } & PathParams<More>
    : { readonly [K in Rest]: string }
  : Readonly<Record<never, string>>;

/** Why a path does not match. @internal */
export type PathFailure = { readonly code: 'bad_request'; readonly detail: string } | { readonly code: 'not_found' };

/** The path of a raw request target, in origin form or absolute form (RFC 9112 §3.2). @internal */
export const pathOf = (target: string): string => {
  const origin = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
  const end = origin.search(/[?#]/);
  return end < 0 ? origin : origin.slice(0, end);
};

const decode = (segment: string): string | undefined => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/**
 * Makes the matcher of a path: strict about case and trailing slashes, whatever the framework thinks of them. A value is
 * an identifier of at most 256 bytes, or the path does not exist.
 * @internal
 */
export const pathMatcher = (
  path: string,
): ((target: string) => Result<Readonly<Record<string, string>>, PathFailure>) => {
  const pattern = path.split('/');
  return (target) => {
    const segments = pathOf(target).split('/');
    if (segments.length !== pattern.length) return err({ code: 'not_found' });
    const params: Record<string, string> = {};
    for (const [index, expected] of pattern.entries()) {
      const segment = segments[index] as string;
      if (!expected.startsWith(':')) {
        if (segment !== expected) return err({ code: 'not_found' });
        continue;
      }
      const value = decode(segment);
      if (value === undefined)
        return err({ code: 'bad_request', detail: 'The path holds a percent-encoding that is not UTF-8.' });
      if (!isIdentifier(value)) return err({ code: 'not_found' });
      params[expected.slice(1)] = value;
    }
    return ok(params);
  };
};
