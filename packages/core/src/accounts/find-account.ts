import type { ResultAsync } from 'neverthrow';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import type { Account, AccountDirectory } from './account.ts';

const isAccount = (account: Account): boolean =>
  [account.name, account.status, account.environment].every((field) => typeof field === 'string');

/**
 * Asks the host's directory and checks what it says: an id that a database compared without regard to case or trailing
 * blanks is another account's id.
 * @internal
 */
export const findAccount = (
  accounts: AccountDirectory,
  accountId: string,
): ResultAsync<Account | undefined, Unavailable> =>
  ask(async () => {
    const account = await accounts.find(accountId);
    if (!account || account.id !== accountId) return undefined;
    if (!isAccount(account)) {
      throw new TypeError('AccountDirectory.find: an account needs id, name, status and environment, all strings.');
    }
    return account;
  });
