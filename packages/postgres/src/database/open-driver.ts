import { assertOptionNames, type OptionKind } from '@partnerkit/core/adapter';
import type { SqlDriver } from '../drivers/driver.ts';
import { fromPg, type PgPool } from '../drivers/pg.ts';

const remedy =
  'hand over your pool of pg, new pg.Pool({ connectionString }), or what fromPostgresJs, fromKysely, fromDrizzle, fromKnex, fromPglite, fromPrisma or fromTypeOrm makes of yours.';

const hasMethods = (from: unknown, names: readonly string[]): boolean =>
  typeof from === 'object' &&
  from !== null &&
  names.every((name) => typeof (from as Readonly<Record<string, unknown>>)[name] === 'function');

/** A client has the methods of a pool, but one connection. It has the server's process id, or `release`. */
const isClient = (from: object): boolean => 'processID' in from || 'release' in from;

/**
 * The driver of a storage.
 * @throws TypeError when `from` is no pool and no driver, or an option does not exist; the message names the remedy.
 */
export const openDriver = <Tx extends object>(
  caller: string,
  from: PgPool | SqlDriver<Tx>,
  options: unknown,
  optionNames: Readonly<Record<string, OptionKind>> = { schema: true },
): SqlDriver<Tx> => {
  assertOptionNames(caller, options, optionNames);
  if (hasMethods(from, ['query', 'queryIn', 'transaction'])) return from as SqlDriver<Tx>;
  if (!hasMethods(from, ['query', 'connect']))
    throw new TypeError(`${caller}: this is no pool and no driver: ${remedy}`);
  if (isClient(from)) throw new TypeError(`${caller}: this is a client, which has one connection: ${remedy}`);
  // With a pool of pg, a transaction is one of its clients.
  return fromPg(from as PgPool) as SqlDriver<object> as SqlDriver<Tx>;
};
