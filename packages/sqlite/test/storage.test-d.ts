import type { DatabaseSync } from 'node:sqlite';
import type BetterSqlite3 from 'better-sqlite3';
import type Libsql from 'libsql';
import { expectTypeOf, test } from 'vitest';
import { type SqliteStorage, sqliteSeenKeys, sqliteStorage } from '../src/index.ts';

declare const node: DatabaseSync;
declare const better: BetterSqlite3.Database;
declare const libsql: Libsql.Database;
declare const file: string;

test('a storage joins transactions of the library of its connection; those of node:sqlite for a path', () => {
  expectTypeOf(sqliteStorage(file)).toEqualTypeOf<SqliteStorage<DatabaseSync>>();
  expectTypeOf(sqliteStorage(node)).toEqualTypeOf<SqliteStorage<DatabaseSync>>();
  expectTypeOf(sqliteStorage(better)).toEqualTypeOf<SqliteStorage<BetterSqlite3.Database>>();
  expectTypeOf(sqliteStorage(libsql)).toEqualTypeOf<SqliteStorage<Libsql.Database>>();
  expectTypeOf(sqliteStorage(better).transaction).parameter(0).parameter(0).toEqualTypeOf<BetterSqlite3.Database>();
  expectTypeOf(sqliteSeenKeys(better).markIn).parameter(0).toEqualTypeOf<BetterSqlite3.Database>();
});

test('a connection of another library is no transaction, and other things are no file', () => {
  // @ts-expect-error The storage uses node:sqlite.
  void sqliteStorage(file).events.append(better, []);
  // @ts-expect-error The storage uses better-sqlite3.
  void sqliteStorage(better).events.append(node, []);
  // @ts-expect-error No connection.
  sqliteStorage({ prepare: () => ({}) });
});
