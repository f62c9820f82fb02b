import { mkdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@partnerkit/core/adapter';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { migrateSqlite, sqliteInbox, sqliteSeenKeys, sqliteStorage } from '../src/index.ts';
import { sourceOf } from '../src/open.ts';
import { sqliteRows } from '../src/rows.ts';
import { newEvent as event } from './support/events.ts';
import { migratedFile, temporaryFile } from './support/files.ts';
import { placesReadIn, rowSettings } from './support/fixtures.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).toReversed()) end();
});

const fileOf = (make = migratedFile): string => {
  const { file, remove } = make();
  ends.push(remove);
  return file;
};
const storageOf = (file: string | DatabaseSync, options: Parameters<typeof sqliteStorage>[1] = {}) => {
  const storage = sqliteStorage(file, options);
  ends.push(storage.close);
  return storage;
};
const connect = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file);
  ends.push(() => {
    if (database.isOpen) database.close();
  });
  return database;
};

const listed = async (storage: ReturnType<typeof sqliteStorage>): Promise<readonly string[]> =>
  (await storage.events.listEvents('acc', {})).items.map(({ id }) => id);

describe("the host's transaction", () => {
  test('locks the file before a plan reads: nobody commits between what it reads and what it writes', async () => {
    const file = fileOf();
    const [host, other] = [connect(file), connect(file)];
    const rows = sqliteRows(sourceOf('rows', file, false), [], { ...rowSettings, clock: systemClock });
    ends.push(rows.close);
    host.exec('begin');
    const plan = function* () {
      expect(() => other.exec('begin immediate')).toThrow('database is locked');
    };
    await rows.join(host, plan);
    host.exec('rollback');
    other.exec('begin immediate; rollback');
  });

  test('commits and rolls back its rows and its events together', async () => {
    const file = fileOf();
    const [host, storage] = [connect(file), storageOf(file)];
    host.exec('create table payments (id text primary key)');
    const [kept, undone] = [event(), event()];
    host.exec("begin immediate; insert into payments values ('kept')");
    await storage.events.append(host, [kept]);
    host.exec('commit');
    host.exec("begin immediate; insert into payments values ('undone')");
    await storage.events.append(host, [undone]);
    host.exec('rollback');
    expect(
      host
        .prepare('select id from payments')
        .all()
        .map(({ id }) => id),
    ).toEqual(['kept']);
    expect(await listed(storage)).toEqual([kept.id]);
  });

  test('is refused when it is none, and when it is of something else', async () => {
    const file = fileOf();
    const [host, storage] = [connect(file), storageOf(file)];
    const refusal = { code: 'no_transaction', message: expect.stringContaining('no open transaction') };
    for (const tx of [host, {} as DatabaseSync])
      await expect(storage.events.append(tx, [event()])).rejects.toMatchObject(refusal);
    host.close();
    await expect(storage.events.append(host, [event()])).rejects.toMatchObject(refusal);
  });

  test('that read before another commit is rejected with the remedy, at once', async () => {
    const file = fileOf();
    const [host, storage] = [connect(file), storageOf(file)];
    host.exec('begin');
    host.prepare('select count(*) from partnerkit_events').get();
    const other = event();
    await storage.events.appendAlone?.([other]);
    await expect(storage.events.append(host, [event()])).rejects.toMatchObject({
      message: expect.stringContaining('`begin immediate` (SQLITE_BUSY_SNAPSHOT)'),
      errcode: 517,
    });
    host.exec('rollback; begin immediate');
    const own = event();
    await storage.events.append(host, [own]);
    host.exec('commit');
    expect(await listed(storage)).toEqual([other.id, own.id]);
  });

  test('of a deferred begin that has not read yet is joined', async () => {
    const file = fileOf();
    const [host, storage] = [connect(file), storageOf(file)];
    host.exec('begin');
    await storage.events.appendAlone?.([event()]);
    await storage.events.append(host, [event()]);
    host.exec('commit');
    expect((await listed(storage)).length).toBe(2);
  });

  test('that stays open makes others wait for busyTimeoutMs, and rejects them with the remedy', async () => {
    const file = fileOf();
    const [host, storage] = [connect(file), storageOf(file, { busyTimeoutMs: 50 })];
    host.exec('begin immediate');
    // The process goes on meanwhile.
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await expect(storage.events.appendAlone?.([event()])).rejects.toMatchObject({
      message: expect.stringContaining('one writer at a time'),
      errcode: 5,
    });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
    expect(await listed(storage)).toEqual([]);
    host.exec('rollback');
    await storage.events.appendAlone?.([event()]);
    expect((await listed(storage)).length).toBe(1);
  });

  test('keeps its own settings: integers are numbers for storage, whatever they are for the host', async () => {
    const file = fileOf();
    const [host, storage] = [new DatabaseSync(file, { readBigInts: true, returnArrays: true }), storageOf(file)];
    ends.push(() => host.close());
    host.exec('begin immediate');
    await storage.events.append(host, [event()]);
    expect(await placesReadIn(host)).toEqual([1]);
    host.exec('commit');
    expect(host.prepare('select 1').get()).toEqual([1n]);
  });

  test('that ended before its work did is refused as such, and takes nothing more', async () => {
    const storage = storageOf(fileOf());
    for (const end of ['rollback', 'commit']) {
      const working = storage.transaction(async (tx) => {
        await storage.events.append(tx, [event()]);
        tx.exec(end);
        await expect(storage.events.append(tx, [event()])).rejects.toMatchObject({ code: 'no_transaction' });
      });
      await expect(working).rejects.toThrow('the transaction ended before its work did');
    }
    expect((await listed(storage)).length).toBe(1);
  });

  test('wakes watchers of this process and of others soon after its commit', async () => {
    const file = fileOf();
    const [host, storage, other] = [connect(file), storageOf(file), storageOf(file)];
    const wakes: string[] = [];
    const stops = [
      await storage.shards.watch(() => wakes.push('own')),
      await other.shards.watch(() => wakes.push('other')),
    ];
    host.exec('begin immediate');
    await storage.events.append(host, [event()]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(wakes).toEqual([]);
    host.exec('commit');
    await expect.poll(() => wakes.toSorted(), { timeout: 5_000 }).toEqual(['other', 'own']);
    for (const stop of stops) stop();
  });
});

describe('the file', () => {
  test('keeps everything when it is opened again, from a path or from a connection', async () => {
    const file = fileOf(temporaryFile);
    const [first, published] = [sqliteStorage(file), event()];
    await first.events.appendAlone?.([published]);
    first.close();
    expect(await listed(storageOf(file))).toEqual([published.id]);
    expect(await listed(storageOf(connect(file)))).toEqual([published.id]);
  });

  test('is migrated once by hosts that do not let their processes do it', async () => {
    const file = fileOf(temporaryFile);
    const storage = storageOf(file, { migrate: false });
    expect(await storage.check?.()).toMatchObject({ findings: [expect.stringContaining('migrateSqlite')] });
    await expect(storage.clients.findClient('x')).rejects.toThrow('call migrateSqlite(file) once');
    for (let times = 0; times < 2; times++) migrateSqlite(file);
    expect(await storage.check?.()).toMatchObject({ findings: [] });
    expect(await storage.clients.findClient('x')).toBeUndefined();
  });

  test('of an older version that no step brings up to date is named as such', async () => {
    const file = fileOf();
    connect(file).exec('update partnerkit_schema set version = 0');
    const told = 'the tables are of version 0, which this @partnerkit/sqlite cannot bring up to date';
    expect(() => sqliteStorage(file)).toThrow(told);
    const { findings } = (await storageOf(file, { migrate: false }).check?.()) ?? {};
    expect(findings).toEqual([expect.stringContaining(told)]);
  });

  test('of a newer version is not touched', () => {
    const file = fileOf();
    connect(file).exec('update partnerkit_schema set version = 99');
    expect(() => sqliteStorage(file)).toThrow('version 99, made by a newer @partnerkit/sqlite');
  });

  test('is not migrated for a text in place of true or false', () => {
    expect(() => sqliteStorage(fileOf(temporaryFile), { migrate: 'no' } as never)).toThrow(
      new TypeError('sqliteStorage: the option migrate must be true or false.'),
    );
  });

  test('must be one: no memory, no other encoding, no other content', () => {
    for (const wrong of [':memory:', '', connect(':memory:'), undefined as unknown as string])
      expect(() => sqliteStorage(wrong)).toThrow('sqliteStorage: the path of a file, or a connection to one');
    const utf16 = fileOf(temporaryFile);
    connect(utf16).exec("pragma encoding = 'UTF-16'; create table t (a)");
    expect(() => sqliteStorage(utf16)).toThrow('texts need UTF-8');
    const text = fileOf(temporaryFile);
    writeFileSync(text, 'no database, but a text that is long enough to be read as the header of one, and more');
    expect(() => sqliteStorage(text)).toThrow('the file is no SQLite database');
    const folder = fileOf(temporaryFile);
    mkdirSync(folder);
    expect(() => sqliteStorage(folder)).toThrow('the file cannot be opened');
  });

  test('options that are unknown or malformed are refused', () => {
    const file = fileOf(temporaryFile);
    expect(() => sqliteStorage(file, { migrates: true } as never)).toThrow('migrates');
    expect(() => sqliteStorage(file, { synchronous: 'off' as never })).toThrow("'full' or 'normal'");
    expect(() => sqliteStorage(file, { busyTimeoutMs: 0 })).toThrow('busyTimeoutMs: a number above 0');
    expect(() => sqliteStorage(file, { pollMs: Number.NaN })).toThrow('pollMs: a number above 0');
  });

  test('is opened where the runtime reports nothing, and a report asks for no names of addresses', () => {
    const { report } = process as { report: { excludeNetwork?: boolean; getReport(): object } };
    const reporting = vi.spyOn(report, 'getReport');
    ends.push(() => reporting.mockRestore());
    const seen: unknown[] = [];
    for (const made of [() => ({}), () => ({ sharedObjects: ['/lib/libc.so.6', '/gone/other.node'] })]) {
      reporting.mockImplementation(() => {
        seen.push(report.excludeNetwork);
        return made();
      });
      storageOf(fileOf());
    }
    reporting.mockImplementation(() => {
      throw new Error('Not implemented.');
    });
    storageOf(fileOf());
    reporting.mockImplementation(() => ({ sharedObjects: ['/gone/better_sqlite3.node'] }));
    expect(() => sqliteStorage(fileOf())).toThrow('more than one SQLite: node:sqlite, /gone/better_sqlite3.node.');
    expect([...seen, report.excludeNetwork]).toEqual([true, true, false]);
  });

  test('keeps connections of the host as they are: its own settings and tables', async () => {
    const file = fileOf(temporaryFile);
    const host = connect(file);
    host.exec('pragma user_version = 7; create table payments (id text)');
    storageOf(host);
    expect(host.prepare('pragma user_version').get()).toEqual({ user_version: 7 });
    expect(
      host
        .prepare("select name from sqlite_master where name not like 'partnerkit_%' and name not like 'sqlite_%'")
        .all(),
    ).toEqual([{ name: 'payments' }]);
  });
});

describe('what SQLite cannot store', () => {
  test('is refused with the name of the column, and nothing is stored', async () => {
    const storage = storageOf(fileOf());
    for (const objectId of ['a\0b', 'a\ud800'])
      await expect(storage.events.appendAlone?.([event(), event({ objectId })])).rejects.toThrow(
        'events.objectId: SQLite cannot store text with NUL or a lone surrogate',
      );
    await expect(storage.events.appendAlone?.([event({ occurredAt: Number.NaN })])).rejects.toThrow(
      'events.occurredAt: SQLite cannot store NaN as a number',
    );
    await expect(storage.events.appendAlone?.([event({ occurredAt: new Date() as never })])).rejects.toThrow(
      'a Date as a number',
    );
    expect(await listed(storage)).toEqual([]);
  });

  test('finds nothing: not the replacement character either', async () => {
    const storage = storageOf(fileOf());
    await storage.events.appendAlone?.([event({ accountId: 'a\ufffd' })]);
    expect((await storage.events.listEvents('a\ud800', {})).items).toEqual([]);
    expect((await storage.events.listEvents('a\ufffd', {})).items.length).toBe(1);
  });
});

test('a receiver marks an event in its own transaction', async () => {
  const file = fileOf();
  const [host, seen, inbox] = [connect(file), sqliteSeenKeys(file), sqliteInbox(file)];
  ends.push(seen.close, inbox.close);
  for (const mark of [seen.markIn, inbox.completeIn]) {
    host.exec('begin immediate');
    expect(await mark(host, 'key')).toBe(true);
    host.exec('rollback; begin immediate');
    expect([await mark(host, 'key'), await mark(host, 'key')]).toEqual([true, false]);
    host.exec('commit');
  }
  expect(await seen.claim('key', 1_000)).toEqual({ kind: 'done' });
  expect(await inbox.enqueue('key', 'body')).toBe(false);
});
