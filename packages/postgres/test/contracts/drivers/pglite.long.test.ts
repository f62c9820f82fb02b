import { inspect } from 'node:util';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { inboxContract, storageContracts } from '@partnerkit/conformance/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromPglite } from '../../../src/drivers/pglite.ts';
import { migrate, postgresInbox, postgresStorage } from '../../../src/index.ts';
import { arrivals } from '../../support/arrivals.ts';
import { fakeSearchPath, fakeTime } from '../../support/fake-time.ts';
import { storageFixtures, turnedDatabase } from '../../support/fixtures.ts';
import { openKit, payed } from '../../support/kit.ts';
import { driverSuites } from './driver-suites.ts';

let db: PGlite;
beforeAll(async () => {
  db = await PGlite.create();
  await migrate(fromPglite(db));
  await db.exec(`${fakeTime} set search_path = ${fakeSearchPath};`);
});
afterAll(() => db.close());

const database = turnedDatabase(async (text) => (await db.exec(text)).at(-1)?.rows ?? []);
const limits = { concurrentTransactions: false };
const readersWait = 'PGlite has one connection';
const kinds = ['payments', 'deposits', 'cashOuts', 'paymentTemplates', 'depositTemplates'];
const waiting = kinds.flatMap((kind) => [
  `${kind}: a transaction reads its own writes; others read them after the commit`,
  `${kind}: history: an entry is committed with its record, or not at all`,
  `${kind}: events: they are committed with their write, or not at all`,
]);
const reference = 'transactions: those of a reference are found by their kinds, with none that is not committed';

driverSuites(database, () => fromPglite(db), { ...limits, readersWait });
describe('requests', () =>
  storageContracts.requests({
    test,
    create: storageFixtures(database, () => postgresStorage(fromPglite(db))),
    ...limits,
    deviations: Object.fromEntries([...waiting, reference].map((name) => [name, readersWait])),
  }));
describe('inbox', () =>
  inboxContract({
    test,
    create: async (settings) => {
      await database.reset(settings);
      return { inbox: postgresInbox(fromPglite(db)), elapse: database.elapse };
    },
  }));

describe('publish on PGlite', () => {
  const event = payed('acc_host', 'p1');
  const start = (busyTimeoutMs?: number) =>
    openKit(postgresStorage(fromPglite(db, busyTimeoutMs === undefined ? {} : { busyTimeoutMs })), {
      sender: arrivals(),
    }).events;
  const stored = async (): Promise<number> => (await db.query('select from partnerkit.outbox')).rows.length;

  test('the database is no transaction, and neither is one that was committed or rolled back', async () => {
    await database.reset({ storeAhead: 0 });
    const { publish } = start();
    const ended: Transaction[] = [];
    await db.transaction(async (tx) => void ended.push(tx));
    await db.transaction(async (tx) => {
      ended.push(tx);
      await tx.rollback();
    });
    const rejected = db.transaction(async (tx) => {
      ended.push(tx);
      throw new Error('the host failed');
    });
    await expect(rejected).rejects.toThrow('the host failed');
    for (const tx of [db as unknown as Transaction, ...ended])
      await expect(publish(event, { tx })).rejects.toMatchObject({ code: 'no_transaction' });
    expect(await stored()).toBe(0);
  });

  test("'new' inside a transaction of the host is refused with the remedy, and does nothing later", async () => {
    await database.reset({ storeAhead: 0 });
    const hasty = start(50);
    const paid = db.transaction(async (tx) => {
      await tx.exec('create table paid (id text)');
      await hasty.publish(event, { tx: 'new' });
    });
    expect(inspect(await paid.catch((cause: unknown) => cause))).toContain("hand it over as tx, not 'new'");
    expect(await stored()).toBe(0);
    await expect(db.query('select from paid')).rejects.toThrow('does not exist');
    await start().publish(event, { tx: 'new' });
    expect(await stored()).toBe(1);
  });
});
