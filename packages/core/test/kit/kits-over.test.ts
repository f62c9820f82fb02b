import { describe, expect, test } from 'vitest';
import { day } from '../../src/base/runtime/time.ts';
import { type DividedStorages, type KitsOptions, kitsOver } from '../../src/kit/kits-over.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/stores/memory/accounts.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import type { MemoryTransaction } from '../../src/stores/rows/memory/memory-rows.ts';
import { testClock } from '../support/clock.ts';
import { call, loginToken, me } from '../support/http.ts';
import { accounts, platform } from '../support/kit.ts';
import { seededRandom } from '../support/random.ts';

type Kit = ReturnType<typeof platform>['kit'];

const roots: Readonly<Record<string, string>> = { acc_child: 'acc_a', acc_grandchild: 'acc_a' };
const rootOf = (id: string): string | undefined =>
  accounts.some((each) => each.id === id) ? (roots[id] ?? id) : undefined;
const url = (name: string): string => `https://partner.example/${name}`;

/** Kits over two storages: that of `acc_a` with its children, and that of `acc_b`. */
const world = (
  given: Partial<KitsOptions<MemoryTransaction, Kit>> = {},
  divided: Partial<DividedStorages<MemoryTransaction>> = {},
) => {
  const [clock, random, sender] = [testClock(), seededRandom(), memorySender()];
  const [clients, first, second] = [0, 1, 2].map(() => memoryStorage({ clock })) as [S, S, S];
  const shared = {
    clock,
    random,
    sender,
    tokens: memoryAccessTokens({ random }),
    api: { webhooks: true, pathAliases: true },
  };
  const placeOf = (rootId: string): number => (rootId === 'acc_b' ? 1 : 0);
  const kits = kitsOver<MemoryTransaction, Kit>(
    { clients, storages: [first, second], placeOf, ...divided },
    {
      rootOf,
      open: (storage) => platform({ ...shared, storage, accounts: memoryAccounts(accounts) }).kit,
      ...given,
    },
  );
  const addKey = async (accountId: string, expiresAt?: number) => {
    const input = { name: 'Till', ...(expiresAt === undefined ? {} : { expiresAt }) };
    const added = (await (await kits.of(accountId)).clients.create(accountId, input))._unsafeUnwrap();
    return { ...added, token: await loginToken(kits, added) };
  };
  const addEndpoint = async (accountId: string, name: string, more = {}) => {
    const input = { url: url(name), events: ['payed'], ...more } as const;
    return (await (await kits.of(accountId)).endpoints.create(accountId, input))._unsafeUnwrap().endpoint;
  };
  const publish = async (accountId: string, id: string) =>
    (await kits.of(accountId)).events.publish(
      { accountId, objectName: 'RequestPayment', type: 'payed', data: { id } },
      { tx: 'new' },
    );
  const sent = () => sender.posts.map(({ url: to, body }) => [to, JSON.parse(body).data.id]).sort();
  return { kits, clock, sender, clients, first, second, addKey, addEndpoint, publish, sent };
};
type S = ReturnType<typeof memoryStorage>;

describe('routes over several storages', () => {
  test('a login and an account lookup work for the accounts of each storage, and reach no other account', async () => {
    const { kits, addKey } = world();
    const [{ token: a }, { token: b }] = [await addKey('acc_a'), await addKey('acc_b')];
    for (const [token, accountId, status] of [
      [a, 'acc_a', 200],
      [a, 'acc_child', 200],
      [a, 'acc_b', 404],
      [a, 'acc_nobody', 404],
      [b, 'acc_b', 200],
      [b, 'acc_a', 404],
      [undefined, 'acc_b', 401],
      [undefined, 'acc_nobody', 401],
    ] as const) {
      const answer = await me(kits, token, accountId);
      expect([accountId, answer.status]).toEqual([accountId, status]);
      if (status === 200) expect(JSON.parse(answer.body).id).toBe(accountId);
    }
  });

  test('an endpoint that a partner makes is stored with its account, also through an alias of the path', async () => {
    const { kits, addKey, first, second, clients } = world();
    const { token } = await addKey('acc_b');
    for (const base of ['/api/v1/partner', '/v1/partner']) {
      const body = JSON.stringify({ url: url('b'), events: ['payed'] });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': base };
      const made = await call(kits, 'POST', `${base}/organisations/acc_b/webhooks`, { headers, body });
      expect([base, made.status]).toEqual([base, 201]);
    }
    const counts = await Promise.all(
      [clients, first, second].map(async ({ endpoints }) => (await endpoints.listEndpoints('acc_b', {})).items.length),
    );
    expect(counts).toEqual([0, 0, 2]);
  });

  test('when the root of an account is not found out, the response is 503, and the cause is reported', async () => {
    const cause = new Error('the directory is away');
    const reported: unknown[] = [];
    const { kits, addKey } = world({
      rootOf: (id) => {
        if (id === 'acc_child') throw cause;
        return rootOf(id);
      },
      onError: (each) => reported.push(each),
    });
    const { token } = await addKey('acc_a');
    const answer = await me(kits, token, 'acc_child');
    expect([answer.status, JSON.parse(answer.body).code, reported]).toEqual([503, 'unavailable', [cause]]);
    expect((await me(kits, token)).status).toBe(200);
  });

  test('further routes go to the kit of the account that they name', async () => {
    const { kits, addEndpoint } = world();
    await addEndpoint('acc_b', 'b');
    const session = { userId: 'user_1', can: { keys: 'write', webhooks: 'write' } } as const;
    const accountOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }) => String(headers['x-account']);
    const authorize = async (head: { headers: Readonly<Record<string, unknown>> }) => ({
      ...session,
      accountId: accountOf(head),
    });
    const routes = kits.route((kit) => kit.managementRoutes({ authorize }), accountOf);
    const list = async (account: string) =>
      JSON.parse(
        (await call({ routes }, 'GET', '/api/v1/partner-management/endpoints', { headers: { 'x-account': account } }))
          .body,
      ).items.length;
    expect([await list('acc_a'), await list('acc_b')]).toEqual([0, 1]);
  });
});

