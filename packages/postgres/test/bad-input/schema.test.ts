import { readFileSync } from 'node:fs';
import { PublishError } from '@partnerkit/core';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { migrate, postgresSeenKeys, postgresStorage } from '../../src/index.ts';
import { emptyDatabase, newUser } from '../migrations/databases.ts';
import { arrivals } from '../support/arrivals.ts';
import { openPool } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const server = inject('postgres');
const account = 'acc_host';
const event = payed(account, 'p1');

const causeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it succeeded',
    (failure: unknown) =>
      failure instanceof PublishError && failure.failure.code === 'unavailable' ? failure.cause : failure,
  );

/** A transaction of the host's in which `act` fails; what the host writes before and after it must be committed. */
const survives = async (pool: pg.Pool, act: (tx: pg.ClientBase) => Promise<unknown>): Promise<unknown> => {
  await pool.query('create table if not exists public.payments (id text)');
  const client = await pool.connect();
  try {
    await client.query("begin; insert into public.payments values ('before')");
    const failure = await causeOf(act(client));
    await client.query("insert into public.payments values ('after'); commit");
    const { rows } = await pool.query('delete from public.payments returning id');
    expect(rows).toEqual([{ id: 'before' }, { id: 'after' }]);
    return failure;
  } finally {
    client.release();
  }
};

const message = (text: string) => expect.objectContaining({ message: expect.stringContaining(text) });

