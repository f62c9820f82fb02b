import postgres from 'postgres';
import { beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { openTransactions } from '../../src/drivers/transactions.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));
const reason = new Error('given up');
const gate = () => {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};

beforeAll(async () => {
  await database.pool().query('create table public.notes (text text not null)');
});
beforeEach(async () => {
  await database.pool().query('truncate public.notes');
});
const notes = async (): Promise<readonly string[]> => {
  const { rows } = await database.pool().query('select text from public.notes order by text');
  return rows.map(({ text }) => text);
};

test.each(['42501', '42883'])(
  'a session that the server does not end (%s) is released when the work is done',
  async (code) => {
    const steps: string[] = [];
    const transaction = openTransactions<object>({
      begin: async (work) => {
        try {
          return await work({});
        } finally {
          steps.push('released');
        }
      },
      describe: (tx) => ({
        tx,
        run: async (text) => {
          steps.push(text);
          throw Object.assign(new Error('permission denied'), { code });
        },
      }),
    });
    const [abort, done] = [new AbortController(), gate()];
    const working = transaction(
      async () => {
        abort.abort(reason);
        await done.opened;
        steps.push('done');
      },
      { signal: abort.signal },
    );
    await expect(working).rejects.toBe(reason);
    await new Promise(setImmediate);
    const ended = 'rollback; begin; select pg_terminate_backend(pg_backend_pid())';
    expect(steps).toEqual([ended]);
    done.open();
    await expect.poll(() => steps).toEqual([ended, 'done', 'released']);
  },
);

test('postgres.js sends no query, and no end of a savepoint, of a transaction that was given up', async () => {
  const sql = postgres(database.url(), { max: 1 });
  onTestFinished(() => sql.end());
  const driver = fromPostgresJs(sql);
  const [abort, reached, late] = [new AbortController(), gate(), gate()];
  const ends: Promise<unknown>[] = [];
  const outcome = (ending: Promise<unknown>): void =>
    void ends.push(
      ending.then(
        () => 'sent',
        ({ code }: { readonly code: string }) => code,
      ),
    );
  const working = driver.transaction(
    async (tx) => {
      const built = tx`insert into public.notes values ('built')`;
      outcome(late.opened.then(() => built));
      outcome(late.opened.then(() => tx.unsafe("insert into public.notes values ('unsafe')")));
      outcome(late.opened.then(() => tx.savepoint((nested) => nested`insert into public.notes values ('savepoint')`)));
      outcome(
        tx.savepoint(async (nested) => {
          await nested`insert into public.notes values ('nested')`;
          reached.open();
          await late.opened;
          await nested`insert into public.notes values ('late')`;
        }),
      );
      await new Promise(() => {});
    },
    { signal: abort.signal },
  );
  await reached.opened;
  abort.abort(reason);
  await expect(working).rejects.toBe(reason);
  await driver.transaction(async (tx) => {
    await tx.savepoint(async (nested) => {
      await nested`insert into public.notes values ('kept in a savepoint')`;
      late.open();
      expect(await Promise.all(ends)).toEqual(Array(4).fill('no_transaction'));
    });
    await tx`insert into public.notes values ('kept')`;
  });
  expect(await notes()).toEqual(['kept', 'kept in a savepoint']);
});

test('postgres.js passes values, fragments and savepoints of a transaction unchanged', async () => {
  const sql = postgres(database.url(), { max: 1 });
  onTestFinished(() => sql.end());
  await fromPostgresJs(sql).transaction(async (tx) => {
    const rows = [{ text: 'one' }, { text: 'two' }];
    await tx`insert into public.notes ${tx(rows)}`;
    await tx
      .savepoint('named', async (nested) => {
        await nested`delete from ${nested('notes')} where ${nested`text = ${'one'}`}`.catch(() => {});
        throw reason;
      })
      .catch(() => {});
    expect(await tx.savepoint((nested) => nested`select ${tx.json({ a: 1 })} as json`)).toEqual([{ json: { a: 1 } }]);
  });
  expect(await notes()).toEqual(['one', 'two']);
});
