import { drizzle } from 'drizzle-orm/mysql2';
import openKnex, { type Knex } from 'knex';
import { Kysely, MysqlDialect } from 'kysely';
import { DataSource } from 'typeorm';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fromDrizzle } from '../src/drivers/drizzle.ts';
import { fromKnex } from '../src/drivers/knex.ts';
import { fromKysely } from '../src/drivers/kysely.ts';
import { fromTypeOrm } from '../src/drivers/typeorm.ts';
import { fromMysql2, migrate, migrationStatus, mysqlStorage, type SqlDriver } from '../src/index.ts';
import { type Cast, configuredPool, everyString, otherForms, parsedJson } from './support/configured-pool.ts';
import { hasServer, useDatabase } from './support/database.ts';
import { addEndpoint, arrivals, openKit, payed } from './support/kit.ts';

type Open = (uri: string, typeCast: Cast) => SqlDriver<object> | Promise<SqlDriver<object>>;

const upperCased = (result: readonly unknown[]): unknown =>
  result.map((rows) =>
    Array.isArray(rows)
      ? rows.map((row: object) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k.toUpperCase(), v])))
      : rows,
  );

/** Libraries that let storage choose the form of rows, as hosts configured them. */
const libraries: readonly (readonly [string, Open])[] = [
  [
    'mysql2',
    (uri, typeCast) => {
      const pool = configuredPool(uri, { ...otherForms, typeCast }).promise();
      onTestFinished(() => pool.end());
      return fromMysql2(pool) as SqlDriver<object>;
    },
  ],
  [
    'Knex',
    (uri, typeCast) => {
      const connection = { uri, typeCast } as Knex.StaticConnectionConfig;
      const knex = openKnex({ client: 'mysql2', connection, postProcessResponse: upperCased });
      onTestFinished(() => knex.destroy());
      return fromKnex(knex) as SqlDriver<object>;
    },
  ],
  [
    'Drizzle',
    (uri, typeCast) => {
      const pool = configuredPool(uri, { typeCast }).promise();
      onTestFinished(() => pool.end());
      return fromDrizzle(drizzle({ client: pool })) as SqlDriver<object>;
    },
  ],
  [
    'TypeORM',
    async (uri, typeCast) => {
      const dataSource = await new DataSource({ type: 'mysql', url: uri, extra: { typeCast } }).initialize();
      onTestFinished(() => dataSource.destroy());
      return fromTypeOrm(dataSource) as SqlDriver<object>;
    },
  ],
];

const casts = { everyString, parsedJson };

