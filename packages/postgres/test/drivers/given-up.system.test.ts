import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { createRequests, type OnCommand, requestObjects } from '@partnerkit/core/requests';
import { manualClock } from '@partnerkit/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createPartnerClient } from '../../../client/src/index.ts';
import { webHandler } from '../../../web/src/index.ts';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import type { Host } from './hosts/host.ts';
import { hosts } from './hosts/index.ts';

const database = useDatabase(inject('postgres'));
const own = { id: 'acc_host', environment: 'prod' };
const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient: { email: 'guest@example.com' } };
const alone = { tx: 'new' } as const;

beforeAll(async () => {
  await database.pool().query('create table public.ledger (entry text primary key)');
});
beforeEach(async () => {
  await database.reset({ storeAhead: 0 });
  await database.pool().query('truncate public.ledger');
});

/** Errors of connections that no listener takes end the process of a host. */
const uncaught: unknown[] = [];
const note = (cause: unknown): void => void uncaught.push(cause);
beforeAll(() => {
  process.on('uncaughtException', note).on('unhandledRejection', note);
});
afterAll(() => {
  process.off('uncaughtException', note).off('unhandledRejection', note);
});
afterEach(() => {
  expect(uncaught.splice(0)).toEqual([]);
});

// A hook that was given up writes while its library rolls back. pg warns of two statements on one client; the hook,
// which is the host's code, is what this file is about.
beforeAll(() => {
  process.noDeprecation = true;
});
afterAll(() => {
  process.noDeprecation = false;
});

const ledger = async (): Promise<readonly string[]> => {
  const { rows } = await database.pool().query('select entry from public.ledger order by entry');
  return rows.map(({ entry }) => entry);
};
const entry = (text: string): string => `insert into public.ledger values ('${text}')`;

const gate = () => {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};

