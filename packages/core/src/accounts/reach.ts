import type { Account } from './account.ts';

/**
 * Who may access what: the one place that decides it (specification §1.2, §1.3).
 *
 * A client reaches its own account and that account's direct children, in the account's environment. Grandchildren,
 * parents, siblings and strangers are out of reach.
 * @public
 */
export const reaches = (own: Account, target: Account): boolean =>
  own.environment === target.environment && (own.id === target.id || target.parentId === own.id);
