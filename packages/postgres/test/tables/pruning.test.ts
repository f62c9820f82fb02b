import { systemClock } from '@partnerkit/core/adapter';
import { expect, test } from 'vitest';
import { createWorkerErrors } from '../../../core/src/webhooks/worker/context/worker-errors.ts';
import { prune } from '../../../core/src/webhooks/worker/steps/prune.ts';
import { postgresStorage } from '../../src/index.ts';
import { onEachPostgres } from '../support/each-postgres.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { analyze, forgetAll, rowsReadBy } from '../support/rows-read.ts';

const tables = ['attempts', 'dispatches', 'events', 'pending'];
const [old, perShard] = ['2 days', 100];
const day = 86_400_000;
const shards = Array.from({ length: 128 }, (_, shard) => shard);

/** Old events of every shard, each delivered at once. */
const events = `
  insert into partnerkit.dispatches (account_id, event_id, shard, object_hash, dispatched_at, timestamp, endpoints)
  select 'acc-' || s, gen_random_uuid(), s, 1000 * s + n, now() - interval '${old}' + n * interval '1 second', n, '{}'
  from generate_series(0, 127) s, generate_series(1, ${perShard}) n;
  insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
  select account_id, event_id, 'RequestPayment', object_hash::text, 'payed', dispatched_at, repeat('x', 200) from partnerkit.dispatches;
  insert into partnerkit.attempts (account_id, event_id, endpoint_id, replay, number, at, duration_ms, status, state)
  select account_id, event_id, gen_random_uuid(), 0, 1, dispatched_at, 1, 200, 'delivered' from partnerkit.dispatches;
  update partnerkit.shards set watermark = now();`;

onEachPostgres((server) => {
  const database = useDatabase(server);

  test('one worker that prunes all shards reads a row when it finds, locks and deletes it, and never for nothing', async () => {
    await database.reset({ storeAhead: 0 });
    await database.pool().query(`${forgetAll(tables)} ${events} ${analyze(tables)}`);
    const pool = openPool({ connectionString: database.url(), max: 1 });
    const errors = createWorkerErrors(systemClock, (_, cause) => expect.unreachable(String(cause)));
    const context = {
      ...{ log: postgresStorage(pool).log, observe: undefined, errors, served: () => shards },
      ages: { held: day, deleted: day, events: day },
    };
    const pruneAll = () => prune(context, new AbortController().signal);
    const count = async (): Promise<number> => {
      const { rows } = await database.pool().query(
        `select (select count(*)::int from partnerkit.events) + (select count(*)::int from partnerkit.dispatches)
            + (select count(*)::int from partnerkit.attempts) as n`,
      );
      return Number(rows[0]?.['n']);
    };
    const before = await count();
    expect(before).toBe(3 * 128 * perShard);
    expect(await rowsReadBy(pool, tables, pruneAll)).toBeLessThan(4 * before);
    expect(await count()).toBe(0);
  });

  test('the owner of shard 0 deletes old rows that have no shard, and no other worker reads them', async () => {
    await database.reset({ storeAhead: 0 });
    const withoutShard = ['endpoint_history', 'idempotency_keys', 'revoked_tokens'];
    await database.pool().query(`
      insert into partnerkit.endpoint_history (account_id, endpoint_id, since, until, is_first, state, events, include_children)
        values ('a', gen_random_uuid(), 'epoch', 'epoch', true, 'enabled', '{}', false);
      insert into partnerkit.idempotency_keys (account_id, key, event_id, content, expires_at)
        values ('a', 'k', gen_random_uuid(), '', 'epoch');
      insert into partnerkit.revoked_tokens (jti, expires_at) values ('t', 'epoch');`);
    const { log } = postgresStorage(database.pool());
    const prune = (pruned: readonly number[]) => log.prune(pruned, { held: day, deleted: day, events: day, limit: 10 });
    const counts = () =>
      Promise.all(
        withoutShard.map(async (table) => {
          const { rows } = await database.pool().query(`select count(*)::int as n from partnerkit.${table}`);
          return rows[0]?.['n'];
        }),
      );
    await prune(shards.slice(1));
    expect(await counts()).toEqual([1, 1, 1]);
    await prune([0]);
    expect(await counts()).toEqual([0, 0, 0]);
  });
});
