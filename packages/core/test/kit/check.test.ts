import { describe, expect, test } from 'vitest';
import { second } from '../../src/base/runtime/time.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryClientChangeFeed } from '../../src/stores/memory/client-change-feed.ts';
import { memoryRateLimiter } from '../../src/stores/memory/rate-limiter.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import type { StorageCheck } from '../../src/stores/storage/storage.ts';
import { standardWebhooks } from '../../src/wire.ts';
import { settled, testClock } from '../support/clock.ts';
import { call } from '../support/http.ts';
import { platform } from '../support/kit.ts';
import { seededRandom } from '../support/random.ts';

const cause = Object.assign(new Error('SECRET'), { code: 'ECONNREFUSED' });
const down = () => Promise.reject(cause);
const hung = () => new Promise<never>(() => undefined);

/** A platform on a clock of its own, whose store says this of itself. */
const withStore = (check: (now: number) => StorageCheck, change: object = {}) => {
  const clock = testClock();
  const storage = { ...memoryStorage({ clock }), ...change, check: async () => check(clock.now()) };
  return platform({ clock, storage });
};

test('a working kit has no findings, signals nothing and stores nothing', async () => {
  const { kit, signals, sender, storage } = platform({ shared: { changeFeed: memoryClientChangeFeed() } });
  expect((await kit.check()).isOk()).toBe(true);
  expect(signals).toEqual([]);
  expect(sender.posts).toEqual([]);
  expect(await storage.clients.listClients('acc_a', {})).toEqual({ items: [] });
});

test('warnings of a storage are no findings', async () => {
  const { kit } = withStore((now) => ({ now, findings: [], warnings: ['the pool has no time-outs.'] }));
  expect((await kit.check())._unsafeUnwrap()).toEqual({ warnings: ['the pool has no time-outs.'] });
});

test('the findings of a storage are returned unchanged, without further calls', async () => {
  const calls: string[] = [];
  const { log } = memoryStorage();
  const countBacklog = async () => {
    calls.push('countBacklog');
    return down();
  };
  const { kit } = withStore(() => ({ findings: ['the schema is at version 0: migrate.'] }), {
    log: { ...log, countBacklog },
  });
  const notReady = (await kit.check())._unsafeUnwrapErr();
  expect(notReady).toMatchObject({
    code: 'not_ready',
    findings: [{ part: 'storage', code: 'not_usable', detail: 'the schema is at version 0: migrate.' }],
    message: 'storage: the schema is at version 0: migrate.',
  });
  expect([notReady.findings.length, calls]).toEqual([1, []]);
});

test.each([
  [-6, 'this process is 6 seconds ahead of the storage: synchronise the clocks of both, with NTP.'],
  [7, 'this process is 7 seconds behind the storage: synchronise the clocks of both, with NTP.'],
  [-5, undefined],
  [5, undefined],
])('a store whose clock is %i seconds ahead', async (ahead, detail) => {
  const { kit } = withStore((now) => ({ now: now + ahead * second, findings: [] }));
  const checked = await kit.check();
  if (detail === undefined) expect(checked.isOk()).toBe(true);
  else expect(checked._unsafeUnwrapErr().findings).toEqual([{ part: 'clock', code: 'clock_skew', detail }]);
});

describe('a port that does not answer', () => {
  const storage = memoryStorage();
  const parts = (fail: () => Promise<never>) =>
    [
      ['accounts', { accounts: { find: fail } }],
      ['tokens', { tokens: { ...memoryAccessTokens(), issue: fail } }],
      ['tokens', { tokens: { ...memoryAccessTokens(), jwks: fail } }],
      ['limiter', { shared: { limiter: { ...memoryRateLimiter(), take: fail } } }],
      ['changeFeed', { shared: { changeFeed: { ...memoryClientChangeFeed(), changesSince: fail } } }],
      ['storage', { storage: { ...storage, check: fail } }],
      ['storage', { storage: { ...storage, clients: { ...storage.clients, findClient: fail } } }],
      ['storage', { storage: { ...storage, endpoints: { ...storage.endpoints, countBySealingKey: fail } } }],
      ['storage', { storage: { ...storage, log: { ...storage.log, countBacklog: fail } } }],
    ] as const;

  test.each(parts(down))('%s, which rejects: reported with its remedy and its error (%#)', async (part, change) => {
    const told: unknown[] = [];
    const { kit } = platform({ ...(change as object), onError: (...each) => told.push(each) });
    const { findings, message } = (await kit.check())._unsafeUnwrapErr();
    expect(findings).toEqual([
      {
        part,
        code: 'unavailable',
        cause,
        detail: expect.stringMatching(/^did not answer \(ECONNREFUSED\): .*; see cause\.$/),
      },
    ]);
    expect(message).not.toContain('SECRET');
    expect(told).toEqual([[cause, {}]]);
  });

  test.each(parts(hung))('%s, which hangs: times out after 5 seconds (%#)', async (part, change) => {
    const clock = testClock();
    const { kit } = platform({ clock, ...(change as object) });
    const checking = kit.check();
    await clock.advance(5 * second);
    await settled();
    expect((await checking)._unsafeUnwrapErr().findings).toMatchObject([{ part, code: 'unavailable' }]);
  });
});

