import { ok } from '#result';
import type { KeyOperation } from '../operations/operation.ts';
import { accountView, viewAccount } from './account-view.ts';
import type { Reached } from './caller.ts';

/** The account of the path (specification §1.2, §2.1). */
export const meOperation = (): KeyOperation<Reached, undefined, undefined> => ({
  method: 'GET',
  path: '/organisations/:organisationId/me',
  operationId: 'getAccount',
  summary: 'Reads the account, or a child account',
  right: 'none',
  tag: 'Account',
  answers: {
    200: {
      description: 'The account (specification §1.2).',
      get schema() {
        return accountView();
      },
    },
  },
  handle: ({ caller: { account } }) => ok({ body: viewAccount(account) }),
});
