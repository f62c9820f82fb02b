import type { AnnouncedEvent, OutboxEvent } from '../deliveries/delivery-store.ts';
import type { NewEvent } from '../events/event.ts';
import type { EpochMs } from '../runtime/time.ts';
import { shardOf } from '../shards/shard.ts';
import { lastTimestamp } from './last-timestamps.ts';
import type { EventRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** A committed event. @internal */
export interface Committed {
  /** The event. */
  readonly event: NewEvent;
  /** When it was published, by the store's clock. */
  readonly storedAt: EpochMs;
}

/** Committed events that wait for dispatch. @internal */
export interface Outbox {
  /**
   * Adds events, all or none. Returns their shards.
   * @throws Error when an account already has an event of the id.
   */
  add(events: readonly Committed[]): readonly number[];
}

/** Creates the outbox. @internal */
export const createOutbox = ({ accountOf }: Tables): Outbox => {
  let positions = 0;

  const insert = ({ event, storedAt }: Committed): EventRow | undefined => {
    const account = accountOf(event.accountId);
    if (account.events.has(event.id)) return undefined;
    const row: EventRow = {
      account,
      event,
      position: positions++,
      storedAt,
      dispatch: undefined,
      isPropagating: false,
      isDropped: false,
      deliveries: [],
    };
    account.events.set(event.id, row);
    return row;
  };

  return {
    add: (events) => {
      const rows: EventRow[] = [];
      for (const each of events) {
        const row = insert(each);
        if (row) {
          rows.push(row);
          continue;
        }
        for (const { account, event } of rows) account.events.delete(event.id);
        throw new Error('The id exists.');
      }
      const shards = new Set<number>();
      for (const row of rows) {
        const { shard, accountId } = row.account;
        shard.outbox.add(accountId, row);
        shards.add(shard.shard);
      }
      return [...shards];
    },
  };
};

/** Maximum number of events of a transaction that are announced. */
const maxAnnounced = 8;

/** What workers are told of a committed event. `undefined`: it is to be read. @internal */
export const announcedEvent = ({ event, storedAt }: Committed): AnnouncedEvent | undefined => {
  const { id, accountId, objectName, objectId, type, occurredAt, onlyTo, origin } = event;
  if (onlyTo !== undefined || origin !== undefined) return undefined;
  const announced = { id, accountId, shard: shardOf(accountId), objectName, objectId, type, storedAt };
  return occurredAt === undefined ? announced : { ...announced, occurredAt };
};

/** What workers are told of a transaction. `undefined`: its events are to be read. @internal */
export const announcedOf = (committed: readonly Committed[]): readonly AnnouncedEvent[] | undefined => {
  if (committed.length > maxAnnounced) return undefined;
  const announced = committed.map(announcedEvent).filter((event) => event !== undefined);
  return announced.length === committed.length ? announced : undefined;
};

/** An event as workers read it. @internal */
export const outboxEvent = ({ account, event, position, storedAt }: EventRow): OutboxEvent => {
  const { shard } = account.shard;
  const last = lastTimestamp(account, event.objectId);
  return last === undefined
    ? { ...event, shard, position: String(position), storedAt }
    : { ...event, shard, position: String(position), storedAt, lastTimestamp: last };
};
