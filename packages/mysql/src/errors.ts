import { errnoOf } from './drivers/server-error.ts';

const remedies: Readonly<Record<number, string>> = {
  1020:
    'another transaction changed a row since this one began to read: roll it back and begin it again, ' +
    'or begin it with READ COMMITTED',
  1044: 'the database user lacks a privilege: grant select, insert, update and delete on the database',
  1047: 'the server takes no statements: a node that is not in its Galera cluster; connect to another one',
  1054: 'the tables are of another version: run `npx @partnerkit/mysql migrate`',
  1142: 'the database user lacks a privilege: grant select, insert, update and delete on the tables',
  1146: 'a table is not there: run `npx @partnerkit/mysql migrate`',
  1104:
    'the session may not examine so many rows: set sql_big_selects to 1, or raise max_join_size, for the connections of ' +
    'the pool',
  1153: 'a statement is larger than max_allowed_packet of the server: raise it, to 64 MB or more',
  1175: 'sql_safe_updates is on, and rows are deleted by joins: set it to 0 for the connections of the pool',
  1205: 'another transaction holds a row for longer than innodb_lock_wait_timeout: end it, roll this one back, and try again',
  1213: 'the server rolled the whole transaction back (deadlock): begin it again from its start',
  1290: 'the server is read-only: connect to the primary',
  1295:
    'MySQL prepares no savepoints, and the library sends prepared statements: make the adapter of Prisma with ' +
    '`{ useTextProtocol: true }`',
  1406: 'a text is too long for its column',
  1665: 'binlog_format is STATEMENT, which excludes READ COMMITTED: set it to ROW or MIXED',
  1792:
    'the transaction is read-only: publish in one that is read-write, and set transaction_read_only to 0 for the ' +
    'connections of the pool',
  1836: 'the server is read-only: connect to the primary',
};

/**
 * The error of rows that the host's pool or library has changed. Nothing is made of them: of a text in the wrong
 * character set, a body would be signed and sent.
 */
export const wrongForm = (name: string, found: string): Error =>
  Object.assign(
    new Error(
      `partnerkit: rows do not arrive as the server sends them: ${name} is ${found}. Take typeCast, rowsAsArray, ` +
        'nestTables, character_set_results, and hooks that change rows, off the pool or library of the storage.',
    ),
    { code: 'wrong_form' },
  );

/** Whether it is an error of {@link wrongForm}. */
export const isWrongForm = (cause: unknown): boolean =>
  (cause as { readonly code?: unknown } | undefined)?.code === 'wrong_form';

/** Whether the server undid a statement or transaction, so that it may run again. */
export const isConflict = (cause: unknown): boolean => [1020, 1205, 1213].includes(errnoOf(cause) ?? 0);

/** Whether the server has ended the transaction by itself. */
export const hasEndedTransaction = (cause: unknown): boolean => errnoOf(cause) === 1213;

/** Whether the server takes no writes: it is read-only, or not in its cluster. */
export const isUnwritable = (cause: unknown): boolean => [1047, 1290, 1836].includes(errnoOf(cause) ?? 0);

/** Whether a savepoint is not there: no transaction is open. */
export const isNoSavepoint = (cause: unknown): boolean => errnoOf(cause) === 1305;

/** An error of the server with its remedy, where one is known. It holds no values of the statement. */
export const explained = (cause: unknown): unknown => {
  const errno = errnoOf(cause);
  const remedy = errno === undefined ? undefined : remedies[errno];
  if (remedy === undefined) return cause;
  const code = (cause as { readonly code?: unknown }).code;
  return Object.assign(new Error(`partnerkit: ${remedy} (${errno}).`, { cause }), { code, errno });
};
