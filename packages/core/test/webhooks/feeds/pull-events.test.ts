import { describe, expect, test } from 'vitest';
import { day, minute } from '../../../src/base/runtime/time.ts';
import { testClock } from '../../support/clock.ts';
import { platform } from '../../support/kit.ts';

const world = async (options: object = {}, input: object = {}) => {
  const clock = testClock();
  const { kit, storage, sender } = platform({ clock, ...options } as never);
  const given = { kind: 'pull', events: ['payed'], ...input } as never;
  const made = (await kit.endpoints.create('acc_a', given))._unsafeUnwrap();
  const { id } = made.endpoint;
  const worker = kit.worker();
  let published = 0;
  const publish = async (count: number, text = ''): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let nth = 0; nth < count; nth++) {
      const data = { id: `object-${published++}`, ...(text === '' ? {} : { pad: text }) };
      const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data } as never;
      ids.push((await kit.events.publish(event, { tx: 'new' })).eventId);
    }
    await worker.drain();
    return ids;
  };
  const pull = async (after?: string, limit?: number) =>
    (await kit.events.pull('acc_a', id, { after, limit }))._unsafeUnwrap();
  const refused = async (after?: string) => (await kit.events.pull('acc_a', id, { after }))._unsafeUnwrapErr();
  return { clock, kit, storage, sender, made, id, publish, pull, refused };
};

const idsIn = ({ items }: { readonly items: readonly { readonly id: string }[] }) =>
  items.map(({ id }) => id.split('_')[0]);

