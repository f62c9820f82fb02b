import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { mysqlStorage } from '../../src/index.ts';
import { hasServer, isMariadb, useDatabase } from '../support/database.ts';
import { addEndpoint, arrivals, openKit, payed } from '../support/kit.ts';
import type { Host } from './hosts/host.ts';
import { hosts } from './hosts/index.ts';
import { preparedPrismaHost } from './hosts/prisma.ts';

const account = 'acc_host';
const paid = (id: string): string => `insert into payments values ('${id}')`;
const changedMind = new Error('The host changed its mind.');

describe.skipIf(!hasServer)('transactions of hosts', () => {
  const database = useDatabase();
  beforeAll(async () => {
    await database.get().pool.query('create table payments (id varchar(40) primary key)');
  });
  beforeEach(async () => {
    await database.get().reset();
    await database.get().pool.query('delete from payments');
  });
  const payments = async (): Promise<readonly string[]> => {
    const [rows] = await database.get().pool.query('select id from payments order by id');
    return (rows as { id: string }[]).map(({ id }) => id);
  };

  describe.each(hosts)('$name', ({ open }) => {
    let host: Host<object>;
    beforeAll(async () => {
      host = await open(database.get().url);
    });
    afterAll(() => host?.end());

    /** A kit with one partner, and what that receives once all is sent. */
    const start = async () => {
      const sender = arrivals();
      const kit = openKit(mysqlStorage(host.driver), sender);
      await addEndpoint(kit, account, 'hook');
      const received = async (): Promise<readonly string[]> => {
        await kit.worker().drain();
        return [...sender.objects].sort();
      };
      return { publish: kit.events.publish, publishMany: kit.events.publishMany, received, sender };
    };

    test("a commit delivers, and the host's own rows are there with it", async () => {
      const { publish, received } = await start();
      await host.transaction(async ({ tx, run }) => {
        await run(paid('p1'));
        await publish(payed(account, 'p1'), { tx });
        await run(paid('p2'));
        expect(await received()).toEqual([]);
      });
      expect(await payments()).toEqual(['p1', 'p2']);
      expect(await received()).toEqual(['p1']);
    });

    test('a rollback leaves no row, of the host or of partnerkit', async () => {
      const { publish, received } = await start();
      const work = host.transaction(async ({ tx, run }) => {
        await run(paid('p1'));
        await publish(payed(account, 'p1'), { tx, idempotencyKey: 'key' });
        throw changedMind;
      });
      await expect(work).rejects.toBe(changedMind);
      expect(await payments()).toEqual([]);
      expect(await received()).toEqual([]);
      expect(await publish(payed(account, 'p2'), { tx: 'new', idempotencyKey: 'key' })).toMatchObject({
        replayed: false,
      });
      expect(await received()).toEqual(['p2']);
    });

    test('a used idempotency key makes no second event, and leaves the transaction usable', async () => {
      const { publish, publishMany, received } = await start();
      const idempotencyKey = 'key';
      await host.transaction(async ({ tx, run }) => {
        const first = await publish(payed(account, 'p1'), { tx, idempotencyKey });
        const second = await publish(payed(account, 'p1'), { tx, idempotencyKey });
        expect(second).toEqual({ eventId: first.eventId, replayed: true });
        const other = publishMany([payed(account, 'p2'), { ...payed(account, 'p3'), idempotencyKey }], { tx });
        await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
        await run(paid('p1'));
      });
      expect(await publish(payed(account, 'p1'), { tx: 'new', idempotencyKey })).toMatchObject({ replayed: true });
      expect(await payments()).toEqual(['p1']);
      expect(await received()).toEqual(['p1']);
    });

    test('a key that another transaction used since this one began to read is known', async () => {
      const { publish } = await start();
      const idempotencyKey = 'late';
      await host.transaction(async ({ tx, run }) => {
        // Takes the snapshot of REPEATABLE READ.
        await run('select count(*) from partnerkit_idempotency_keys');
        const other = await publish(payed(account, 'p1'), { tx: 'new', idempotencyKey });
        expect(await publish(payed(account, 'p1'), { tx, idempotencyKey })).toEqual({ ...other, replayed: true });
      });
    });

    test('publishers wait for no other one', async () => {
      const { publish, received } = await start();
      await host.transaction(async ({ tx: first }) => {
        await publish(payed(account, 'p1'), { tx: first, idempotencyKey: 'a' });
        await host.transaction(async ({ tx: second }) => {
          await publish(payed(account, 'p2'), { tx: second, idempotencyKey: 'b' });
        });
        expect(await received()).toEqual(['p2']);
        await publish(payed(account, 'p3'), { tx: first, idempotencyKey: 'c' });
      });
      expect(await received()).toEqual(['p1', 'p2', 'p3']);
    });

    test('simultaneous publishes in one transaction are all stored', async () => {
      const { publish, received } = await start();
      await host.transaction(async ({ tx }) => {
        await Promise.all(['a', 'b', 'c'].map((id) => publish(payed(account, id), { tx, idempotencyKey: id })));
      });
      expect(await received()).toEqual(['a', 'b', 'c']);
    });

    test('any text arrives as it was published', async () => {
      const { publish, received, sender } = await start();
      const texts = ['é 🏡 \u2028', "'; drop table payments; --", '\\" \\\' ? :name $1', ' trailing '];
      await host.transaction(async ({ tx }) => {
        for (const id of texts) await publish(payed(account, id), { tx });
      });
      await received();
      expect(sender.posts.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)).toEqual(texts);
    });

    test.each(['commit', 'rollback'] as const)('after its %s a transaction takes nothing', async (how) => {
      const { publish, received } = await start();
      let ended: object | undefined;
      const work = host.transaction(async ({ tx, run }) => {
        await run(paid('p1'));
        ended = tx;
        if (how === 'rollback') throw changedMind;
      });
      await work.catch(() => undefined);
      // Some libraries refuse it themselves, with errors of their own.
      const code = expect.stringMatching(/^(no_transaction|unavailable)$/);
      await expect(publish(payed(account, 'late'), { tx: ended as object })).rejects.toMatchObject({ code });
      expect(await received()).toEqual([]);
    });

    test('an error names no value of the statement', async () => {
      const { publish } = await start();
      const failure = await host.transaction(async ({ tx, run }) => {
        await run('create temporary table partnerkit_outbox (id int)');
        try {
          return await publish(payed(account, 'secret-value'), { tx }).catch((cause: Error) => cause);
        } finally {
          await run('drop temporary table partnerkit_outbox');
        }
      });
      expect(failure).toMatchObject({ code: 'unavailable' });
      const { cause } = failure as Error;
      const told = [failure, cause, (cause as Error).cause].map((each) =>
        JSON.stringify({ ...(each as object), text: String(each) }),
      );
      expect(told.join()).not.toContain(Buffer.from('secret-value').toString('hex'));
      expect(told.join()).not.toContain('secret-value');
    });

    test('an aborted transaction stores nothing, however long its work goes on', async () => {
      const { publish, received } = await start();
      const abort = new AbortController();
      let late: Promise<unknown> = Promise.resolve();
      const working = host.driver.transaction(
        async (tx) => {
          await publish(payed(account, 'early'), { tx });
          abort.abort(changedMind);
          late = new Promise((resolve) => setTimeout(resolve, 20)).then(() =>
            publish(payed(account, 'late'), { tx }).catch(() => undefined),
          );
          await late;
        },
        { isolation: 'read committed', signal: abort.signal },
      );
      await expect(working).rejects.toBe(changedMind);
      await late;
      expect(await received()).toEqual([]);
    });
  });

  test('where the server prepares no savepoints, check and publish name the setting of Prisma', async (context) => {
    if (await isMariadb(database.get().url)) context.skip('MariaDB prepares savepoints.');
    const { driver, transaction, end } = await preparedPrismaHost(database.get().url);
    onTestFinished(end);
    const storage = mysqlStorage(driver);
    const remedy = expect.stringMatching(/`{ useTextProtocol: true }` \(1295\)/);
    expect(await storage.check?.()).toEqual({ findings: [remedy] });
    const { publish } = openKit(storage, arrivals()).events;
    const published = transaction(({ tx }) => publish(payed(account, 'p1'), { tx }));
    await expect(published).rejects.toMatchObject({ code: 'unavailable', cause: { message: remedy } });
  });
});
