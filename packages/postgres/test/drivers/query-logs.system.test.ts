import { PrismaPg } from '@prisma/adapter-pg';
import { drizzle } from 'drizzle-orm/node-postgres';
import openKnex from 'knex';
import { DataSource } from 'typeorm';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { fromDrizzle } from '../../src/drivers/drizzle.ts';
import { fromKnex } from '../../src/drivers/knex.ts';
import { fromPrisma } from '../../src/drivers/prisma.ts';
import { fromTypeOrm } from '../../src/drivers/typeorm.ts';
import { postgresStorage, type SqlDriver } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openKit, payed, urlOf } from '../support/kit.ts';
import { openPrisma } from './hosts/prisma.ts';

const database = useDatabase(inject('postgres'));
const account = 'acc_host';
beforeEach(() => database.reset({ storeAhead: 0 }));

/** Opens a library whose log of statements and of what is bound to them goes to `log`. */
type Open = (log: (...entry: readonly unknown[]) => void) => SqlDriver<object> | Promise<SqlDriver<object>>;

const overDrizzle: Open = (logQuery) => fromDrizzle(drizzle(database.pool(), { logger: { logQuery } }));

const overKnex: Open = (log) => {
  const knex = openKnex({ client: 'pg', connection: database.url() }).on('query', log);
  onTestFinished(() => knex.destroy());
  return fromKnex(knex) as SqlDriver<object>;
};

const overPrisma: Open = async (log) => {
  const adapter = new PrismaPg(database.pool());
  const prisma = await openPrisma({ adapter, log: [{ emit: 'event', level: 'query' }] });
  prisma.$on('query', log);
  onTestFinished(() => prisma.$disconnect());
  return fromPrisma(prisma) as SqlDriver<object>;
};

const overTypeOrm: Open = async (logQuery) => {
  const ignore = (): void => {};
  const logger = {
    logQuery,
    logQueryError: ignore,
    logQuerySlow: ignore,
    logSchemaBuild: ignore,
    logMigration: ignore,
    log: ignore,
  };
  const dataSource = await new DataSource({
    type: 'postgres',
    url: database.url(),
    logging: 'all',
    logger,
  }).initialize();
  onTestFinished(() => dataSource.destroy());
  return fromTypeOrm(dataSource) as SqlDriver<object>;
};

test.each([
  ['Drizzle', overDrizzle],
  ['Knex', overKnex],
  ['Prisma', overPrisma],
  ['TypeORM', overTypeOrm],
])('the log of %s is handed no secret in clear, whatever is done', async (_, open) => {
  const entries: string[] = [];
  const driver = await open((...entry) => entries.push(JSON.stringify(entry.slice(0, 2))));
  const kit = openKit(postgresStorage(driver), { sender: arrivals() });

  const deliveryHeader = { name: 'x-api-key', value: 'clear-api-key' };
  const created = await kit.endpoints.create(account, { url: urlOf('hook'), events: ['payed'], deliveryHeader });
  const { endpoint, secret } = created._unsafeUnwrap();
  const next = (await kit.endpoints.prepareSecret(account, endpoint.id))._unsafeUnwrap();
  const client = (await kit.clients.create(account, { name: 'Key' }))._unsafeUnwrap();
  await kit.events.publish(payed(account, 'p1'), { tx: 'new' });
  await kit.worker().drain();

  const log = entries.join('\n');
  for (const known of [account, endpoint.id, 'x-api-key', 'p1']) expect(log).toContain(known);
  for (const clear of [deliveryHeader.value, secret, next.secret, client.secret]) expect(log).not.toContain(clear);
});
