import type { DurationMs } from '@partnerkit/core';
import type { Wakes } from '@partnerkit/core/adapter';
import type { SqlRow } from './drivers/driver.ts';
import { numberOf } from './rows/literals.ts';
import { prefix } from './rows/names.ts';

/** Maximum number of events that one look reads. */
const maxSeen = 1_000;
/** How many looks go back to a position: a transaction may commit it after one with a larger position. */
const trail = 20;

/**
 * Looks for events that other connections committed: those of hosts, and of other processes. The server notifies
 * nobody.
 */
const createLook = (query: (text: string) => Promise<readonly SqlRow[]>, wakes: Wakes): (() => Promise<void>) => {
  /** The largest positions that earlier looks found, oldest first. */
  const floors: number[] = [];
  const seen = new Set<number>();
  return async () => {
    const floor = floors[0] ?? 0;
    const rows = await query(
      `select position, shard from ${prefix}outbox force index (position) where position > ${floor} ` +
        `order by position desc limit ${maxSeen}`,
    );
    const found = rows.map((row) => ({ position: numberOf(row, 'position'), shard: numberOf(row, 'shard') }));
    const fresh = found.filter(({ position }) => !seen.has(position));
    for (const { position } of fresh) seen.add(position);
    const isFirst = floors.length === 0;
    floors.push(Math.max(floors.at(-1) ?? 0, found[0]?.position ?? 0));
    if (floors.length > trail) {
      floors.shift();
      for (const position of seen) if (position <= (floors[0] ?? 0)) seen.delete(position);
    }
    // A worker that starts reads the outbox by itself.
    if (!isFirst) wakes.wake({ kind: 'events', shards: [...new Set(fresh.map(({ shard }) => shard))] });
  };
};

/** Watches the database while somebody watches the store. */
export const watchOutbox = (
  query: (text: string) => Promise<readonly SqlRow[]>,
  wakes: Wakes,
  pollMs: DurationMs,
): Wakes['watch'] => {
  let watchers = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = (): void => {
    const look = createLook(query, wakes);
    const next = async (): Promise<void> => {
      // A read that fails now is repeated; workers poll besides.
      await look().catch(() => undefined);
      if (watchers > 0) timer = setTimeout(next, pollMs).unref();
    };
    timer = setTimeout(next, 0).unref();
  };
  return async (onWake) => {
    const unwatch = await wakes.watch(onWake);
    if (++watchers === 1 && Number.isFinite(pollMs)) start();
    let isWatching = true;
    return () => {
      unwatch();
      if (isWatching && --watchers === 0) clearTimeout(timer);
      isWatching = false;
    };
  };
};
