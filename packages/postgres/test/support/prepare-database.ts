import pg from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { fakeTime } from './fake-time.ts';

/** Makes the tables that tests copy, with a clock that they turn. */
export const prepareDatabase = async (url: string): Promise<void> => {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    await migrate(pool);
    await pool.query(fakeTime);
  } finally {
    await pool.end();
  }
};
