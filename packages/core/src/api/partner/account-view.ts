import { z } from 'zod';
import { documentation } from '#documentation';
import type { Account } from '../../base/accounts/account.ts';
import { once } from '../../base/runtime/once.ts';

/** Schema of an account (specification §2.1). */
export const accountView = once(() =>
  z.object({ id: z.string(), name: z.string(), status: z.string(), environment: z.string() }).register(documentation, {
    name: 'Account',
    example: { id: 'account_1', name: 'Lake Residence', status: 'active', environment: 'prod' },
  }),
);

/** The partner's view of an account. */
export const viewAccount = ({ id, name, status, environment }: Account) => ({ id, name, status, environment });
