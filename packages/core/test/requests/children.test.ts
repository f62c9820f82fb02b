import { describe, expect, test } from 'vitest';
import type { ClientInput } from '../../src/access/clients/clients.ts';
import type { AccountDirectory } from '../../src/base/accounts/account.ts';
import { createPartnerkit } from '../../src/kit/create-partnerkit.ts';
import { requestObjects } from '../../src/requests/extensions/objects.ts';
import { createRequests } from '../../src/requests/requests.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/stores/memory/accounts.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { testClock } from '../support/clock.ts';
import { call, loginToken } from '../support/http.ts';
import { eventsOf, sealingKeys } from '../support/kit.ts';
import { seededRandom } from '../support/random.ts';
import { alone, done, recipient } from './world.ts';

const account = (id: string, parentId?: string, environment = 'prod') => ({
  ...{ id, name: `Name of ${id}`, status: 'active', environment },
  ...(parentId === undefined ? {} : { parentId }),
});
const family = [
  account('acc_a'),
  account('acc_child_1', 'acc_a'),
  account('acc_child_2', 'acc_a'),
  account('acc_dev', 'acc_a', 'dev'),
  account('acc_grandchild', 'acc_child_1'),
  account('acc_b'),
];

/** A platform with a client of `acc_a`, and what it asks by GET. */
const partner = async (
  accounts: AccountDirectory = memoryAccounts(family),
  environmentReach?: 'all',
  limits: Omit<ClientInput, 'name' | 'jwks'> = {},
) => {
  const clock = testClock();
  const random = seededRandom();
  const storage = memoryStorage({ clock });
  const kit = createPartnerkit({
    ...{ accounts, storage, advanced: { clock, random, sealingKeys } },
    tokens: memoryAccessTokens({ random }),
    sender: memorySender(),
    objects: requestObjects,
    ...(environmentReach ? { api: { environmentReach } } : {}),
  });
  const requests = createRequests({ kit });
  const routes = [...kit.routes, ...requests.routes];
  const made = await kit.clients.create('acc_a', { name: 'key', ...limits });
  const token = await loginToken({ routes }, made._unsafeUnwrap());
  return {
    ...{ kit, clock, storage, requests },
    ask: async (path: string) => {
      const target = `/api/v1/partner/organisations/${path}`;
      const { status, body } = await call({ routes }, 'GET', target, { headers: { authorization: `Bearer ${token}` } });
      return { status, ...JSON.parse(body) };
    },
  };
};
type Partner = Awaited<ReturnType<typeof partner>>;

/** The items of every page. */
const all = async ({ ask }: Partner, path: string): Promise<readonly { readonly [name: string]: unknown }[]> => {
  const page = await ask(path);
  expect(page.status, JSON.stringify(page)).toBe(200);
  return page.next === undefined
    ? page.items
    : [...page.items, ...(await all({ ask } as Partner, `${path.replace(/&after=.*/, '')}&after=${page.next}`))];
};
const idsOf = (items: readonly { readonly [name: string]: unknown }[]) => items.map(({ id }) => id);

const payment = { name: 'Stay', amount: 80, currency: 'EUR', recipient };
/** A payment request of each account in turn, each a second after the last one: their ids by account. */
const paymentsOf = async ({ requests, clock }: Partner, ...accountIds: readonly string[]) => {
  const made: { readonly accountId: string; readonly id: string }[] = [];
  for (const accountId of accountIds) {
    clock.set(clock.now() + 1_000);
    made.push({ accountId, id: (await done(requests.payments.create(accountId, payment, alone))).id });
  }
  return made;
};

