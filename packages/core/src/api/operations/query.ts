import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import { withoutControls } from '../../base/fields/values.ts';
import type { RequestHead } from '../../base/http/route.ts';
import type { PageRequest } from '../../base/pagination/page.ts';
import { once } from '../../base/runtime/once.ts';
import { ownMembers } from '../../base/runtime/own-members.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import { second } from '../../base/runtime/time.ts';
import type { CodedFailure } from './failure.ts';

/** A parameter in seconds since 1970; read as milliseconds. */
export const secondsParameter = (meaning: string) =>
  z
    .string()
    .regex(/^\d{1,11}$/, 'whole seconds since 1970.')
    .transform((text) => Number(text) * second)
    .register(documentation, {
      json: {
        type: 'integer',
        minimum: 0,
        maximum: 99_999_999_999,
        description: `${meaning} Seconds since 1970-01-01T00:00:00Z.`,
      },
    })
    .optional();

/** A parameter with the text of an identifier. */
export const textParameter = (rule: string, description: string) =>
  z
    .string()
    .refine(isIdentifier, rule)
    .register(documentation, { description, keywords: { minLength: 1, maxLength: 256, ...withoutControls } })
    .optional();

/** The parameters of every list. */
export const pageParameters = once(() => ({
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, '1 to 100.')
    .transform(Number)
    .register(documentation, {
      json: { type: 'integer', minimum: 1, maximum: 100, default: 50, description: 'Maximum number of items.' },
    })
    .optional(),
  after: z.string().optional().register(documentation, { description: 'The `next` of the previous page.' }),
  order: z
    .enum(['oldest', 'newest'], 'oldest or newest.')
    .optional()
    .register(documentation, { description: 'Which items come first. Default: `oldest`.' }),
}));

/** The parameters of a target. */
const sentWith = (target: string): URLSearchParams => new URLSearchParams(/\?([^#]*)/.exec(target)?.[1]);

/** Reads the query of a request; refuses unknown and repeated parameters. */
export const readQuery = <Q extends z.ZodObject>(
  query: Q,
  { target }: Pick<RequestHead, 'target'>,
): Result<z.output<Q>, CodedFailure> => {
  const sent = sentWith(target);
  const parsed = query.safeParse(ownMembers(Object.fromEntries(sent)));
  const [names, repeated] = [new Set<string>(), new Set<string>()];
  for (const name of sent.keys()) (names.has(name) ? repeated : names).add(name);
  if (parsed.success && repeated.size === 0) return ok(parsed.data);
  const wrong = (parsed.error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ parameter: key.slice(0, 64), detail: 'no such parameter.' }))
      : [{ parameter: issue.path.join('.'), detail: issue.message }],
  );
  const twice = [...repeated].map((name) => ({ parameter: name.slice(0, 64), detail: 'repeated; give it once.' }));
  const errors = [...twice, ...wrong.filter(({ parameter }) => !repeated.has(parameter))].slice(0, 32);
  return err({ code: 'invalid_query', errors });
};

/** Whether a query names a page of a list. */
export const readsPages = (query: z.ZodObject | undefined): boolean => query !== undefined && 'after' in query.shape;

/**
 * The `Link` to the next page of a list (RFC 8288), if the body has a `next`. It is relative to the request, so it
 * holds behind a proxy.
 */
export const linkToNext = (
  row: { readonly query?: z.ZodObject | undefined },
  body: unknown,
  target: string,
): string | undefined => {
  const { next } = Object(body) as { readonly next?: unknown };
  if (typeof next !== 'string' || !readsPages(row.query)) return undefined;
  const parameters = sentWith(target);
  parameters.set('after', next);
  return `<?${parameters}>; rel="next"`;
};

/** The page that the parameters name. */
export const pageOf = ({ limit, after, order }: z.output<ReturnType<typeof pageQuery>>): PageRequest => ({
  ...(limit === undefined ? {} : { limit }),
  ...(after === undefined ? {} : { after }),
  ...(order === 'newest' ? { newestFirst: true } : {}),
});

/** The query of a list without filters. */
export const pageQuery = once(() => z.strictObject(pageParameters()));
