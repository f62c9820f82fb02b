import type { Database } from './database.ts';

/** Wait before a notification, so that simultaneous publishers share one. */
const delay = 1;
/** Minimum interval of notifications for one shard. */
const interval = 50;

/**
 * Creates a function that wakes workers for events that open transactions of the host have stored. A notification in
 * those transactions would make their commits wait for each other. This one is sent by a connection of the storage,
 * and the watcher reads the shards until the transactions have probably ended.
 *
 * No caller waits for a notification. If it is lost, the worker polls.
 * @internal
 */
export const createWaker = <Tx extends object>({
  sql,
  run,
}: Pick<Database<Tx>, 'sql' | 'run'>): ((shards: Iterable<number>) => void) => {
  // A notification needs no durable commit.
  const notify = sql(`with quick as materialized (select set_config('synchronous_commit', 'off', true))
    select pg_notify('partnerkit:wake', 'soon:' || $1::text)::text as woken from quick`);
  /** When the next notification for a shard may be sent, by shard. */
  const waiting = new Map<number, number>();
  const sent = new Map<number, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = (): void => {
    timer = undefined;
    const now = performance.now();
    const due = [...waiting].filter(([, at]) => at <= now).map(([shard]) => shard);
    for (const shard of due) {
      waiting.delete(shard);
      sent.set(shard, now);
    }
    if (due.length > 0) run(notify, [due.join(',')]).catch(() => undefined);
    if (waiting.size > 0) schedule(Math.min(...waiting.values()) - now);
  };
  const schedule = (after: number): void => {
    clearTimeout(timer);
    timer = setTimeout(send, Math.max(Math.ceil(after), delay));
    // A process that ends loses only the wake.
    timer.unref();
  };

  return (shards) => {
    const now = performance.now();
    const before = waiting.size;
    for (const shard of shards)
      if (!waiting.has(shard))
        waiting.set(shard, Math.max(now + delay, (sent.get(shard) ?? Number.NEGATIVE_INFINITY) + interval));
    if (waiting.size > before) schedule(Math.min(...waiting.values()) - now);
  };
};
