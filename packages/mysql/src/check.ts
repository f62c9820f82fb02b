import type { StorageCheck } from '@partnerkit/core/ports';
import type { SqlDriver } from './drivers/driver.ts';
import { explained } from './errors.ts';
import { readStatus } from './migrations.ts';
import { savepoint } from './rows/rows.ts';

const settings = `select version() as version, @@session.sql_mode as modes, @@global.max_allowed_packet as packet,
  @@global.innodb_flush_log_at_trx_commit as flushes, @@global.read_only as is_read_only`;

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

/** Checks versions, settings and tables. @internal */
export const checkServer = async <Tx extends object>(driver: SqlDriver<Tx>, now: string): Promise<StorageCheck> => {
  const query = async (text: string) => (await driver.query(text)).rows;
  const read = (value: unknown): string =>
    ArrayBuffer.isView(value) ? Buffer.from(value as Uint8Array).toString() : String(value);
  try {
    const [found = {}] = await query(settings);
    const findings: string[] = [];
    const warnings: string[] = [];
    const version = versionFinding(read(found['version']));
    if (version !== undefined) findings.push(version);
    const modes = read(found['modes']).split(',');
    const wrong = modes.filter((mode) => wrongModes.includes(mode));
    if (wrong.length > 0) findings.push(`sql_mode of the connections has ${wrong.join(', ')}: remove it.`);
    if (!modes.some((mode) => mode.startsWith('STRICT_')))
      warnings.push('sql_mode is not strict: the server cuts what it cannot store; add STRICT_TRANS_TABLES.');
    if (Number(found['packet']) < smallestPacket)
      warnings.push('max_allowed_packet is below 16 MB: a large event cannot be stored; raise it, to 64 MB or more.');
    if (Number(found['flushes']) !== 1)
      warnings.push('innodb_flush_log_at_trx_commit is not 1: the loss of power takes committed events.');
    if (Number(found['is_read_only']) === 1 || read(found['is_read_only']) === 'ON')
      findings.push('The server is read-only: connect to the primary.');
    const missing = (await readStatus(query)).filter(({ applied }) => !applied);
    if (missing.length > 0)
      findings.push(
        `${missing.length} steps of the migrations are missing, from "${missing[0]?.name}": run \`npx @partnerkit/mysql migrate\`.`,
      );
    await driver.transaction((tx) => driver.queryIn(tx, savepoint), { isolation: 'read committed' });
    const [time] = await query(`select ${now} as micros`);
    return { now: Number(time?.['micros']) / 1000, findings, warnings };
  } catch (cause) {
    const told = explained(cause);
    // A refusal by the server has a remedy; after any other failure, the state is unknown.
    if (told === cause) throw cause;
    return { findings: [(told as Error).message] };
  }
};
