import type { AnnouncedEvent, StoreWake } from '@partnerkit/core/adapter';
import type { Database, Run } from '../database/database.ts';
import { feedsPrefix, notify } from '../database/fragments.ts';
import { type Statement, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { createWaker } from '../waking/waker.ts';
import { createWatch } from '../waking/watch.ts';

/** Read by itself: an engine that runs a statement where its table is would notify there. */
const findIdle = statement`select 1 as found from ${t.idle_workers} where expires_at > now() limit 1`;
const send = statement`select ${notify(value('payload', 'text'))}::text as sent`;

/** Notified workers and readers of a storage over rows. */
export interface Waking extends ReturnType<typeof createWatch> {
  /** Wakes those of each process for a transaction that may not be committed yet. */
  soon(wake: StoreWake): void;
  /** Wakes those of each process for a transaction that was committed. */
  committed(wake: StoreWake): void;
}

/** Waking by notifications, sent by connections of the storage. A driver without `listen` wakes this process alone. */
export const createWaking = <Tx extends object>(
  database: Pick<Database<Tx>, 'run' | 'listen' | 'schema'>,
  announces: boolean,
): Waking => {
  const { run, listen } = database;
  const watch = createWatch(database);
  const runIfIdle: Run = async <V>(statement: Statement<V>, values?: V) =>
    (await run(findIdle)).length > 0 ? run(statement, values as V) : [];
  const waker = createWaker({ run: runIfIdle });

  const soon = (wake: StoreWake): void => {
    if (!listen) return;
    if (wake.kind === 'events') {
      const announced: readonly AnnouncedEvent[] = (announces && wake.announced) || [];
      if (announced.length === 0) waker(wake.shards);
      for (const event of announced) waker([event.shard], JSON.stringify(event));
      return;
    }
    const payload = wake.kind === 'feeds' ? `${feedsPrefix}${wake.shards.join(',')}` : wake.kind;
    // A wake may be lost: who waits polls.
    if (wake.kind === 'members' || wake.shards.length > 0) run(send, { payload }).catch(() => undefined);
  };
  return {
    ...watch,
    soon,
    committed: (wake) => {
      watch.wake(wake);
      soon(wake);
    },
  };
};
