import { z } from 'zod';
import { okAsync } from '#result';
import type { ListChildren } from '../../base/accounts/list-children.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import type { Answer, Operation } from '../operations/operation.ts';
import { pageOf, pageQuery } from '../operations/query.ts';
import { accountView, viewAccount } from './account-view.ts';
import { isOwnAccount, type Reached } from './caller.ts';

/** The children of the account of the path (specification §1.2). Those of a child are out of reach. */
export const childrenOperation = (listChildren: ListChildren): Operation<Reached, typeof pageQuery, undefined> => ({
  method: 'GET',
  path: '/organisations/:organisationId/children',
  operationId: 'listChildren',
  summary: 'List the child accounts',
  description: 'The children that the client can access. The list of a child is empty: grandchildren are out of reach.',
  tag: 'Account',
  query: pageQuery,
  answers: {
    200: {
      description: 'A page of the list.',
      schema: z.object({ items: z.array(accountView), next: z.string().optional() }),
    },
  },
  refuses: ['invalid_cursor'],
  handle: ({ caller, query }) => {
    if (!isOwnAccount(caller)) return okAsync<Answer>({ body: { items: [] } });
    return callPort(() => listChildren(caller.account, pageOf(query))).andThen((read) =>
      read.map(({ items, ...rest }): Answer => ({ body: { ...rest, items: items.map(viewAccount) } })),
    );
  },
});
