import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { type EventSelector, eventSelectors } from '../catalogue/event-selector.ts';
import { isIdentifier } from '../runtime/text.ts';
import { isReservedHeader } from './reserved-header.ts';

const mostLength = 2_048;
const tooLong = 'at most 2048 characters, percent-encoded.';

const unreachable =
  'this address is not public, so nothing is sent to it. The sender\'s option "development" opens loopback, "allow" other ranges.';

const notSelectable = 'neither an event type of the catalogue nor a pair such as RequestPayment.payed.';

/** What a URL must be beside HTTPS. */
interface UrlRules {
  /** Any, if it is left out. */
  readonly ports?: readonly number[] | undefined;
  readonly canReach?: ((url: string) => boolean) | undefined;
}

const urlProblem = (text: string, { ports, canReach }: UrlRules): string | undefined => {
  // Before it is parsed: Node.js throws on a host of 22,000 capitals that it says it can parse.
  if (text.length > mostLength) return tooLong;
  if (!URL.canParse(text)) return 'not a URL.';
  const url = new URL(text);
  if (url.href.length > mostLength) return tooLong;
  if (url.protocol !== 'https:') return 'must be HTTPS.';
  if (url.username !== '' || url.password !== '') return 'must hold no user name or password; use the API-key header.';
  if (text.includes('#')) return 'must hold no fragment; it would never be sent.';
  const port = url.port === '' ? 443 : Number(url.port);
  if (ports && !ports.includes(port)) return `must use one of the ports ${ports.join(', ')}.`;
  return canReach && !canReach(url.href) ? unreachable : undefined;
};

const fields = (rules: UrlRules) => ({
  url: z.string().transform((text, context) => {
    const problem = urlProblem(text, rules);
    if (problem === undefined) return new URL(text).href;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  }),
  events: z
    .array(z.enum(eventSelectors as [EventSelector], notSelectable))
    .min(1, 'at least one event type.')
    .transform((selectors) => [...new Set(selectors)]),
  label: z.string().refine((text) => isIdentifier(text), '1 to 256 bytes of text without control characters.'),
  apiKey: z.object({
    header: z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'a header name of 1 to 64 letters, digits and -.')
      .refine((name) => !isReservedHeader(name), 'this header name is reserved.'),
    value: z.string().regex(/^[\x21-\x7e]([\x20-\x7e]{0,1022}[\x21-\x7e])?$/, '1 to 1024 visible ASCII characters.'),
  }),
  standardWebhooks: z.boolean(),
  includeChildren: z.boolean(),
});

/** Reads what a form of the host sends; the detail names each wrong field and never quotes a value. */
const read = <S extends z.ZodType>(
  schema: S,
  input: unknown,
): Result<z.output<S>, { readonly code: 'invalid_input'; readonly detail: string }> => {
  const parsed = schema.safeParse(input);
  if (parsed.success) return ok(parsed.data);
  return err({
    code: 'invalid_input',
    detail: parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join(' '),
  });
};

/** @internal */
export const endpointReader = (rules: UrlRules) => {
  const { url, events, label, apiKey, standardWebhooks, includeChildren } = fields(rules);
  const created = z.strictObject({
    url,
    events,
    label: label.optional(),
    apiKey: apiKey.optional(),
    standardWebhooks: standardWebhooks.default(false),
    includeChildren: includeChildren.default(false),
  });
  const changed = z.strictObject({
    url: url.optional(),
    events: events.optional(),
    label: label.nullable().optional(),
    apiKey: apiKey.nullable().optional(),
    standardWebhooks: standardWebhooks.optional(),
    includeChildren: includeChildren.optional(),
  });
  return { created: (input: unknown) => read(created, input), changed: (input: unknown) => read(changed, input) };
};
