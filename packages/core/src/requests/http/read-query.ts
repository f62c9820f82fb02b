import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import type { RouteFailure } from '../../http/failure.ts';
import type { HttpRequest } from '../../http/route.ts';
import type { PageRequest } from '../../runtime/page.ts';
import { isIdentifier } from '../../runtime/text.ts';
import { second } from '../../runtime/time.ts';
import type { RequestFilter } from '../stores.ts';
import { refused } from './refused.ts';
import type { Resource } from './resource.ts';

const seconds = z
  .string()
  .regex(/^\d{1,11}$/, 'whole seconds since 1970.')
  .transform((text) => Number(text) * second)
  .optional();
const text = (rule: string) => z.string().refine(isIdentifier, rule).optional();

const pages = {
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, '1 to 100.')
    .transform(Number)
    .optional(),
  after: z.string().optional(),
  order: z.enum(['oldest', 'newest'], 'oldest or newest.').optional(),
};

const filters = {
  // A + that is not encoded is a space, by which nobody would be found.
  recipientEmail: z
    .string()
    .refine(
      (address) => isIdentifier(address) && /^[^\s@]+@[^\s@]+$/.test(address),
      'an e-mail address; write + as %2B.',
    )
    .optional(),
  templateId: text('the id of a template.'),
  depositId: text('the id of a security deposit.'),
};

/** The states of `status=pending,payed`. */
const statusesOf = (states: readonly string[]) => {
  const rule = `one or more of ${states.join(', ')}, with commas between them.`;
  return z
    .string()
    .transform((list) => [...new Set(list.split(','))])
    .refine((list) => list.every((each) => states.includes(each)), rule)
    .optional();
};

type Query = z.ZodObject;

const read = (query: Query, { target }: HttpRequest): Result<Readonly<Record<string, unknown>>, RouteFailure> => {
  const [, sentText = ''] = /\?([^#]*)/.exec(target) ?? [];
  const sent = new URLSearchParams(sentText);
  const parsed = query.safeParse(Object.fromEntries(sent));
  const repeated = new Set([...sent.keys()].filter((name) => sent.getAll(name).length > 1));
  if (parsed.success && repeated.size === 0) return ok(parsed.data);
  const wrong = (parsed.error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ parameter: key.slice(0, 64), detail: 'no such parameter.' }))
      : [{ parameter: issue.path.join('.'), detail: issue.message }],
  );
  const twice = [...repeated].map((name) => ({ parameter: name.slice(0, 64), detail: 'repeated; give it once.' }));
  const errors = [...twice, ...wrong.filter(({ parameter }) => !repeated.has(parameter))].slice(0, 32);
  return err(refused(400, 'invalid_query', 'Something in the query is wrong; errors says where.', errors));
};

const pageOf = ({ limit, after, order }: Readonly<Record<string, unknown>>): PageRequest => ({
  ...(limit === undefined ? {} : { limit: limit as number }),
  ...(after === undefined ? {} : { after: after as string }),
  ...(order === 'newest' ? { newestFirst: true } : {}),
});

/** Reads the query of a history. @internal */
export const readHistoryQuery = (request: HttpRequest): Result<PageRequest, RouteFailure> =>
  read(historyQuery, request).map(pageOf);
const historyQuery = z.strictObject(pages);

/** What the query of a list says. @internal */
export interface ListQuery {
  readonly page: PageRequest;
  readonly filter: RequestFilter;
}

/** Makes the reader of a list's query. @internal */
export const createQueryReader = (resource: Pick<Resource<object>, 'states' | 'filters'>) => {
  const query = z.strictObject({
    ...pages,
    status: statusesOf(resource.states),
    reference: text('1 to 256 bytes of text without control characters.'),
    createdFrom: seconds,
    createdTo: seconds,
    updatedFrom: seconds,
    updatedTo: seconds,
    ...Object.fromEntries(resource.filters.map((name) => [name, filters[name]])),
  });
  return (request: HttpRequest): Result<ListQuery, RouteFailure> =>
    read(query, request).map(({ limit, after, order, status, ...filter }) => ({
      page: pageOf({ limit, after, order }),
      filter: { ...(filter as RequestFilter), ...(status === undefined ? {} : { statuses: status as string[] }) },
    }));
};
