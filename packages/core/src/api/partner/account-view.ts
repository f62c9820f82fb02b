import { z } from 'zod';
import { documentation } from '#documentation';
import type { Account } from '../../base/accounts/account.ts';
import { described } from '../../base/fields/field.ts';
import { once } from '../../base/runtime/once.ts';

/** Schema of an account (specification §2.1). */
export const accountView = once(() =>
  z
    .object({
      id: z.string(),
      name: described(z.string(), 'Its name at the platform.'),
      status: described(z.string(), 'Its status, in a word of the platform.'),
      environment: described(z.string(), 'Its environment, in a word of the platform.'),
    })
    .register(documentation, {
      name: 'Account',
      example: { id: 'account_1', name: 'Lake Residence', status: 'active', environment: 'prod' },
    }),
);

/** The partner's view of an account. */
export const viewAccount = ({ id, name, status, environment }: Account) => ({ id, name, status, environment });
