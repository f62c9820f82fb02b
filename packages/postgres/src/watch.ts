import type { Database } from './database.ts';

/** A sleeper whose process died is notified for so long at most. */
const markLasts = "interval '1 minute'";
const refreshEvery = 20_000;
const retryEvery = 1_000;

/**
 * Wakes the workers of this process: one connection listens, and a mark says that somebody sleeps, while at least one of them does.
 * @internal
 */
export const sleepWatch = <Tx extends object>({ sql, run, listen }: Database<Tx>, id: string) => {
  const channel = sql("'partnerkit:due'").slice(1, -1);
  const mark = sql(`insert into partnerkit.sleepers (id, expires_at) values ($1::uuid, now() + ${markLasts})
    on conflict (id) do update set expires_at = excluded.expires_at`);
  const unmark = sql('delete from partnerkit.sleepers where id = $1::uuid or expires_at <= now()');

  const watchers = new Set<() => void>();
  /** The way to stop, while there is a connection or one is being made. */
  let listening: Promise<() => Promise<void>> | undefined;
  /** One thing after another: a stop that comes after a start ends what that began. */
  let last: Promise<unknown> = Promise.resolve();
  /** A connection was lost, and with it perhaps a notification. */
  let missed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ring = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const next = last.then(act);
    last = next.catch(() => undefined);
    return next;
  };
  const again = (after: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void inTurn(start).catch(() => again(retryEvery)), after);
    timer.unref();
  };
  const start = async (): Promise<void> => {
    if (watchers.size === 0 || !listen) return;
    listening ??= listen(channel, ring, () => {
      listening = undefined;
      missed = true;
      again(retryEvery);
    });
    try {
      await listening;
    } catch (cause) {
      listening = undefined;
      throw cause;
    }
    await run(mark, [id]);
    again(refreshEvery);
    if (missed) ring();
    missed = false;
  };
  const stop = async (): Promise<void> => {
    if (watchers.size > 0 || !listening) return;
    clearTimeout(timer);
    const end = await listening;
    listening = undefined;
    await end();
    await run(unmark, [id]);
  };

  return async (onDue: () => void): Promise<() => void> => {
    // Its own, should one function watch twice.
    const watcher = (): void => onDue();
    const unwatch = (): void => {
      // What cannot be undone lapses by itself. A connection that listens is given back, also where the mark could not be written.
      if (watchers.delete(watcher)) inTurn(stop).catch(() => undefined);
    };
    watchers.add(watcher);
    try {
      await inTurn(start);
    } catch (cause) {
      unwatch();
      throw cause;
    }
    return unwatch;
  };
};
