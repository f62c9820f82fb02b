import { DatabaseSync } from 'node:sqlite';
import type { FixtureSettings, StorageFixture } from '@partnerkit/conformance/contracts';
import { type Clock, rowTables, systemClock, type Table } from '@partnerkit/core/adapter';
import { type SqliteConnection, type SqliteOptions, sqliteStorage } from '../../src/index.ts';
import { sourceOf } from '../../src/open.ts';
import { sqliteRows } from '../../src/rows.ts';
import { type Connect, migratedFile } from './files.ts';

/** A store's clock that stands still until time elapses; it waits in real time. */
export const storeClock = ({ storeAhead }: FixtureSettings) => {
  let now = Date.UTC(2025, 6, 1, 12) + storeAhead;
  const clock: Clock = {
    now: () => now,
    monotonic: () => performance.now(),
    sleep: (time) => new Promise((resolve) => setTimeout(resolve, time)),
  };
  return {
    clock,
    storeNow: async () => now,
    elapse: async (time: number) => {
      now += time;
    },
  };
};

/** Every value of every table, as text. Read by the library of the process: another one would destroy the file. */
const dump = (file: string, connect: Connect): string => {
  const database = connect(file) as DatabaseSync;
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  const rows = tables.map(({ name }) => database.prepare(`select * from "${String(name)}"`).all());
  database.close();
  return JSON.stringify(rows);
};

const ofNode: Connect = (file) => new DatabaseSync(file, { readOnly: true });

/** An empty storage in a file. @param connect - The library of the host. Default: a path. */
export const sqliteFixture = async (
  settings: FixtureSettings,
  options: SqliteOptions = {},
  connect?: Connect,
): Promise<StorageFixture<SqliteConnection>> => {
  const { clock, ...time } = storeClock(settings);
  const { file, remove } = migratedFile(connect);
  const host = connect?.(file);
  const storage = sqliteStorage(host ?? file, { clock, ...options });
  return {
    ...time,
    storage,
    probe: async () => dump(file, connect ?? ofNode),
    close: async () => {
      storage.close();
      host?.close();
      remove();
    },
  };
};

/** The settings of rows that tests open by themselves. */
export const rowSettings = { synchronous: 'full', busyTimeoutMs: 10_000, pollMs: 25, migrate: true } as const;

/** The places of the events in the outbox, as storage reads them in the transaction of a host. */
export const placesReadIn = async (host: SqliteConnection): Promise<readonly unknown[]> => {
  const outbox = rowTables.find(({ name }) => name === 'outbox') as Table;
  const rows = sqliteRows(sourceOf('rows', host, false), rowTables, { ...rowSettings, clock: systemClock });
  try {
    return await rows.join(host, function* (tx) {
      const found = yield* tx.scan(outbox, Object.keys(outbox.indexes)[0] as never, [{ prefix: [] as never }]);
      return found.map((row) => (row as { position: unknown }).position);
    });
  } finally {
    rows.close();
  }
};
