import { PublishError } from '@partnerkit/core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';
import type { Host } from './hosts/host.ts';
import { hosts } from './hosts/index.ts';

const database = useDatabase(inject('postgres'));
const account = 'acc_host';

beforeAll(async () => {
  await database.pool().query('create table public.payments (id text primary key)');
});
beforeEach(async () => {
  await database.reset({ storeAhead: 0 });
  await database.pool().query('truncate public.payments');
});

const payments = async (): Promise<readonly string[]> => {
  const { rows } = await database.pool().query('select id from public.payments order by id');
  return rows.map(({ id }) => id);
};
const paid = (id: string): string => `insert into public.payments values ('${id}')`;
const changedMind = new Error('The host changed its mind.');

describe.each(hosts)('$name', ({ open, knowsTheEnd }) => {
  let host: Host<object>;
  beforeAll(async () => {
    host = await open(database.url());
  });
  afterAll(() => host.end());

  /** A kit with one partner, and what that receives once all is sent. */
  const start = async () => {
    const sender = arrivals();
    const kit = openKit(postgresStorage(host.driver), { sender });
    await addEndpoint(kit, account, 'hook');
    const received = async (): Promise<readonly string[]> => {
      await kit.worker().drain();
      return [...sender.objects].sort();
    };
    return { publish: kit.events.publish, publishMany: kit.events.publishMany, received };
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

  test('a rollback to a savepoint undoes exactly what was published after it', async () => {
    const { publish, received } = await start();
    await host.transaction(async ({ tx, run, savepoint }) => {
      await publish(payed(account, 'before'), { tx });
      const inner = savepoint(async (nested) => {
        await nested.run(paid('inside'));
        await publish(payed(account, 'inside'), { tx: nested.tx, idempotencyKey: 'key' });
        throw changedMind;
      });
      await expect(inner).rejects.toBe(changedMind);
      await savepoint((kept) => publish(payed(account, 'kept'), { tx: kept.tx, idempotencyKey: 'key' }).then(() => {}));
      await run(paid('after'));
      await publish(payed(account, 'after'), { tx });
    });
    expect(await payments()).toEqual(['after']);
    expect(await received()).toEqual(['after', 'before', 'kept']);
  });

  test('many are published together: all of them, or none', async () => {
    const { publishMany, received } = await start();
    const all = ['a', 'b', 'c', 'd'].map((id) => ({ ...payed(account, id), idempotencyKey: `key ${id}` }));
    await host.transaction(({ tx }) => publishMany(all.slice(0, 2), { tx }));
    await host.transaction(async ({ tx }) => {
      const conflicting = [...all.slice(2), { ...payed(account, 'other'), idempotencyKey: 'key a' }];
      await expect(publishMany(conflicting, { tx })).rejects.toMatchObject({ code: 'idempotency_conflict' });
      const published = await publishMany(all.slice(1), { tx });
      expect(published.map(({ replayed }) => replayed)).toEqual([true, false, false]);
    });
    expect(await received()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a used idempotency key makes no second event, and leaves the transaction usable', async () => {
    const { publish, received } = await start();
    const idempotencyKey = 'key';
    await host.transaction(async ({ tx, run }) => {
      const first = await publish(payed(account, 'p1'), { tx, idempotencyKey });
      const second = await publish(payed(account, 'p1'), { tx, idempotencyKey });
      expect(second).toEqual({ eventId: first.eventId, replayed: true });
      const other = publish(payed(account, 'p2'), { tx, idempotencyKey });
      await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict', failure: { eventId: first.eventId } });
      await run(paid('p1'));
    });
    expect(await publish(payed(account, 'p1'), { tx: 'new', idempotencyKey })).toMatchObject({ replayed: true });
    expect(await payments()).toEqual(['p1']);
    expect(await received()).toEqual(['p1']);
  });

  test("after an error of the host's own, publishing says to roll back; back at a savepoint it works again", async () => {
    const { publish, received } = await start();
    await host.transaction(async ({ tx, savepoint }) => {
      const failing = savepoint(async (inner) => {
        await inner.run('select 1 / 0').catch(() => undefined);
        await publish(payed(account, 'p1'), { tx: inner.tx });
      });
      const failure = await failing.catch((cause: unknown) => cause);
      expect(failure).toBeInstanceOf(PublishError);
      expect(failure).toMatchObject({ code: 'unavailable', cause: { code: '25P02' } });
      expect(String((failure as PublishError).cause)).toMatch(/aborted by an error before: roll it back/);
      await publish(payed(account, 'p2'), { tx });
    });
    expect(await received()).toEqual(['p2']);
  });

  test('what is refused before any SQL leaves the transaction usable', async () => {
    const { publish, received } = await start();
    await host.transaction(async ({ tx, run }) => {
      for (const id of ['', 'nul\0', 'lone \ud800'])
        await expect(publish(payed(account, id), { tx })).rejects.toMatchObject({ code: 'invalid_event' });
      await run(paid('p1'));
    });
    expect(await payments()).toEqual(['p1']);
    expect(await received()).toEqual([]);
  });

  const ended = async (how: 'commit' | 'rollback'): Promise<object> => {
    let known: object | undefined;
    const work = host.transaction(async ({ tx, run }) => {
      await run(paid('p1'));
      known = tx;
      if (how === 'rollback') throw changedMind;
    });
    await work.catch(() => undefined);
    return known as object;
  };

  test.runIf(knowsTheEnd).each(['commit', 'rollback'] as const)(
    'after its %s a transaction takes nothing',
    async (how) => {
      const { publish, publishMany, received } = await start();
      const tx = await ended(how);
      // Some libraries refuse it themselves, with errors of their own.
      const code = expect.stringMatching(/^(no_transaction|unavailable)$/);
      await expect(publish(payed(account, 'late'), { tx })).rejects.toMatchObject({ code });
      const many = publishMany([payed(account, 'later'), payed(account, 'last')], { tx });
      await expect(many).rejects.toMatchObject({ code });
      expect(await received()).toEqual([]);
    },
  );

  test.runIf(!knowsTheEnd)(
    'what is published after the end of a transaction is stored by itself: await it',
    async () => {
      const { publish, received } = await start();
      await publish(payed(account, 'late'), { tx: await ended('rollback') });
      expect(await received()).toEqual(['late']);
    },
  );
});
