import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@partnerkit/core/time';
import type { FixtureSettings, StorageFixture } from '@partnerkit/testing/contracts';
import { type SqliteOptions, sqliteStorage } from '../../src/index.ts';
import { migratedFile } from './files.ts';

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

/** Every value of every table, as text. */
const dump = (file: string): string => {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  const rows = tables.map(({ name }) => database.prepare(`select * from "${String(name)}"`).all());
  database.close();
  return JSON.stringify(rows);
};

/** An empty storage in a file. */
export const sqliteFixture = async (
  settings: FixtureSettings,
  options: SqliteOptions = {},
): Promise<StorageFixture<DatabaseSync>> => {
  const { clock, ...time } = storeClock(settings);
  const { file, remove } = migratedFile();
  const storage = sqliteStorage(file, { clock, ...options });
  return {
    ...time,
    storage,
    probe: async () => dump(file),
    close: async () => {
      storage.close();
      remove();
    },
  };
};
