import type { ClaimRequest } from '@partnerkit/core';
import { memorySender } from '@partnerkit/core/memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { postgresStorage } from '../../src/index.ts';
import { names } from '../support/arrivals.ts';
import { onEachPostgres } from '../support/each-postgres.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';
import { analyze, forgetAll, rowsReadBy } from '../support/rows-read.ts';

const want: ClaimRequest = {
  worker: 'w',
  limit: 64,
  perEndpoint: 8,
  perAccount: 64,
  lease: 60_000,
  schedule: [60_000],
};
const none: ClaimRequest = { ...want, limit: 0 };
/** Those that more than one index could answer for. Leases have but one, and leave many dead entries while anybody looks at anything. */
const tables = ['queue', 'events', 'outbox'];
const endpoints = names(64, 'e-');

onEachPostgres((server) => {
  const database = useDatabase(server);

  beforeEach(async () => {
    await database.reset({ storeAhead: 0 });
    await database.pool().query(forgetAll(tables));
  });

  const connect = () => {
    const pool = openPool({ connectionString: database.url(), max: 1 });
    const { queue } = postgresStorage(pool);
    return { queue, readBy: (call: () => Promise<unknown>) => rowsReadBy(pool, tables, call) };
  };

  const open = async () => {
    const kit = openKit(postgresStorage(database.pool()), { sender: memorySender(), mostEndpoints: endpoints.length });
    for (const name of endpoints) await addEndpoint(kit, 'ours', name);
    return async (count: number, prefix: string): Promise<void> => {
      const events = names(count, prefix).map((name) => payed('ours', name));
      await kit.events.publishMany(events, { tx: 'new' });
    };
  };

  /** Events of the same account with which nobody has anything left to do. */
  const addOld = (): Promise<unknown> =>
    database.pool().query(
      `insert into partnerkit.events (account_id, id, object_name, object_id, type, dispatched_at, second, rest)
      select 'ours', gen_random_uuid(), 'RequestPayment', 'old-' || nth, 'payed', now(), nth, ',"data":{"id":"old-' || nth || '"}}'
      from generate_series(1, 30000) nth`,
    );

  const oldStatistics = [
    ['were never made', 0, false],
    ['are of one event', 1, true],
    ['are of empty tables', 0, true],
    ['are of five events', 5, true],
  ] as const;

  describe.each(oldStatistics.slice(0, sized(2, oldStatistics.length)))(
    'where statistics %s, 64 of 10,240 deliveries are leased with as little to read',
    (_, few, analyzed) => {
      test.each(['by a plan that is as old', 'by a new plan'] as const)('%s', async (age) => {
        const publish = await open();
        const first = connect();
        await publish(few, 'first-');
        await first.queue.dispatch(none);
        if (analyzed) await database.pool().query(analyze(tables));
        await first.queue.dispatch(none);
        await first.queue.release((await first.queue.claim(want)).claimed);

        await addOld();
        await publish(160, 'second-');
        const { queue, readBy } = age === 'by a new plan' ? connect() : first;
        await queue.dispatch(none);
        await queue.release((await queue.claim(want)).claimed);

        let leased = 0;
        const claim = await readBy(async () => {
          leased = (await queue.claim(want)).claimed.length;
        });
        expect(leased).toBe(64);
        expect(claim).toBeGreaterThanOrEqual(64);
        // Dead entries of what was leased before may be among them, but nothing of all that waits.
        expect(claim).toBeLessThan(2_000);
        await publish(1, 'third-');
        const dispatch = await readBy(() => queue.dispatch(want));
        expect(dispatch).toBeGreaterThanOrEqual(64);
        expect(dispatch).toBeLessThan(2_000);
      });
    },
  );
});
