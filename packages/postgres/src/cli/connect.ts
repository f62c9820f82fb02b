import type { Pool } from 'pg';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

const loadPg = async () => {
  try {
    const { default: pg } = await import('pg');
    return pg;
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error('The package "pg" is not installed here: npm install pg');
  }
};

/** Opens a pool of one connection and tests it. @throws Error with a remedy. */
export const connect = async (environment: Environment): Promise<Pool> => {
  const { DATABASE_URL: connectionString, PGHOST, PGUSER, PGDATABASE, PGCONNECT_TIMEOUT } = environment;
  if (!connectionString && !PGHOST && !PGUSER && !PGDATABASE)
    throw new Error('Which database? Set DATABASE_URL, or PGHOST, PGUSER, PGPASSWORD and PGDATABASE.');
  if (connectionString && !/^(postgres(ql)?:|socket:|\/)/.test(connectionString))
    throw new Error('DATABASE_URL is no address: postgres://user:password@host:5432/database');
  const { Pool } = await loadPg();
  const pool = new Pool({
    ...(connectionString ? { connectionString } : {}),
    application_name: 'partnerkit',
    connectionTimeoutMillis: (Number(PGCONNECT_TIMEOUT) || 10) * 1_000,
    max: 1,
  });
  // A connection that breaks between two statements fails the next one.
  pool.on('error', () => {});
  try {
    (await pool.connect()).release();
    return pool;
  } catch (cause) {
    await pool.end();
    throw new Error('Cannot connect to the database.', { cause });
  }
};
