import { unknownName } from '../runtime/did-you-mean.ts';
import { isObject } from '../runtime/is-object.ts';
import { type EpochMs, second } from '../runtime/time.ts';
import { timeProblem } from '../runtime/time-problem.ts';

/**
 * What should no longer be used. It works as before, also after `until`: you remove it.
 * @public
 */
export interface Deprecation {
  /** When it is deprecated, now or later: milliseconds since 1970 (RFC 9745 §2.1). */
  readonly since: EpochMs;
  /** When it may be gone, after `since`: milliseconds since 1970 (RFC 8594 §3). @defaultValue not decided */
  readonly until?: EpochMs;
  /**
   * What to use in its place: a name, or the URL of an operation, which its answers have as `Link` with the relation
   * `successor-version`. @defaultValue none
   */
  readonly instead?: string;
}

const names = ['since', 'until', 'instead'] satisfies (keyof Deprecation)[];

/** The problem of a deprecation, as the end of a sentence that begins with its name; `undefined`: none. */
export const deprecationProblem = (given: unknown): string | undefined => {
  if (!isObject(given)) return 'must be an object, such as { since: Date.UTC(2027, 0, 31) }.';
  const { since, until, instead } = given;
  const unknown = unknownName('field', given, names);
  if (unknown !== undefined) return `has a wrong name: ${unknown}`;
  const wrongSince = timeProblem(since);
  if (wrongSince !== undefined) return `has a wrong since: ${wrongSince}`;
  const wrongUntil = until === undefined ? undefined : timeProblem(until);
  if (wrongUntil !== undefined) return `has a wrong until: ${wrongUntil}`;
  if (until !== undefined && Number(until) <= Number(since)) return 'must have an until after its since.';
  if (instead !== undefined && (typeof instead !== 'string' || instead.trim() === ''))
    return 'must have a text for instead, such as the name of what replaces it.';
  return undefined;
};

const dayOf = (at: EpochMs): string => new Date(at).toISOString().slice(0, 10);

/** What a document says of it: `Deprecated since 2027-01-31, until 2027-07-31. Use guest.email.` */
const deprecationText = ({ since, until, instead }: Deprecation): string =>
  [
    `Deprecated since ${dayOf(since)}${until === undefined ? '' : `, until ${dayOf(until)}`}.`,
    ...(instead === undefined ? [] : [`Use ${instead}.`]),
  ].join(' ');

/** The description of something that is deprecated. */
export const describeDeprecated = (description: string | undefined, deprecation: Deprecation): string =>
  [deprecationText(deprecation), ...(description === undefined ? [] : [description])].join('\n\n');

const isUrl = (text: string): boolean => /^https?:\/\/[^\s<>]+$/.test(text) && URL.canParse(text);

/** The headers of each answer: RFC 9745 §2, RFC 8594 §3, RFC 8288 §3. */
export const deprecationHeaders = ({ since, until, instead }: Deprecation): Readonly<Record<string, string>> => ({
  deprecation: `@${Math.floor(since / second)}`,
  ...(until === undefined ? {} : { sunset: new Date(until).toUTCString() }),
  ...(instead !== undefined && isUrl(instead) ? { link: `<${new URL(instead).href}>; rel="successor-version"` } : {}),
});
