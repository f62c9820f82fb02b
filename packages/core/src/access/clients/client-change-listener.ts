import type { Clock } from '../../base/runtime/clock.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { type DurationMs, type EpochMs, second } from '../../base/runtime/time.ts';
import { wrongAnswer } from '../../base/runtime/wrong-answer.ts';
import type { ClientChangeFeed, ClientChanges } from './client-change-feed.ts';

/** Reads and announces changes on the feed of this process. */
export interface ClientChangeListener {
  /**
   * Whether every change announced until `staleness` ago has been read. Starts the next read when one is due: call it
   * at each request.
   */
  isCurrent(now: EpochMs): boolean;
  /** Whether a read that starts now can be cached until a change of its subject is announced. */
  isCacheable(subject: string, now: EpochMs): boolean;
  /** Runs a change and announces it before and after. A failing feed neither fails nor blocks the change. */
  runAnnounced<T>(subject: string, change: () => Promise<T>): Promise<T>;
}

export interface ClientChangeListenerDeps {
  readonly changeFeed: ClientChangeFeed;
  readonly clock: Clock;
  /** Maximum age of the last read of the feed, in milliseconds. */
  readonly staleness: DurationMs;
  /**
   * Maximum staleness of a change that could not be announced; and how long an announced subject bypasses the cache.
   */
  readonly maxStaleness: DurationMs;
  /** Called for each subject that another process announced. */
  readonly onChanged: (subject: string) => void;
  /** Called when announcements may be missing: any subject may have changed. */
  readonly onMissed: () => void;
  /** Called once when the feed fails, and again only after it has worked. */
  readonly onError: (cause: unknown) => void;
}

/** Maximum number of subjects tracked one by one. */
const maxBypassed = 10_000;
/** How long a change waits for its announcement before it is made. */
const maxAnnounceWait: DurationMs = second;
/** Interval between retries of a failed announcement. */
const announceRetryEvery: DurationMs = second / 4;

const isText = (value: unknown): value is string => typeof value === 'string';

const checkChanges = (changes: ClientChanges): ClientChanges => {
  const { cursor, subjects }: Partial<Record<keyof ClientChanges, unknown>> = isObject(changes) ? changes : {};
  const isList = subjects === undefined || (Array.isArray(subjects) && subjects.every(isText));
  if (isText(cursor) && isList) return changes;
  throw wrongAnswer('shared.changeFeed.changesSince', '{ cursor, subjects }: a text, and texts or undefined');
};

/**
 * A process announces a change before it makes it. Readers then bypass the cache for that subject, so they do not
 * depend on a second announcement: the process may die at any point. Readers poll, so a reader knows when it misses
 * announcements.
 */
export const createClientChangeListener = (deps: ClientChangeListenerDeps): ClientChangeListener => {
  const { changeFeed, clock, staleness, maxStaleness, onChanged, onMissed, onError } = deps;
  let cursor: string | undefined;
  let currentAt: EpochMs = -Infinity;
  let triedAt: EpochMs = -Infinity;
  let reading: object | undefined;
  let isFailing = false;
  let allBypassUntil: EpochMs = -Infinity;
  const bypassUntil = new Map<string, EpochMs>();

  const bypassAll = (): void => {
    bypassUntil.clear();
    allBypassUntil = clock.now() + maxStaleness;
  };

  const apply = ({ subjects }: ClientChanges): void => {
    if (!subjects) {
      onMissed();
      bypassAll();
      return;
    }
    for (const subject of subjects) {
      onChanged(subject);
      if (bypassUntil.size >= maxBypassed) bypassAll();
      bypassUntil.set(subject, clock.now() + maxStaleness);
    }
  };

  const fail = (cause: unknown): void => {
    if (!isFailing) onError(cause);
    isFailing = true;
  };

  const readChanges = async (now: EpochMs): Promise<void> => {
    const own = {};
    reading = own;
    triedAt = now;
    try {
      const changes = checkChanges(await changeFeed.changesSince(cursor));
      // Ignore the result of a superseded read: the cursor has changed.
      if (reading !== own) return;
      apply(changes);
      cursor = changes.cursor;
      // Changes announced during the read may be missing.
      currentAt = now;
      isFailing = false;
    } catch (cause) {
      if (reading !== own) return;
      // This process may have missed announcements: without a cursor, the next read drops the whole cache.
      cursor = undefined;
      fail(cause);
    }
    reading = undefined;
  };

  const announce = async (subject: string): Promise<boolean> => {
    try {
      await changeFeed.announce(subject);
      return true;
    } catch (cause) {
      fail(cause);
      return false;
    }
  };

  const announceWithin = async (subject: string): Promise<void> => {
    const announced = new AbortController();
    await Promise.race([announce(subject), clock.sleep(maxAnnounceWait, announced.signal)]);
    announced.abort('announced');
  };

  /** Stops after `maxStaleness`: by then no process caches a read from before the change. */
  const announceUntilAccepted = async (subject: string): Promise<void> => {
    const never = new AbortController().signal;
    for (let waited = 0; !(await announce(subject)) && waited < maxStaleness; waited += announceRetryEvery)
      await clock.sleep(announceRetryEvery, never);
  };

  return {
    isCurrent: (now) => {
      const since = now - triedAt;
      const stuck = since < 0 || since >= staleness;
      if (reading ? stuck : stuck || since >= staleness / 2) {
        if (reading) {
          cursor = undefined;
          fail(new Error('The change feed did not answer in time.'));
        }
        void readChanges(now);
      }
      // A clock that was set back must not extend the validity of the last read.
      return currentAt <= now && now - currentAt < staleness;
    },
    isCacheable: (subject, now) => now >= allBypassUntil && now >= (bypassUntil.get(subject) ?? now),
    runAnnounced: async (subject, change) => {
      await announceWithin(subject);
      try {
        return await change();
      } finally {
        onChanged(subject);
        void announceUntilAccepted(subject);
      }
    },
  };
};
