import { randomUUID } from 'node:crypto';
import { type ShardStore, type ShardWake, shardCount } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { wakeChannel } from '../database/fragments.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { readAnnouncement } from './announcement.ts';
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

/**
 * Wakes the workers of this process: one connection listens, and a row in `idle_workers` exists, while there is a
 * watcher.
 */
export const watch = <Tx extends object>({ run, listen, schema }: Database<Tx>): ShardStore['watch'] => {
  const id = randomUUID();

  const watchers = new Set<(wake: ShardWake) => void>();
  /** Stops listening; set while a connection is open or being opened. */
  let listening: Promise<() => Promise<void>> | undefined;
  /** Serializes start and stop: a stop after a start ends what it began. */
  let last: Promise<unknown> = Promise.resolve();
  /** Whether a connection was lost, and perhaps a notification. */
  let missed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const wake = (what: ShardWake): void => {
    for (const watcher of [...watchers]) watcher(what);
  };
  const wakeSoon = repeatedWakes(wake);
  const onNotify = (payload: string): void => {
    if (payload === 'members') {
      wake({ kind: payload });
      return;
    }
    const read = readAnnouncement(payload);
    if (read?.isSoon) wakeSoon(read.wake);
    else if (read) wake(read.wake);
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
    await run(mark, { id });
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
    await run(unmark, { id });
  };

  return async (onWake) => {
    // A new function, so that the same listener may watch twice.
    const watcher = (what: ShardWake): void => onWake(what);
    const unwatch = (): void => {
      // A row that cannot be deleted expires. The listening connection is released even when the row could not be
      // written.
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
