import { err, ok, type Result, type ResultAsync } from '#result';
import type { Unavailable } from '../runtime/call-port.ts';
import { type InvalidInput, invalidField } from '../runtime/failure.ts';
import type { AccountDirectory } from './account.ts';
import { findAccount } from './find-account.ts';

/** Checks that the directory knows an account. */
export type CheckKnownAccount = (accountId: string) => ResultAsync<void, InvalidInput | Unavailable>;

/**
 * Checks the account of what is created: a client of an unknown account could never log in, and its endpoint would
 * receive nothing.
 */
export const createKnownAccountCheck =
  (accounts: AccountDirectory): CheckKnownAccount =>
  (accountId) =>
    findAccount(accounts, accountId).andThen(
      (account): Result<void, InvalidInput> =>
        account ? ok(undefined) : err(invalidField('accountId', 'accounts.find knows no account of this id.')),
    );
