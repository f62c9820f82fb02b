import { createPool } from 'mysql2/promise';
import { expect, test } from 'vitest';
import { mysqlStorage } from '../../src/index.ts';

test('storage knows how many transactions its pool runs at once: handlers leave half of them', async () => {
  const pool = createPool({ uri: 'mysql://nobody@127.0.0.1:1/none', connectionLimit: 7 });
  expect(mysqlStorage(pool).maxTransactions).toBe(7);
  await pool.end();
});
