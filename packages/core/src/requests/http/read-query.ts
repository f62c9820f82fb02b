import { z } from 'zod';
import { documentation } from '#documentation';
import { pageOf, pageParameters, secondsParameter, textParameter } from '../../api/operations/query.ts';
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
    .register(documentation, { keywords: { format: 'email', maxLength: 256 } })
    .optional(),
  templateId: textParameter('the id of a template.'),
  depositId: textParameter('the id of a security deposit.'),
};

/** Reads `status=pending,payed`. */
const statusesOf = (states: readonly string[]) => {
  const rule = `one or more of ${states.join(', ')}, with commas between them.`;
  return z
    .string()
    .transform((list) => [...new Set(list.split(','))])
    .refine((list) => list.every((each) => states.includes(each)), rule)
    .register(documentation, { json: { type: 'array', items: { type: 'string', enum: [...states] }, minItems: 1 } })
    .optional();
};

export interface ListQuery {
  /** Which page to read. */
  readonly page: PageRequest;
  /** Which objects to list. */
  readonly filter: RequestFilter;
}

const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, filters[name] as z.ZodType]));

/** The schema of a list's query. */
export const listQueryOf = <Tx extends object>({ of, filters: names }: Pick<Place<Tx>, 'of' | 'filters'>) =>
  z.strictObject({
    ...pageParameters(),
    status: statusesOf(of.kind.states),
    reference: textParameter('1 to 256 bytes of text without control characters.'),
    createdFrom: secondsParameter(),
    createdTo: secondsParameter(),
    updatedFrom: secondsParameter(),
    updatedTo: secondsParameter(),
    ...pick(names),
  });

/** The page and the filter of a list's query. */
export const listQuery = (query: z.output<ReturnType<typeof listQueryOf>>): ListQuery => {
  const { limit, after, order, status, ...filter } = query;
  return {
    page: pageOf({ limit, after, order }),
    filter: { ...(filter as RequestFilter), ...(status === undefined ? {} : { statuses: status as string[] }) },
  };
};
