import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { begin, type Isolation, openPool } from '../support/host-transactions.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));

const levels: readonly Isolation[] = ['read committed', 'repeatable read', 'serializable'];

describe.each(levels)('%s', (isolation) => {
  test.each([
    ['without keys', () => ({})],
    ['with keys of their own', (by: string, name: string) => ({ idempotencyKey: `${isolation} ${by} ${name}` })],
  ] as const)('two transactions publish for the same objects in opposite order, %s', async (_, keyed) => {
    const pool = database.pool();
    const { events } = openKit(postgresStorage(pool), { sender: arrivals() });
    const [ours, theirs] = [await begin(pool, isolation), await begin(pool, isolation)];
    await events.publish(payed('ours', 'x'), { tx: ours.tx, ...keyed('ours', 'x') });
    await events.publish(payed('ours', 'y'), { tx: theirs.tx, ...keyed('theirs', 'y') });
    await events.publish(payed('ours', 'y'), { tx: ours.tx, ...keyed('ours', 'y') });
    await events.publish(payed('ours', 'x'), { tx: theirs.tx, ...keyed('theirs', 'x') });
    await theirs.commit();
    await ours.commit();
  });
});

/**
 * Whether the host asks for the level, or its database has it by default: then our own statements run in it as well.
 */
describe.each([
  ['read committed', 'repeatable read'],
  ['read committed', 'serializable'],
  ['repeatable read', 'repeatable read'],
  ['serializable', 'serializable'],
] as const)('where %s is the default', (byDefault, isolation) => {
  test(`nothing of ours fails transactions in ${isolation}, while workers run`, async () => {
    await database.reset({ storeAhead: 0 });
    await database.pool().query('create table if not exists public.payments (id text primary key)');
    const address = new URL(database.url());
    const options = `-c default_transaction_isolation=${byDefault.replace(' ', '\\ ')}`;
    address.searchParams.set('options', `${address.searchParams.get('options')} ${options}`);
    const pool = openPool({ connectionString: address.href, max: 16 });
    const received = arrivals();
    const kit = openKit(postgresStorage(pool), { sender: received });
    await addEndpoint(kit, 'ours', 'ours');
    const workers = names(2).map(() => kit.worker());
    const stop = () => Promise.all(workers.map((worker) => worker.stop()));
    // Before the pool ends: a worker that listens keeps a connection.
    onTestFinished(async () => void (await stop()));
    for (const worker of workers) worker.start();

    const paid = await Promise.all(
      names(8).map(async (host) => {
        const own = names(40, `${isolation} ${byDefault} ${host} `);
        for (const name of own) {
          const { tx, commit } = await begin(pool, isolation);
          await tx.query('insert into public.payments values ($1)', [name]);
          await kit.events.publish(payed('ours', name), { tx });
          await kit.events.publish(payed('ours', 'shared'), { tx, idempotencyKey: name });
          await commit();
        }
        return own;
      }),
    );
    await received.all(paid.flat());
    await stop();
    expect(await brokenLaws(database.pool(), received.posts)).toEqual([]);
  });
});