describe('children of an account', () => {
  test('are listed page by page: those in reach, as the account itself is read', async () => {
    const { ask } = await partner();
    const first = await ask('acc_a/children?limit=1');
    expect(first.items).toEqual([
      { id: 'acc_child_1', name: 'Name of acc_child_1', status: 'active', environment: 'prod' },
    ]);
    const second = await ask(`acc_a/children?limit=1&after=${first.next}`);
    expect(idsOf(second.items)).toEqual(['acc_child_2']);
    expect(idsOf((await ask('acc_a/children?order=newest')).items)).toEqual(['acc_child_2', 'acc_child_1']);
    expect((await ask('acc_a/children?after=x')).code).toBe('invalid_cursor');
    const everywhere = await partner(undefined, 'all');
    expect(idsOf((await everywhere.ask('acc_a/children')).items)).toEqual(['acc_child_1', 'acc_child_2', 'acc_dev']);
  });

  test('of a child are out of reach: its list is empty, and its children stay unknown', async () => {
    const { ask } = await partner();
    expect(await ask('acc_child_1/children')).toEqual({ status: 200, items: [] });
    expect((await ask('acc_grandchild/children')).status).toBe(404);
    expect((await ask('acc_b/children')).status).toBe(404);
  });

  test('are what the directory says, unless it says that an account is its own child or lists a stranger', async () => {
    const { ask } = await partner({ ...memoryAccounts(family), listChildren: async () => ({ items: family }) });
    expect(idsOf((await ask('acc_a/children')).items)).toEqual(['acc_child_1', 'acc_child_2']);
    const wrong = await partner({ ...memoryAccounts(family), listChildren: async () => family as never });
    expect((await wrong.ask('acc_a/children')).status).toBe(503);
  });

  test('have no list where the directory has none', async () => {
    const { find } = memoryAccounts(family);
    const { ask } = await partner({ find });
    expect((await ask('acc_a/children')).status).toBe(404);
    const refused = await ask('acc_a/payment-requests?includeChildren=true');
    expect([refused.code, refused.errors]).toEqual([
      'invalid_query',
      [{ parameter: 'includeChildren', detail: 'no such parameter.' }],
    ]);
  });
});

describe('a list with includeChildren', () => {
  test('has the objects of the account and of the children in reach, in one order, with each filter', async () => {
    const platform = await partner();
    const made = await paymentsOf(
      platform,
      ...['acc_child_2', 'acc_a', 'acc_grandchild', 'acc_child_1', 'acc_dev', 'acc_b', 'acc_child_2', 'acc_a'],
    );
    const reached = made.filter(({ accountId }) => ['acc_a', 'acc_child_1', 'acc_child_2'].includes(accountId));
    const path = 'acc_a/payment-requests?includeChildren=true';
    for (const limit of [1, 2, 100]) {
      const listed = await all(platform, `${path}&limit=${limit}`);
      expect(listed.map(({ id, organisationId }) => ({ accountId: organisationId, id }))).toEqual(reached);
      const newest = await all(platform, `${path}&limit=${limit}&order=newest`);
      expect(idsOf(newest)).toEqual(idsOf(reached).toReversed());
    }
    const [first] = reached;
    platform.clock.set(platform.clock.now() + 1_000);
    await done(platform.requests.payments.perform(first?.accountId ?? '', first?.id ?? '', 'succeed', alone));
    expect(idsOf(await all(platform, `${path}&status=payed,refunded`))).toEqual([first?.id]);
    expect(idsOf(await all(platform, `${path}&updatedFrom=0`)).at(-1)).toBe(first?.id);
  });

  test('is that of the account alone by default, and on the path of a child', async () => {
    const platform = await partner();
    const [own, child] = await paymentsOf(platform, 'acc_a', 'acc_child_1', 'acc_grandchild');
    expect(idsOf(await all(platform, 'acc_a/payment-requests?limit=9'))).toEqual([own?.id]);
    expect(idsOf(await all(platform, 'acc_a/payment-requests?includeChildren=false'))).toEqual([own?.id]);
    expect(idsOf(await all(platform, 'acc_child_1/payment-requests?includeChildren=true'))).toEqual([child?.id]);
  });

  test('is refused above 200 children, and its cursor is one of this list alone', async () => {
    const children = Array.from({ length: 200 }, (_, nth) => account(`acc_${nth + 100}`, 'acc_a'));
    const platform = await partner(memoryAccounts([account('acc_a'), ...children]));
    const made = await paymentsOf(platform, 'acc_299', 'acc_100', 'acc_a', 'acc_a');
    const { items, next } = await platform.ask('acc_a/payment-requests?includeChildren=true&limit=3');
    expect(idsOf(items)).toEqual(idsOf(made).slice(0, 3));
    expect((await platform.ask(`acc_a/payment-requests?after=${next}`)).code).toBe('invalid_cursor');
    const many = await partner(memoryAccounts([account('acc_a'), ...children, account('acc_more', 'acc_a')]));
    const { status, code, errors } = await many.ask('acc_a/payment-requests?includeChildren=true');
    expect([status, code]).toEqual([400, 'invalid_query']);
    expect(errors).toEqual([
      {
        parameter: 'includeChildren',
        detail: 'the account has more than 200 children; list each one by its path.',
      },
    ]);
  });
});

