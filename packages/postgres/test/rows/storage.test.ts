import type { StoreWake } from '@partnerkit/core/adapter';
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { fromPg, type PgClient, type SqlDriver, type SqlRow } from '../../src/index.ts';
import { migrateRows, postgresRowStorage, rowMigrationStatus } from '../../src/rows/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { begin } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const schema = 'plain';
beforeAll(() => migrateRows(database.pool(), { schema }));

/** A driver that notes what it sends in transactions. */
const noting = (texts: string[]): SqlDriver<PgClient> => {
  const driver = fromPg<PgClient>(database.pool());
  return {
    ...driver,
    queryIn: (tx, text, values) => {
      texts.push(text);
      return driver.queryIn(tx, text, values);
    },
  };
};

describe('migrations', () => {
  test('of simultaneous processes each finds all tables afterwards', async () => {
    const place = { schema: 'simultaneous' };
    await Promise.all([1, 2, 3].map(() => migrateRows(database.pool(), place)));
    expect((await rowMigrationStatus(database.pool(), place)).filter(({ applied }) => !applied)).toEqual([]);
    expect(await migrateRows(database.pool(), place)).toEqual({ applied: [], sql: '' });
  });

  test('one that was interrupted goes on', async () => {
    const place = { schema: 'interrupted' };
    await migrateRows(database.pool(), place);
    await database
      .pool()
      .query("drop table interrupted.outbox; delete from interrupted.migrations where name like '%outbox%'");
    const storage = postgresRowStorage(database.pool(), place);
    expect((await storage.check?.())?.findings).toEqual([expect.stringContaining('call migrateRows')]);
    await migrateRows(database.pool(), place);
    expect((await storage.check?.())?.findings).toEqual([]);
  });

  test('the schema of `postgresStorage` is refused', async () => {
    await expect(migrateRows(database.pool(), { schema: 'partnerkit' })).rejects.toThrow(
      'name another schema for rows',
    );
  });
});

test('an event without a key is one statement in the transaction of the host', async () => {
  const texts: string[] = [];
  const { publish } = openKit(postgresRowStorage(noting(texts), { schema }), { sender: arrivals() }).events;
  const { tx, commit } = await begin(database.pool());
  await publish(payed('acc_host', 'first'), { tx });
  texts.length = 0;
  await publish(payed('acc_host', 'second'), { tx });
  await commit();
  expect(texts).toHaveLength(1);
  expect(texts[0]).not.toContain('pg_notify');
});

describe('on a server of Citus', () => {
  /** A driver whose server says that it has the extension. It notes every statement. */
  const ofCluster = (texts: string[]): SqlDriver<PgClient> => {
    const driver = noting(texts);
    type Send = () => Promise<readonly SqlRow[]>;
    const seen = async (text: string, send: Send): Promise<readonly SqlRow[]> => {
      const rows = await send();
      return text.includes('pg_extension') ? rows.map((row) => ({ ...row, distributed: 1 })) : rows;
    };
    return {
      ...driver,
      query: (text, values) => seen(text, () => driver.query(text, values)),
      queryIn: (tx, text, values) => seen(text, () => driver.queryIn(tx, text, values)),
    };
  };
  const tableOf = (text: string): string | undefined =>
    /^insert into "plain"\.(\w+) \([^)]*\) values \(/.exec(text)?.[1];
  const stored = async (accountId: string): Promise<readonly unknown[]> =>
    (
      await database.pool().query(
        `select e.object_id as object from ${schema}.events e
           join ${schema}.outbox o on o.account_id = e.account_id and o.id = e.id where e.account_id = $1 order by e.id`,
        [accountId],
      )
    ).rows.map(({ object }) => object);

  test('an event is one insert of plain values into each of two tables, in the transaction of the host', async () => {
    const texts: string[] = [];
    const { publish } = openKit(postgresRowStorage(ofCluster(texts), { schema }), { sender: arrivals() }).events;
    const { tx, commit } = await begin(database.pool());
    await publish(payed('acc_apart', 'first'), { tx });
    texts.length = 0;
    await publish(payed('acc_apart', 'second'), { tx });
    expect(texts.map(tableOf)).toEqual(['events', 'outbox']);
    expect(await stored('acc_apart')).toEqual([]);
    await commit();
    expect(await stored('acc_apart')).toEqual(['first', 'second']);
  });

  test('an event of its own transaction is stored whole or not at all', async () => {
    const texts: string[] = [];
    const driver = ofCluster(texts);
    let isBroken = false;
    const failing: SqlDriver<PgClient> = {
      ...driver,
      queryIn: async (tx, text, values) => {
        if (isBroken && tableOf(text) === 'outbox') throw new Error('The connection ended.');
        return driver.queryIn(tx, text, values);
      },
    };
    const { publish } = openKit(postgresRowStorage(failing, { schema }), { sender: arrivals() }).events;
    await publish(payed('acc_alone', 'first'), { tx: 'new' });
    texts.length = 0;
    await publish(payed('acc_alone', 'second'), { tx: 'new' });
    expect(texts.map(tableOf)).toEqual(['events', 'outbox']);
    isBroken = true;
    await expect(publish(payed('acc_alone', 'third'), { tx: 'new' })).rejects.toThrow();
    expect(await stored('acc_alone')).toEqual(['first', 'second']);
    const { rows } = await database
      .pool()
      .query(`select object_id as object from ${schema}.events where account_id = 'acc_alone' order by id`);
    expect(rows).toEqual([{ object: 'first' }, { object: 'second' }]);
  });

  test('many events are one statement, and are stored at one moment', async () => {
    const texts: string[] = [];
    const { publish, publishMany } = openKit(postgresRowStorage(ofCluster(texts), { schema }), {
      sender: arrivals(),
    }).events;
    await publish(payed('acc_many', 'first'), { tx: 'new' });
    texts.length = 0;
    await publishMany([payed('acc_many', 'second'), payed('acc_many', 'third')], { tx: 'new' });
    expect(texts).toHaveLength(1);
    expect(await stored('acc_many')).toEqual(['first', 'second', 'third']);
  });
});

