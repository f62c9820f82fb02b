import type { Pool } from 'pg';

const read = async (pool: Pool, tables: readonly string[]): Promise<number> => {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    `select (select sum(idx_tup_read)::int from pg_stat_user_indexes where schemaname = 'partnerkit' and relname = any($1))
      + (select sum(seq_tup_read)::int from pg_stat_user_tables where schemaname = 'partnerkit' and relname = any($1)) as read`,
    [tables],
  );
  return rows[0].read;
};

/**
 * How many rows of the tables a call reads, by any index or by none. The pool has one connection, which the call uses:
 * plans are made by its first calls, and kept.
 */
export const rowsReadBy = async (
  pool: Pool,
  tables: readonly string[],
  call: () => Promise<unknown>,
): Promise<number> => {
  const before = await read(pool, tables);
  await call();
  return (await read(pool, tables)) - before;
};

/**
 * How many blocks of the tables and of their indexes a call reads. What an index scan reads and does not return is no
 * row in the statistics.
 */
export const blocksReadBy = async (
  pool: Pool,
  tables: readonly string[],
  call: () => Promise<unknown>,
): Promise<number> => {
  const readBlocks = async (): Promise<number> => {
    await pool.query('select pg_stat_force_next_flush()');
    const { rows } = await pool.query(
      `select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::int as read
        from pg_statio_user_tables where schemaname = 'partnerkit' and relname = any($1)`,
      [tables],
    );
    return rows[0].read;
  };
  const before = await readBlocks();
  await call();
  return (await readBlocks()) - before;
};

/** Empties tables. Nobody knows how much is in them from now on, unless they are analyzed. */
export const forgetAll = (tables: readonly string[]): string =>
  tables
    .map((table) => `truncate partnerkit.${table}; alter table partnerkit.${table} set (autovacuum_enabled = false);`)
    .join('\n');

export const analyze = (tables: readonly string[]): string =>
  tables.map((table) => `analyze partnerkit.${table};`).join('\n');
