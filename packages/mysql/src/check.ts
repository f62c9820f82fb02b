import { perform, type StorageCheck } from '@partnerkit/core/adapter';
import type { SqlDriver, SqlRow } from './drivers/driver.ts';
import { explained, isWrongForm, wrongForm } from './errors.ts';
import { readStatus } from './migrations.ts';
import { numberOf } from './rows/literals.ts';
import { mysqlOperations } from './rows/operations.ts';
import { proveRows } from './rows/probe.ts';
import { savepoint } from './rows/rows.ts';

const settings = `select version() as version, @@session.sql_mode as modes, @@global.max_allowed_packet as packet,
  @@global.innodb_flush_log_at_trx_commit as flushes, @@global.read_only as is_read_only,
  @@session.autocommit as commits, @@session.completion_type as completion`;

/** The oldest versions whose statements this package uses: locks that skip, descending indexes. */
const oldest = { mariadb: [10, 11], mysql: [8, 4] } as const;

const versionFinding = (version: string): string | undefined => {
  const product = /mariadb/i.test(version) ? 'mariadb' : 'mysql';
  // Some builds of MariaDB put 5.5.5- before their version.
  const [major = 0, minor = 0] = version
    .replace(/^5\.5\.5-/, '')
    .split(/[.-]/)
    .map(Number);
  const [neededMajor, neededMinor] = oldest[product];
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  return `The server is ${version}: use MariaDB 10.11 or newer, or MySQL 8.4 or newer.`;
};

/** Modes in which statements mean something else. */
const wrongModes = ['EMPTY_STRING_IS_NULL', 'ORACLE', 'MSSQL', 'DB2', 'MAXDB', 'NO_UNSIGNED_SUBTRACTION'];

const smallestPacket = 16 * 2 ** 20;

/** A setting as text, which some libraries return as bytes. */
const read = (row: SqlRow | undefined, name: string): string => {
  const value = row?.[name];
  if (value === undefined || value === null) throw wrongForm(name, `${value} instead of a value`);
  return ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()
    : String(value);
};

/** Settings of the session under which the library's transactions are not those that it was asked for. */
const sessionFindings = (found: SqlRow | undefined): readonly string[] => {
  const findings: string[] = [];
  const wrong = read(found, 'modes')
    .split(',')
    .filter((mode) => wrongModes.includes(mode));
  if (wrong.length > 0) findings.push(`sql_mode of the connections has ${wrong.join(', ')}: remove it.`);
  if (numberOf(found, 'commits') !== 1)
    findings.push(
      'autocommit of the connections is 0: set it to 1. A read would leave a transaction open, in which the next user ' +
        'of the connection cannot begin one.',
    );
  if (!['NO_CHAIN', '0'].includes(read(found, 'completion')))
    findings.push(
      'completion_type of the connections is not NO_CHAIN: set it to NO_CHAIN. A commit would begin another transaction, ' +
        'or end the connection.',
    );
  return findings;
};

/** Versions name the setting differently; some know both names. */
const isolation = "show session variables where variable_name in ('tx_isolation', 'transaction_isolation')";

/** A read that is one statement has the isolation level of its session. */
const isolationFindings = (found: readonly SqlRow[]): readonly string[] =>
  found.some((row) => read(row, 'Value') === 'READ-UNCOMMITTED')
    ? [
        'transaction_isolation of the connections is READ UNCOMMITTED: set it to READ COMMITTED or higher. A read would ' +
          'find what another transaction may still roll back.',
      ]
    : [];

/** Versions without Galera have no such setting. */
const galera = "show session variables where variable_name in ('wsrep_on', 'wsrep_sync_wait')";

/** A node that takes over may not have applied yet what the one before it has confirmed. */
const galeraWarnings = (found: readonly SqlRow[]): readonly string[] => {
  const settings = new Map(found.map((row) => [read(row, 'Variable_name'), read(row, 'Value')]));
  return settings.get('wsrep_on') === 'ON' && (Number(settings.get('wsrep_sync_wait')) & 1) === 0
    ? [
        'wsrep_sync_wait is off: set it to 1. After a failover of the Galera cluster, reads would miss commits that the ' +
          'new node has not applied yet. Let all processes use one node at a time.',
      ]
    : [];
};

/** Proves on a connection of the host that storage can write, and reads what it wrote. */
const proveTransaction = async <Tx extends object>(driver: SqlDriver<Tx>, now: string): Promise<void> => {
  let isProved = false;
  try {
    await driver.transaction(
      async (tx) => {
        const execute = (text: string) => driver.queryIn(tx, text);
        await execute(savepoint);
        await perform(proveRows(mysqlOperations(execute, now, () => undefined)));
        isProved = true;
        throw new Error('The rows of the check are rolled back.');
      },
      { isolation: 'read committed' },
    );
  } catch (cause) {
    if (!isProved) throw cause;
  }
};

/** Checks versions, settings and tables. */
export const checkServer = async <Tx extends object>(driver: SqlDriver<Tx>, now: string): Promise<StorageCheck> => {
  const query = async (text: string) => (await driver.query(text)).rows;
  try {
    const [found] = await query(settings);
    const version = versionFinding(read(found, 'version'));
    const findings = [
      ...(version === undefined ? [] : [version]),
      ...sessionFindings(found),
      ...isolationFindings(await query(isolation)),
    ];
    const warnings = [...galeraWarnings(await query(galera))];
    if (!/\bSTRICT_/.test(read(found, 'modes')))
      warnings.push('sql_mode is not strict: the server cuts what it cannot store; add STRICT_TRANS_TABLES.');
    if (numberOf(found, 'packet') < smallestPacket)
      warnings.push('max_allowed_packet is below 16 MB: a large event cannot be stored; raise it, to 64 MB or more.');
    if (numberOf(found, 'flushes') !== 1)
      warnings.push('innodb_flush_log_at_trx_commit is not 1: the loss of power takes committed events.');
    if (['1', 'ON'].includes(read(found, 'is_read_only')))
      findings.push('The server is read-only: connect to the primary.');
    const missing = (await readStatus(query)).filter(({ applied }) => !applied);
    if (missing.length > 0)
      findings.push(
        `${missing.length} steps of the migrations are missing, from "${missing[0]?.name}": run \`npx @partnerkit/mysql migrate\`.`,
      );
    // The proof would fail for what is named already.
    if (findings.length === 0) await proveTransaction(driver, now);
    const [time] = await query(`select ${now} as micros`);
    return { now: numberOf(time, 'micros') / 1000, findings, warnings };
  } catch (cause) {
    const told = explained(cause);
    // A refusal by the server has a remedy; after any other failure, the state is unknown.
    if (isWrongForm(cause)) return { findings: [(cause as Error).message] };
    if (told === cause) throw cause;
    return { findings: [(told as Error).message] };
  }
};
