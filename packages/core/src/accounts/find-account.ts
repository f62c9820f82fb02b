import type { ResultAsync } from 'neverthrow';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import type { Account, AccountDirectory } from './account.ts';
import { type EnvironmentReach, reaches } from './reach.ts';

const checked = (account: Account): Account => {
  const { name, status, environment } = account;
  if (typeof name === 'string' && typeof status === 'string' && typeof environment === 'string') return account;
  throw new TypeError('AccountDirectory.find: an account needs id, name, status and environment, all strings.');
};

/**
 * Asks the host's directory and checks what it says: an id that a database compared without regard to case or trailing
 * blanks is another account's id.
 * @throws TypeError when it says what is no account.
 * @internal
 */
export const lookUpAccount = async (accounts: AccountDirectory, accountId: string): Promise<Account | undefined> => {
  const account = await accounts.find(accountId);
  return account && account.id === accountId ? checked(account) : undefined;
};

/**
 * The account that `own` asks for, if it reaches it. Out of reach, a malformed one is absent: to fail would tell that it is there.
 * @throws TypeError when what is reached is no account; where it has no environment, it counts as being in that of `own`.
 * @internal
 */
export const lookUpReached = async (
  accounts: AccountDirectory,
  own: Account,
  accountId: string,
  environmentReach: EnvironmentReach,
): Promise<Account | undefined> => {
  const account = await accounts.find(accountId);
  if (!account || account.id !== accountId) return undefined;
  const placed = typeof account.environment === 'string' ? account : { ...account, environment: own.environment };
  return reaches(own, placed, environmentReach) ? checked(account) : undefined;
};

/** {@link lookUpAccount} as a value. @internal */
export const findAccount = (
  accounts: AccountDirectory,
  accountId: string,
): ResultAsync<Account | undefined, Unavailable> => ask(() => lookUpAccount(accounts, accountId));
