import { err, ok, type Result, ResultAsync } from '#result';
import type { AccountDirectory } from '../../base/accounts/account.ts';
import { lookUpAccount } from '../../base/accounts/find-account.ts';
import { isTypeError } from '../../base/runtime/brand.ts';
import { type Unavailable, unavailable } from '../../base/runtime/call-port.ts';
import { type Failure, failure } from '../../base/runtime/failure.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import type { AccountRef } from './record.ts';

/** The name of a call, in errors. @throws TypeError when the account's id is no text. */
export const callerOf = (name: string, method: string, accountId: string): string => {
  const caller = `requests.${name}.${method}`;
  if (typeof accountId !== 'string') throw new TypeError(`${caller}: the account's id is a text.`);
  return caller;
};

/** Turns a rejection into `unavailable`. A `TypeError`, which means a mistake of the host's code, still rejects. */
export const orUnavailable = <T, F>(call: () => Promise<Result<T, F>>): ResultAsync<T, F | Unavailable> => {
  const settled = async (): Promise<Result<T, F | Unavailable>> => {
    try {
      return await call();
    } catch (cause) {
      if (isTypeError(cause)) throw cause;
      return err(unavailable(cause));
    }
  };
  return new ResultAsync(settled());
};

/** The account of an id, as the directory knows it. A malformed id is not looked up. */
export const accountOf = async (
  accounts: AccountDirectory,
  accountId: string,
): Promise<Result<AccountRef, Failure<'not_found'>>> => {
  const account = isIdentifier(accountId) ? await lookUpAccount(accounts, accountId) : undefined;
  return account ? ok(account) : err(failure('not_found'));
};
