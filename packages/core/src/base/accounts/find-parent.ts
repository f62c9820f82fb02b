import { err, okAsync, type Result, type ResultAsync } from '#result';
import { createCache } from '../runtime/cache.ts';
import { callPort, type Unavailable, unavailable } from '../runtime/call-port.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import type { AccountDirectory } from './account.ts';
import { findAccount } from './find-account.ts';
import { canAccess, type EnvironmentReach } from './reach.ts';

/** Finds the parent that can access an account; `undefined` when there is none. */
export type FindParent = (accountId: string) => ResultAsync<string | undefined, Unavailable>;

type Lookup = Result<string | undefined, Unavailable>;

interface CachedLookup {
  readonly result: Promise<Lookup>;
  settledAt?: EpochMs;
}

/** How long a result is cached: a burst reads once. */
const cacheFor: DurationMs = second;
/** Timeout of the directory. */
const timeout: DurationMs = 2 * second;
const maxCached = 5_000;

/** Reads the child for its `parentId`, then the parent: it must exist and be able to access the child. */
const readParent =
  (accounts: AccountDirectory, environmentReach: EnvironmentReach): FindParent =>
  (accountId) =>
    findAccount(accounts, accountId).andThen((child) => {
      const parentId = child?.parentId;
      // An account is not its own child, even if the directory says so.
      if (!child || typeof parentId !== 'string' || parentId === accountId) return okAsync(undefined);
      return findAccount(accounts, parentId).map((parent) =>
        parent && canAccess(parent, child, environmentReach) ? parentId : undefined,
      );
    });

/** Finds parents in the host's directory, with a timeout of two seconds. Results are cached for a second. */
export const createFindParent = (
  accounts: AccountDirectory,
  clock: Clock,
  environmentReach: EnvironmentReach = 'same',
): FindParent => {
  const find = readParent(accounts, environmentReach);
  const cache = createCache<CachedLookup>(maxCached);

  const findInTime = async (accountId: string): Promise<Lookup> => {
    const startedAt = clock.now();
    const settled = new AbortController();
    const found = async (): Promise<Lookup> => find(accountId);
    const late = async (): Promise<undefined> => void (await clock.sleep(timeout, settled.signal));
    const result = await Promise.race([found(), late()]);
    // With a reason: the default reason is an error, whose stack would be made each time.
    settled.abort('settled');
    // After a suspension, the process may see both at once.
    if (result && clock.now() - startedAt < timeout) return result;
    return err(unavailable(new Error('accounts.find: no answer within 2 seconds.')));
  };

  const findCached = (accountId: string): Promise<Lookup> => {
    const before = cache.get(accountId);
    if (before && Math.abs(clock.now() - (before.settledAt ?? clock.now())) < cacheFor) return before.result;
    const lookup: CachedLookup = {
      result: findInTime(accountId).finally(() => {
        lookup.settledAt = clock.now();
      }),
    };
    cache.set(accountId, lookup);
    return lookup.result;
  };

  return (accountId) => callPort(() => findCached(accountId)).andThen((result) => result);
};
