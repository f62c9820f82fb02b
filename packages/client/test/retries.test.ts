import { describe, expect, test } from 'vitest';
import type { PartnerClient } from '../src/index.ts';
import { afterLogin, type OwnPaths, organisationId, payment, platform, problem } from './support/platform.ts';

const me = '/api/v1/partner/organisations/{organisationId}/me';
const list = '/api/v1/partner/organisations/{organisationId}/payment-requests';
const params = { path: { organisationId } };

describe('retries', () => {
  test.each([
    [429, '7', 7_000],
    [503, '0', 0],
    [503, 'Fri, 01 Jan 2027 00:00:20 GMT', 20_000],
  ])('after %i, Retry-After: %s is waited for', async (status, retryAfter, wait) => {
    const failing = afterLogin((_request, count) =>
      count === 1 ? problem(status, { 'retry-after': retryAfter }) : undefined,
    );
    const { client, clock, sent } = await platform({}, failing);
    expect((await client.GET(me, { params })).data?.id).toBe(organisationId);
    expect([clock.sleeps, sent.length]).toEqual([[wait], 3]);
  });

  test('a Retry-After as long as maxWait is waited for', async () => {
    const failing = afterLogin((_request, count) => (count === 1 ? problem(429, { 'retry-after': '5' }) : undefined));
    const { client, clock } = await platform({ maxWait: 5_000 }, failing);
    expect((await client.GET(me, { params })).data?.id).toBe(organisationId);
    expect(clock.sleeps).toEqual([5_000]);
  });

  test('without Retry-After each wait is up to twice as long as the one before', async () => {
    const { client, clock, sent } = await platform(
      {},
      afterLogin(() => problem(503)),
    );
    const { error, response } = await client.GET(me, { params });
    expect([response.status, error?.code, sent.length]).toEqual([503, 'too_many_requests', 5]);
    expect(clock.sleeps).toHaveLength(3);
    for (const [index, wait] of clock.sleeps.entries()) {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(500 * 2 ** index);
    }
  });

  test('a longer Retry-After than maxWait, and the last attempt, return the answer', async () => {
    const long = await platform(
      { maxWait: 5_000 },
      afterLogin(() => problem(429, { 'retry-after': '6' })),
    );
    expect((await long.client.GET(me, { params })).response.headers.get('retry-after')).toBe('6');
    expect([long.clock.sleeps, long.sent.length]).toEqual([[], 2]);
    const once = await platform(
      { maxAttempts: 1 },
      afterLogin(() => problem(503)),
    );
    expect((await once.client.GET(me, { params })).response.status).toBe(503);
    expect(once.sent).toHaveLength(2);
  });

  test('of a POST have the same body and idempotency key, so that it takes effect once', async () => {
    const lost = afterLogin((_request, count) => {
      if (count === 2) throw new TypeError('fetch failed');
      return count === 1 ? problem(503) : undefined;
    });
    const { client, sent } = await platform({}, lost);
    const { data } = await client.POST(list, { params, body: payment });
    expect(data?.status).toBe('pending');
    const [, ...posts] = sent;
    const keys = posts.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(await Promise.all(posts.map((post) => post.json()))).toEqual([payment, payment, payment]);
  });

  test('two POSTs have two keys, and a given key stays', async () => {
    const { client, sent } = await platform();
    await client.POST(list, { params, body: payment });
    await client.POST(list, { params, body: payment });
    await client.POST(list, { params: { ...params, header: { 'Idempotency-Key': 'mine' } }, body: payment });
    const keys = sent.slice(1).map(({ headers }) => headers.get('idempotency-key'));
    expect([new Set(keys).size, keys[2]]).toEqual([3, 'mine']);
  });

  test('a lost connection repeats what is safe to repeat, and rejects otherwise', async () => {
    const broken = afterLogin(() => {
      throw new TypeError('fetch failed');
    });
    const { client, sent } = await platform({}, broken);
    await expect(client.GET(me, { params })).rejects.toThrow('fetch failed');
    expect(sent).toHaveLength(5);
    const path = `${list}/{id}` as const;
    const change = { params: { path: { organisationId, id: 'x' } }, body: { name: 'New' } };
    await expect(client.PATCH(path, change)).rejects.toThrow('fetch failed');
    expect(sent).toHaveLength(6);
  });

  const charges = '/api/v1/partner/organisations/{organisationId}/charges';
  const refund = '/api/v1/partner/organisations/{organisationId}/refunds/{id}';
  const own = { params: { path: { organisationId, id: 'ref_1' } } };
  const everyWay = async ({ client }: Awaited<ReturnType<typeof platform>>) => {
    const ofHost = client as unknown as PartnerClient<OwnPaths>;
    const calls = [
      ofHost.POST(charges, own),
      ofHost.PATCH(refund, own),
      ofHost.PUT(refund, own),
      ofHost.DELETE(refund, own),
    ];
    return (await Promise.all(calls)).map(({ response }) => response.status);
  };

  test('never repeat a route of the host that acts and answers 503: one call, one effect', async () => {
    const host = await platform();
    expect(await everyWay(host)).toEqual([503, 503, 503, 503]);
    expect(host.effects).toEqual(['POST', 'PATCH', 'PUT', 'DELETE']);
    expect(host.sent.some(({ headers }) => headers.has('idempotency-key'))).toBe(false);
  });

  test('repeat every request after 429, because it was not processed', async () => {
    const refused = new Set<string>();
    const host = await platform(
      {},
      afterLogin(({ method }) => {
        if (refused.has(method)) return undefined;
        refused.add(method);
        return problem(429, { 'retry-after': '1' });
      }),
    );
    host.answerOwn(204);
    expect(await everyWay(host)).toEqual([204, 204, 204, 204]);
    expect(host.effects.toSorted()).toEqual(['DELETE', 'PATCH', 'POST', 'PUT']);
  });

  test('of a POST that the platform documents as idempotent have one key', async () => {
    const host = await platform({ idempotent: [charges] });
    await (host.client as unknown as PartnerClient<OwnPaths>).POST(charges, own);
    const [, ...posts] = host.sent;
    const keys = posts.map(({ headers }) => headers.get('idempotency-key'));
    expect([keys.length, new Set(keys).size]).toEqual([4, 1]);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
  });

  test('of the test of webhooks do not happen: it reads no key', async () => {
    const { client, sent } = await platform(
      {},
      afterLogin(() => problem(503)),
    );
    const body = { objectName: 'RequestPayment', type: 'payed' } as const;
    const path = '/api/v1/partner/organisations/{organisationId}/webhooks/test';
    expect((await client.POST(path, { params, body })).response.status).toBe(503);
    expect(sent).toHaveLength(2);
  });

  test('an aborted request is not repeated', async () => {
    const giveUp = new AbortController();
    const aborting = afterLogin(() => {
      giveUp.abort(new Error('enough'));
      throw new TypeError('aborted');
    });
    const { client, sent } = await platform({}, aborting);
    await expect(client.GET(me, { params, signal: giveUp.signal })).rejects.toThrow('enough');
    expect(sent).toHaveLength(2);
  });
});
