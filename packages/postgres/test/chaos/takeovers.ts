import type pg from 'pg';

/** A shard that was taken from a worker that did not release it. */
export interface Takeover {
  readonly shard: number;
  readonly from: string;
}

/** Has the database note each of them. */
export const noteTakeovers = async (pool: pg.Pool): Promise<void> => {
  await pool.query(`
    create table takeovers (shard integer not null, old_owner text not null);
    create function note_takeover() returns trigger language plpgsql as $$
      begin
        insert into public.takeovers values (old.shard, old.owner::text);
        return null;
      end $$;
    create trigger note_takeover after update of owner on partnerkit.shards for each row
      when (old.owner <> new.owner) execute function public.note_takeover();`);
};

export const readTakeovers = async (pool: pg.Pool): Promise<readonly Takeover[]> => {
  const { rows } = await pool.query('select shard, old_owner as "from" from takeovers');
  return rows;
};
