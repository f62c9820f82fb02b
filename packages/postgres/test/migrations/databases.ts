import { createDatabase } from '@partnerkit/workshop/services';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { openPool } from '../support/host-transactions.ts';

/** An empty database for the length of a test. */
export const emptyDatabase = async (server: { readonly url: string }) => {
  const { url, drop } = await createDatabase(server);
  onTestFinished(drop);
  return { url, pool: openPool({ connectionString: url }) };
};

/** The same address for another user. */
export const asUser = (url: string, user: string, password: string): string => {
  const address = new URL(url);
  address.username = user;
  address.password = password;
  return address.href;
};

/** A user who may do nothing, for the length of a test; resolves to the database's address for that user. */
export const newUser = async ({ url, pool }: { readonly url: string; readonly pool: pg.Pool }, name: string) => {
  await pool.query(`create role ${name} login password 'secret of ${name}'`);
  onTestFinished(async () => {
    const admin = new pg.Client(url);
    await admin.connect();
    await admin.query(`drop owned by ${name}; drop role ${name}`);
    await admin.end();
  });
  return asUser(url, name, `secret of ${name}`);
};

/** Everything that is in a schema, as the catalogue has it: what differs in two schemas but their names shows. */
export const catalogue = async (pool: pg.Pool, schema = 'partnerkit'): Promise<readonly string[]> => {
  const { rows } = await pool.query(
    `
    select format('%s %s %s %s', c.relkind, c.relname, c.relpersistence, c.reloptions) as line
    from pg_class c where c.relnamespace = to_regnamespace($1)
    union all
    select format('%s.%s %s %s null:%s %s %s %s', c.relname, a.attname, a.attnum, format_type(a.atttypid, a.atttypmod), not a.attnotnull,
      a.attidentity, pg_get_expr(d.adbin, d.adrelid), l.collname)
    from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      left join pg_collation l on l.oid = a.attcollation
    where c.relnamespace = to_regnamespace($1) and a.attnum > 0 and not a.attisdropped
    union all
    select format('%s %s', n.conname, pg_get_constraintdef(n.oid)) from pg_constraint n where n.connamespace = to_regnamespace($1)
    union all
    select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = to_regnamespace($1)
    union all
    select pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace = to_regnamespace($1)
    order by line`,
    [schema],
  );
  const named = new RegExp(`(?<!\\w)"?${schema}"?(?=\\.)|(?<=')${schema}(?=:)`, 'g');
  return rows.map(({ line }) => String(line).replaceAll(named, 'partnerkit')).sort();
};