test('transactions and their sums include those of the children in reach, and say whose each is', async () => {
  const platform = await partner();
  const made = await paymentsOf(
    platform,
    ...['acc_child_2', 'acc_a', 'acc_grandchild', 'acc_child_1', 'acc_dev', 'acc_b', 'acc_a'],
  );
  for (const [nth, { accountId, id }] of made.entries()) {
    const transaction = { settledAt: 1_000 + nth };
    await done(platform.requests.payments.perform(accountId, id, 'succeed', { input: { transaction }, ...alone }));
  }
  const reached = made.filter(({ accountId }) => ['acc_a', 'acc_child_1', 'acc_child_2'].includes(accountId));
  const ownersOf = async (path: string) =>
    (await all(platform, path)).map(({ organisationId, objectId }) => ({ accountId: organisationId, id: objectId }));
  const path = 'acc_a/transactions?includeChildren=true';
  for (const limit of [1, 3]) {
    expect(await ownersOf(`${path}&limit=${limit}`)).toEqual(reached);
    expect(await ownersOf(`${path}&limit=${limit}&order=newest`)).toEqual(reached.toReversed());
  }
  expect(await ownersOf(`${path}&settledFrom=1001&settledTo=1004`)).toEqual(reached.slice(1, 3));
  expect(await ownersOf('acc_a/transactions?limit=9')).toEqual(
    reached.filter(({ accountId }) => accountId === 'acc_a'),
  );
  const sumOf = async (query: string) => (await platform.ask(`acc_a/transactions/sums${query}`)).items;
  const total = (count: number) => [{ kind: 'charge', currency: 'EUR', count, amount: 80 * count, fee: 0 }];
  expect(await sumOf('')).toEqual(total(2));
  expect(await sumOf('?includeChildren=true')).toEqual(total(4));
  expect(await sumOf('?includeChildren=true&settledTo=1002')).toEqual(total(2));
  const { next } = await platform.ask(`${path}&limit=1`);
  expect((await platform.ask(`acc_a/transactions?after=${next}`)).code).toBe('invalid_cursor');
  const { find } = memoryAccounts(family);
  const without = await partner({ find });
  for (const path of ['transactions', 'transactions/sums'])
    expect((await without.ask(`acc_a/${path}?includeChildren=true`)).code).toBe('invalid_query');
});

