import type { ClaimRequest } from '@partnerkit/core';
import { memorySender } from '@partnerkit/core/memory';
import { beforeEach, expect, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { onEachPostgres } from '../support/each-postgres.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';
import { analyze, forgetAll, rowsReadBy } from '../support/rows-read.ts';

const crowd = 100_000;
const batch = 500;
const want: ClaimRequest = {
  worker: 'w',
  limit: 64,
  perEndpoint: 8,
  perAccount: 16,
  lease: 60_000,
  schedule: [60_000],
};

onEachPostgres((server) => {
  const database = useDatabase(server);

  beforeEach(async () => {
    await database.reset({ storeAhead: 0 });
    await database.pool().query(forgetAll(['outbox']));
  });

  const fill = (accountId: string): Promise<unknown> =>
    database.pool().query(
      `insert into partnerkit.outbox (account_id, id, object_name, object_id, type, stored_at, rest)
      select $1, gen_random_uuid(), 'RequestPayment', 'of-' || nth, 'payed', now(), ',"data":{"id":"of-' || nth || '"}}'
      from generate_series(1, $2::int) nth`,
      [accountId, crowd],
    );

  test.each([
    ['statistics that know them', true],
    ['statistics of an empty table', false],
  ])('behind 100,000 events of one account, with %s, an event of another is dispatched next', async (_, analyzed) => {
    const kit = openKit(postgresStorage(database.pool()), { sender: memorySender() });
    const pool = openPool({ connectionString: database.url(), max: 1 });
    const { queue } = postgresStorage(pool);
    for (const account of ['crowd', 'ours']) await addEndpoint(kit, account, account);
    await queue.dispatch(want);
    await fill('crowd');
    if (analyzed) await database.pool().query(analyze(['outbox']));
    // It has found out that events pile up, and takes all that it may.
    for (let dispatches = 0; dispatches < 3; dispatches++) await queue.dispatch(want);

    const { eventId } = await kit.events.publish(payed('ours', 'single'), { tx: 'new' });
    let dispatches = 0;
    let found = false;
    const read = await rowsReadBy(pool, ['outbox'], async () => {
      while (!found && dispatches < 10) {
        dispatches++;
        const { claimed } = await queue.dispatch(want);
        found = claimed.some(({ event }) => event.id === eventId);
      }
    });
    expect([found, dispatches]).toEqual([true, 1]);
    // What is dispatched, and what the dispatches before left dead in the index; never the 100,000 that wait.
    expect(read).toBeLessThan(10 * batch);
  });
});
