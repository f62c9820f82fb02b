import { z } from 'zod';
import { documentation } from '#documentation';
import { pageOf, pageParameters, secondsParameter, textParameter } from '../../api/operations/query.ts';
import { maxListedChildren } from '../../base/accounts/list-children.ts';
import type { PageRequest } from '../../base/pagination/page.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import type { RequestFilter } from '../stores/stores.ts';
import type { Place } from './place.ts';

const filters: Readonly<Record<string, z.ZodType>> = {
  // An unencoded + is a space, which matches no address.
  recipientEmail: z
    .string()
    .refine(
      (address) => isIdentifier(address) && /^[^\s@]+@[^\s@]+$/.test(address),
      'an e-mail address; write + as %2B.',
    )
    .register(documentation, {
      description: 'The address of the recipient, whatever the case of its letters.',
      keywords: { format: 'email', maxLength: 256 },
    })
    .optional(),
  templateId: textParameter('the id of a template.', 'Made with this template.'),
  depositId: textParameter('the id of a security deposit.', 'Of this security deposit.'),
};

/** The parameter that adds what children have to a list, or to sums. */
export const includeChildren = (what: string) =>
  z
    .enum(['true', 'false'], 'true or false.')
    .transform((given) => given === 'true')
    .register(documentation, {
      json: {
        type: 'boolean',
        default: false,
        description: `Whether to ${what} of the child accounts, too: of at most ${maxListedChildren}.`,
      },
    })
    .optional();

/** Reads `status=pending,payed`. */
const statusesOf = (states: readonly string[]) => {
  const rule = `one or more of ${states.join(', ')}, with commas between them.`;
  return z
    .string()
    .transform((list) => [...new Set(list.split(','))])
    .refine((list) => list.every((each) => states.includes(each)), rule)
    .register(documentation, {
      json: {
        type: 'array',
        items: { type: 'string', enum: [...states] },
        minItems: 1,
        description: 'In one of these states; several have commas between them.',
      },
    })
    .optional();
};

export interface ListQuery {
  /** Which page to read. */
  readonly page: PageRequest;
  /** Which objects to list. */
  readonly filter: RequestFilter;
  /** Whether the objects of children are listed, too. */
  readonly includeChildren: boolean;
}

const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, filters[name] as z.ZodType]));

/** The schema of a list's query. */
export const listQueryOf = <Tx extends object>(
  { of, filters: names, parent }: Pick<Place<Tx>, 'of' | 'filters' | 'parent'>,
  hasChildren: boolean,
) =>
  z.strictObject({
    ...pageParameters(),
    status: statusesOf(of.kind.states),
    reference: textParameter('1 to 256 bytes of text without control characters.', 'The whole reference.'),
    createdFrom: secondsParameter('Created at this second or later.'),
    createdTo: secondsParameter('Created before this second.'),
    updatedFrom: secondsParameter('Changed at this second or later. The list is in the order of changes.'),
    updatedTo: secondsParameter('Changed before this second. The list is in the order of changes.'),
    ...pick(names),
    // What belongs to one object belongs to its account.
    ...(hasChildren && !parent ? { includeChildren: includeChildren('list the objects') } : {}),
  });

/** The page and the filter of a list's query. */
export const listQuery = (query: z.output<ReturnType<typeof listQueryOf>>): ListQuery => {
  const {
    limit,
    after,
    order,
    status,
    includeChildren = false,
    ...filter
  } = query as typeof query & {
    readonly includeChildren?: boolean;
  };
  return {
    includeChildren,
    page: pageOf({ limit, after, order }),
    filter: { ...(filter as RequestFilter), ...(status === undefined ? {} : { statuses: status as string[] }) },
  };
};
