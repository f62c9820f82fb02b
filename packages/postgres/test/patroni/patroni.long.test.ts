// Three servers under Patroni lose their leader under load. Prints the books: docs/operations/availability.md has the
// figures of a run.
import { startPgBouncer } from '@partnerkit/workshop/services';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  machinesLack,
  type Outage,
  type Patroni,
  type PatroniOptions,
  patroniNeeds,
  startPatroni,
  takeAway,
} from '../../../workshop/src/machines/index.ts';
import { payDuring } from '../../../workshop/src/processes/index.ts';
import { fromPg, migrate, postgresStorage } from '../../src/index.ts';
import { openPool } from '../support/host-transactions.ts';
import { payingHost } from '../support/paying-host.ts';

const lacks = machinesLack({ ...patroniNeeds, pgbouncer: 'pgbouncer' });
if (lacks !== undefined) console.log(`Patroni is not tested: ${lacks}`);

/** As the documentation says. */
const timeouts = { statement_timeout: 15_000, query_timeout: 30_000, connectionTimeoutMillis: 5_000, keepAlive: true };

type Disturbance = Outage | 'switched over';

/** Two workers and a publisher, through HAProxy; `poolMode`: and PgBouncer before it. */
const openHost = async ({ url }: Patroni, poolMode?: 'transaction') => {
  const admin = openPool({ connectionString: url, max: 1, ...timeouts });
  await migrate(admin);
  await admin.query('create table payments (id text primary key)');
  const bouncer = poolMode && (await startPgBouncer({ server: url, poolMode, poolSize: 20, serverLoginRetry: 1 }));
  if (bouncer) onTestFinished(bouncer.stop);
  const open = () =>
    bouncer
      ? openPool({ connectionString: bouncer.urlOf('postgres'), max: 10, query_timeout: 30_000 })
      : openPool({ connectionString: url, max: 10, ...timeouts });
  const storage = () => postgresStorage(fromPg(open(), bouncer ? { prepare: false, listen: false } : {}));
  return payingHost(open(), [storage(), storage()], 'payments');
};

const booksAfter = async (what: Disturbance, options: PatroniOptions, poolMode?: 'transaction') => {
  const cluster = await startPatroni(options);
  onTestFinished(cluster.stop);
  const host = await openHost(cluster, poolMode);
  const before = await cluster.leader();
  const books = await payDuring(host, async () => {
    if (what === 'switched over') await cluster.switchover();
    else await takeAway(before, what, cluster.start);
    await cluster.settled();
  });
  const isLeaderAgain = (await cluster.leader()) === before;
  console.log(`${what}: ${JSON.stringify({ ...options, poolMode, isLeaderAgain, ...books })}`);
  return books;
};

const nothingWrong = { lost: 0, withoutPayment: 0, undelivered: 0, otherTimestamp: 0 };

describe.skipIf(lacks !== undefined)('Patroni', () => {
  describe('commits wait for a standby', () => {
    test.each(['killed', 'cut off', 'switched over'] as const)(
      'nothing is lost after its leader is %s',
      async (what) => {
        expect(await booksAfter(what, { strict: true })).toMatchObject(nothingWrong);
      },
    );
    test('nothing is lost after its leader is killed behind PgBouncer', async () => {
      expect(await booksAfter('killed', { strict: true }, 'transaction')).toMatchObject(nothingWrong);
    });
  });

  describe('commits wait for no standby', () => {
    test.each(['killed', 'cut off', 'switched over'] as const)(
      'what is stored is sent after its leader is %s',
      async (what) => {
        expect(await booksAfter(what, {})).toMatchObject({ undelivered: 0 });
      },
    );
  });

  describe('without a watchdog', () => {
    test('nothing is lost after its leader is frozen, where a write of its key compares', async () => {
      expect(await booksAfter('frozen', { strict: true, store: 'etcd' })).toMatchObject(nothingWrong);
    });
    // Before Patroni 3.0.3, what was confirmed meanwhile is lost.
    test('what is stored is sent after its leader is frozen', async () => {
      expect(await booksAfter('frozen', { store: 'etcd3' })).toMatchObject({ undelivered: 0 });
    });
  });
});
