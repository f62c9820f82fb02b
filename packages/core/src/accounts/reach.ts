import type { Account } from './account.ts';

/**
 * Which children a client reaches: those in its account's environment, or those in all environments.
 * @public
 */
export type EnvironmentReach = 'same' | 'all';

/**
 * Who may access what: the one place that decides it (specification §1.2, §1.3).
 *
 * A client reaches its own account and that account's direct children, by default in the account's environment only.
 * Grandchildren, parents, siblings and strangers are out of reach.
 * @public
 */
export const reaches = (own: Account, target: Account, environmentReach: EnvironmentReach = 'same'): boolean =>
  (environmentReach === 'all' || own.environment === target.environment) &&
  (own.id === target.id || target.parentId === own.id);
