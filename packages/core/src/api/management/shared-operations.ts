import type { Account } from '../../base/accounts/account.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { Operation } from '../operations/operation.ts';

/** Who sends a request about an account: a client with its token, or a person with the host's session. */
export interface AccountCaller {
  readonly account: Account;
  /** Whether it is the account of the client or the person, whose children they can access, and not one of these. */
  readonly isOwn: boolean;
  /** The only children that the client reaches, by their ids. Absent: all. */
  readonly children?: readonly string[] | undefined;
  /** The client, or the person. */
  readonly actor: Extract<Actor, { readonly type: 'client' | 'user' }>;
}

/** An operation that the partner API and the management API have in common, below the path of an account. */
export interface SharedOperation {
  readonly row: Operation<AccountCaller>;
  /** The environments whose accounts it serves. `undefined`: all. */
  readonly environments: readonly string[] | undefined;
}

/** The path of an account in the partner API. A session names its account. */
export const accountPath = '/organisations/:organisationId';

/**
 * Hosts hand over requests, and must not see this. A `WeakMap` or a `Symbol()` of the module would be another one in
 * each copy: a process may load core as `import` and as `require`, and every entry is a bundle of its own.
 */
const key = Symbol.for('@partnerkit/core/shared-operations');

/** The object with operations for the management API. */
export const withSharedOperations = <O extends object>(object: O, operations: readonly SharedOperation[]): O => ({
  ...object,
  [key]: operations,
});

/** The operations of such an object. @throws TypeError when it has none. */
export const sharedOperationsOf = (given: object): readonly SharedOperation[] => {
  const found = (given as { readonly [key]?: readonly SharedOperation[] })[key];
  if (!found) throw new TypeError('managementRoutes: requests: hand over what createRequests returned.');
  return found;
};
