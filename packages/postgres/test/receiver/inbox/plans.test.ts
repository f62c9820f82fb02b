import { beforeAll, describe, expect, inject, test } from 'vitest';
import { fromPg, type PostgresInbox, postgresInbox, type SqlValue } from '../../../src/index.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = useDatabase(inject('postgres'));
const many = 50_000;

beforeAll(async () => {
  await database.reset({ storeAhead: 0 });
  await database.pool().query(`
    insert into partnerkit.inbox (key, state, at, attempts, body)
    select state || n, state, now() - n * interval '1 second', 1, repeat('x', 100)
    from generate_series(1, ${many}) n, unnest(array['waiting', 'done', 'dead_lettered']) state;
    update partnerkit.inbox set at = at + interval '10 days' where state = 'done' and at > now() - interval '1 hour'`);
  await database.pool().query('analyze partnerkit.inbox');
});

/** How the server runs what a call of the inbox asks, as text. */
const planOf = async (call: (inbox: PostgresInbox<object>) => Promise<unknown>): Promise<string> => {
  const asked: { readonly text: string; readonly values: readonly SqlValue[] }[] = [];
  const driver = fromPg(database.pool());
  const listening = {
    ...driver,
    query: (text: string, values: readonly SqlValue[]) => {
      if (values.length > 0) asked.push({ text, values });
      return driver.query(text, values);
    },
  };
  const inbox = postgresInbox<object>(listening as never);
  await inbox.stats(1);
  asked.length = 0;
  await call(inbox);
  const plans = await Promise.all(
    asked.map(async ({ text, values }) => {
      const { rows } = await database.pool().query(`explain ${text}`, [...values]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    }),
  );
  expect(plans).not.toEqual([]);
  return plans.join('\n');
};

describe(`with ${many} entries of each kind nothing looks at all of them:`, () => {
  const lease = '00000000-0000-4000-8000-000000000000';
  test.each<[string, Parameters<typeof planOf>[0]]>([
    ['keep', ({ enqueue }) => enqueue('new', '{}')],
    ['take', ({ claim }) => claim(8, 60_000)],
    ['done', ({ complete }) => complete('waiting1', lease, 60_000)],
    ['retry', ({ retry }) => retry('waiting1', lease, 60_000)],
    ['park', ({ deadLetter }) => deadLetter('waiting1', lease)],
    ['resume', ({ requeue }) => requeue(['parked1', 'parked2'])],
    ['look', ({ stats }) => stats(10)],
  ])('%s', async (_name, call) => {
    const plan = await planOf(call);
    expect(plan).toMatch(/Index/);
    expect(plan).not.toMatch(/Seq Scan on inbox/);
  });
});

test('expired done entries are deleted by later calls', async () => {
  const { enqueue } = postgresInbox(database.pool());
  const done = async () => {
    const { rows } = await database
      .pool()
      .query("select count(*)::int as count from partnerkit.inbox where state = 'done'");
    return rows[0].count as number;
  };
  const before = await done();
  for (let kept = 0; kept < 10; kept++) await enqueue(`comes ${kept}`, '{}');
  expect(await done()).toBe(before - 20);
});