test('a directory that knows every id, and tokens of other keys, are named', async () => {
  const account = { id: 'x', name: 'x', status: 'active', environment: 'prod' };
  const { kit } = platform({
    accounts: { find: async () => account },
    tokens: { ...memoryAccessTokens(), verify: async () => undefined },
  });
  const { findings, message } = (await kit.check())._unsafeUnwrapErr();
  expect(findings.map(({ part, code }) => [part, code])).toEqual([
    ['accounts', 'wrong_answer'],
    ['tokens', 'wrong_answer'],
  ]);
  expect(message.split('\n')).toEqual([
    'accounts: find answered an account for an id that no account has: resolve to undefined instead.',
    'tokens: a token that was issued a moment ago is not verified with its claims: check keys, issuer, audience and this clock.',
  ]);
});

test.each([
  ['clientId', 'other'],
  ['secretId', 'other'],
  ['accountId', 'other'],
  ['environment', 'prod'],
  ['expiresAt', 1],
])('tokens that are verified with another %s are named', async (claim, value) => {
  const tokens = memoryAccessTokens();
  const verify: typeof tokens.verify = async (token) => {
    const claims = await tokens.verify(token);
    return claims && { ...claims, [claim]: value };
  };
  const { kit } = platform({ tokens: { ...tokens, verify } });
  expect((await kit.check())._unsafeUnwrapErr().findings).toMatchObject([{ part: 'tokens', code: 'wrong_answer' }]);
});

