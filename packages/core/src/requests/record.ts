import { isIdentifier } from '../runtime/text.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { Actor } from '../signals/actor.ts';
import type { Money } from './money.ts';

/**
 * The account that objects belong to, with its environment. An `Account` of the directory is one.
 * @public
 */
export interface AccountRef {
  /** The account's id: 1 to 256 bytes without control characters. */
  readonly id: string;
  /** The account's environment, such as `prod`. */
  readonly environment: string;
}

/** Returns the account. @throws TypeError when its id or environment is malformed. @internal */
export const assertAccount = (account: AccountRef): AccountRef => {
  if (isIdentifier(account.id) && isIdentifier(account.environment)) return account;
  throw new TypeError('account: its id and its environment, 1 to 256 bytes of text each without control characters.');
};

/**
 * Why a command was given.
 * @public
 */
export interface Reason {
  /** For programs: 1 to 64 characters of `A-Z a-z 0-9 _ . -`, such as `insufficient_funds`. */
  readonly code: string;
  /** For people: 1 to 500 characters. */
  readonly text?: string;
}

/**
 * The fields of every stored object.
 * @public
 */
export interface StoredRecord<S extends string = string> {
  /** Unique among the objects of its kind, over all accounts. */
  readonly id: string;
  /** The account that it belongs to. */
  readonly accountId: string;
  /** The environment of the account when the object was created. */
  readonly environment: string;
  /** The state. */
  readonly status: S;
  /** The partner's own number or name for it. */
  readonly reference?: string;
  /** The partner's own data: at most 20 pairs. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The reason of the last command, where it had one. */
  readonly reason?: Reason;
  /** When it was created. */
  readonly createdAt: EpochMs;
  /** When the last command was given. */
  readonly updatedAt: EpochMs;
  /** Who created it. */
  readonly createdBy: Actor;
  /** Who gave the last command. */
  readonly updatedBy: Actor;
  /** 1 for a new object; each command adds 1. */
  readonly version: number;
}

/**
 * The person who pays or deposits.
 * @public
 */
export interface Recipient {
  /** At most 254 characters. */
  readonly email: string;
  /** 1 to 256 bytes. */
  readonly name?: string;
}

/**
 * The fields common to payment requests and security deposits.
 * @public
 */
export interface RequestFields extends Money {
  /** 1 to 256 bytes. */
  readonly name: string;
  /** 1 to 500 characters. */
  readonly description?: string;
  /** The person who pays or deposits. */
  readonly recipient: Recipient;
  /** The template it was created from. The template may have changed or been deleted since. */
  readonly templateId?: string;
  /** A calendar date, such as `2027-03-31`. */
  readonly dueDate?: string;
  /** The HTTPS address where the recipient pays, set by the host. */
  readonly paymentUrl?: string;
}

/** What a command knows beside the object and the input. @internal */
export interface Context {
  /** The time of the command. */
  readonly now: EpochMs;
  /** Who gives it. */
  readonly actor: Actor;
}

/** {@link Context} of a new object. @internal */
export interface NewContext extends Context {
  /** The id of the new object. */
  readonly id: string;
}

/** The common fields of a new object. @throws TypeError when the account is malformed. @internal */
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
