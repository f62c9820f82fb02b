import { type Clock, column, rowInbox, rowSeenKeys, rowTables, systemRandom, table } from '@partnerkit/core/adapter';
import { type MemoryTransaction, memoryRows } from '@partnerkit/core/memory';
import type { StoredInbox, StoredSeenKeys } from '../../src/index.ts';

/** The objects of the host: the newest state, and the timestamps of all that were handled, in order. */
const objects = table({
  name: 'objects',
  columns: { object: column.text(), state: column.text(), handled: column.json<readonly number[]>() },
  key: ['object'],
  indexes: {},
});

interface HostObject {
  readonly state: string;
  readonly handled: readonly number[];
}

/** A database with transactions and row locks, in memory: the tables of a receiver beside one of the host. */
export interface HostDatabase {
  readonly seen: StoredSeenKeys<MemoryTransaction>;
  readonly inbox: StoredInbox<MemoryTransaction>;
  transaction(work: (tx: MemoryTransaction) => Promise<void>): Promise<void>;
  /** Stores the state of an object, in two steps as a careless host does: it reads, and then writes. */
  save(tx: MemoryTransaction, object: string, state: string, timestamp: number): Promise<void>;
  read(object: string): Promise<HostObject | undefined>;
}

export const hostDatabase = (clock: Clock): HostDatabase => {
  const rows = memoryRows([...rowTables, objects], clock);
  const read = (object: string) =>
    rows.run('one', function* (tx) {
      const [row] = yield* tx.get(objects, [[object]]);
      return row;
    });
  return {
    seen: rowSeenKeys(rows, systemRandom),
    inbox: rowInbox(rows, systemRandom),
    transaction: (work) => rows.transaction(work),
    save: async (tx, object, state, timestamp) => {
      const handled = (await read(object))?.handled ?? [];
      await rows.join(tx, function* (inTx) {
        yield* inTx.put(objects, [{ object, state, handled: [...handled, timestamp] }]);
      });
    },
    read,
  };
};
