import { randomUUID } from 'node:crypto';
import { type ShardStore, shardCount, type Wake } from '@partnerkit/core';
import type { Database } from './database.ts';

/** A process that died is notified for so long at most. */
const markLasts = "interval '1 minute'";
const refreshEvery = 20_000;
const retryEvery = 1_000;

const allShards = Array.from({ length: shardCount }, (_, shard) => shard);

const wakeOf = (payload: string): Wake =>
  payload === 'members' ? { kind: 'members' } : { kind: 'events', shards: payload.split(',').map(Number) };

/**
 * Wakes the workers of this process: one connection listens, and a mark says that a worker is idle, while there is one that watches.
 * @internal
 */
export const watch = <Tx extends object>({ sql, run, listen }: Database<Tx>): ShardStore['watch'] => {
  const id = randomUUID();
  const channel = sql("'partnerkit:wake'").slice(1, -1);
  const mark = sql(`insert into partnerkit.idle_workers (id, expires_at) values ($1::uuid, now() + ${markLasts})
    on conflict (id) do update set expires_at = excluded.expires_at`);
  const unmark = sql('delete from partnerkit.idle_workers where id = $1::uuid or expires_at <= now()');

  const watchers = new Set<(wake: Wake) => void>();
  /** The way to stop, while there is a connection or one is being made. */
  let listening: Promise<() => Promise<void>> | undefined;
  /** One thing after another: a stop that comes after a start ends what that began. */
  let last: Promise<unknown> = Promise.resolve();
  /** A connection was lost, and with it perhaps a notification. */
  let missed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const wake = (what: Wake): void => {
    for (const watcher of [...watchers]) watcher(what);
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
    listening ??= listen(
      channel,
      (payload) => wake(wakeOf(payload)),
      () => {
        listening = undefined;
        missed = true;
        again(retryEvery);
      },
    );
    try {
      await listening;
    } catch (cause) {
      listening = undefined;
      throw cause;
    }
    await run(mark, [id]);
    again(refreshEvery);
    if (!missed) return;
    missed = false;
    wake({ kind: 'members' });
    wake({ kind: 'events', shards: allShards });
  };
  const stop = async (): Promise<void> => {
    if (watchers.size > 0 || !listening) return;
    clearTimeout(timer);
    const end = await listening;
    listening = undefined;
    await end();
    await run(unmark, [id]);
  };

  return async (onWake) => {
    // Its own, should one function watch twice.
    const watcher = (what: Wake): void => onWake(what);
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
