import { z } from 'zod';
import { documentation } from '#documentation';
import { described } from '../../base/fields/field.ts';
import { isLoopbackHttp } from '../../base/http/loopback.ts';
import { closestWord } from '../../base/runtime/did-you-mean.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { WireProfiles } from '../signature/wire-profile.ts';
import { isReservedHeader } from './reserved-header.ts';

const maxLength = 2_048;
const tooLong = 'at most 2048 characters, percent-encoded.';
const headerNameRule = 'a header name of 1 to 64 letters, digits and -.';
const headerValueRule = '1 to 1024 visible ASCII characters.';

const unreachable =
  'this address is not public, so nothing is sent to it. ' +
  'The sender\'s option "development" opens loopback, "allow" other ranges.';

/** What endpoints can select. */
export type Selectable = Pick<Catalogue, 'entries' | 'eventSelectors'>;

/** The example is a pair of a type that no other object has, where there is one. */
const notSelectable = ({ entries, eventSelectors }: Selectable) => {
  const isUnique = (type: string): boolean => entries.filter((entry) => entry.type === type).length === 1;
  const example = entries.find(({ type }) => isUnique(type)) ?? entries[0];
  const rule = `neither an event type of the catalogue nor a pair such as ${example?.objectName}.${example?.type}`;
  return ({ input }: { readonly input?: unknown }): string => {
    if (!example) return 'no event can be selected: the kit has no objects.';
    const meant = typeof input === 'string' ? closestWord(input, eventSelectors) : undefined;
    return meant === undefined ? `${rule}.` : `${rule}; did you mean '${meant}'?`;
  };
};

/** Rules for URLs beside HTTPS. */
export interface UrlRules {
  /** @defaultValue any */
  readonly ports?: readonly number[] | undefined;
  readonly canReach?: ((url: string) => boolean) | undefined;
  /** Whether HTTP to this machine is allowed, too. @defaultValue false */
  readonly isDevelopment?: boolean;
}

const notHttps = (url: URL, isDevelopment: boolean): string | undefined => {
  if (url.protocol === 'https:') return undefined;
  if (!isLoopbackHttp(url)) return 'must be HTTPS.';
  return isDevelopment ? undefined : 'must be HTTPS. The sender\'s option "development" opens HTTP to this machine.';
};

const urlProblem = (text: string, { ports, canReach, isDevelopment = false }: UrlRules): string | undefined => {
  // Checked before parsing: for a host of 22,000 capitals, Node.js returns true from canParse and then throws.
  if (text.length > maxLength) return tooLong;
  if (!URL.canParse(text)) return 'not a URL.';
  const url = new URL(text);
  if (url.href.length > maxLength) return tooLong;
  // A URL leaves out line ends and tabs, and no database stores a NUL or half a character.
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return 'must hold no control characters.';
  const scheme = notHttps(url, isDevelopment);
  if (scheme !== undefined) return scheme;
  if (url.username !== '' || url.password !== '') return 'must hold no user name or password; use the delivery header.';
  if (text.includes('#')) return 'must hold no fragment; it would never be sent.';
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  if (ports && !ports.includes(port)) return `must use one of the ports ${ports.join(', ')}.`;
  return canReach && !canReach(url.href) ? unreachable : undefined;
};

/** The profiles that endpoints can choose, and the headers that belong to them. */
export type Choosable = Pick<WireProfiles, 'names' | 'sends'>;

/** How endpoints get their events. */
export const endpointKinds = ['push', 'pull'] as const;

/** What follows the scheme: an authority without `@`, and no fragment or control character. */
const afterScheme = '[/\\\\]*[^#@/?\\\\\\x00-\\x1f\\x7f-\\x9f]+([/?\\\\][^#\\x00-\\x1f\\x7f-\\x9f]*)?$';

/** The URL of an endpoint. */
export const urlInput = (rules: UrlRules) =>
  z
    .string('an HTTPS URL.')
    .register(documentation, {
      keywords: {
        format: 'uri',
        maxLength,
        pattern: `^[Hh][Tt][Tt][Pp][Ss]${rules.isDevelopment ? '?' : ''}:${afterScheme}`,
      },
    })
    .transform((given, context) => {
      // Signatures that cover the URL cover this text, not its normal form: receivers know only what they registered.
      const text = given.trim();
      const problem = urlProblem(text, rules);
      if (problem === undefined) return text;
      context.addIssue({ code: 'custom', message: problem });
      return z.NEVER;
    });

/** The events that an endpoint selects. */
export const eventsInput = (catalogue: Selectable) =>
  z
    .array(z.enum(catalogue.eventSelectors as [string], { error: notSelectable(catalogue) }), 'a list of event types.')
    .min(1, 'at least one event type.')
    .transform((selectors) => [...new Set(selectors)]);

/** The static header of an endpoint's deliveries. */
export const deliveryHeaderInput = ({ sends }: Choosable) =>
  z.object(
    {
      name: described(
        z
          .string(headerNameRule)
          .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, headerNameRule)
          .refine((name) => !isReservedHeader(name) && !sends(name), 'this header name is reserved.'),
        'Its name.',
      ),
      value: described(
        z.string(headerValueRule).regex(/^[\x21-\x7e]([\x20-\x7e]{0,1022}[\x21-\x7e])?$/, headerValueRule),
        'What it sends; no answer shows it.',
      ),
    },
    'an object with name and value.',
  );

/** The profile that an endpoint chooses. */
export const profileInput = ({ names }: Choosable) =>
  z.enum(names as [string, ...string[]], `one of ${names.join(', ')}.`);