describe('sealing keys that stored endpoints need', () => {
  const keyOf = (id: string) => ({ id, key: new Uint8Array(32).fill(id.charCodeAt(1)) });
  /** A storage with this number of endpoints for each key. */
  const storeSealedWith = async (endpoints: Readonly<Record<string, number>>) => {
    const storage = memoryStorage();
    const random = seededRandom();
    for (const [id, count] of Object.entries(endpoints)) {
      const { kit } = platform({ storage, random, sealingKeys: [keyOf(id)] });
      for (let made = 0; made < count; made++)
        (await kit.endpoints.create('acc_a', { url: 'https://partner.example/', events: ['payed'] }))._unsafeUnwrap();
    }
    return storage;
  };

  test('all present, as the first or a later key: no finding', async () => {
    const storage = await storeSealedWith({ k1: 1, k2: 2 });
    const { kit } = platform({ storage, sealingKeys: [keyOf('k3'), keyOf('k2'), keyOf('k1')] });
    expect((await kit.check()).isOk()).toBe(true);
  });

  test('another key under the same id: named, with an endpoint that does not open and the remedy', async () => {
    const storage = await storeSealedWith({ k1: 2, k2: 1 });
    const { kit } = platform({ storage, sealingKeys: [{ id: 'k1', key: keyOf('k9').key }, keyOf('k2')] });
    const own = (await storage.endpoints.listAllEndpoints({})).items.map(({ id }) => id);
    const { findings } = (await kit.check())._unsafeUnwrapErr();
    expect(findings).toEqual([
      {
        part: 'sealingKeys',
        code: 'wrong_key',
        detail: expect.stringMatching(
          /^a value of endpoint (\S+) does not open with the key "k1" of sealingKeys: the 2 endpoints .* set SEALING_KEY /,
        ),
      },
    ]);
    expect(own.slice(0, 2).filter((id) => findings[0]?.detail.includes(id))).toHaveLength(1);
  });

  test('explain names a key that does not open; the management API does not', async () => {
    const storage = await storeSealedWith({ k1: 1 });
    const endpointId = (await storage.endpoints.listAllEndpoints({})).items[0]?.id ?? '';
    const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } } as const;
    const [another, missing] = [{ id: 'k1', key: keyOf('k9').key }, keyOf('k2')];
    for (const [index, key] of [another, missing].entries()) {
      const { kit } = platform({ storage, sealingKeys: [key], random: seededRandom(index + 2) });
      const { eventId } = await kit.events.publish(event, { tx: 'new' });
      await kit.worker().drain();
      const explained = (await kit.deliveries.explain('acc_a', eventId, endpointId))._unsafeUnwrap();
      expect(explained).toMatchObject({ kind: 'waiting', last: { reason: 'internal' }, unopenedKeyId: 'k1' });
      const can = { deliveries: 'read' } as const;
      const routes = kit.managementRoutes({ authorize: () => ({ accountId: 'acc_a', userId: 'user_1', can }) });
      const target = `/api/v1/partner-management/events/${eventId}/explanations/${endpointId}`;
      const { status, body } = await call({ routes }, 'GET', target);
      expect([status, String(body).includes('unopened')]).toEqual([200, false]);
    }
  });

  test.each(['next secret', 'API key'])('another key under the id that sealed only the %s: named', async (part) => {
    const storage = await storeSealedWith({ k2: 1 });
    const [stored] = (await storage.endpoints.listAllEndpoints({})).items;
    const first = platform({ storage, sealingKeys: [keyOf('k1'), keyOf('k2')] }).kit.endpoints;
    const id = stored?.id ?? '';
    const sealed =
      part === 'API key'
        ? await first.update('acc_a', id, { deliveryHeader: { name: 'x-key', value: 'value' } })
        : await first.prepareSecret('acc_a', id);
    expect(sealed.isOk()).toBe(true);
    const check = async (k1: string) =>
      (await platform({ storage, sealingKeys: [keyOf('k2'), { id: 'k1', key: keyOf(k1).key }] }).kit.check()).match(
        () => [],
        ({ findings }) => findings.map(({ code }) => code),
      );
    expect([await check('k1'), await check('k9')]).toEqual([[], ['wrong_key']]);
  });

  test('missing: each is named, with the number of its endpoints and the remedy', async () => {
    const storage = await storeSealedWith({ k1: 1, k2: 1, k3: 2 });
    const { kit } = platform({ storage, sealingKeys: [keyOf('k1')] });
    const remedy =
      'add it at the end of sealingKeys. ' +
      'Before a key is removed, kit.endpoints.reseal() must have run until countBySealingKey() no longer lists it.';
    expect((await kit.check())._unsafeUnwrapErr().findings).toEqual([
      { part: 'sealingKeys', code: 'missing_key', detail: `1 endpoint needs the sealing key "k2": ${remedy}` },
      { part: 'sealingKeys', code: 'missing_key', detail: `2 endpoints need the sealing key "k3": ${remedy}` },
    ]);
  });
});

test('endpoints whose wire profile is gone: named, with their number and the remedy', async () => {
  const storage = memoryStorage();
  const profiles = { acme: { signatures: [standardWebhooks()] }, old: { signatures: [standardWebhooks()] } };
  const before = platform({ storage, webhooks: { profiles } }).kit;
  for (const profile of ['acme', 'old', undefined, 'old']) {
    const input = { url: 'https://partner.example/', events: ['payed'] as const };
    const made = await before.endpoints.create('acc_a', profile === undefined ? input : { ...input, profile });
    expect(made.isOk()).toBe(true);
  }
  expect((await before.check()).isOk()).toBe(true);
  const { acme } = profiles;
  const after = platform({ storage, webhooks: { profiles: { acme } } }).kit;
  const detail =
    '2 endpoints have the profile "old": add it to webhooks.profiles, or give them another with ' +
    'kit.endpoints.update(accountId, endpointId, { profile }).';
  expect((await after.check())._unsafeUnwrapErr().findings).toEqual([
    { part: 'webhooks', code: 'missing_profile', detail },
  ]);
});

test('a started worker that its storage keeps from serving is a finding, until it serves or is stopped', async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  let isDown = true;
  const shards = {
    ...storage.shards,
    join: (...args: [string, number]) => (isDown ? down() : storage.shards.join(...args)),
  };
  const { kit } = platform({ clock, storage: { ...storage, shards } });
  const worker = kit.worker();
  expect((await kit.check()).isOk()).toBe(true);
  worker.start();
  await clock.advance(second);
  const { findings, message } = (await kit.check())._unsafeUnwrapErr();
  const detail = 'is starting and delivers nothing, because its storage failed (ECONNREFUSED); see cause.';
  expect(findings).toEqual([{ part: 'worker', code: 'not_serving', detail, cause }]);
  expect(message).toBe(`worker: ${detail}`);
  isDown = false;
  await clock.advance(5 * second);
  expect((await kit.check()).isOk()).toBe(true);
  await worker.stop();
  expect((await kit.check()).isOk()).toBe(true);
});
