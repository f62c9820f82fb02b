import type { Pool } from 'pg';

type Environment = Readonly<Record<string, string | undefined>>;

/** A failure that was foreseen: its message is for whoever called. @internal */
export const failure = (message: string, cause?: unknown): Error => new Error(message, { cause });

const loadPg = async (): Promise<typeof import('pg')> => {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error('The package "pg" is not installed here: npm install pg');
  }
};

/** A pool of one connection that was tried. @throws Error that says what to do. @internal */
export const connect = async (environment: Environment): Promise<Pool> => {
  const connectionString = environment['DATABASE_URL'];
  if (!connectionString && !['PGHOST', 'PGUSER', 'PGDATABASE'].some((name) => environment[name]))
    throw new Error('Which database? Set DATABASE_URL, or PGHOST, PGUSER, PGPASSWORD and PGDATABASE.');
  const pg = await loadPg();
  const pool = new pg.Pool({
    ...(connectionString ? { connectionString } : {}),
    application_name: 'partnerkit',
    connectionTimeoutMillis: Number(environment['PGCONNECT_TIMEOUT'] || 10) * 1_000,
    max: 1,
  });
  pool.on('error', () => {});
  try {
    (await pool.connect()).release();
    return pool;
  } catch (cause) {
    throw new Error('Cannot connect to the database.', { cause });
  }
};
