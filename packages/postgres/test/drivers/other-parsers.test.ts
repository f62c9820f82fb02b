import { parseDeliveryId } from '@partnerkit/core/adapter';
import { drizzle } from 'drizzle-orm/postgres-js';
import openKnex from 'knex';
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { DataSource } from 'typeorm';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { fromDrizzle } from '../../src/drivers/drizzle.ts';
import { fromKnex } from '../../src/drivers/knex.ts';
import { fromKysely } from '../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { fromTypeOrm } from '../../src/drivers/typeorm.ts';
import { fromPg, postgresInbox, postgresSeenKeys, postgresStorage, type SqlDriver } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openKit, payed, urlOf } from '../support/kit.ts';
import { replaced, types, wrap } from '../support/other-parsers.ts';

const database = useDatabase(inject('postgres'));
const account = 'acc_host';
beforeEach(() => database.reset({ storeAhead: 0 }));

const openPool = (): pg.Pool => {
  const pool = new pg.Pool({ connectionString: database.url(), types }).on('error', () => {});
  onTestFinished(() => pool.end());
  return pool;
};
const openPostgresJs = (): postgres.Sql => {
  const wrapped = { to: 25, from: [...replaced], serialize: String, parse: wrap };
  const sql = postgres(database.url(), { transform: { ...postgres.pascal, undefined: null }, types: { wrapped } });
  onTestFinished(() => sql.end());
  return sql;
};

/** No transaction is joined here: of which library it would be does not matter. */
type AnyDriver = SqlDriver<object>;

/** Hosts that replaced the parsers of their library, and the names of columns where it can. */
const hosts: readonly (readonly [string, () => AnyDriver | Promise<AnyDriver>])[] = [
  ['pg', () => fromPg(openPool()) as AnyDriver],
  ['postgres.js', () => fromPostgresJs(openPostgresJs()) as AnyDriver],
  [
    'Kysely',
    () => {
      const plugins = [new CamelCasePlugin({ upperCase: true }), new ParseJSONResultsPlugin()];
      return fromKysely(new Kysely({ dialect: new PostgresDialect({ pool: openPool() }), plugins })) as AnyDriver;
    },
  ],
  ['Drizzle', () => fromDrizzle(drizzle(openPostgresJs()), { prepare: false }) as AnyDriver],
  [
    'Knex',
    () => {
      const knex = openKnex({
        client: 'pg',
        connection: { connectionString: database.url(), types },
        wrapIdentifier: (name, original) => original(name.toLowerCase()),
        postProcessResponse: (result) => result.rows,
      });
      onTestFinished(() => knex.destroy());
      return fromKnex(knex) as AnyDriver;
    },
  ],
  [
    'TypeORM',
    async () => {
      const dataSource = await new DataSource({ type: 'postgres', url: database.url(), extra: { types } }).initialize();
      onTestFinished(() => dataSource.destroy());
      return fromTypeOrm(dataSource) as AnyDriver;
    },
  ],
];

/** Everything that an account owns, as the ports read it. */
const readAll = async (driver: AnyDriver): Promise<object> => {
  const { clients, endpoints, events, log } = postgresStorage(driver);
  const page = { limit: 100 };
  const deliveries = (await log.listDeliveries(account, {}, page)).items;
  const stored = (await events.listEvents(account, page)).items;
  const [endpoint] = (await endpoints.listEndpoints(account, page)).items;
  return {
    clients: (await clients.listClients(account, page)).items,
    endpoints: (await endpoints.listEndpoints(account, page)).items,
    events: await Promise.all(stored.map(({ id }) => events.findEvent(account, id))),
    deliveries,
    attempts: await Promise.all(
      deliveries.map(({ id }) => log.listAttempts(parseDeliveryId(account, id) ?? expect.unreachable(id))),
    ),
    // The store's clock runs on between two reads.
    snapshots: (
      await Promise.all(stored.map(({ id }) => log.readExplainSnapshot(account, id, endpoint?.id ?? '')))
    ).map(({ now, ...snapshot }) => ({ ...snapshot, now: typeof now })),
    backlog: await log.countBacklog(account),
    inbox: await postgresInbox(driver).stats(10),
  };
};

test.each(hosts)('%s with parsers of its own lives a delivery, and reads what pg reads', async (_, open) => {
  const driver = await open();
  const storage = postgresStorage(driver);
  const sender = arrivals(({ body }) => ({
    kind: 'answered',
    status: body.includes('"fails"') ? 503 : 200,
    retryAfter: '90',
    body: 'é🏡',
    durationMs: 7,
  }));
  const kit = openKit(storage, { sender });

  const { client } = (await kit.clients.create(account, { name: 'Key' }))._unsafeUnwrap();
  (await kit.clients.addSecret(account, client.id, { label: 'second' }))._unsafeUnwrap();
  const { endpoint } = (
    await kit.endpoints.create(account, {
      url: urlOf('hook'),
      events: ['payed', 'cancel'],
      label: 'prod',
      deliveryHeader: { name: 'x-key', value: 'k' },
    })
  )._unsafeUnwrap();
  (await kit.endpoints.prepareSecret(account, endpoint.id))._unsafeUnwrap();
  (await kit.endpoints.create(account, { url: urlOf('off'), events: ['payed'] }))._unsafeUnwrap();
  await kit.events.publishMany([payed(account, 'works'), payed(account, 'fails')], { tx: 'new' });
  await kit.events.publish({ ...payed(account, 'keyed'), occurredAt: 86_400_001 }, { tx: 'new', idempotencyKey: 'k' });
  await kit.worker().drain();
  await kit.events.publish(payed(account, 'waits'), { tx: 'new' });

  const seen = postgresSeenKeys(driver);
  const claim = await seen.claim('key', 60_000);
  expect(claim.kind === 'claimed' && (await seen.confirm('key', claim.lease, 60_000))).toBe(true);
  expect(await seen.claim('key', 60_000)).toEqual({ kind: 'done' });
  const inbox = postgresInbox(driver);
  expect(await inbox.enqueue('entry', 'body')).toBe(true);
  expect(await inbox.claim(1, 60_000)).toEqual([expect.objectContaining({ key: 'entry', body: 'body', attempt: 1 })]);

  const read = await readAll(driver);
  expect(read).toStrictEqual(await readAll(fromPg(database.pool()) as AnyDriver));
});
