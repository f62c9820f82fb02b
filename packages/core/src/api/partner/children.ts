import { okAsync } from '#result';
import type { ListChildren } from '../../base/accounts/list-children.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import { once } from '../../base/runtime/once.ts';
import type { Answer, KeyOperation } from '../operations/operation.ts';
import { pageSchema } from '../operations/page-schema.ts';
import { pageOf, pageQuery } from '../operations/query.ts';
import { accountView, viewAccount } from './account-view.ts';
import { isOwnAccount, type Reached } from './caller.ts';

const childrenView = once(() => pageSchema(accountView()));

/** The children of the account of the path (specification §1.2). Those of a child are out of reach. */
export const childrenOperation = (
  listChildren: ListChildren,
): KeyOperation<Reached, ReturnType<typeof pageQuery>, undefined> => ({
  method: 'GET',
  path: '/organisations/:organisationId/children',
  operationId: 'listChildren',
  summary: 'Lists the child accounts',
  description: 'The children that the client can access. The list of a child is empty: grandchildren are out of reach.',
  right: 'none',
  tag: 'Account',
  get query() {
    return pageQuery();
  },
  answers: {
    200: {
      description: 'A page of the list.',
      get schema() {
        return childrenView();
      },
    },
  },
  refuses: ['invalid_cursor'],
  handle: ({ caller, query }) => {
    if (!isOwnAccount(caller)) return okAsync<Answer>({ body: { items: [] } });
    return callPort(() => listChildren(caller.account, pageOf(query), caller.client.children)).andThen((read) =>
      read.map(({ items, ...rest }): Answer => ({ body: { ...rest, items: items.map(viewAccount) } })),
    );
  },
});
