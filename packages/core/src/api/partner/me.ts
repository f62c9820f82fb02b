import { z } from 'zod';
import { documentation } from '#documentation';
import { ok } from '#result';
import { once } from '../../base/runtime/once.ts';
import type { Operation } from '../operations/operation.ts';
import type { Reached } from './caller.ts';

const accountView = once(() =>
  z
    .object({ id: z.string(), name: z.string(), status: z.string(), environment: z.string() })
    .register(documentation, { name: 'Account' }),
);

/** The account of the path (specification §1.2, §2.1). */
export const meOperation = (): Operation<Reached, undefined, undefined> => ({
  method: 'GET',
  path: '/organisations/:organisationId/me',
  operationId: 'getAccount',
  summary: 'Read the account, or a child account',
  tag: 'Account',
  answers: {
    200: {
      description: 'The account (specification §1.2).',
      get schema() {
        return accountView();
      },
    },
  },
  handle: ({ caller: { account } }) => {
    const { id, name, status, environment } = account;
    return ok({ body: { id, name, status, environment } });
  },
});
