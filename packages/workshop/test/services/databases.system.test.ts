import { createDatabase, createTemplate, type PostgresServer, startPostgres } from '@partnerkit/workshop/services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTo, query } from './query.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const migratedTemplate = () => createTemplate(server, (url) => query(url, 'create table payments (id int)'));
const databases = async () => {
  const rows = await query(server.url, "select datname from pg_database where datname ~ '^(test|template)_'");
  return rows as readonly { readonly datname: string }[];
};

it('copies begin as their template, and see nothing of each other', async () => {
  const template = await migratedTemplate();
  const copies = await Promise.all([1, 2, 3].map(() => createDatabase(server, template.name)));
  await Promise.all(copies.map(({ url }, n) => query(url, `insert into payments select generate_series(1, ${n})`)));
  const counts = copies.map(({ url }) => query(url, 'select count(*)::int as n from payments'));
  expect(await Promise.all(counts)).toEqual([[{ n: 0 }], [{ n: 1 }], [{ n: 2 }]]);
  await template.drop();
});

it('a template is copied while tests run, since nobody can connect to it', async () => {
  let address = '';
  const template = await createTemplate(server, async (url) => {
    address = url;
  });
  await expect(connectTo(address)).rejects.toThrow('not currently accepting connections');
  await template.drop();
});

it('a database without a template is empty', async () => {
  const { url } = await createDatabase(server);
  expect(await query(url, "select * from pg_tables where schemaname = 'public'")).toEqual([]);
});

it('what is dropped is gone, connected or not', async () => {
  const before = await databases();
  const template = await migratedTemplate();
  const database = await createDatabase(server, template.name);
  const client = await connectTo(database.url);
  await database.drop();
  await template.drop();
  expect(await databases()).toEqual(before);
  await expect(client.query('select 1')).rejects.toThrow();
});

it('a migration that fails says so and leaves no database', async () => {
  const before = await databases();
  await expect(createTemplate(server, (url) => query(url, 'select broken'))).rejects.toThrow('broken');
  expect(await databases()).toEqual(before);
});
