import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { migrate, migrationStatus, postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openKit, payed } from '../support/kit.ts';
import type { Host } from './hosts/host.ts';
import { hosts } from './hosts/index.ts';

const database = useDatabase(inject('postgres'));
const account = 'acc_host';

beforeEach(() => database.reset({ storeAhead: 0 }));

const stored = async (): Promise<number> => {
  const { rows } = await database.pool().query('select count(*)::int as count from partnerkit.outbox');
  return rows[0].count;
};

/** The database, for connections that have other defaults than most. */
const inOwnStyle = (): string => {
  const address = new URL(database.url());
  const style = '-c TimeZone=Asia/Kathmandu -c DateStyle=SQL,DMY -c IntervalStyle=sql_standard';
  const isolation = '-c default_transaction_isolation=serializable';
  address.searchParams.set('options', `${address.searchParams.get('options')} ${style} ${isolation}`);
  return address.href;
};

describe.each(hosts)('$name', ({ name, open, survivesLoss }) => {
  let host: Host<object>;
  beforeAll(async () => {
    host = await open(inOwnStyle());
  });
  afterAll(() => host.end());

  const start = (schema?: string) => {
    const storage = postgresStorage(host.driver, schema === undefined ? {} : { schema });
    return { storage, ...openKit(storage, { sender: arrivals() }).events };
  };

  test('a statement and its values are sent unchanged', async () => {
    const text = `select ('{"a": 1}'::jsonb ? $2)::text as has, '?' as mark, ($1 || $2) as both, $2 as second, $3::int as int,
      ($4::float8 / 2)::text as half, ($5::boolean)::text as truth, ($6::text is null)::text as nothing`;
    const values = ['?', 'a', 7, 0.5, true, null];
    const expected = {
      has: 'true',
      mark: '?',
      both: '?a',
      second: 'a',
      int: 7,
      half: '0.25',
      truth: 'true',
      nothing: 'true',
    };
    expect([...(await host.driver.query(text, values))]).toEqual([expected]);
    const inside = await host.transaction(({ tx }) => host.driver.queryIn(tx, text, values));
    expect([...inside]).toEqual([expected]);
  });

  test('a transaction of storage is in READ COMMITTED, whatever the default', async () => {
    const text = "select current_setting('transaction_isolation') as isolation";
    const [row] = await host.driver.transaction((tx) => host.driver.queryIn(tx, text, []));
    expect(row).toEqual({ isolation: 'read committed' });
  });

  test('a published event is read back unchanged: times, keys, texts, and absent fields', async () => {
    const { storage, publish, publishMany } = start();
    const texts = ['é🏡', `a"b'c\\d`, '{e,f}', 'null', '?', '$1', ':name', '%s', '1e400', '2024-02-29T00:00:00Z'];
    const given = [
      ...texts.map((id) => payed(account, id)),
      { ...payed(account, 'at'), occurredAt: Date.UTC(2024, 1, 29, 23, 59, 59, 999) },
      { ...payed(account, 'early'), occurredAt: 0 },
    ];
    const keyed = given.map((event) => ({ ...event, idempotencyKey: `key of ${event.data.id}` }));
    const published = await host.transaction(async ({ tx }) => {
      const alone = [];
      for (const event of given) alone.push(await publish(event, { tx }));
      return [...alone, ...(await publishMany(keyed, { tx }))];
    });
    const { items } = await storage.events.listEvents(account, { limit: 100 });
    const read = published.map(({ eventId }) => items.find(({ id }) => id === eventId));
    const rest = { id: expect.any(String) };
    const expected = [...given, ...keyed].map(({ data, ...event }) => ({ ...event, objectId: data.id, ...rest }));
    expect(read).toEqual(expected);
  });

  test('an error of the server keeps its code, and shows no bound value', async () => {
    const { publish, publishMany } = start();
    await database.pool().query(`
      create or replace function public.refuse() returns trigger language plpgsql as
        $$ begin raise exception 'no' using errcode = '40001'; end $$;
      create trigger refuse before insert on partnerkit.events for each row execute function public.refuse()`);
    onTestFinished(async () => {
      await database.pool().query('drop trigger refuse on partnerkit.events');
    });
    const event = payed(account, 'confidential');
    const ways: readonly ((tx: object | 'new') => Promise<unknown>)[] = [
      (tx) => publish(event, { tx }),
      (tx) => publish(event, { tx, idempotencyKey: 'confidential' }),
      (tx) => publishMany([event, event], { tx }),
    ];
    for (const way of ways) {
      const alone = way('new');
      const joined = host.transaction(({ tx }) => way(tx));
      for (const failure of await Promise.all([alone, joined].map((failing) => failing.catch((cause) => cause)))) {
        expect(failure).toMatchObject({ code: 'unavailable', cause: { code: '40001' } });
        expect(inspect(failure, { depth: 20 })).not.toContain('confidential');
      }
    }
  });

  test('a schema that is not there leaves the transaction usable', async () => {
    const { publish } = start('absent');
    const { publish: publishThere } = start();
    await host.transaction(async ({ tx }) => {
      const failure = publish(payed(account, 'p1'), { tx });
      await expect(failure).rejects.toMatchObject({ cause: { message: expect.stringContaining('is at version 0') } });
      await publishThere(payed(account, 'p2'), { tx });
    });
    expect(await stored()).toBe(1);
  });

  test('a schema is migrated through it, and used', async () => {
    const schema = `by_${name.toLowerCase().replaceAll(/[^a-z]/g, '_')}`;
    expect(await migrationStatus(host.driver, { schema })).toContainEqual(expect.objectContaining({ applied: false }));
    await Promise.all([migrate(host.driver, { schema }), migrate(host.driver, { schema })]);
    expect(await migrationStatus(host.driver, { schema })).not.toContainEqual(
      expect.objectContaining({ applied: false }),
    );
    const { storage, publish } = start(schema);
    await host.transaction(({ tx }) => publish(payed(account, 'p1'), { tx }));
    expect((await storage.events.listEvents(account, { limit: 10 })).items).toHaveLength(1);
  });

  test('publishing takes at most one connection, and releases it', async () => {
    const small = await open(database.url(), 1);
    onTestFinished(() => small.end());
    const { publish } = openKit(postgresStorage(small.driver), { sender: arrivals() }).events;
    await small.transaction(async ({ tx }) => {
      await publish(payed(account, 'p1'), { tx });
      await publish(payed(account, 'p2'), { tx, idempotencyKey: 'key' });
    });
    await publish(payed(account, 'p3'), { tx: 'new', idempotencyKey: 'other' });
    for (const id of ['p4', 'p5']) await publish(payed(account, id), { tx: 'new' });
    expect(await stored()).toBe(5);
  });

  test.runIf(survivesLoss)(
    'a connection that is lost in the middle of a transaction stores nothing, and is replaced',
    async () => {
      const { publish } = start();
      await publish(payed(account, 'before'), { tx: 'new' });
      const losing = host.transaction(async ({ tx, run }) => {
        await run('select 1');
        await publish(payed(account, 'lost'), { tx });
        await database.pool().query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`);
        await publish(payed(account, 'lost'), { tx });
      });
      await expect(losing).rejects.toThrow();
      await publish(payed(account, 'after'), { tx: 'new' });
      expect(await stored()).toBe(2);
    },
  );
});
