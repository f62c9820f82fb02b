import type { SqlRow } from '../drivers/driver.ts';

/** Runs a statement without values. */
export type Query = (text: string) => Promise<readonly SqlRow[]>;

const tableIn = (schema: string): string => `"${schema}".placement`;

/** The table of what was chosen once, in the schema of the clients. */
const create = (schema: string): string =>
  `create table if not exists ${tableIn(schema)} (name text primary key, value int8 not null)`;

/** Keeps a value, unless one is there. Resolves to what is there. */
const keep = async (query: Query, schema: string, name: string, value: number): Promise<number> => {
  await query(
    `insert into ${tableIn(schema)} (name, value) values ('${name}', ${value}) on conflict (name) do nothing`,
  );
  const [row] = await query(`select value::text as value from ${tableIn(schema)} where name = '${name}'`);
  return Number(row?.['value']);
};

const assertKept = (kept: number, schemas: number): void => {
  if (kept === schemas) return;
  throw new Error(
    `partnerkit: the accounts are divided over ${kept} schemas, not ${schemas}: their number was chosen once, and ` +
      `decides where each account is. Set schemas: ${kept}.`,
  );
};

/** Keeps the number of schemas. @throws Error when another one was kept. */
export const keepNumber = async (query: Query, schema: string, schemas: number): Promise<void> => {
  await query(create(schema));
  assertKept(await keep(query, schema, 'schemas', schemas), schemas);
};

/** @throws Error when no number, or another one, was kept. */
export const assertNumber = async (query: Query, schema: string, schemas: number): Promise<void> => {
  const [found] = await query(`select to_regclass('${tableIn(schema)}')::text as found`);
  const rows = found?.['found']
    ? await query(`select value::text as value from ${tableIn(schema)} where name = 'schemas'`)
    : [];
  const [row] = rows;
  if (!row)
    throw new Error(
      `partnerkit: schema "${schema}" holds no number of schemas: call migrateRowSchemas(pool, { schemas: ${schemas} }) first.`,
    );
  assertKept(Number(row['value']), schemas);
};

/** Where the sequences of a schema begin on the server that is asked: a node of a cluster has numbers of its own. */
const startOf = async (query: Query, schema: string): Promise<number> => {
  const [row] = await query(
    `select coalesce(max(min_value), 1)::text as start from pg_catalog.pg_sequences where schemaname = '${schema}'`,
  );
  return Number(row?.['start']);
};

/**
 * Notes where the positions of a schema begin.
 * @throws Error when they began higher before: a new event would be before older ones that still wait.
 */
export const keepPositions = async (
  query: Query,
  clients: string,
  at: { readonly schema: string; readonly query: Query },
) => {
  const start = await startOf(at.query, at.schema);
  const kept = await keep(query, clients, `positions of ${at.schema}`, start);
  if (kept > start)
    throw new Error(
      `partnerkit: the positions of schema "${at.schema}" would fall: this server assigns them from ${start}, and ` +
        `they were assigned from ${kept} before. Connect to the server that was used, or to a node with a larger group id.`,
    );
  if (kept < start)
    await query(
      `update ${tableIn(clients)} set value = ${start} where name = 'positions of ${at.schema}' and value < ${start}`,
    );
};