describe('a pull endpoint', () => {
  test('has no URL and no secret, and nothing is sent to it', async () => {
    const { made, publish, pull, sender } = await world();
    expect(made).not.toHaveProperty('secret');
    expect(made.endpoint).toMatchObject({ kind: 'pull', state: 'enabled' });
    expect(made.endpoint).not.toHaveProperty('url');
    const ids = await publish(3);
    expect(idsIn(await pull())).toEqual(ids);
    expect(sender.posts).toEqual([]);
  });

  test.each([
    ['a URL', { url: 'https://partner.example/' }, '/url'],
    ['a delivery header', { deliveryHeader: { name: 'X-Key', value: 'v' } }, '/deliveryHeader'],
    ['Standard Webhooks', { standardWebhooks: true }, '/standardWebhooks'],
  ])('is refused with %s, when it is made and when it is changed', async (_name, fields, pointer) => {
    const { kit, id } = await world();
    const input = { kind: 'pull', events: ['payed'], ...fields } as never;
    for (const refused of [await kit.endpoints.create('acc_a', input), await kit.endpoints.update('acc_a', id, fields)])
      expect(refused._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_input', errors: [{ pointer }] });
  });

  test('never changes its kind, nor does a push endpoint', async () => {
    const { kit, id } = await world();
    const refused = await kit.endpoints.update('acc_a', id, { kind: 'push' } as never);
    expect(refused._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/kind' }] });
  });

  test('has no calls of secrets and repeated deliveries', async () => {
    const { kit, id } = await world();
    const range = { from: 0, to: Date.now() };
    for (const call of [
      await kit.endpoints.prepareSecret('acc_a', id),
      await kit.deliveries.replay('acc_a', id, range),
      await kit.deliveries.recover('acc_a', id, range),
    ])
      expect(call._unsafeUnwrapErr().code).toBe('wrong_kind');
  });

  test('is exported and imported with its settings', async () => {
    const { kit, id } = await world({}, { label: 'ledger' });
    const lines = [];
    for await (const line of kit.export({ accounts: ['acc_a'], secrets: 'clear' }))
      if (line.kind === 'endpoint') lines.push(line);
    expect(lines).toHaveLength(1);
    const other = platform();
    for (const outcome of ['created', 'unchanged'])
      expect((await other.kit.import.endpoints(lines as never))._unsafeUnwrap().rows).toMatchObject([{ id, outcome }]);
    const imported = (await other.kit.endpoints.find('acc_a', id))._unsafeUnwrap();
    expect(imported).toMatchObject({ kind: 'pull', label: 'ledger', events: ['payed'] });
  });
});

describe('pages', () => {
  test('follow each other without gap or repetition; an empty one has a next', async () => {
    const { publish, pull } = await world();
    const empty = await pull();
    expect(empty).toMatchObject({ items: [], hasMore: false });
    const ids = await publish(5);
    const first = await pull(empty.next, 2);
    const second = await pull(first.next, 2);
    const third = await pull(second.next, 2);
    expect([first, second, third].map(({ items, hasMore }) => [items.length, hasMore])).toEqual([
      [2, true],
      [2, true],
      [1, false],
    ]);
    expect([first, second, third].flatMap(idsIn)).toEqual(ids);
    const last = await pull(third.next);
    expect(last.items).toEqual([]);
    const [more] = await publish(1);
    expect(idsIn(await pull(last.next))).toEqual([more]);
  });

  test('have the bytes that a push endpoint receives, and the id that names the endpoint', async () => {
    const { kit, id, publish, pull, sender } = await world();
    const url = 'https://push.example/hooks';
    (await kit.endpoints.create('acc_a', { url, events: ['payed'] }))._unsafeUnwrap();
    const [eventId] = await publish(1);
    const [item] = (await pull()).items;
    expect(item?.id).toBe(`${eventId}_${id}`);
    expect(item?.body).toBe(sender.posts[0]?.body);
    expect(item?.timestamp).toBe(JSON.parse(item?.body ?? '').timestamp);
    expect(item?.headers).toEqual({});
  });

  test('have at most 1 MiB, and at least one event', async () => {
    const { publish, pull } = await world();
    const ids = await publish(6, 'x'.repeat(220_000));
    const first = await pull();
    const second = await pull(first.next);
    expect([first, second].map(({ items, hasMore }) => [items.length, hasMore])).toEqual([
      [4, true],
      [2, false],
    ]);
    expect([first, second].flatMap(idsIn)).toEqual(ids);
  });

  test('refuse a limit that is none', async () => {
    const { kit, id } = await world();
    for (const limit of [0, 101, 1.5, Number.NaN])
      expect((await kit.events.pull('acc_a', id, { limit }))._unsafeUnwrapErr()).toMatchObject({
        code: 'invalid_input',
        errors: [{ pointer: '/limit' }],
      });
  });
});

describe('who may read', () => {
  test('only its own account, and only a pull endpoint that is enabled', async () => {
    const { kit, id, publish, pull } = await world();
    const push = (
      await kit.endpoints.create('acc_a', { url: 'https://p.example/', events: ['payed'] })
    )._unsafeUnwrap();
    const codeOf = async (account: string, endpoint: string) =>
      (await kit.events.pull(account, endpoint))._unsafeUnwrapErr().code;
    expect(await codeOf('acc_b', id)).toBe('not_found');
    expect(await codeOf('acc_a', 'no id')).toBe('not_found');
    expect(await codeOf('acc_a', push.endpoint.id)).toBe('wrong_kind');
    const [before] = await publish(1);
    (await kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
    await publish(1);
    expect(await codeOf('acc_a', id)).toBe('endpoint_disabled');
    (await kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
    const [after] = await publish(1);
    expect(idsIn(await pull())).toEqual([before, after]);
  });

  test('the events of a child, for as long as it is one', async () => {
    const parents = new Map([['acc_child', 'acc_a']]);
    const find = async (id: string) => {
      const parentId = parents.get(id);
      return { id, name: id, status: 'active', environment: 'prod', ...(parentId ? { parentId } : {}) };
    };
    const { clock, kit, pull } = await world({ accounts: { find } }, { includeChildren: true });
    const data = { id: 'of the child' };
    const event = { accountId: 'acc_child', objectName: 'RequestPayment', type: 'payed', data } as never;
    const { eventId } = await kit.events.publish(event, { tx: 'new' });
    const worker = kit.worker();
    for (let times = 0; times < 3; times++) await worker.drain();
    expect(idsIn(await pull())).toEqual([eventId]);
    parents.clear();
    clock.set(clock.now() + 2 * minute);
    const { items, next, hasMore } = await pull();
    expect([items, hasMore]).toEqual([[], false]);
    expect((await pull(next)).items).toEqual([]);
  });

  test('a cursor of another endpoint is refused', async () => {
    const { kit, pull, refused } = await world();
    const other = (await kit.endpoints.create('acc_a', { kind: 'pull', events: ['payed'] }))._unsafeUnwrap();
    const { next } = (await kit.events.pull('acc_a', other.endpoint.id))._unsafeUnwrap();
    expect((await refused(next)).code).toBe('invalid_cursor');
    expect((await pull()).items).toEqual([]);
  });
});

test('a cursor older than the retention is refused, with one that may be used', async () => {
  const { storage, clock, publish, pull, refused, kit, id } = await world();
  const empty = await pull();
  await publish(2);
  const read = await pull(empty.next, 1);
  clock.set(clock.now() + 31 * day);
  await publish(0);
  const shards = Array.from({ length: 128 }, (_, shard) => shard);
  await storage.shards.join('w', 1_000 * day);
  await storage.shards.acquire('w', 128);
  const beat = { shards, watermark: clock.now(), settlement: 0, isStopping: false };
  await storage.deliveries.recover(
    'w',
    shards.map((shard) => ({ shard, watermark: clock.now(), wasAbandoned: false })),
  );
  await storage.shards.heartbeat('w', 1_000 * day, beat);
  await storage.log.prune(shards, { held: 90 * day, deleted: day, events: 30 * day, limit: 100 });
  await storage.shards.leave('w');
  for (const after of [empty.next, read.next]) {
    const failure = await refused(after);
    expect(failure.code).toBe('cursor_expired');
    const resumeAfter = 'resumeAfter' in failure ? failure.resumeAfter : '';
    expect(await pull(resumeAfter)).toMatchObject({ items: [], hasMore: false });
  }
  const [young] = await publish(1);
  expect(idsIn((await kit.events.pull('acc_a', id))._unsafeUnwrap())).toEqual([young]);
});

describe('what people see', () => {
  test('statistics count unread events, and tell the time of the last read', async () => {
    const { clock, kit, id, publish, pull } = await world();
    const figures = async () => (await kit.deliveries.statistics('acc_a', [id], { period: '24h' }))._unsafeUnwrap()[0];
    await publish(3);
    expect(await figures()).toMatchObject({ waiting: 3, held: 0 });
    expect(await figures()).not.toHaveProperty('pulledAt');
    const { next } = await pull(undefined, 2);
    clock.set(clock.now() + minute);
    await pull(next);
    expect(await figures()).toMatchObject({ waiting: 1, pulledAt: clock.now() });
  });

  test('an event is explained by the last cursor that was asked for', async () => {
    const { clock, kit, id, publish, pull } = await world();
    const [eventId = ''] = await publish(1);
    const kindOf = async () => (await kit.deliveries.explain('acc_a', eventId, id))._unsafeUnwrap().kind;
    expect(await kindOf()).toBe('not_pulled_yet');
    const { next } = await pull();
    expect(await kindOf()).toBe('not_pulled_yet');
    clock.set(clock.now() + minute);
    await pull(next);
    expect(await kindOf()).toBe('pulled');
  });

  test('a test event is an event of the feed, whatever the endpoint selects', async () => {
    const { kit, id, publish, pull } = await world({}, { events: ['cancel'] });
    const sent = await kit.events.sendTest('acc_a', id, {
      objectName: 'RequestPayment',
      type: 'payed',
      data: {},
    } as never);
    await publish(1);
    expect(idsIn(await pull())).toEqual([sent._unsafeUnwrap().eventId]);
  });

  test('the place is stored once a minute', async () => {
    const { clock, storage, publish, pull, id } = await world();
    await publish(3);
    const asked = async () =>
      (await storage.feeds.readProgress([{ accountId: 'acc_a', endpointId: id }]))[0]?.asked?.number;
    const first = await pull(undefined, 1);
    expect(await asked()).toBe(0);
    const second = await pull(first.next, 1);
    expect(await asked()).toBe(0);
    clock.set(clock.now() + minute);
    await pull(second.next, 1);
    expect(await asked()).toBe(2);
  });
});
