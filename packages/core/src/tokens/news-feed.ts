import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import type { ClientNews, News } from './client-news.ts';

/**
 * What this process hears of the others, and tells them.
 * @internal
 */
export interface NewsFeed {
  /** Whether everything that was told until `staleness` ago has been heard. Listens again in time: call it at each request. */
  hears(now: EpochMs): boolean;
  /** Whether what is asked for now may be kept until something is heard of it. */
  mayLast(subject: string, now: EpochMs): boolean;
  /** Runs a change, and tells of it before and after. Neither fails nor waits long for the telling. */
  tellOf<T>(subject: string, change: () => Promise<T>): Promise<T>;
}

/** @internal */
export interface NewsFeedDeps {
  readonly news: ClientNews;
  readonly clock: Clock;
  readonly staleness: DurationMs;
  /** How late what nobody could tell is heard; and how long a subject rests that was told. */
  readonly untoldStaleness: DurationMs;
  readonly onChanged: (subject: string) => void;
  readonly onMissed: () => void;
  /** Told once when the news fail, and again only after they worked. */
  readonly onTrouble: (cause: unknown) => void;
}

/** So many that rest are remembered one by one. */
const mostResting = 10_000;
/** So long a change waits to be told before it is made. */
const patience: DurationMs = second;
/** What could not be told is tried again this often. */
const tellEvery: DurationMs = second / 4;

/**
 * Whoever changes a client tells it first. Those who hear it keep nothing of that client for a while, so they need not hear that
 * the change was made: its process may die at any point. And those who hear nothing know it, since it is they who ask.
 * @internal
 */
export const createNewsFeed = (deps: NewsFeedDeps): NewsFeed => {
  const { news, clock, staleness, untoldStaleness, onChanged, onMissed, onTrouble } = deps;
  let mark: string | undefined;
  let heardAt: EpochMs = -Infinity;
  let triedAt: EpochMs = -Infinity;
  let asking: object | undefined;
  let troubled = false;
  let allRestUntil: EpochMs = -Infinity;
  const resting = new Map<string, EpochMs>();

  const restAll = (): void => {
    resting.clear();
    allRestUntil = clock.now() + untoldStaleness;
  };

  const apply = ({ subjects }: News): void => {
    if (!subjects) {
      onMissed();
      restAll();
      return;
    }
    for (const subject of subjects) {
      onChanged(subject);
      if (resting.size >= mostResting) restAll();
      resting.set(subject, clock.now() + untoldStaleness);
    }
  };

  const fail = (cause: unknown): void => {
    if (!troubled) onTrouble(cause);
    troubled = true;
  };

  const listen = async (now: EpochMs): Promise<void> => {
    const own = {};
    asking = own;
    triedAt = now;
    try {
      const heard = await news.since(mark);
      // An answer that was given up is no answer: the mark has moved on since.
      if (asking !== own) return;
      apply(heard);
      mark = heard.mark;
      // What was told while we asked may be missing.
      heardAt = now;
      troubled = false;
    } catch (cause) {
      if (asking !== own) return;
      // Who could not hear could not be told either: from here on everything is asked anew.
      mark = undefined;
      fail(cause);
    }
    asking = undefined;
  };

  const tell = async (subject: string): Promise<boolean> => {
    try {
      await news.tell(subject);
      return true;
    } catch (cause) {
      fail(cause);
      return false;
    }
  };

  const tellSoon = async (subject: string): Promise<void> => {
    const told = new AbortController();
    await Promise.race([tell(subject), clock.sleep(patience, told.signal)]);
    told.abort('told');
  };

  /** After `untoldStaleness`, nobody keeps anything from before. */
  const tellUntilHeard = async (subject: string): Promise<void> => {
    const never = new AbortController().signal;
    for (let spent = 0; !(await tell(subject)) && spent < untoldStaleness; spent += tellEvery)
      await clock.sleep(tellEvery, never);
  };

  return {
    hears: (now) => {
      const since = now - triedAt;
      const stuck = since < 0 || since >= staleness;
      if (asking ? stuck : stuck || since >= staleness / 2) {
        if (asking) {
          mark = undefined;
          fail(new Error('The news did not answer in time.'));
        }
        void listen(now);
      }
      // A clock that was set back must not make silence last longer.
      return heardAt <= now && now - heardAt < staleness;
    },
    mayLast: (subject, now) => now >= allRestUntil && now >= (resting.get(subject) ?? now),
    tellOf: async (subject, change) => {
      await tellSoon(subject);
      try {
        return await change();
      } finally {
        onChanged(subject);
        void tellUntilHeard(subject);
      }
    },
  };
};
