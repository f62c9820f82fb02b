import { kitsOver } from '@partnerkit/core';
import { type IncomingRequest, mountRoutes, routeFinder } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts } from '@partnerkit/core/memory';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { fromPg } from '../../src/index.ts';
import { migrateRowSchemas, type RowSchemasPlace, rowSchemas } from '../../src/rows/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { addEndpoint, type Kit, openKit, payed, urlOf } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const place = { schemas: 8, name: 'divided' } as const;
const accounts = [
  { id: 'parent', name: 'Parent', status: 'active', environment: 'prod' },
  { id: 'child', name: 'Child', status: 'active', environment: 'prod', parentId: 'parent' },
  { id: 'other', name: 'Other', status: 'active', environment: 'prod' },
];
const rootOf = (id: string): string | undefined => {
  const found = accounts.find((each) => each.id === id);
  return found && (found.parentId ?? found.id);
};
beforeAll(() => migrateRowSchemas(database.pool(), place));

/** The kits of a process of the host. */
const openKits = async (sender = arrivals()) => {
  const schemas = await rowSchemas(database.pool(), place);
  const tokens = memoryAccessTokens();
  const open = (storage: (typeof schemas.storages)[number]): Kit =>
    openKit(storage, { sender, accounts: memoryAccounts(accounts), tokens });
  return { ...schemas, sender, kits: kitsOver(schemas, { rootOf, open }) };
};

const bodyOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const call = async (
  { routes }: Pick<Kit, 'routes'>,
  request: Pick<IncomingRequest, 'method' | 'target' | 'headers'>,
  body: object = {},
) => {
  const route = routeFinder(mountRoutes(routes))(request.target);
  const answer = await route?.handle({ ...request, body: bodyOf(JSON.stringify(body)) });
  return JSON.parse(answer?.body ?? '{}');
};

test('the same account always gets the same schema', async () => {
  const { schemaOf } = await rowSchemas(database.pool(), place);
  // By sha256sum: the eighth digits are 6, 0, 5 and 4.
  expect(['parent', 'other', 'acc_1', 'Société 🏡'].map(schemaOf)).toEqual([
    'divided_6',
    'divided_0',
    'divided_5',
    'divided_4',
  ]);
  const used = new Set(Array.from({ length: 200 }, (_, nth) => schemaOf(`account ${nth}`)));
  expect([...used].toSorted()).toEqual(Array.from({ length: 8 }, (_, nth) => `divided_${nth}`));
});

describe('the number of schemas', () => {
  test('is kept: another one is refused by migrations and by storages', async () => {
    for (const schemas of [7, 9]) {
      for (const each of [migrateRowSchemas, rowSchemas])
        await expect(each(database.pool(), { ...place, schemas })).rejects.toThrow(`over 8 schemas, not ${schemas}`);
    }
    await migrateRowSchemas(database.pool(), place);
  });

  test('of simultaneous processes, those with another number are refused', async () => {
    const numbers = [2, 3, 2, 3];
    const made = await Promise.allSettled(
      numbers.map((schemas) => migrateRowSchemas(database.pool(), { schemas, name: 'raced' })),
    );
    const kept = numbers.filter((_, nth) => made[nth]?.status === 'fulfilled');
    expect([new Set(kept).size, kept.length]).toEqual([1, 2]);
  });

  test('a table that another process creates at the same moment is created again', async () => {
    const driver = fromPg(database.pool());
    let races = 1;
    const query: typeof driver.query = async (text, values) => {
      if (text.includes('.placement') && races-- > 0)
        throw Object.assign(new Error('duplicate key'), { code: '23505' });
      return driver.query(text, values);
    };
    await migrateRowSchemas({ ...driver, query }, { schemas: 2, name: 'repeated' });
    await rowSchemas(database.pool(), { schemas: 2, name: 'repeated' });
  });

  test('must be kept by a migration first', async () => {
    await expect(rowSchemas(database.pool(), { schemas: 2, name: 'absent' })).rejects.toThrow('call migrateRowSchemas');
  });

  test.each([
    [{ schemas: 0 }, 'schemas must be a whole number from 1'],
    [{ schemas: 1.5 }, 'schemas must be a whole number from 1'],
    [{ schemas: 65 }, 'schemas must be at most 64'],
    [{ schemas: 8, name: 'Upper' }, 'schema: '],
    [{ schemas: 8, schema: 'x' }, 'schema'],
  ])('%j is refused', async (options, message) => {
    for (const each of [migrateRowSchemas, rowSchemas])
      await expect(each(database.pool(), options as RowSchemasPlace)).rejects.toThrow(message);
  });
});

test('a login and an account lookup reach the schema of the account', async () => {
  const { kits, storages, placeOf } = await openKits();
  for (const [account, status] of [
    ['other', 'active'],
    ['child', 'active'],
  ] as const) {
    const owner = rootOf(account) ?? '';
    const { client, secret } = (await (await kits.of(owner)).clients.create(owner, { name: 'Till' }))._unsafeUnwrap();
    const login = { grant_type: 'client_credentials', scope: 'USER', client_id: client.id, client_secret: secret };
    const json = { 'content-type': 'application/json' };
    const token = await call(kits, { method: 'POST', target: '/api/v1/partner/login', headers: json }, login);
    const headers = { authorization: `Bearer ${token.access_token}` };
    const found = await call(kits, { method: 'GET', target: `/api/v1/partner/organisations/${account}/me`, headers });
    expect([found.id, found.status]).toEqual([account, status]);
    await addEndpoint(await kits.of(account), account, `lookup-${account}`);
    const counts = await Promise.all(storages.map((each) => each.endpoints.listEndpoints(account, {})));
    expect(counts.map(({ items }) => items.length)).toEqual(storages.map((_, nth) => (nth === placeOf(owner) ? 1 : 0)));
  }
});

test('workers of all schemas deliver, a parent gets the events of its child, and stop stops all', async () => {
  const { kits, sender } = await openKits();
  await addEndpoint(await kits.of('parent'), 'parent', 'parent', { includeChildren: true });
  await addEndpoint(await kits.of('other'), 'other', 'other');
  const worker = kits.worker();
  worker.start();
  onTestFinished(() => worker.stop());
  const publish = async (account: string, id: string) =>
    (await kits.of(account)).events.publish(payed(account, id), { tx: 'new' });
  await publish('child', 'of-child');
  await publish('other', 'of-other');
  const sent = () => sender.posts.map(({ url, body }) => `${url} ${JSON.parse(body).data.id}`);
  await expect.poll(sent).toContain(`${urlOf('parent')} of-child`);
  await expect.poll(sent).toContain(`${urlOf('other')} of-other`);
  await worker.stop();
  const owners = await database
    .pool()
    .query(Array.from({ length: 8 }, (_, nth) => `select 1 from divided_${nth}.workers`).join(' union all '));
  expect(owners.rowCount).toBe(0);
});

test('a server that would assign lower positions is refused', async () => {
  const raise = async (min: number) =>
    database.pool().query(`alter sequence divided_3.outbox_position_seq minvalue ${min} start ${min} restart`);
  await raise(2 ** 48 + 1);
  await rowSchemas(database.pool(), place);
  await raise(1);
  await expect(rowSchemas(database.pool(), place)).rejects.toThrow('the positions of schema "divided_3" would fall');
  await raise(2 ** 49 + 1);
  await rowSchemas(database.pool(), place);
});
