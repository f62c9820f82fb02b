import { randomUUID } from 'node:crypto';
import { createWakes, shardCount } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { wakeChannel } from '../database/fragments.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { readNotification } from './announcement.ts';
import { repeatedWakes } from './repeated-wakes.ts';

/** How long a dead process is still notified. */
const idleLifetime = "interval '1 minute'";
const refreshEvery = 20_000;
const retryEvery = 1_000;

const allShards = Array.from({ length: shardCount }, (_, shard) => shard);

const id = value('id', 'uuid');
const mark = statement`insert into ${t.idle_workers} (id, expires_at) values (${id}, now() + ${idleLifetime})
  on conflict (id) do update set expires_at = excluded.expires_at`;
const unmark = statement`delete from ${t.idle_workers} where id = ${id} or expires_at <= now()`;

/** Who watches: workers, and readers of feeds. */
type Watcher = 'workers' | 'readers';

/**
 * Wakes the workers and the readers of this process: one connection listens while there is a watcher, and a row in
 * `idle_workers` exists while a worker watches.
 */
export const createWatch = <Tx extends object>({
  run,
  listen,
  schema,
}: Pick<Database<Tx>, 'run' | 'listen' | 'schema'>) => {
  const id = randomUUID();
  const wakes = createWakes();
  const watching: Record<Watcher, number> = { workers: 0, readers: 0 };
  const hasWatchers = (): boolean => watching.workers + watching.readers > 0;
  /** Stops listening; set while a connection is open or being opened. */
  let listening: Promise<() => Promise<void>> | undefined;
  let isMarked = false;
  /** Serializes start and stop: a stop after a start ends what it began. */
  let last: Promise<unknown> = Promise.resolve();
  /** Whether a connection was lost, and perhaps a notification. */
  let missed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const wakeSoon = repeatedWakes(wakes.wake);
  const onNotify = (payload: string): void => {
    const read = readNotification(payload);
    if (read?.isSoon) wakeSoon(read.wake);
    else if (read) wakes.wake(read.wake);
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
    if (!hasWatchers() || !listen) return;
    listening ??= listen(wakeChannel(schema), onNotify, () => {
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
    if (watching.workers > 0) {
      isMarked = true;
      await run(mark, { id });
    }
    again(refreshEvery);
    if (!missed) return;
    missed = false;
    wakes.wake({ kind: 'members' });
    wakes.wake({ kind: 'events', shards: allShards });
    wakes.wake({ kind: 'feeds', shards: allShards });
  };
  const stop = async (): Promise<void> => {
    if (!hasWatchers() && listening) {
      clearTimeout(timer);
      const end = await listening;
      listening = undefined;
      await end();
    }
    if (watching.workers > 0 || !isMarked) return;
    isMarked = false;
    await run(unmark, { id });
  };

  /** Listens for those who watch. */
  const during =
    <W>(who: Watcher, watch: (onWake: (wake: W) => void) => Promise<() => void>) =>
    async (onWake: (wake: W) => void): Promise<() => void> => {
      const unwatch = await watch(onWake);
      watching[who]++;
      let isWatching = true;
      const end = (): void => {
        if (!isWatching) return;
        isWatching = false;
        unwatch();
        watching[who]--;
        // A row that cannot be deleted expires. The listening connection is released even when the row could not be
        // written.
        inTurn(stop).catch(() => undefined);
      };
      try {
        await inTurn(start);
      } catch (cause) {
        end();
        throw cause;
      }
      return end;
    };
  return {
    watch: during('workers', wakes.watch),
    watchFeeds: during('readers', wakes.watchFeeds),
    /** Wakes those of this process. */
    wake: wakes.wake,
  };
};
