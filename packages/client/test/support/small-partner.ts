// The program of a small partner: it has no public address, and keeps its ledger and its cursor in one file.
import { DatabaseSync } from 'node:sqlite';
import { createPartnerClient } from '../../src/index.ts';

const [baseUrl = '', file = '', clientId = '', clientSecret = '', organisationId = '', endpointId = ''] =
  process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec(`
  pragma busy_timeout = 10000;
  pragma journal_mode = wal;
  create table if not exists ledger (object text not null);
  create table if not exists cursors (one integer primary key check (one = 1), cursor text not null);`);

const readCursor = (): string | undefined => {
  const row = database.prepare('select cursor from cursors').get();
  return row && String(row['cursor']);
};

await createPartnerClient({ baseUrl, clientId, clientSecret }).follow<DatabaseSync>({
  organisationId,
  endpointId,
  limit: 3,
  store: {
    read: async () => readCursor(),
    advance: async (from, to, work) => {
      database.exec('begin immediate');
      try {
        const isCurrent = readCursor() === from;
        if (isCurrent) {
          await work(database);
          database.prepare('insert or replace into cursors (one, cursor) values (1, ?)').run(to);
        }
        database.exec('commit');
        return isCurrent;
      } catch (cause) {
        database.exec('rollback');
        throw cause;
      }
    },
  },
  handle: ({ body }, tx) => {
    tx.prepare('insert into ledger (object) values (?)').run(JSON.parse(body).data.id);
  },
  // Its platform, or the proxy between, may be away for a moment.
  onError: (cause) => console.error(String(cause)),
});
