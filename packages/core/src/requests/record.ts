import { isIdentifier } from '../runtime/text.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { Actor } from './actor.ts';
import type { Money } from './money.ts';

/**
 * The account that objects belong to, and its environment. An `Account` of the kit's directory is one.
 * @public
 */
export interface AccountRef {
  readonly id: string;
  readonly environment: string;
}

/** Returns the account. @throws TypeError when it names none. @internal */
export const assertAccount = (account: AccountRef): AccountRef => {
  if (isIdentifier(account.id) && isIdentifier(account.environment)) return account;
  throw new TypeError('account: its id and its environment, 1 to 256 bytes of text each without control characters.');
};

/**
 * Why a command was given.
 * @public
 */
export interface Reason {
  /** For programs: 1 to 64 of `A-Z a-z 0-9 _ . -`, such as `insufficient_funds`. */
  readonly code: string;
  /** For people: 1 to 500 characters. */
  readonly text?: string;
}

/**
 * What every object has.
 * @public
 */
export interface StoredRecord<S extends string = string> {
  /** Unique among the objects of its kind, over all accounts. */
  readonly id: string;
  readonly accountId: string;
  readonly environment: string;
  readonly status: S;
  /** The partner's own number or name for it. */
  readonly reference?: string;
  /** The partner's own data: at most 20 pairs. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Why the last command was given, if it said so. */
  readonly reason?: Reason;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly createdBy: Actor;
  /** Who gave the last command. */
  readonly updatedBy: Actor;
  /** 1 when it was stored first, one more at each command. */
  readonly version: number;
}

/**
 * Who is to pay or to deposit.
 * @public
 */
export interface Recipient {
  readonly email: string;
  readonly name?: string;
}

/**
 * What payment requests and security deposits have in common.
 * @public
 */
export interface RequestFields extends Money {
  readonly name: string;
  readonly description?: string;
  readonly recipient: Recipient;
  /** The template that it was made from. It may have changed since, or be gone. */
  readonly templateId?: string;
  /** A calendar date: `2027-03-31`. */
  readonly dueDate?: string;
  /** Where the recipient pays: the host gives it. */
  readonly paymentUrl?: string;
}

/** What a decision knows beside the object and the input. @internal */
export interface Context {
  readonly now: EpochMs;
  readonly actor: Actor;
}

/** {@link Context} of a new object. @internal */
export interface NewContext extends Context {
  readonly id: string;
}

/** What a new object begins with. @throws TypeError when the host names no account. @internal */
export const newRecord = <S extends string>(
  account: AccountRef,
  status: S,
  { id, now, actor }: NewContext,
): StoredRecord<S> => {
  const { id: accountId, environment } = assertAccount(account);
  return {
    id,
    accountId,
    environment,
    status,
    createdAt: now,
    updatedAt: now,
    createdBy: actor,
    updatedBy: actor,
    version: 1,
  };
};
