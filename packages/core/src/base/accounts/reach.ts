import type { Account } from './account.ts';

/**
 * Which children a client can access: those in its account's environment (`same`), or those in any environment (`all`).
 * @public
 */
export type EnvironmentReach = 'same' | 'all';

/**
 * Whether a client of `own` can access `target` (specification §1.2, §1.3).
 *
 * A client accesses its own account and the direct children of that account, by default in the same environment only.
 * Grandchildren, parents, siblings and unrelated accounts are out of reach.
 * @example
 * const parent = { id: 'acc_1', name: 'Bellerive', status: 'active', environment: 'prod' };
 * canAccess(parent, { ...parent, id: 'acc_2', parentId: 'acc_1' }); // true
 * @public
 */
export const canAccess = (own: Account, target: Account, environmentReach: EnvironmentReach = 'same'): boolean =>
  (environmentReach === 'all' || own.environment === target.environment) &&
  (own.id === target.id || target.parentId === own.id);
