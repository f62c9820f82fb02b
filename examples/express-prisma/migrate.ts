import { migrate } from '@partnerkit/postgres';
import { pool } from './kit.ts';

await migrate(pool);
// Yours: `prisma migrate` writes such statements from schema.prisma.
await pool.query(`
  create table if not exists accounts (id text primary key, name text not null);
  create table if not exists payments (
    id text primary key,
    account_id text not null references accounts,
    status text not null,
    iban text
  );
`);
await pool.end();
