import { describe, expect, test } from 'vitest';
import { minute } from '../../../src/base/runtime/time.ts';
import type { PartnerkitOptions } from '../../../src/kit/options.ts';
import { memoryRateLimiter } from '../../../src/stores/memory/rate-limiter.ts';
import { testClock } from '../../support/clock.ts';
import { login, loginToken, me } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

/** A platform with two clients of one account. */
type Options = PartnerkitOptions<object, []>;
const world = async (limits: Options['limits'] = {}, limiter?: NonNullable<Options['shared']>['limiter']) => {
  const clock = testClock();
  const made = platform({
    clock,
    limits,
    shared: { limiter: limiter ?? memoryRateLimiter({ clock }) },
  });
  const add = async () => (await made.kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
  const [one, other] = [await add(), await add()];
  const enter = ({ client, secret }: typeof one) => login(made.kit, { client_id: client.id, client_secret: secret });
  return { ...made, clock, one, other, enter };
};
const limit = { points: 3, window: minute };

test('without limits no call is counted', async () => {
  const { kit, one, enter } = await world();
  for (let times = 0; times < 200; times++) expect((await enter(one)).status).toBe(200);
  const token = await loginToken(kit, one);
  for (let times = 0; times < 200; times++) expect((await me(kit, token)).status).toBe(200);
});

describe('calls', () => {
  test('of a client beyond its limit: 429 with RateLimit headers until the window ends', async () => {
    const { kit, clock, one, other } = await world({ callsPerClient: limit });
    const [token, others] = [await loginToken(kit, one), await loginToken(kit, other)];
    // Whatever they are answered, with any token of the client.
    expect((await me(kit, token)).status).toBe(200);
    expect((await me(kit, token, 'acc_b')).status).toBe(404);
    expect((await me(kit, await loginToken(kit, one))).status).toBe(200);
    await clock.advance(minute - 1_500);
    const refused = await me(kit, token);
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([429, 'too_many_requests']);
    expect(refused.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'retry-after': '2',
      'ratelimit-policy': '"calls";q=3;w=60',
      ratelimit: '"calls";r=0;t=2',
    });
    expect((await me(kit, others)).status).toBe(200);
    await clock.advance(1_500);
    expect((await me(kit, token)).status).toBe(200);
  });

  test('without a valid token do not count for a client', async () => {
    const { kit, one } = await world({ callsPerClient: limit });
    const token = (await loginToken(kit, one)) as string;
    const revoked = (await loginToken(kit, one)) as string;
    (await kit.clients.revokeToken('acc_a', revoked))._unsafeUnwrap();
    for (let times = 0; times < 9; times++) expect((await me(kit, times % 2 ? revoked : `${token}x`)).status).toBe(401);
    for (let times = 0; times < 3; times++) expect((await me(kit, token)).status).toBe(200);
  });

  test('are 503 while the limiter fails: it fails closed', async () => {
    const working = memoryRateLimiter();
    const { kit, one } = await world(
      { callsPerClient: limit },
      {
        ...working,
        take: (key, rule) => (key.startsWith('api-') ? Promise.reject(new Error('down')) : working.take(key, rule)),
      },
    );
    expect((await me(kit, await loginToken(kit, one))).status).toBe(503);
  });
});

describe('logins', () => {
  test('that succeed beyond the limit of a client: 429; failed logins are not counted', async () => {
    const { kit, clock, one, other, enter, signals } = await world({ loginsPerClient: limit });
    for (let times = 0; times < 5; times++)
      expect((await login(kit, { client_id: one.client.id, client_secret: 'wrong' })).status).toBe(401);
    for (let times = 0; times < 3; times++) expect((await enter(one)).status).toBe(200);
    const refused = await enter(one);
    expect([refused.status, JSON.parse(refused.body).error]).toEqual([429, 'too_many_requests']);
    expect(refused.headers).toMatchObject({ 'ratelimit-policy': '"logins";q=3;w=60', ratelimit: '"logins";r=0;t=60' });
    expect(signals.at(-1)).toEqual({ kind: 'login', outcome: 'limited', clientId: one.client.id });
    expect((await enter(other)).status).toBe(200);
    await clock.advance(minute);
    expect((await enter(one)).status).toBe(200);
  });

  test('that are limited do not count as failures of their address', async () => {
    const { one, other, enter } = await world({
      loginsPerClient: limit,
      failedLogins: { perAddress: { points: 2, window: minute } },
    });
    for (let times = 0; times < 9; times++) expect((await enter(one)).status).toBe(times < 3 ? 200 : 429);
    expect((await enter(other)).status).toBe(200);
  });

  test('are 503 while the limiter fails', async () => {
    const working = memoryRateLimiter();
    const { one, enter } = await world(
      { loginsPerClient: limit },
      {
        ...working,
        take: (key, rule) => (key.startsWith('api-') ? Promise.reject(new Error('down')) : working.take(key, rule)),
      },
    );
    const answer = await enter(one);
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([503, 'temporarily_unavailable']);
  });
});

test.each([
  ['callsPerClient.points', { callsPerClient: { points: 0, window: minute } }],
  ['loginsPerClient.window', { loginsPerClient: { points: 1, window: 0.5 } }],
])('a limit that is none names itself: limits.%s', (name, limits) => {
  expect(() => platform({ limits })).toThrow(`limits.${name}`);
});
