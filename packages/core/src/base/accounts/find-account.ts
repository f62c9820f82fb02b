import type { ResultAsync } from '#result';
import { callPort, type Unavailable } from '../runtime/call-port.ts';
import { chain, type Soon } from '../runtime/chain.ts';
import { isObject } from '../runtime/is-object.ts';
import { wrongAnswer } from '../runtime/wrong-answer.ts';
import type { Account, AccountDirectory } from './account.ts';
import { canAccess, type EnvironmentReach } from './reach.ts';

const wrongAccount = (): TypeError =>
  wrongAnswer('accounts.find', 'an account with id, name, status and environment, all strings, or undefined');

/** @throws TypeError when the host's directory resolved to something else. */
export const checkedAccount = (account: Account): Account => {
  const { name, status, environment } = account;
  if (typeof name === 'string' && typeof status === 'string' && typeof environment === 'string') return account;
  throw wrongAccount();
};

/** Reads what the directory answers. A list of rows is no account, and an error for every id alike. */
const readAccount = (account: unknown): Account | undefined => {
  // What databases and short circuits answer for no row.
  if (account === undefined || account === null || account === false) return undefined;
  if (!isObject(account)) throw wrongAccount();
  return account as unknown as Account;
};
const find = (accounts: AccountDirectory, accountId: string): Soon<Account | undefined> =>
  chain<unknown, Account | undefined>(accounts.find(accountId), readAccount);

/**
 * Reads an account from the host's directory and checks the result. A database may compare ids without regard to case
 * or trailing blanks; an account with another id counts as absent.
 * @throws TypeError when the result is not an account.
 */
export const lookUpAccount = (accounts: AccountDirectory, accountId: string): Soon<Account | undefined> =>
  chain(find(accounts, accountId), (account) => {
    if (account && typeof account.id !== 'string') throw wrongAccount();
    return account?.id === accountId ? checkedAccount(account) : undefined;
  });

/**
 * Reads an account that `own` can access. A malformed account out of reach counts as absent; an error would reveal that
 * it exists.
 * @throws TypeError when an account within reach is malformed. An account without environment counts as in that of
 * `own`.
 */
export const lookUpReached = (
  accounts: AccountDirectory,
  own: Account,
  accountId: string,
  environmentReach: EnvironmentReach,
): Soon<Account | undefined> =>
  chain(find(accounts, accountId), (account) => {
    if (account?.id !== accountId) return undefined;
    const placed = typeof account.environment === 'string' ? account : { ...account, environment: own.environment };
    return canAccess(own, placed, environmentReach) ? checkedAccount(account) : undefined;
  });

/** {@link lookUpAccount}, with the failure as a value. */
export const findAccount = (
  accounts: AccountDirectory,
  accountId: string,
): ResultAsync<Account | undefined, Unavailable> => callPort(() => lookUpAccount(accounts, accountId));
