import type { SqlRow } from '../drivers/driver.ts';

/** The tables that are partitioned, each by the id of an event. */
export const partitioned = ['events', 'dispatches', 'attempts'] as const;
type Partitioned = (typeof partitioned)[number];

/** A partition, with the ids of the events that it has; the bounds of the default partition are absent. */
export interface Partition {
  readonly table: Partitioned;
  readonly name: string;
  readonly from?: string;
  readonly to?: string;
}

/** What the database has. */
export interface Catalogue {
  /** The clock of the database, in milliseconds since 1970. */
  readonly now: number;
  readonly partitions: readonly Partition[];
}

/** Runs a statement. */
export type Query = (text: string) => Promise<readonly SqlRow[]>;

const boundsOf = (bound: string): Pick<Partition, 'from' | 'to'> => {
  const [, from, to] = /^FOR VALUES FROM \('([0-9a-f-]{36})'\) TO \('([0-9a-f-]{36})'\)$/.exec(bound) ?? [];
  return from === undefined || to === undefined ? {} : { from, to };
};

/** Reads the partitions. @throws Error that says how, when a table is not partitioned. */
export const readCatalogue = async (query: Query, schema: string): Promise<Catalogue> => {
  const kinds = await query(
    `select relname::text as name, relkind::text as kind from pg_catalog.pg_class
     where relnamespace = to_regnamespace('"${schema}"') and relname in (${partitioned.map((name) => `'${name}'`).join()})`,
  );
  if (kinds.length < partitioned.length) throw new Error(`There are no tables in schema "${schema}": run migrate.`);
  const plain = kinds.filter(({ kind }) => kind !== 'p').map(({ name }) => `"${schema}".${name}`);
  if (plain.length > 0)
    throw new Error(
      `Not partitioned: ${plain.join(', ')}. Nothing was changed. Tables become partitioned while they are empty, ` +
        'right after migrate: see "Partition by day" in docs/operations/scale.md.',
    );
  const rows = await query(
    `select p.relname::text as parent, c.relname::text as name, pg_catalog.pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid join pg_catalog.pg_class p on p.oid = i.inhparent
     where p.relnamespace = to_regnamespace('"${schema}"') and p.relname in (${partitioned.map((name) => `'${name}'`).join()})
     order by c.relname`,
  );
  const [clock] = await query('select floor(extract(epoch from now()) * 1000)::float8 as now');
  return {
    now: Number(clock?.['now']),
    partitions: rows.map((row) => ({
      table: String(row['parent']) as Partitioned,
      name: String(row['name']),
      ...boundsOf(String(row['bound'])),
    })),
  };
};
