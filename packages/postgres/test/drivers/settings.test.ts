import pg from 'pg';
import postgres from 'postgres';
import { expect, inject, onTestFinished, test } from 'vitest';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openKit } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));

const poolWith = (options: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool({ connectionString: database.url(), max: 2, ...options }).on('error', () => {});
  onTestFinished(() => pool.end());
  return pool;
};

/** A pool whose parser of texts is the host's own. */
const parsing = (parse: (text: string) => unknown): pg.Pool =>
  poolWith({
    types: {
      getTypeParser: (type: number) => (type === pg.types.builtins.TEXT ? parse : pg.types.getTypeParser(type)),
    },
  });

const withSetting = (setting: string): pg.Pool => {
  const url = new URL(database.url());
  url.searchParams.set('options', `-c ${setting}`);
  return poolWith({ connectionString: url.href });
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
const wrongForm = /rows do not arrive as the server sends them: take parsers of the type text/;

test.each<[name: string, pool: () => pg.Pool, problem: RegExp]>([
  ['array_nulls', () => withSetting('array_nulls=off'), /array_nulls of the connections is off: set it to on/],
  [
    'extra_float_digits',
    () => withSetting('extra_float_digits=-3'),
    /extra_float_digits .* is -3, .* set it to 0 or more/,
  ],
  ['texts in lower case', () => parsing((text) => text.toLowerCase()), wrongForm],
  ['texts without blanks', () => parsing((text) => text.trim()), wrongForm],
  ['texts parsed as JSON', () => parsing(parsed), wrongForm],
  ['empty texts as null', () => parsing((text) => text || null), wrongForm],
])('the check and each call name %s', async (_, open, problem) => {
  const storage = postgresStorage(open());
  expect((await storage.check?.())?.findings).toEqual([expect.stringMatching(problem)]);
  await expect(storage.clients.findClient('none')).rejects.toThrow(problem);
});

test('the check names transactions that are read-only; reads go on', async () => {
  const storage = postgresStorage(withSetting('default_transaction_read_only=on'));
  const finding = expect.stringMatching(/default_transaction_read_only .* set it to off, and connect to the primary/);
  expect((await storage.check?.())?.findings).toEqual([finding]);
  expect(await storage.clients.findClient('none')).toBeUndefined();
});

test('the check and each call name another client_encoding, in which texts would be stored as others', async () => {
  const sql = postgres(database.url(), { onnotice: () => {}, connection: { client_encoding: 'LATIN1' } });
  onTestFinished(() => sql.end());
  const storage = postgresStorage(fromPostgresJs(sql));
  const problem = /client_encoding of the connections is LATIN1: set it to UTF8/;
  expect((await storage.check?.())?.findings).toEqual([expect.stringMatching(problem)]);
  await expect(storage.clients.findClient('none')).rejects.toThrow(problem);
});

test('a host whose sessions are configured has a kit that is ready', async () => {
  const report = await openKit(postgresStorage(database.pool()), { sender: arrivals() }).check();
  const findings = report.isErr() ? report.error.findings.filter(({ part }) => part === 'storage') : [];
  expect(findings).toEqual([]);
});
