import { type NewEvent, rowStorage, rowTables, type Storage, systemClock } from '@partnerkit/core/adapter';
import { openDriver } from '../database/open-driver.ts';
import { assertSchema } from '../database/schema.ts';
import type { SqlDriver } from '../drivers/driver.ts';
import type { PgClient, PgPool } from '../drivers/pg.ts';
import { fullDialect, type RowDialect } from './dialect.ts';
import { usualSchema } from './migrate.ts';
import { type PostgresRows, postgresRows, serverTime } from './store.ts';

/** Options of {@link postgresRowStorage}. @public */
export interface RowStorageOptions {
  /** The schema that `migrateRows` filled. @defaultValue 'partnerkit_rows' */
  readonly schema?: string;
  /** What the engine does in its own way. @defaultValue as PostgreSQL */
  readonly dialect?: RowDialect;
  /**
   * Whether notifications name the account, the id and the type of an event and its object. See `PostgresOptions`.
   * @defaultValue true
   */
  readonly announce?: boolean;
}

const hasKey = ({ idempotencyKey }: NewEvent): boolean => idempotencyKey !== undefined;

/** The storage over a store. Events without idempotency keys are inserts; all other calls are plans of core. */
export const storageOver = <Tx extends object>(store: PostgresRows<Tx>): Storage<Tx> => {
  const { events, ...others } = rowStorage(store);
  const stored = (appended: readonly NewEvent[]) => appended.map(() => ({ kind: 'stored' }) as const);
  return {
    ...others,
    events: {
      ...events,
      append: async (tx, appended) => {
        if (appended.length === 0 || appended.some(hasKey)) return events.append(tx, appended);
        await store.appendIn(tx, appended);
        return stored(appended);
      },
      appendAlone: async (appended) => {
        if (appended.length === 0 || appended.some(hasKey))
          return store.transaction((tx) => events.append(tx, appended));
        await store.appendAlone(appended);
        return stored(appended);
      },
    },
  };
};

/**
 * Durable storage over plain rows, for engines that speak SQL of PostgreSQL and lack what the statements of
 * `postgresStorage` need. On PostgreSQL itself, `postgresStorage` is several times as fast. Create the tables first:
 * `migrateRows`.
 *
 * - Transactions of core that lose a conflict run again, with the functions of the host that they call. Your own
 *   transactions are yours to repeat.
 * - All tables are in one schema, which is the unit of placement: on Citus, a distributed schema.
 * @example
 * const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
 * await migrateRows(pool);
 * const storage = postgresRowStorage(pool);
 * @throws TypeError when `pool` is no pool and no driver, or an option is unknown or malformed.
 * @public
 */
export function postgresRowStorage<Client extends PgClient = PgClient>(
  pool: PgPool<Client>,
  options?: RowStorageOptions,
): Storage<Client>;
/**
 * Over a driver, as `postgresStorage` takes it.
 * @throws TypeError when `driver` is no pool and no driver, or an option is unknown or malformed.
 * @public
 */
export function postgresRowStorage<Tx extends object>(driver: SqlDriver<Tx>, options?: RowStorageOptions): Storage<Tx>;
export function postgresRowStorage(from: PgPool | SqlDriver<object>, options: RowStorageOptions = {}): Storage<object> {
  const names = { schema: true, dialect: true, announce: 'boolean' } as const;
  const driver = openDriver('postgresRowStorage', from, options, names);
  const { schema = usualSchema, announce: announces = true } = options;
  assertSchema(schema);
  const dialect = fullDialect('postgresRowStorage', options.dialect);
  return storageOver(
    postgresRows(driver, { schema, tables: rowTables, dialect, announces, clock: systemClock, now: serverTime }),
  );
}