describe.skipIf(!hasServer)('settings of a host', () => {
  const database = useDatabase();
  beforeEach(() => database.get().reset());

  const openKysely: Open = (uri, typeCast) => {
    const db = new Kysely({ dialect: new MysqlDialect({ pool: configuredPool(uri, { typeCast }) }) });
    onTestFinished(() => db.destroy());
    return fromKysely(db) as SqlDriver<object>;
  };

  /** A storage on one connection with this setting. */
  const storageWith = (setting: string) => {
    const pool = configuredPool(database.get().url, { connectionLimit: 1 }, setting).promise();
    onTestFinished(() => pool.end());
    return mysqlStorage(pool);
  };

  describe.each(libraries)('%s', (_, open) => {
    test.each(Object.entries(casts))(
      'with rows of another form stores, reads and sends any text: %s',
      async (...of) => {
        const storage = mysqlStorage(await open(database.get().url, of[1]));
        expect((await storage.check?.())?.findings).toEqual([]);
        const sender = arrivals();
        const kit = openKit(storage, sender);
        await addEndpoint(kit, 'acc', 'hook');
        const ids = ['Zoë 💶 \\ "', '17'];
        for (const id of ids) await kit.events.publish(payed('acc', id), { tx: 'new', idempotencyKey: id });
        await kit.worker().drain();
        expect(sender.posts.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)).toEqual(ids);
      },
    );
  });

  test.each(Object.entries(casts))('Kysely passes no options, so the check refuses the cast: %s', async (...of) => {
    const storage = mysqlStorage(await openKysely(database.get().url, of[1]));
    const refusal = /rows do not arrive as the server sends them: .* Take typeCast/;
    expect(await storage.check?.()).toEqual({ findings: [expect.stringMatching(refusal)] });
    const sender = arrivals();
    const kit = openKit(storage, sender);
    const plain = openKit(mysqlStorage(database.get().pool), arrivals());
    await addEndpoint(plain, 'acc', 'hook');
    await plain.events.publish(payed('acc', 'é'), { tx: 'new' });
    await expect(kit.worker().drain()).rejects.toMatchObject({ cause: { message: expect.stringMatching(refusal) } });
    expect(sender.posts).toEqual([]);
  });

  test('sql_select_limit does not apply, because each statement has a limit', async () => {
    const storage = storageWith('sql_select_limit = 1');
    expect((await storage.check?.())?.findings).toEqual([]);
    const sender = arrivals();
    const kit = openKit(storage, sender);
    await addEndpoint(kit, 'acc', 'hook');
    const ids = ['p1', 'p2', 'p3'];
    await kit.events.publishMany(
      ids.map((id) => ({ ...payed('acc', id), idempotencyKey: id })),
      { tx: 'new' },
    );
    await kit.worker().drain();
    expect([...sender.objects]).toEqual(ids);
  });

  test.each([
    ['autocommit = 0', /^autocommit .* set it to 1/],
    ['completion_type = 1', /^completion_type .* set it to NO_CHAIN/],
    ['transaction isolation level read uncommitted', /^transaction_isolation .* set it to READ COMMITTED/],
    ['sql_safe_updates = 1', /sql_safe_updates is on.* set it to 0 .*1175/],
    ['sql_big_selects = 0, max_join_size = 1', /set sql_big_selects to 1.*1104/],
    ['transaction read only', /set transaction_read_only to 0.*1792/],
    ["sql_mode = 'NO_UNSIGNED_SUBTRACTION'", /^sql_mode .* NO_UNSIGNED_SUBTRACTION: remove it/],
    ['character_set_results = utf16', /rows do not arrive .* character_set_results/],
  ])('the check names %s, with its remedy', async (setting, finding) => {
    expect((await storageWith(setting).check?.())?.findings).toEqual([expect.stringMatching(finding)]);
  });

  test.each([
    { on: 'ON', waits: '0', isWarned: true },
    { on: 'ON', waits: '6', isWarned: true },
    { on: 'ON', waits: '7', isWarned: false },
    { on: 'OFF', waits: '0', isWarned: false },
  ])('on a node of Galera, the check warns unless reads wait: %o', async ({ on, waits, isWarned }) => {
    const driver = fromMysql2(database.get().pool);
    const answer = [
      { Variable_name: 'wsrep_on', Value: on },
      { Variable_name: 'wsrep_sync_wait', Value: waits },
    ];
    const query: typeof driver.query = async (text) =>
      text.includes('wsrep') ? { ...(await driver.query(text)), rows: answer } : driver.query(text);
    const warnings = (await mysqlStorage({ ...driver, query }).check?.())?.warnings ?? [];
    expect(warnings.some((warning) => /^wsrep_sync_wait is off: set it to 1/.test(warning))).toBe(isWarned);
  });

  test('the check leaves no row', async () => {
    expect((await mysqlStorage(database.get().pool).check?.())?.findings).toEqual([]);
    const [rows] = await database.get().pool.query('select * from partnerkit_endpoint_history');
    expect(rows).toEqual([]);
  });

  test('migrations refuse a connection without a database at once, and say what to give', async () => {
    const address = new URL(database.get().url);
    address.pathname = '';
    const pool = configuredPool(address.href, { connectionLimit: 1 }).promise();
    onTestFinished(() => pool.end());
    for (const run of [() => migrate(pool), () => migrate(pool, { dryRun: true }), () => migrationStatus(pool)])
      await expect(run()).rejects.toThrow(/the connection has no database: name one in its URL/);
  });
});

test('a pool of mariadb is refused by name', () => {
  const pool = { query: () => {}, getConnection: () => {}, batch: () => {} };
  expect(() => mysqlStorage(pool as never)).toThrow(/^mysqlStorage: this is a pool of mariadb.*mysql2\/promise/);
});
