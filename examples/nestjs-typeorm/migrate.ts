import 'reflect-metadata';
import { migrate } from '@partnerkit/postgres';
import { fromTypeOrm } from '@partnerkit/postgres/typeorm';
import { dataSource } from './kit.ts';

await migrate(fromTypeOrm(dataSource));
// Yours: the migrations of TypeORM hold such statements.
await dataSource.query(`
  create table if not exists accounts (id text primary key, name text not null);
  create table if not exists payments (
    id text primary key,
    account_id text not null references accounts,
    status text not null,
    iban text
  );
`);
await dataSource.destroy();
