import type { Database } from '../database/database.ts';
import { notify } from '../database/fragments.ts';
import { statement, value } from '../database/statement.ts';
import { soonPayload } from './announcement.ts';

/** Wait before a notification, so that simultaneous publishers share one. */
const delay = 1;
/** Minimum interval of notifications for one shard. */
const interval = 50;

/** A notification needs no durable commit. */
const wake = statement`with quick as materialized (select set_config('synchronous_commit', 'off', true))
  select ${notify(value('payload', 'text'))}::text as woken from quick`;

/** Wakes workers for events of these shards. `text` announces the only event; absent: the events are to be read. */
export type Waker = (shards: Iterable<number>, text?: string) => void;

/** A shard to notify for. */
interface Waiting {
  /** When a notification may be sent. */
  readonly at: number;
  readonly texts: (string | undefined)[];
}

/**
 * Creates a function that wakes workers for events that open transactions of the host have stored. A notification in
 * those transactions would make their commits wait for each other. This one is sent by a connection of the storage,
 * and the watcher reads the shards until the transactions have probably ended.
 *
 * No caller waits for a notification. If it is lost, the worker polls.
 */
export const createWaker = <Tx extends object>({ run }: Pick<Database<Tx>, 'run'>): Waker => {
  const waiting = new Map<number, Waiting>();
  /** When the last notification for a shard was sent. */
  const sent = new Map<number, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const next = (now: number): number => Math.min(...[...waiting.values()].map(({ at }) => at)) - now;
  const send = (): void => {
    timer = undefined;
    const now = performance.now();
    const due = [...waiting].filter(([, { at }]) => at <= now);
    for (const [shard] of due) {
      waiting.delete(shard);
      sent.set(shard, now);
    }
    const payload = soonPayload(
      due.map(([shard]) => shard),
      due.flatMap(([, { texts }]) => texts),
    );
    if (due.length > 0) run(wake, { payload }).catch(() => undefined);
    if (waiting.size > 0) schedule(next(now));
  };
  const schedule = (after: number): void => {
    clearTimeout(timer);
    timer = setTimeout(send, Math.max(Math.ceil(after), delay));
    // A process that ends loses only the wake.
    timer.unref();
  };

  return (shards, text) => {
    const now = performance.now();
    const before = waiting.size;
    for (const shard of shards) {
      const at = Math.max(now + delay, (sent.get(shard) ?? Number.NEGATIVE_INFINITY) + interval);
      const known = waiting.get(shard);
      if (known) known.texts.push(text);
      else waiting.set(shard, { at, texts: [text] });
    }
    if (waiting.size > before) schedule(next(now));
  };
};
