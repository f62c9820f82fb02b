import type { RequestStores } from '@partnerkit/core/requests';
import { openDatabase } from './database.ts';
import type { SqlDriver } from './driver.ts';
import type { PgClient, PgPool } from './drivers/pg.ts';
import { createIdempotencyStore } from './idempotency-store.ts';
import { openDriver } from './open-driver.ts';
import { createReferenceStore } from './reference-store.ts';
import { requestKinds } from './request-kind.ts';
import { createRequestStore } from './request-store.ts';
import type { PostgresOptions } from './storage.ts';

/**
 * Stores of payment requests, security deposits, cash-outs and templates on the host's own PostgreSQL, in transactions
 * of {@link postgresStorage}. A page of a list with several filters may be short or empty and still have a `next`:
 * continue until there is none.
 * @example
 * const storage = postgresStorage(pool);
 * const kit = createPartnerkit({ ...options, storage, objects: requestObjects });
 * const requests = createRequests({ kit, storage, stores: postgresRequests(pool) });
 * @throws TypeError when `pool` is no pool and no driver, or the schema's name is malformed.
 * @public
 */
export function postgresRequests<Client extends PgClient = PgClient>(
  pool: PgPool<Client>,
  options?: PostgresOptions,
): RequestStores<Client>;
/**
 * Over a driver: `fromPg`, `fromPostgresJs`, `fromDrizzle`, `fromKnex`, `fromKysely`, `fromPrisma`, `fromTypeOrm`, or
 * your own. Pass the same driver instance as to the storage: it knows which transactions have ended.
 * @throws TypeError when `driver` is no pool and no driver, or the schema's name is malformed.
 * @public
 */
export function postgresRequests<Tx extends object>(
  driver: SqlDriver<Tx>,
  options?: PostgresOptions,
): RequestStores<Tx>;
export function postgresRequests(
  from: PgPool | SqlDriver<object>,
  options: PostgresOptions = {},
): RequestStores<object> {
  const database = openDatabase<object>(openDriver('postgresRequests', from, options), options.schema ?? 'partnerkit');
  return {
    payments: createRequestStore(database, requestKinds.payments),
    deposits: createRequestStore(database, requestKinds.deposits),
    cashOuts: createRequestStore(database, requestKinds.cashOuts),
    paymentTemplates: createRequestStore(database, requestKinds.paymentTemplates),
    depositTemplates: createRequestStore(database, requestKinds.depositTemplates),
    references: createReferenceStore(database),
    idempotency: createIdempotencyStore(database),
  };
}
