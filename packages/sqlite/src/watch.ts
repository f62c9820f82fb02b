import type { DurationMs } from '@partnerkit/core';
import type { Wakes } from '@partnerkit/core/adapter';
import type { Connection } from './connection.ts';
import { dialect } from './shape.ts';

const outbox = `${dialect.prefix}outbox`;

/**
 * Looks for events that other connections committed: those of hosts, and of other processes. SQLite notifies nobody,
 * and looking costs some microseconds.
 */
const createLook = ({ prepared }: Connection, wakes: Wakes): (() => void) => {
  const version = prepared('pragma data_version');
  const last = prepared('select seq from sqlite_sequence where name = ?');
  const shardsAfter = prepared(
    `select distinct shard from (select shard from ${outbox} where position > ? order by position limit 1000)`,
  );
  const readVersion = (): unknown => version.get()?.[0];
  const readLast = (): number => Number(last.get(outbox)?.[0] ?? 0);
  let [knownVersion, knownLast] = [readVersion(), readLast()];
  return () => {
    const found = readVersion();
    if (found === knownVersion) return;
    knownVersion = found;
    const before = knownLast;
    knownLast = readLast();
    if (knownLast <= before) return;
    const shards = shardsAfter.all(before).map(([shard]) => Number(shard));
    wakes.wake({ kind: 'events', shards });
  };
};

/** Watches the file while somebody watches the store. */
export const watchFile = (connection: Connection, wakes: Wakes, pollMs: DurationMs) => {
  let watchers = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    watch: async (onWake: Parameters<Wakes['watch']>[0]): Promise<() => void> => {
      const unwatch = await wakes.watch(onWake);
      watchers++;
      if (!timer && Number.isFinite(pollMs)) {
        const look = createLook(connection, wakes);
        timer = setInterval(() => {
          try {
            look();
          } catch {
            // A read that fails now is repeated; workers poll besides.
          }
        }, pollMs);
        timer.unref();
      }
      let isWatching = true;
      return () => {
        unwatch();
        if (isWatching && --watchers === 0) stop();
        isWatching = false;
      };
    },
    stop,
  };
};
