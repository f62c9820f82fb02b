import { isIdentifier } from '../runtime/text.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { Money } from './money.ts';

/**
 * The account whose objects they are, and its environment: objects stay in that one. A kit's `Account` is one.
 * @public
 */
export interface Owner {
  readonly id: string;
  readonly environment: string;
}

/** Returns the owner. @throws TypeError when it names no account. @internal */
export const assertOwner = (owner: Owner): Owner => {
  if (isIdentifier(owner.id) && isIdentifier(owner.environment)) return owner;
  throw new TypeError('account: its id and its environment, 1 to 256 bytes of text each without control characters.');
};

/**
 * What every object has.
 * @public
 */
export interface Recorded<S extends string = string> {
  /** Unique over all accounts. */
  readonly id: string;
  readonly accountId: string;
  readonly environment: string;
  readonly status: S;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  /** 1 when it was stored first, one more at each change. */
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
export interface Asked extends Money {
  readonly name: string;
  readonly description?: string;
  readonly recipient: Recipient;
  /** The template that it was made from. It may have changed since, or be gone. */
  readonly templateId?: string;
}

/**
 * What a command is given beside its input.
 * @public
 */
export interface Context {
  readonly now: EpochMs;
  newId(): string;
}