describe('workers over several storages', () => {
  test("an event of a child arrives at its parent's endpoint, and those of other accounts at their own", async () => {
    const { kits, addEndpoint, publish, sent } = world();
    await addEndpoint('acc_a', 'a', { includeChildren: true });
    await addEndpoint('acc_b', 'b');
    await publish('acc_child', 'p1');
    await publish('acc_b', 'p2');
    expect(await kits.worker().drain()).toBe(2);
    expect(sent()).toEqual([
      [url('a'), 'p1'],
      [url('b'), 'p2'],
    ]);
  });

  test('what time brings to a key is told once, in the trail of its account', async () => {
    const { kits, clock, addKey } = world();
    const { client } = await addKey('acc_b', clock.now() + 40 * day);
    clock.set(clock.now() + 11 * day);
    await kits.worker().drain();
    const told = async (kit: Kit) => (await kit.audit.list('acc_b'))._unsafeUnwrap().items.map(({ type }) => type);
    expect(await told(await kits.of('acc_b'))).toEqual(['key.added', 'secret.expires_soon']);
    const all = await Promise.all(kits.all.map(async (kit) => (await kit.audit.listAll())._unsafeUnwrap().items));
    expect(all.flat()).toEqual([]);
    expect(
      (await kits.clients.audit.listAll())._unsafeUnwrap().items.every(({ subjectId }) => subjectId === client.id),
    ).toBe(true);
  });

  test('the trail of an account has its keys and its endpoints in one order, whatever the pages', async () => {
    const { kits, clock, addKey, addEndpoint } = world();
    const types: string[] = [];
    for (const each of [addKey, addEndpoint, addEndpoint, addKey, addKey, addEndpoint, addKey, addKey, addKey]) {
      clock.set(clock.now() + 1_000);
      await (each === addKey ? addKey('acc_a') : addEndpoint('acc_a', `${types.length}`));
      types.push(each === addKey ? 'key.added' : 'endpoint.added');
    }
    const { audit } = await kits.of('acc_a');
    for (const newestFirst of [false, true])
      for (const limit of [1, 2, 3, 9, 10]) {
        const found: string[] = [];
        for (let after: string | undefined, more = true; more; more = after !== undefined) {
          const page = { limit, newestFirst, ...(after === undefined ? {} : { after }) };
          const read = (await audit.list('acc_a', { page }))._unsafeUnwrap();
          expect(read.items.length).toBeLessThanOrEqual(limit);
          found.push(...read.items.map(({ type }) => type));
          after = read.next;
        }
        expect(found).toEqual(newestFirst ? types.toReversed() : types);
      }
    expect((await audit.list('acc_a', { page: { after: 'no cursor' } }))._unsafeUnwrapErr().code).toBe(
      'invalid_cursor',
    );
  });

  test('start and stop are those of all workers; one that fails to stop keeps none running', async () => {
    const states: string[] = [];
    const { kits } = world({
      open: () => {
        const nth = states.push('made') - 1;
        const stop = async () => {
          if (nth === 1) throw new Error('a stop that fails');
          await new Promise(setImmediate);
          states[nth] = 'stopped';
        };
        return {
          routes: [],
          worker: () => ({ start: () => states.splice(nth, 1, 'started'), stop, drain: async () => 1 }),
        } as never;
      },
    });
    const worker = kits.worker();
    worker.start();
    expect(states).toEqual(['started', 'started', 'started']);
    await expect(worker.stop()).rejects.toThrow('a stop that fails');
    expect(states).toEqual(['stopped', 'started', 'stopped']);
    expect(await worker.drain()).toBe(3);
  });
});

describe('bad input', () => {
  test('an account without a root has no kit', async () => {
    const { kits } = world();
    for (const id of ['acc_nobody', '', undefined])
      await expect(kits.of(id as string)).rejects.toThrow('rootOf knows no such account');
  });

  test('a place without a storage is an error', async () => {
    for (const place of [2, -1, 0.5, Number.NaN]) {
      const { kits } = world({}, { placeOf: () => place });
      await expect(kits.of('acc_a')).rejects.toThrow(`placeOf returned ${place}, and there are 2 storages`);
    }
  });

  test.each([
    [{ rootOf: undefined }, 'the option rootOf is missing'],
    [{ open: 3 }, 'the option open must be a function'],
    [{ shards: 3 }, 'shards'],
  ])('options %j are refused', (options, message) => {
    expect(() => world(options as never)).toThrow(message);
  });

  test('no storages are refused', () => {
    for (const storages of [[], undefined])
      expect(() => world({}, { storages } as never)).toThrow('storages: a list of at least one storage');
  });

  test('kits with different routes are refused', () => {
    let made = 0;
    const open: KitsOptions<MemoryTransaction, Kit>['open'] = (storage) =>
      platform({ storage, api: { webhooks: made++ === 1 } }).kit;
    expect(() => world({ open })).toThrow('the kits have different routes');
  });
});