describe.each(hosts)('$name', ({ open, name, survivesLoss: endsSessions }) => {
  let host: Host<object>;
  beforeAll(async () => {
    host = await open(database.url(), 2);
  });
  afterAll(() => host.end());

  const start = () => {
    const clock = manualClock();
    const storage = postgresStorage(host.driver);
    const commands: string[] = [];
    const kit = createPartnerkit({
      accounts: memoryAccounts([{ ...own, name: 'Host', status: 'active' }]),
      storage,
      tokens: memoryAccessTokens(),
      sender: memorySender(),
      advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }], clock },
      objects: requestObjects,
      observe: (signal) => {
        if (signal.kind === 'command') commands.push(signal.command);
      },
    });
    let hook: OnCommand<object> = () => {};
    const requests = createRequests({ kit, onCommand: (given) => hook(given) });
    return {
      clock,
      commands,
      kit,
      requests,
      onCommand: (next: OnCommand<object>) => {
        hook = next;
      },
      stored: async () => (await requests.payments.list(own.id))._unsafeUnwrap().items.length,
    };
  };

  const lives: readonly (readonly [string, (write: () => Promise<unknown>) => Promise<void>])[] = [
    ['resolves', async () => {}],
    [
      'rejects',
      async () => {
        throw new Error('too late');
      },
    ],
    [
      'writes and resolves',
      async (write) => {
        for (let times = 0; times < 3; times++) await write().catch(() => {});
      },
    ],
    [
      'writes all at once, and rejects',
      async (write) => {
        await Promise.all(Array.from({ length: 5 }, write));
      },
    ],
  ];
  test.each(lives)(
    'a hook that %s after its time-out writes nothing, and meets no other transaction',
    async (_, end) => {
      const { clock, commands, onCommand, requests, stored } = start();
      const [late, done] = [gate(), gate()];
      const backends: unknown[] = [];
      let begun = 0;
      const allBegun = gate();
      const backendOf = async (tx: object): Promise<unknown> =>
        (await host.driver.queryIn(tx, 'select pg_backend_pid() as pid', []))[0]?.['pid'];
      let lateEntries = 0;
      onCommand(async ({ tx }) => {
        backends.push(await backendOf(tx));
        await host.run(tx, entry('in time'));
        void clock.pass(5_000);
        await late.opened;
        try {
          await end(() => host.run(tx, entry(`late ${lateEntries++}`)));
        } finally {
          done.open();
        }
      });
      const failed = (await requests.payments.create(own.id, input, alone))._unsafeUnwrapErr();
      expect(failed).toMatchObject({
        code: 'unavailable',
        cause: { message: 'onCommand: no answer within 5000 ms. The transaction is rolled back.' },
      });
      // As many transactions as the pool has connections are open while the hook writes.
      const partners = Promise.all(
        ['first', 'second'].map((text) =>
          host.driver.transaction(async (tx) => {
            expect(await backendOf(tx)).not.toBe(endsSessions ? backends[0] : undefined);
            await host.run(tx, entry(text));
            if (++begun === 2) allBegun.open();
            await allBegun.opened;
            late.open();
            await done.opened;
            await host.run(tx, entry(`${text} again`));
          }),
        ),
      );
      await partners.finally(() => {
        for (const each of [late, done, allBegun]) each.open();
      });
      expect(await ledger()).toEqual(['first', 'first again', 'second', 'second again']);
      expect([await stored(), commands]).toEqual([0, []]);
    },
  );

  test('a hook whose statement outlasts the time-out writes nothing; the command does not wait for it', async () => {
    const { clock, onCommand, requests, stored } = start();
    const done = gate();
    const blocker = await database.pool().connect();
    await blocker.query('begin; lock table public.ledger');
    onCommand(async ({ tx }) => {
      const writing = host.run(tx, entry('waits'));
      void clock.pass(5_000);
      await writing.then(() => host.run(tx, entry('late'))).catch(() => {});
      done.open();
    });
    expect((await requests.payments.create(own.id, input, alone))._unsafeUnwrapErr().code).toBe('unavailable');
    await blocker.query('commit');
    blocker.release();
    await done.opened;
    onCommand(({ tx }) => host.run(tx, entry('next')).then(() => {}));
    for (let times = 0; times < 3; times++) {
      await database.pool().query('truncate public.ledger');
      (await requests.payments.create(own.id, input, alone))._unsafeUnwrap();
    }
    expect(await ledger()).toEqual(['next']);
    expect(await stored()).toBe(3);
  });

  test('one POST with the retries of the client: one entry of the ledger, or none', async () => {
    const { clock, kit, onCommand, requests, stored } = start();
    const handle = webHandler([...kit.routes, ...requests.routes]);
    const added = (await kit.clients.create(own.id, { name: 'client' }))._unsafeUnwrap();
    const client = createPartnerClient({
      baseUrl: 'https://platform.example',
      clientId: added.client.id,
      clientSecret: added.secret,
      fetch: async (url, request) => (await handle(new Request(url, request))) as Response,
      clock: { now: () => clock.now(), sleep: async () => {} },
    });
    const post = async () => {
      const path = '/api/v1/partner/organisations/{organisationId}/payment-requests';
      const { response } = await client.POST(path, { params: { path: { organisationId: own.id } }, body: input });
      return response.status;
    };
    let calls = 0;
    const hooks: Promise<void>[] = [];
    const slowUntil = (call: number): OnCommand<object> => {
      calls = 0;
      return async ({ tx }) => {
        calls++;
        await host.run(tx, entry(`call ${calls}`));
        if (calls >= call) return;
        const late = `late ${calls}`;
        const failed = clock.pass(5_000);
        const writing = failed
          .then(() => host.run(tx, entry(late)))
          .then(
            () => {},
            () => {},
          );
        hooks.push(writing);
        await writing;
      };
    };
    onCommand(slowUntil(5));
    expect([await post(), calls]).toEqual([503, 4]);
    await Promise.all(hooks);
    expect([await ledger(), await stored()]).toEqual([[], 0]);
    onCommand(slowUntil(3));
    expect([await post(), calls]).toEqual([201, 3]);
    await Promise.all(hooks);
    expect([await ledger(), await stored()]).toEqual([['call 3'], 1]);
  });

  test('a command whose hook swallows an error of its SQL fails, says so, and is not signalled', async () => {
    const { commands, onCommand, requests, stored } = start();
    await database.pool().query(entry('taken'));
    onCommand(async ({ tx }) => {
      await host.run(tx, entry('kept'));
      await host.run(tx, entry('taken')).catch(() => {});
    });
    const failed = (await requests.payments.create(own.id, input, alone))._unsafeUnwrapErr();
    expect(failed).toMatchObject({
      code: 'unavailable',
      cause: { code: '25P02', message: expect.stringMatching(/swallowed.*savepoint/) },
    });
    expect([await ledger(), await stored(), commands]).toEqual([['taken'], 0, []]);
    onCommand(({ tx }) => host.run(tx, entry('kept')).then(() => {}));
    (await requests.payments.create(own.id, input, alone))._unsafeUnwrap();
    expect([await ledger(), await stored(), commands]).toEqual([['kept', 'taken'], 1, ['create']]);
  });

  test('a transaction of storage whose work swallows an error of SQL rejects', async () => {
    const swallowing = host.driver.transaction(async (tx) => {
      await host.run(tx, entry('kept'));
      await host.driver.queryIn(tx, 'select 1 / 0', []).catch(() => {});
    });
    await expect(swallowing).rejects.toMatchObject({ code: '25P02', message: expect.stringContaining('savepoint') });
    expect([name, await ledger()]).toEqual([name, []]);
  });
});
