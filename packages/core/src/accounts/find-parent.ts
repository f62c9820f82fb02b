import { err, okAsync, type Result, type ResultAsync } from 'neverthrow';
import { createCache } from '../runtime/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import type { AccountDirectory } from './account.ts';
import { findAccount } from './find-account.ts';
import { type EnvironmentReach, reaches } from './reach.ts';

/**
 * The account whose child an account is, and by which it is reached; `undefined` when there is none.
 * @internal
 */
export type FindParent = (accountId: string) => ResultAsync<string | undefined, Unavailable>;

type Answer = Result<string | undefined, Unavailable>;

/** An answer counts so long: a burst asks once. */
const remembered: DurationMs = second;
/** A directory that has not answered by then has failed. */
const patience: DurationMs = 2 * second;
const mostRemembered = 5_000;

/** Only the directory says who is whose parent, and both must say it: the child by its `parentId`, the parent by being there. */
const ofDirectory =
  (accounts: AccountDirectory, environmentReach: EnvironmentReach): FindParent =>
  (accountId) =>
    findAccount(accounts, accountId).andThen((child) => {
      const parentId = child?.parentId;
      // An account is no child of its own, whatever its directory says.
      if (!child || typeof parentId !== 'string' || parentId === accountId) return okAsync(undefined);
      return findAccount(accounts, parentId).map((parent) =>
        parent && reaches(parent, child, environmentReach) ? parentId : undefined,
      );
    });

/**
 * Asks the host's directory, which may hang: answers after two seconds at the latest, and for a second all who ask are given one answer.
 * @internal
 */
export const createFindParent = (
  accounts: AccountDirectory,
  clock: Clock,
  environmentReach: EnvironmentReach = 'same',
): FindParent => {
  const find = ofDirectory(accounts, environmentReach);
  const known = createCache<{ readonly answer: Promise<Answer>; answeredAt?: EpochMs }>(mostRemembered);

  const inTime = async (accountId: string): Promise<Answer> => {
    const askedAt = clock.now();
    const answered = new AbortController();
    const found = async (): Promise<Answer> => find(accountId);
    const late = async (): Promise<undefined> => void (await clock.sleep(patience, answered.signal));
    const answer = await Promise.race([found(), late()]);
    // A reason of its own: the default one is an error, with a stack to be made each time.
    answered.abort('answered');
    // A process that was suspended may see both at once.
    if (answer && clock.now() - askedAt < patience) return answer;
    return err({ code: 'unavailable', cause: new Error('AccountDirectory.find: no answer within 2 seconds.') });
  };

  const askOnce = (accountId: string): Promise<Answer> => {
    const before = known.get(accountId);
    if (before && Math.abs(clock.now() - (before.answeredAt ?? clock.now())) < remembered) return before.answer;
    const asked: { readonly answer: Promise<Answer>; answeredAt?: EpochMs } = {
      answer: inTime(accountId).finally(() => {
        asked.answeredAt = clock.now();
      }),
    };
    known.set(accountId, asked);
    return asked.answer;
  };

  return (accountId) => ask(() => askOnce(accountId)).andThen((answer) => answer);
};
