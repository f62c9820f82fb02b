import { migrate } from '@partnerkit/postgres';
import { db, pool } from './kit.ts';

await migrate(pool);
// Yours: drizzle-kit writes such statements from schema.ts.
await db.execute(`
  create table if not exists accounts (id text primary key, name text not null);
  create table if not exists payments (
    id text primary key,
    account_id text not null references accounts,
    status text not null,
    iban text
  );
`);
await pool.end();
