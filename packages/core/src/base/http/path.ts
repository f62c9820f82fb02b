import { isIdentifier } from '../runtime/text.ts';

/** The names of the parameters in a path, as an object type. @public */
export type PathParams<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? { readonly [K in Name]: string } & PathParams<More>
    : { readonly [K in Rest]: string }
  : Readonly<Record<never, string>>;

/** The decoded parameters of a path. */
export interface PathMatch {
  readonly params: Readonly<Record<string, string>>;
}

/** Why a path does not match. */
export type PathFailure = { readonly code: 'bad_request'; readonly detail: string } | { readonly code: 'not_found' };

/** The path of a raw request target, in origin form or absolute form (RFC 9112 §3.2). */
export const pathOf = (target: string): string => {
  const origin = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
  const end = origin.search(/[?#]/);
  return end < 0 ? origin : origin.slice(0, end);
};

/** Decodes a segment of a path; `undefined` when its percent-encoding is not UTF-8. */
export const decodeSegment = (segment: string): string | undefined => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

const literal = (segment: string): string => segment.replace(/[^\w-]/g, '\\$&');

/**
 * Makes the matcher of a path. Case and trailing slashes matter, in every framework. A parameter that is not an
 * identifier of 1 to 256 bytes is `not_found`.
 */
export const pathMatcher = (path: string): ((target: string) => PathMatch | PathFailure) => {
  const segments = path.split('/');
  const names = segments.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1));
  // linear: a slash, which no parameter has, ends each of them.
  const shape = new RegExp(`^${segments.map((each) => (each.startsWith(':') ? '([^/]*)' : literal(each))).join('/')}$`);
  return (target) => {
    const fit = shape.exec(pathOf(target));
    if (!fit) return { code: 'not_found' };
    const params: Record<string, string> = {};
    for (let place = 0; place < names.length; place++) {
      const value = decodeSegment(fit[place + 1] as string);
      if (value === undefined)
        return { code: 'bad_request', detail: 'The path holds a percent-encoding that is not UTF-8.' };
      if (!isIdentifier(value)) return { code: 'not_found' };
      params[names[place] as string] = value;
    }
    return { params };
  };
};

/** Makes the matcher of a path and its aliases, with the same parameters. The first match decides. */
export const pathsMatcher = (path: string, aliases: readonly string[]): ReturnType<typeof pathMatcher> => {
  const match = pathMatcher(path);
  const others = aliases.map(pathMatcher);
  return (target) =>
    others.reduce(
      (found, matchAlias) => ('code' in found && found.code === 'not_found' ? matchAlias(target) : found),
      match(target),
    );
};
