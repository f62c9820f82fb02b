import type pg from 'pg';
import { giveUp } from '../../children.ts';

/** The outcome of one POST. */
export interface AttemptRow {
  readonly job: string;
  readonly status: number;
  readonly durationMs: number;
}

const table = `create table if not exists attempts (
  id bigint generated always as identity primary key, job text not null, status int not null, duration_ms float8 not null,
  at timestamptz not null default now())`;
const insert = {
  name: 'insert_attempts',
  text: 'insert into attempts (job, status, duration_ms) select * from unnest($1::text[], $2::int[], $3::float8[])',
};

/** The attempt table of engines without their own: many rows in one statement, like the settlements of partnerkit. */
export const attemptLog = async (pool: pg.Pool) => {
  await pool.query(table);
  const writeAll = async (rows: readonly AttemptRow[]): Promise<void> => {
    const columns = [
      rows.map(({ job }) => job),
      rows.map(({ status }) => status),
      rows.map(({ durationMs }) => durationMs),
    ];
    // An engine would retry its jobs for ever.
    await pool.query({ ...insert, values: columns }).catch(giveUp);
  };
  let waiting: { readonly row: AttemptRow; readonly done: () => void }[] = [];
  let writing = false;
  const flush = async (): Promise<void> => {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await writeAll(batch.map(({ row }) => row));
      for (const { done } of batch) done();
    }
    writing = false;
  };
  return {
    writeAll,
    /** Collects rows while the last batch is written. */
    write: (row: AttemptRow): Promise<void> =>
      new Promise((done) => {
        waiting.push({ row, done });
        if (!writing) void flush();
      }),
  };
};
