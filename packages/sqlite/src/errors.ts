interface SqliteFailure {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly message?: unknown;
}

const asFailure = (cause: unknown): SqliteFailure => (typeof cause === 'object' && cause !== null ? cause : {});

const snapshotIsOld = 517;

/** Result codes by the names that better-sqlite3 and libsql give them. */
const codes: Readonly<Record<string, number>> = {
  SQLITE_ERROR: 1,
  SQLITE_BUSY: 5,
  SQLITE_BUSY_SNAPSHOT: snapshotIsOld,
  SQLITE_LOCKED: 6,
  SQLITE_READONLY: 8,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_NOTADB: 26,
};

/** The extended result code of SQLite, if an error has one; that of its group where only the group is known here. */
const resultCodeOf = (cause: unknown): number | undefined => {
  const { code, errcode } = asFailure(cause);
  if (typeof errcode === 'number') return errcode;
  return typeof code === 'string' ? (codes[code] ?? codes[code.split('_', 2).join('_')]) : undefined;
};

const remedies: Readonly<Record<number, string>> = {
  [snapshotIsOld]:
    'this transaction read before another one committed, so it can write nothing: roll it back, and try again; ' +
    'begin transactions that publish with `begin immediate` (SQLITE_BUSY_SNAPSHOT)',
  5:
    'another transaction has not ended: SQLite has one writer at a time. Commit before you wait for anything else, ' +
    'such as the answer of a service (SQLITE_BUSY)',
  6: 'another connection of this process has locked a table: do not share a cache (SQLITE_LOCKED)',
  8: 'the file or its folder is read-only: SQLite writes two more files beside it (SQLITE_READONLY)',
  11: 'the file is damaged: stop, and restore a backup (SQLITE_CORRUPT)',
  13: 'the disk is full (SQLITE_FULL)',
  14: 'the file cannot be opened: does its folder exist, and may this process write there? (SQLITE_CANTOPEN)',
  26: 'the file is no SQLite database (SQLITE_NOTADB)',
};

/** Whether a call changed nothing because another transaction had the lock, so that it may be repeated. */
export const isBusy = (cause: unknown): boolean => {
  const code = resultCodeOf(cause);
  return code !== undefined && code !== snapshotIsOld && [5, 6].includes(code & 0xff);
};

const hasNoTables = (cause: unknown): boolean =>
  /^no such table: (main\.)?partnerkit_/.test(String(asFailure(cause).message));

/** An error of SQLite with its remedy, where one is known. */
export const explained = (cause: unknown): unknown => {
  const code = resultCodeOf(cause);
  const remedy = hasNoTables(cause)
    ? 'the tables are not there: call migrateSqlite(file) once, or leave out { migrate: false }'
    : code === undefined
      ? undefined
      : (remedies[code] ?? remedies[code & 0xff]);
  if (remedy === undefined || code === undefined) return cause;
  return Object.assign(new Error(`partnerkit: ${remedy}.`, { cause }), {
    code: asFailure(cause).code,
    errcode: code,
  });
};