test('a database without migrations names the remedy, aborts no transaction, and works once migrated', async () => {
  const { pool } = await emptyDatabase(server);
  const { events, clients, worker } = openKit(postgresStorage(pool), { sender: arrivals() });
  const howTo = message('schema "partnerkit" is at version 0 and 1 is needed: run `npx @partnerkit/postgres migrate`');
  expect(await causeOf(events.publish(event, { tx: 'new' }))).toEqual(howTo);
  expect(await survives(pool, (tx) => events.publish(event, { tx }))).toEqual(howTo);
  expect(await survives(pool, (tx) => events.publishMany([{ ...event, idempotencyKey: 'key' }], { tx }))).toEqual(
    howTo,
  );
  expect((await clients.list(account))._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', cause: howTo });
  await expect(worker().drain()).rejects.toMatchObject({ cause: howTo });
  await expect(postgresSeenKeys(pool).claim('key', 1_000)).rejects.toEqual(howTo);
  await migrate(pool);
  expect(await events.publish(event, { tx: 'new' })).toMatchObject({ replayed: false });
});

test('a schema that was not migrated is named in the error', async () => {
  const { pool } = await emptyDatabase(server);
  await migrate(pool);
  const { events } = openKit(postgresStorage(pool, { schema: 'other' }), { sender: arrivals() });
  expect(await survives(pool, (tx) => events.publish(event, { tx }))).toEqual(
    message('schema "other" is at version 0'),
  );
  for (const schema of ['', 'Other', 'o-ther', 'other.x', 'x'.repeat(49)])
    expect(() => postgresStorage(pool, { schema })).toThrow(TypeError);
});

test('a schema of a later version is refused only if that does not work with this one', async () => {
  const { pool } = await emptyDatabase(server);
  await migrate(pool);
  await pool.query("insert into partnerkit.migrations values (98, 'kind', 1, 'unknown')");
  const kind = openKit(postgresStorage(pool), { sender: arrivals() });
  await kind.events.publish(event, { tx: 'new' });
  await pool.query("insert into partnerkit.migrations values (99, 'unkind', 99, 'unknown')");
  const { events } = openKit(postgresStorage(pool), { sender: arrivals() });
  expect(await survives(pool, (tx) => events.publish(event, { tx }))).toEqual(
    message('schema "partnerkit" is at version 99, which this version of @partnerkit/postgres cannot use: upgrade'),
  );
});

test('a table that went away later says so', async () => {
  const { pool } = await emptyDatabase(server);
  await migrate(pool);
  const { events } = openKit(postgresStorage(pool), { sender: arrivals() });
  await events.publish(event, { tx: 'new' });
  await pool.query('drop schema partnerkit cascade');
  expect(await causeOf(events.publish(event, { tx: 'new' }))).toMatchObject({
    code: '42P01',
    message: expect.stringContaining('run `npx @partnerkit/postgres migrate`'),
  });
});

test('the search path does not matter', async () => {
  const { url, pool } = await emptyDatabase(server);
  await migrate(pool);
  await pool.query('create schema decoy; create table decoy.outbox (id text); create table decoy.migrations (id text)');
  for (const path of ['nowhere', '""', 'decoy', 'decoy, pg_catalog', 'pg_temp']) {
    const elsewhere = openPool({ connectionString: url, options: `-c search_path=${path.replaceAll(' ', '\\ ')}` });
    const sender = arrivals();
    const kit = openKit(postgresStorage(elsewhere), { sender });
    await addEndpoint(kit, path, 'hook');
    await kit.events.publish(payed(path, 'p1'), { tx: 'new' });
    await kit.events.publish(payed(path, 'p2'), { tx: 'new', idempotencyKey: 'key' });
    expect([path, await kit.worker().drain()]).toEqual([path, 2]);
    expect(sender.posts).toHaveLength(2);
  }
});

test('a database that cannot hold every text is not migrated', async () => {
  const admin = new pg.Client(server.url);
  await admin.connect();
  onTestFinished(() => admin.end());
  for (const encoding of ['LATIN1', 'SQL_ASCII']) {
    const name = `pk_${encoding.toLowerCase()}_${Date.now()}`;
    await admin.query(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
    const address = new URL(server.url);
    address.pathname = name;
    const pool = new pg.Pool({ connectionString: address.href }).on('error', () => {});
    const migrated = migrate(pool);
    await expect(migrated).rejects.toThrow(`the encoding of this database is ${encoding}: use one in UTF8`);
    await expect(pool.query('select from partnerkit.migrations')).rejects.toMatchObject({ code: '42P01' });
    await pool.end();
    await admin.query(`drop database ${name} with (force)`);
  }
});

const [appGrants = [], publisherGrants = []] = [
  ...readFileSync(new URL('../../../../docs/packages/postgres.md', import.meta.url), 'utf8').matchAll(
    /^```sql\n([\s\S]*?)^```$/gm,
  ),
].map(([, text = '']) => text.trim().split('\n'));

test('a user without privileges is told which; those of the page suffice, and none of them is too much', async () => {
  const database = await emptyDatabase(server);
  await migrate(database.pool);
  const user = `pk_worker_${Date.now()}`;
  const pool = openPool({ connectionString: await newUser(database, user) });
  const sender = arrivals();
  const kit = openKit(postgresStorage(pool), { sender });
  const told = { code: '42501', message: expect.stringContaining('grant usage on the schema, and select, insert') };
  const [usage, tables, later, ...more] = appGrants.map((grant) =>
    grant.replace(' app;', ` ${user};`).replace('migrator', 'postgres'),
  );
  expect(more).toEqual([]);
  expect(await causeOf(kit.events.publish(event, { tx: 'new' }))).toMatchObject(told);
  await database.pool.query(usage ?? '');
  expect(await causeOf(kit.events.publish(event, { tx: 'new' }))).toMatchObject(told);
  await database.pool.query(tables ?? '');
  await addEndpoint(kit, account, 'hook');
  await kit.events.publish(event, { tx: 'new', idempotencyKey: 'key' });
  expect(await kit.worker().drain()).toBe(1);
  await database.pool.query(later ?? '');
  await database.pool.query('create table partnerkit.later_step (id text)');
  await pool.query("insert into partnerkit.later_step values ('x')");
});

test('a user who only publishes needs exactly the privileges of the page', async () => {
  const database = await emptyDatabase(server);
  await migrate(database.pool);
  const user = `pk_publisher_${Date.now()}`;
  const pool = openPool({ connectionString: await newUser(database, user) });
  const { events } = openKit(postgresStorage(pool), { sender: arrivals() });
  for (const grant of publisherGrants) {
    expect(await causeOf(events.publish(event, { tx: 'new' }))).toMatchObject({ code: '42501' });
    await database.pool.query(grant.replace('publisher', user));
  }
  await events.publish(event, { tx: 'new' });
  await events.publish(event, { tx: 'new', idempotencyKey: 'key' });
  const other = { ...payed(account, 'p2'), idempotencyKey: 'key' };
  await expect(events.publishMany([event, other], { tx: 'new' })).rejects.toMatchObject({
    code: 'idempotency_conflict',
  });
});
