import type pg from 'pg';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const account = 'acc_host';
const event = payed(account, 'p1');
beforeEach(() => database.reset({ storeAhead: 0 }));

const connect = (options = ''): pg.Pool => {
  const address = new URL(database.url());
  address.searchParams.set('options', `${address.searchParams.get('options')} ${options}`);
  return openPool({ connectionString: address.href });
};
const stored = () => database.probe();

test('a read-only transaction of the host is reported as such, and stores nothing', async () => {
  const pool = connect();
  const { events } = openKit(postgresStorage(pool), { sender: arrivals() });
  for (const idempotencyKey of [undefined, 'key']) {
    const client = await pool.connect();
    await client.query('begin read only');
    const published = events.publishMany([{ ...event, ...(idempotencyKey ? { idempotencyKey } : {}) }], { tx: client });
    await expect(published).rejects.toMatchObject({
      code: 'unavailable',
      cause: { code: '25006', message: expect.stringContaining('use read-write transactions, on the primary') },
    });
    await client.query('rollback');
    client.release();
  }
  expect(await stored()).toBe(await emptied());
});

test('on a read-only server, reads work, and writes name the problem', async () => {
  const kit = openKit(postgresStorage(connect()), { sender: arrivals() });
  await addEndpoint(kit, account, 'hook');
  await kit.events.publish(event, { tx: 'new' });
  const before = await stored();

  const replica = openKit(postgresStorage(connect('-c default_transaction_read_only=on')), { sender: arrivals() });
  const [endpoint] = (await replica.endpoints.list(account))._unsafeUnwrap().items;
  const readOnly = { code: '25006', message: expect.stringContaining('read-only') };
  await expect(replica.events.publish(event, { tx: 'new' })).rejects.toMatchObject({ cause: readOnly });
  await expect(replica.worker().drain()).rejects.toMatchObject({ cause: readOnly });
  expect((await replica.clients.create(account, { name: 'Key' }))._unsafeUnwrapErr()).toMatchObject({
    cause: readOnly,
  });
  const deleted = await replica.endpoints.delete(account, endpoint?.id ?? '');
  expect(deleted._unsafeUnwrapErr()).toMatchObject({ cause: readOnly });
  expect(await stored()).toBe(before);
});

test('a transaction that was aborted says to roll back, from the first publish on', async () => {
  const pool = connect();
  for (const warm of [false, true]) {
    const { events } = openKit(postgresStorage(pool), { sender: arrivals() });
    if (warm) await events.publish(payed(account, 'warm'), { tx: 'new' });
    const client = await pool.connect();
    await client.query('begin');
    await client.query('select 1 / 0').catch(() => undefined);
    await expect(events.publish(event, { tx: client })).rejects.toMatchObject({
      cause: { code: '25P02', message: expect.stringContaining('aborted by an error before: roll it back') },
    });
    await client.query('rollback');
    client.release();
  }
});

test('a statement that the server refuses half-way leaves nothing', async () => {
  const pool = connect();
  await pool.query(`create function public.refuse() returns trigger language plpgsql as
    $$ begin if new.object_id = 'p2' then raise exception 'no' using errcode = 'P0042'; end if; return new; end $$;
    create trigger refuse before insert on partnerkit.events for each row execute function public.refuse()`);
  onTestFinished(async () => {
    await pool.query('drop trigger refuse on partnerkit.events');
  });
  const { events } = openKit(postgresStorage(pool), { sender: arrivals() });
  const many = ['p1', 'p2', 'p3'].map((id) => ({ ...payed(account, id), idempotencyKey: id }));
  await expect(events.publishMany(many, { tx: 'new' })).rejects.toMatchObject({ cause: { code: 'P0042' } });
  expect(await stored()).toBe(await emptied());
});

const emptied = async (): Promise<string> => {
  await database.reset({ storeAhead: 0 });
  return database.probe();
};
