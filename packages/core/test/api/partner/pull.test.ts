import { describe, expect, test, vi } from 'vitest';
import { second } from '../../../src/base/runtime/time.ts';
import { settled, testClock } from '../../support/clock.ts';
import { call, loginToken } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const world = async () => {
  const clock = testClock();
  const { kit, storage } = platform({ clock, api: { webhooks: true } });
  const make = async (accountId: string) =>
    (await kit.endpoints.create(accountId, { kind: 'pull', events: ['payed'] }))._unsafeUnwrap().endpoint.id;
  const endpointId = await make('acc_a');
  const { routes } = kit;
  const newKey = async (accountId = 'acc_a') => {
    const made = (await kit.clients.create(accountId, { name: 'key' }))._unsafeUnwrap();
    return { id: made.client.id, token: await loginToken({ routes }, made) };
  };
  const newToken = async (accountId?: string) => (await newKey(accountId)).token;
  const token = await newToken();
  const worker = kit.worker();
  let published = 0;
  const publish = async (): Promise<string> => {
    const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: `o${published++}` } };
    const { eventId } = await kit.events.publish(event as never, { tx: 'new' });
    await worker.drain();
    return eventId;
  };
  const ask = async (
    query = '',
    options: { account?: string; id?: string; token?: string; isClosed?: () => boolean } = {},
  ) => {
    const { account = 'acc_a', id = endpointId, isClosed } = options;
    const path = `/api/v1/partner/organisations/${account}/webhooks/${id}/events${query}`;
    const headers = { authorization: `Bearer ${options.token ?? token}` };
    const {
      status,
      headers: answered,
      body,
    } = await call({ routes }, 'GET', path, {
      headers,
      ...(isClosed ? { isClosed } : {}),
    });
    return { status, headers: answered, body: JSON.parse(body) };
  };
  return { clock, kit, storage, make, endpointId, newToken, newKey, publish, ask };
};

describe('GET …/webhooks/:endpointId/events', () => {
  test('answers pages whose next goes on', async () => {
    const { endpointId, publish, ask } = await world();
    const ids = [await publish(), await publish()];
    const first = await ask('?limit=1');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ items: [{ id: `${ids[0]}_${endpointId}`, headers: {} }], hasMore: true });
    const second = await ask(`?after=${first.body.next}`);
    expect(second.body).toMatchObject({ items: [{ id: `${ids[1]}_${endpointId}` }], hasMore: false });
    const { objectName, type } = JSON.parse(second.body.items[0].body);
    expect([objectName, type]).toEqual(['RequestPayment', 'payed']);
  });

  test('is for the accounts in reach of the token alone', async () => {
    const { make, newToken, ask } = await world();
    const [ofChild, ofStranger] = [await make('acc_child'), await make('acc_b')];
    expect((await ask('', { account: 'acc_child', id: ofChild })).status).toBe(200);
    expect((await ask('', { account: 'acc_b', id: ofStranger })).status).toBe(404);
    expect((await ask('', { id: ofStranger })).status).toBe(404);
    expect((await ask('', { token: (await newToken('acc_b')) ?? '' })).status).toBe(404);
    expect((await ask('', { token: 'none' })).status).toBe(401);
  });

  test.each(['?wait=26', '?wait=-1', '?wait=1.5', '?limit=0', '?limit=101', '?order=newest'])(
    'refuses %s',
    async (query) => {
      const { ask } = await world();
      expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
    },
  );

  test('says where to continue after a cursor that the store does not have', async () => {
    const [{ publish, ask }, other] = [await world(), await world()];
    await publish();
    await publish();
    const { next } = (await ask()).body;
    // The same endpoint in a store that lost both events.
    expect(await other.ask(`?after=${next}`)).toMatchObject({
      status: 409,
      body: { code: 'cursor_ahead', resumeAfter: expect.stringMatching(/^[\w.-]+$/) },
    });
    expect(await other.ask('?after=x')).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  });
});

describe('wait', () => {
  test('ends with the first event, at once', async () => {
    const { clock, publish, ask } = await world();
    const asked = ask('?wait=25');
    await clock.advance(3 * second);
    const eventId = await publish();
    expect((await asked).body.items).toMatchObject([{ id: expect.stringMatching(eventId) }]);
  });

  test.each([
    ['the right', { rights: ['webhooks:read'] }, 403, 'insufficient_scope'],
    ['the key', 'disable', 401, 'invalid_token'],
  ] as const)('hands out no event once %s was taken away', async (_what, change, status, code) => {
    const { clock, kit, newKey, publish, ask } = await world();
    const { id, token = '' } = await newKey();
    const asked = ask('?wait=25', { token });
    await clock.advance(3 * second);
    const changed = change === 'disable' ? kit.clients.disable('acc_a', id) : kit.clients.update('acc_a', id, change);
    expect((await changed).isOk()).toBe(true);
    await publish();
    const answer = await asked;
    expect([answer.status, answer.body.code, answer.body.items]).toEqual([status, code, undefined]);
  });

  test('ends with an empty page, whose next is good', async () => {
    const { clock, publish, ask } = await world();
    let isDone = false;
    const asked = ask('?wait=2').finally(() => {
      isDone = true;
    });
    await clock.advance(2 * second - 1);
    expect(isDone).toBe(false);
    await clock.advance(1);
    const { body } = await asked;
    expect(body).toMatchObject({ items: [], hasMore: false });
    await publish();
    expect((await ask(`?after=${body.next}`)).body.items).toHaveLength(1);
  });

  test('ends within a second when the peer has gone', async () => {
    const { clock, ask } = await world();
    let isClosed = false;
    const asked = ask('?wait=25', { isClosed: () => isClosed });
    await clock.advance(second);
    isClosed = true;
    await clock.advance(second);
    expect((await asked).body.items).toEqual([]);
    expect(clock.sleepers()).toBe(0);
  });

  test('ends for all programs of an endpoint with one read of its events', async () => {
    const { clock, storage, newToken, publish, ask } = await world();
    const other = (await newToken()) ?? '';
    const waiting = [ask('?wait=25'), ask('?wait=25'), ask('?wait=25', { token: other })];
    const withLimit = ask('?wait=25&limit=1');
    await clock.advance(3 * second);
    const reads = vi.spyOn(storage.feeds, 'readFeed');
    const eventId = await publish();
    for (const each of [...waiting, withLimit])
      expect((await each).body.items).toMatchObject([{ id: expect.stringMatching(eventId) }]);
    expect(reads.mock.calls.map(([, , { limit }]) => limit).toSorted((a, b) => a - b)).toEqual([1, 50]);
  });

  test('is for 4 requests of a client at a time; others are not counted', async () => {
    const { clock, newToken, ask } = await world();
    const other = (await newToken()) ?? '';
    const waiting = Array.from({ length: 4 }, () => ask('?wait=5'));
    while (clock.sleepers() < 4) await settled();
    const refused = await ask('?wait=5');
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(refused.headers['retry-after']).toBe('5');
    expect((await ask()).status).toBe(200);
    const beside = ask('?wait=1', { token: other });
    await clock.advance(5 * second);
    for (const each of [...waiting, beside]) expect((await each).status).toBe(200);
    const again = ask('?wait=1');
    await clock.advance(second);
    expect((await again).status).toBe(200);
  });
});
