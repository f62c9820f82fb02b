import { expect, inject, test } from 'vitest';
import { fromPg, type PgClient, postgresStorage, type SqlDriver } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));

/**
 * A process that stalls between two statements, with a lock that others need; the server waits a moment for it, not 10
 * seconds.
 */
const stalling = ({ queryIn, ...driver }: SqlDriver<PgClient>) => {
  const [stalled, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    stalled: stalled.promise,
    goOn: goesOn.resolve,
    driver: {
      ...driver,
      queryIn: async (tx, text, values) => {
        const rows = await queryIn(tx, text.replace("'10s'", "'200ms'"), values);
        if (text.endsWith('for update')) {
          stalled.resolve();
          await goesOn.promise;
        }
        return rows;
      },
    } satisfies SqlDriver<PgClient>,
  };
};

test('a process that stalls while it changes an endpoint blocks others only briefly, and its change fails', async () => {
  const received = arrivals();
  const { stalled, goOn, driver } = stalling(fromPg(openPool({ connectionString: database.url() })));
  const far = openKit(postgresStorage(driver), { sender: received });
  const near = openKit(postgresStorage(database.pool()), { sender: received });
  const [first, second] = [await addEndpoint(near, 'ours', 'first'), await addEndpoint(near, 'ours', 'second')];
  await near.events.publish(payed('ours', 'p1'), { tx: 'new' });

  const disabled = far.endpoints.disable('ours', first).match(
    () => 'disabled',
    ({ code }) => code,
  );
  await stalled;
  expect((await near.endpoints.disable('ours', second)).isOk()).toBe(true);
  expect(await near.worker().drain()).toBe(1);
  goOn();
  expect(await disabled).toBe('unavailable');
  expect((await near.endpoints.find('ours', first))._unsafeUnwrap().state).toBe('enabled');
  expect(await brokenLaws(database.pool(), received.posts)).toEqual([]);
});
