import type { Storage } from '@partnerkit/core/adapter';
import { alertStore } from './audit/alert-store.ts';
import { auditStore } from './audit/audit-store.ts';
import { clientStore } from './clients/client-store.ts';
import { openDatabase } from './database/database.ts';
import { openDriver } from './database/open-driver.ts';
import type { PostgresOptions } from './database/options.ts';
import { deliveryStore } from './deliveries/delivery-store.ts';
import { parentPropagation } from './deliveries/parent-propagation.ts';
import type { SqlDriver } from './drivers/driver.ts';
import type { PgClient, PgPool } from './drivers/pg.ts';
import { endpointStore } from './endpoints/endpoint-store.ts';
import { sendingStore } from './endpoints/sending-store.ts';
import { eventStore } from './events/event-store.ts';
import { insertEvents } from './events/insert-events.ts';
import { feedStore } from './feeds/feed-store.ts';
import { handlerStore } from './handlers/handler-store.ts';
import { deliveryLog } from './log/delivery-log.ts';
import { requestStores } from './requests/request-stores.ts';
import { secretIdStore } from './secrets/secret-id-store.ts';
import { shardStore } from './shards/shard-store.ts';
import { createWatch } from './waking/watch.ts';

/**
 * Durable storage on the host's own PostgreSQL (14 to 18), through the host's own pool. Any number of processes may
 * publish and run workers over it. Migrate first: `npx @partnerkit/postgres migrate`.
 *
 * Every statement names its schema, so the search path does not matter. Errors of the server include their remedy.
 * @example
 * const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
 * const storage = postgresStorage(pool);
 * // In your transaction:
 * const client = await pool.connect();
 * await client.query('begin');
 * await kit.events.publish(event, { tx: client });
 * await client.query('commit');
 * client.release();
 * @throws TypeError when `pool` is no pool and no driver, the schema's name is malformed, or `announce` is no boolean.
 * @public
 */
export function postgresStorage<Client extends PgClient = PgClient>(
  pool: PgPool<Client>,
  options?: PostgresOptions,
): Storage<Client>;
/**
 * Over a driver: `fromPg`, `fromPostgresJs`, `fromDrizzle`, `fromKnex`, `fromKysely`, `fromPrisma`, `fromTypeOrm`, or
 * your own.
 * @throws TypeError when `driver` is no pool and no driver, the schema's name is malformed, or `announce` is no
 *   boolean.
 * @public
 */
export function postgresStorage<Tx extends object>(driver: SqlDriver<Tx>, options?: PostgresOptions): Storage<Tx>;
export function postgresStorage(from: PgPool | SqlDriver<object>, options: PostgresOptions = {}): Storage<object> {
  const driver = openDriver('postgresStorage', from, options, { schema: true, announce: 'boolean' });
  const { schema = 'partnerkit', announce = true } = options;
  const database = openDatabase<object>(driver, schema);
  const inserts = insertEvents(database, announce);
  const { watch, watchFeeds } = createWatch(database);
  return {
    clients: clientStore(database),
    endpoints: endpointStore(database),
    events: eventStore(database, inserts),
    shards: shardStore(database, watch),
    deliveries: deliveryStore(database),
    parents: parentPropagation(database),
    feeds: feedStore(database, watchFeeds),
    handlers: handlerStore(database),
    audit: auditStore(database),
    alerts: alertStore(database),
    sending: sendingStore(database),
    log: deliveryLog(database),
    requests: requestStores(database, inserts),
    secretIds: secretIdStore(database),
    transaction: database.transaction,
    maxTransactions: driver.maxTransactions,
    check: database.check,
  };
}