test('a worker of another storage is woken for a publish of a host, and does not poll for it', async () => {
  const watching = postgresRowStorage(database.pool(), { schema });
  const woken: StoreWake[] = [];
  onTestFinished(await watching.shards.watch((wake) => void woken.push(wake)));
  const publisher = openKit(postgresRowStorage(database.pool(), { schema }), { sender: arrivals() });
  const { tx, commit } = await begin(database.pool());
  await publisher.events.publish(payed('acc_woken', 'p1'), { tx });
  await commit();
  const hasAnnounced = () => woken.some((wake) => wake.kind === 'events' && wake.announced?.[0]?.objectId === 'p1');
  await vi.waitUntil(hasAnnounced, { timeout: 240_000, interval: 5 });
});

test('a transaction of core that lost a conflict runs again', async () => {
  const storage = postgresRowStorage(database.pool(), { schema });
  let tries = 0;
  const value = await storage.transaction(async () => {
    tries++;
    if (tries < 3) throw Object.assign(new Error('serialization'), { cause: { code: '40001' } });
    return tries;
  });
  expect(value).toBe(3);
  const refused = Object.assign(new Error('a duplicate of the host'), { code: '23505' });
  const counted = vi.fn(() => Promise.reject(refused));
  await expect(storage.transaction(counted)).rejects.toBe(refused);
  expect(counted).toHaveBeenCalledTimes(1);
});

describe('positions', () => {
  /** A sequence of the fourth node of a cluster, and one of the sixteenth. */
  test.each([
    [2 ** 50 + 2 ** 48, []],
    [2 ** 52, [expect.stringContaining('must stay below 2^53')]],
  ])('a sequence at %d', async (start, findings) => {
    const place = { schema: `far_${start}` };
    await migrateRows(database.pool(), place);
    for (const table of ['outbox', 'dispatches'])
      await database
        .pool()
        .query(`alter table ${place.schema}.${table} alter column position set start ${start} restart`);
    const storage = postgresRowStorage(database.pool(), place);
    expect((await storage.check?.())?.findings).toEqual(findings);
    if (findings.length > 0) return;
    const sender = arrivals();
    const kit = openKit(storage, { sender });
    await addEndpoint(kit, 'acc_far', 'far');
    await kit.events.publish(payed('acc_far', 'p1'), { tx: 'new' });
    await kit.worker().drain();
    expect([...sender.objects]).toEqual(['p1']);
  });
});

test.each([
  [{ schema: 'Upper' }, 'schema: '],
  [{ dialects: {} }, 'dialects'],
  [{ dialect: { keep: '' } }, 'dialect.keep'],
  [{ dialect: { conflicts: [40001] } }, 'dialect.conflicts'],
  [{ dialect: { lock: 'x' } }, 'lock'],
])('options %j are refused', (options, message) => {
  expect(() => postgresRowStorage(database.pool(), options as never)).toThrow(message);
});