describe('a key with some children', () => {
  const only = (children: readonly string[], accounts: AccountDirectory = memoryAccounts(family)) =>
    partner(accounts, undefined, { children, rights: ['requests:read'] });

  test.each([
    [['acc_child_2'], ['acc_child_2']],
    [
      ['acc_child_2', 'acc_child_1', 'acc_child_2'],
      ['acc_child_1', 'acc_child_2'],
    ],
    [[], []],
    // A list widens nothing.
    [['acc_a', 'acc_b', 'acc_dev', 'acc_grandchild', 'unknown', 'acc_child_1'], ['acc_child_1']],
  ])('%j lists %j, page by page, in both orders', async (children, listed) => {
    const platform = await only(children);
    for (const limit of [1, 100]) {
      expect(idsOf(await all(platform, `acc_a/children?limit=${limit}`))).toEqual(listed);
      expect(idsOf(await all(platform, `acc_a/children?limit=${limit}&order=newest`))).toEqual(listed.toReversed());
    }
    expect((await platform.ask('acc_a/children?after=x')).code).toBe('invalid_cursor');
  });

  test('reads no list of the directory, whose cursors could name the others', async () => {
    const listChildren = () => Promise.reject(new Error('must not be called'));
    const platform = await only(['acc_child_1'], { ...memoryAccounts(family), listChildren });
    expect(idsOf(await all(platform, 'acc_a/children'))).toEqual(['acc_child_1']);
  });

  test('goes on after a child that was taken away between two pages', async () => {
    const platform = await only(['acc_child_1', 'acc_child_2']);
    const { next } = await platform.ask('acc_a/children?limit=1');
    const [client] = (await platform.kit.clients.list('acc_a'))._unsafeUnwrap().items;
    (await platform.kit.clients.update('acc_a', client?.id ?? '', { children: ['acc_child_2'] }))._unsafeUnwrap();
    platform.clock.set(platform.clock.now() + 1_000);
    expect(idsOf((await platform.ask(`acc_a/children?after=${next}`)).items)).toEqual(['acc_child_2']);
  });

  test('includes only these in lists, transactions and sums', async () => {
    for (const [children, included] of [
      [['acc_child_2'], ['acc_a', 'acc_child_2']],
      [[], ['acc_a']],
    ] as const) {
      const platform = await only(children);
      const made = await paymentsOf(platform, 'acc_child_1', 'acc_a', 'acc_child_2', 'acc_grandchild', 'acc_b');
      for (const [nth, { accountId, id }] of made.entries()) {
        const transaction = { settledAt: 1_000 + nth };
        await done(platform.requests.payments.perform(accountId, id, 'succeed', { input: { transaction }, ...alone }));
      }
      const ownersOf = async (path: string) =>
        (await all(platform, `acc_a/${path}?includeChildren=true`)).map(({ organisationId }) => organisationId);
      expect(await ownersOf('payment-requests')).toEqual(included);
      expect(await ownersOf('transactions')).toEqual(included);
      const { items } = await platform.ask('acc_a/transactions/sums?includeChildren=true');
      expect(items).toEqual([
        { kind: 'charge', currency: 'EUR', count: included.length, amount: 80 * included.length, fee: 0 },
      ]);
      expect((await platform.ask('acc_child_1/payment-requests')).code).toBe('not_found');
    }
  });

  test('can include them in a list although the account has more than 200', async () => {
    const many = Array.from({ length: 201 }, (_, nth) => account(`acc_${nth + 100}`, 'acc_a'));
    const platform = await only(['acc_250'], memoryAccounts([account('acc_a'), ...many]));
    const made = await paymentsOf(platform, 'acc_250', 'acc_251', 'acc_a');
    const listed = await all(platform, 'acc_a/payment-requests?includeChildren=true');
    expect(idsOf(listed)).toEqual([made[0]?.id, made[2]?.id]);
  });
});

test('every object of requests says whose it is, over HTTP and in its events', async () => {
  const platform = await partner();
  const { payments, deposits, cashOuts, paymentTemplates, depositTemplates } = platform.requests;
  const accountId = 'acc_child_1';
  await done(payments.create(accountId, payment, alone));
  await done(paymentTemplates.create(accountId, { name: 'Stay' }, alone));
  await done(depositTemplates.create(accountId, { name: 'Stay' }, alone));
  const { name, currency } = payment;
  const { id } = await done(deposits.create(accountId, { name, depositAmount: 80, currency, recipient }, alone));
  await done(deposits.perform(accountId, id, 'succeedDeposit', alone));
  await done(cashOuts.create(accountId, { depositId: id, amount: 10 }, alone));
  const paths = [
    'payment-requests',
    'security-deposits',
    'cash-outs',
    'payment-templates',
    'security-deposit-templates',
  ];
  for (const path of paths) {
    const [object] = await all(platform, `${accountId}/${path}`);
    expect([path, object?.['organisationId']]).toEqual([path, accountId]);
    expect((await platform.ask(`${accountId}/${path}/${object?.['id']}`)).organisationId).toBe(accountId);
  }
  await platform.kit.worker().drain();
  const bodies = (await eventsOf(platform.storage, accountId)).map((each) => 'body' in each && JSON.parse(each.body));
  expect(bodies).toHaveLength(6);
  for (const { data } of bodies) expect(data.organisationId).toBe(accountId);
  expect(bodies.at(-1).data.cashOut.organisationId).toBe(accountId);
});
