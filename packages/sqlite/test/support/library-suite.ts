import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from 'better-sqlite3';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { Kysely, SqliteDialect } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SqliteStorage, sqliteInbox, sqliteSeenKeys, sqliteStorage } from '../../src/index.ts';
import { allStores, describeContracts } from './contracts.ts';
import { newEvent } from './events.ts';
import { migratedFile, type TemporaryFile, temporaryFile } from './files.ts';
import { placesReadIn } from './fixtures.ts';
import { type LibraryName, loadLibrary } from './libraries.ts';

const paymentsTable = sqliteTable('payments', { id: text('id').primaryKey() });

/**
 * Hosts with a library of their own. Loads it: no other tests may run in this process.
 */
export const describeLibrary = (name: LibraryName): void => {
  // Opened before the process loads the library, as hosts do that load it with their first request.
  const early = temporaryFile();
  const before = sqliteStorage(early.file);
  const connect = loadLibrary(name);
  afterAll(() => {
    before.close();
    early.remove();
  });

  describe.skipIf(!connect)(`storage over ${name}`, () => describeContracts(['storage'], connect));

  describe.skipIf(!connect)(`a host with ${name}`, () => {
    const open = connect as NonNullable<typeof connect>;
    let { file, remove } = {} as TemporaryFile;
    let host: Database;
    let storage: SqliteStorage<Database>;
    const ends: (() => void)[] = [];
    beforeEach(() => {
      ({ file, remove } = migratedFile(open));
      host = open(file);
      host.exec('create table payments (id text primary key) strict; pragma busy_timeout = 0');
      storage = sqliteStorage(host);
    });
    afterEach(() => {
      storage.close();
      if (host.open) host.close();
      remove();
      for (const end of ends.splice(0)) end();
    });
    const payments = (): readonly unknown[] => host.prepare('select id from payments order by id').pluck().all();
    const listed = async (): Promise<readonly string[]> =>
      (await storage.events.listEvents('acc', {})).items.map(({ id }) => id);

    test('commits and rolls back its rows and its events together', async () => {
      const [kept, undone] = [newEvent(), newEvent()];
      host.exec("begin immediate; insert into payments values ('kept')");
      await storage.events.append(host, [kept]);
      host.exec('commit');
      host.exec("begin immediate; insert into payments values ('undone')");
      await storage.events.append(host, [undone]);
      host.exec('rollback');
      expect(payments()).toEqual(['kept']);
      expect(await listed()).toEqual([kept.id]);
    });

    test('publishes in a transaction of Kysely', async () => {
      const db = new Kysely<{ payments: { id: string } }>({ dialect: new SqliteDialect({ database: host }) });
      const pay = (id: string, isKept: boolean) =>
        db.transaction().execute(async (tx) => {
          await tx.insertInto('payments').values({ id }).execute();
          await expect(storage.events.append(tx as never, [newEvent()])).rejects.toMatchObject({
            code: 'no_transaction',
            message: expect.stringContaining(`an object of Kysely: hand over the connection of ${name}`),
          });
          await storage.events.append(host, [newEvent()]);
          if (!isKept) throw new Error('The host changed its mind.');
        });
      await pay('kept', true);
      await expect(pay('undone', false)).rejects.toThrow('changed its mind');
      expect(payments()).toEqual(['kept']);
      expect((await listed()).length).toBe(1);
    });

    test('publishes in transactions of the storage, over whose connection Drizzle and Kysely run', async () => {
      await storage.transaction(async (tx) => {
        const db = drizzle(tx);
        db.insert(paymentsTable).values({ id: 'drizzle' }).run();
        await expect(storage.events.append(db as never, [newEvent()])).rejects.toMatchObject({
          code: 'no_transaction',
          message: expect.stringContaining(`an object of Drizzle: hand over the connection of ${name}`),
        });
        await storage.events.append(tx, [newEvent()]);
      });
      await storage.transaction(async (tx) => {
        const db = new Kysely<{ payments: { id: string } }>({ dialect: new SqliteDialect({ database: tx }) });
        await db.insertInto('payments').values({ id: 'kysely' }).execute();
        await storage.events.append(tx, [newEvent()]);
      });
      const undone = storage.transaction(async (tx) => {
        drizzle(tx).delete(paymentsTable).where(eq(paymentsTable.id, 'kysely')).run();
        await storage.events.append(tx, [newEvent()]);
        throw new Error('The host changed its mind.');
      });
      await expect(undone).rejects.toThrow('changed its mind');
      expect(payments()).toEqual(['drizzle', 'kysely']);
      expect((await listed()).length).toBe(2);
    });

    test('publishes in a transaction that it began through Drizzle', async () => {
      const db = drizzle(host);
      const kept = newEvent();
      db.run(sql`begin immediate`);
      db.insert(paymentsTable).values({ id: 'kept' }).run();
      await storage.events.append(db.$client, [kept]);
      db.run(sql`commit`);
      expect(payments()).toEqual(['kept']);
      expect(await listed()).toEqual([kept.id]);
    });

    test('gets refusals that name what it handed over', async () => {
      const refused = async (tx: unknown, message: string) =>
        expect(storage.events.append(tx as Database, [newEvent()])).rejects.toMatchObject({
          code: 'no_transaction',
          message: expect.stringContaining(message),
        });
      await refused(host, 'this is no open transaction');
      for (const wrong of [{}, null, undefined, 'new', () => undefined])
        await refused(wrong, 'this is no open transaction');
      const closed = open(file);
      closed.close();
      await refused(closed, 'this is no open transaction');
      const foreign = new DatabaseSync(':memory:');
      ends.push(() => foreign.close());
      foreign.exec('begin');
      await refused(foreign, `this is a connection of node:sqlite, and this storage uses ${name}: one process must`);
      expect(await listed()).toEqual([]);
    });

    test('gets errors with the remedy, the code of its library and that of SQLite', async () => {
      host.exec('begin');
      host.prepare('select count(*) from partnerkit_events').get();
      await storage.events.appendAlone?.([newEvent()]);
      const message = expect.stringContaining('`begin immediate` (SQLITE_BUSY_SNAPSHOT)');
      await expect(storage.events.append(host, [newEvent()])).rejects.toMatchObject({
        message,
        code: expect.stringMatching(/^SQLITE_BUSY/),
        errcode: 517,
      });
      host.exec('rollback; begin immediate');
      const impatient = sqliteStorage(host, { busyTimeoutMs: 20 });
      ends.push(impatient.close);
      await expect(impatient.events.appendAlone?.([newEvent()])).rejects.toMatchObject({
        message: expect.stringContaining('one writer at a time'),
        code: 'SQLITE_BUSY',
        errcode: 5,
      });
      host.exec('rollback');
      const empty = temporaryFile();
      const other = open(empty.file);
      const untouched = sqliteStorage(other, { migrate: false });
      ends.push(untouched.close, () => other.close(), empty.remove);
      await expect(untouched.clients.findClient('x')).rejects.toThrow('call migrateSqlite(file) once');
    });

    test('keeps its own settings: integers are numbers for storage, whatever they are for the host', async () => {
      host.defaultSafeIntegers(true);
      host.exec('begin immediate');
      await storage.events.append(host, [newEvent()]);
      expect(await placesReadIn(host)).toEqual([1]);
      host.exec('commit');
      expect(host.prepare('select 1 as n').all()).toEqual([{ n: 1n }]);
    });

    test('marks an event of a receiver in its own transaction', async () => {
      const [seen, inbox] = [sqliteSeenKeys(host), sqliteInbox(host)];
      ends.push(seen.close, inbox.close);
      host.exec('begin immediate');
      for (const mark of [seen.markIn, inbox.completeIn])
        expect([await mark(host, 'key'), await mark(host, 'key')]).toEqual([true, false]);
      host.exec('commit');
    });

    test('opens and closes a connection for each request beside the storage, and keeps one: all is in the file', async () => {
      const stop = await storage.shards.watch(() => undefined);
      ends.push(stop);
      const expected: string[] = [];
      for (let nth = 0; nth < 40; nth++) {
        const ids = ['kept', 'own', 'request'].map((kind) => `${kind}-${String(nth).padStart(3, '0')}`);
        const [kept = '', own = '', request = ''] = ids;
        host.prepare('insert into payments values (?)').run(kept);
        const look = open(file);
        await storage.transaction(async (tx) => {
          tx.prepare('insert into payments values (?)').run(own);
          await storage.events.append(tx, [newEvent()]);
          look.prepare('select count(*) from payments').get();
          look.close();
        });
        const database = open(file);
        database.exec('begin immediate');
        database.prepare('insert into payments values (?)').run(request);
        await storage.events.append(database, [newEvent()]);
        database.exec('commit');
        database.close();
        expected.push(...ids);
      }
      expect(payments()).toEqual(expected.toSorted());
      expect(host.prepare('select count(*) from partnerkit_outbox').pluck().all()).toEqual([80]);
      expect(host.prepare('pragma integrity_check').pluck().all()).toEqual(['ok']);
    });

    describe('and the library of Node.js', () => {
      const danger = /this process has more than one SQLite: node:sqlite, \S+\.node\. .*sqliteStorage\(database\)/;

      test('open no file together: paths are refused, with the shared object and the remedy', () => {
        const other = temporaryFile();
        ends.push(other.remove);
        for (const make of [sqliteStorage, sqliteSeenKeys, sqliteInbox]) expect(() => make(other.file)).toThrow(danger);
      });

      test('are told by check when the library was loaded later, and no connection is opened any more', async () => {
        expect(await before.check?.()).toMatchObject({ findings: [expect.stringMatching(danger)] });
        await expect(before.transaction(async () => undefined)).rejects.toThrow(danger);
      });

      test('open files of their own when the host says so, and their connections are told apart', async () => {
        const other = temporaryFile();
        const own = sqliteStorage(other.file, { otherLibrariesOpenOtherFiles: true });
        ends.push(own.close, other.remove);
        expect(await own.check?.()).toMatchObject({ findings: [] });
        await own.transaction(async () => undefined);
        host.exec('begin');
        await expect(own.events.append(host as never, [newEvent()])).rejects.toMatchObject({
          code: 'no_transaction',
          message: expect.stringContaining(`this is a connection of ${name}, and this storage uses node:sqlite`),
        });
        host.exec('rollback');
      });

      test('are no danger to a storage over the library; a second copy of it is, whatever the name of its file', async () => {
        expect(await storage.check?.()).toMatchObject({ findings: [] });
        const { sharedObjects } = process.report.getReport() as { readonly sharedObjects: readonly string[] };
        const [addon = ''] = sharedObjects.filter(
          (path) => path.endsWith('.node') && /libsql|better-sqlite3/.test(path),
        );
        const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
        ends.push(() => rmSync(folder, { recursive: true }));
        const copy = join(folder, 'a1b2c3.node');
        copyFileSync(addon, copy);
        createRequire(import.meta.url)(copy);
        expect(await storage.check?.()).toMatchObject({ findings: [expect.stringContaining(`${addon}, ${copy}.`)] });
        expect(() => sqliteStorage(host)).toThrow('more than one SQLite');
      });
    });
  });
};

/** All contract suites, with a library of the host. Nothing else may run in this process. */
export const describeContractsWith = (name: LibraryName): void => {
  const connect = loadLibrary(name);
  describe.skipIf(!connect)(`storage over ${name}`, () => describeContracts(allStores, connect));
};
