import { isIdentifier } from '../../base/runtime/text.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { RequestPolicies } from './policies.ts';

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

/** Returns the account. @throws TypeError when its id or environment is malformed. */
export const assertAccount = (account: AccountRef): AccountRef => {
  if (isIdentifier(account.id) && isIdentifier(account.environment)) return account;
  throw new TypeError('account: its id and its environment, 1 to 256 bytes of text each without control characters.');
};

/**
 * Why a command was given.
 * @public
 */
export interface CommandReason {
  /** For programs: 1 to 64 characters of `A-Z a-z 0-9 _ . -`, such as `insufficient_funds`. */
  readonly code: string;
  /** For people: 1 to 500 characters. */
  readonly text?: string;
}

/**
 * The fields of every stored object.
 * @public
 */
export interface StoredRequest<S extends string = string> {
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
  readonly reason?: CommandReason;
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
  /**
   * When it was imported. What was due before is not given by rule. Absent: it was created here, or imported with
   * `pastDue: 'give'`.
   */
  readonly importedAt?: EpochMs;
}

/** Whether a time had passed when an object was imported. */
export const isPastDue = ({ importedAt }: Pick<StoredRequest, 'importedAt'>, at: EpochMs): boolean =>
  importedAt !== undefined && at <= importedAt;

/**
 * The person who pays or deposits.
 * @public
 */
export interface RequestRecipient {
  /** At most 254 characters. */
  readonly email: string;
  /** 1 to 256 bytes. */
  readonly name?: string;
  /** E.164, such as `+41441234567`. */
  readonly phone?: string;
  /** BCP 47, such as `de-CH`. */
  readonly language?: string;
}

/** What is known of a transaction before its command is applied. */
export interface Movement {
  /** The id of the transaction. */
  readonly id: string;
  /** Its number among those of its kind and reference. */
  readonly number: number;
  /** Whether another of its kind and reference succeeded. */
  readonly isAgain: boolean;
}

/** What a command knows beside the object and the input. */
export interface CommandContext {
  /** The time of the command. */
  readonly now: EpochMs;
  /** Who gives it. */
  readonly actor: Actor;
  /** Whether the command names the versions that it is meant for. */
  readonly isConditional: boolean;
  /** What the input does not say of the transaction that it names. */
  readonly movement?: Movement | undefined;
  /** Whether its transaction was stored before, and is not booked again. @defaultValue false */
  readonly isBooked?: boolean;
  /** What happens by rule. */
  readonly policies: RequestPolicies;
}

/** What the command that creates an object knows beside the input. */
export interface CreateContext {
  /** The time of the command. */
  readonly now: EpochMs;
  /** Who gives it. */
  readonly actor: Actor;
  /** The id of the new object. */
  readonly id: string;
  /** What happens by rule. */
  readonly policies: RequestPolicies;
}

/** The common fields of a new object. @throws TypeError when the account is malformed. */
export const newRecord = <S extends string>(
  account: AccountRef,
  status: S,
  { id, now, actor }: Pick<CreateContext, 'id' | 'now' | 'actor'>,
): StoredRequest<S> => {
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
