import { expect, test } from 'vitest';
import { ok } from '#result';
import { hour } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { retrySchedule } from '../../../src/webhooks/delivery-rules/retry-policy.ts';
import { testClock } from '../../support/clock.ts';
import { platform } from '../../support/kit.ts';

const answering = (status: number) => ({ kind: 'answered', status, body: '', durationMs: 0 }) as const;

/** An endpoint of each of two accounts that has failed once, and one event of each. */
const world = async () => {
  const clock = testClock();
  let status = 500;
  const sender = memorySender(() => answering(status));
  const made = platform({ clock, sender });
  const { kit } = made;
  const of = async (accountId: string) => {
    const created = await kit.endpoints.create(accountId, { url: 'https://partner.example/', events: ['payed'] });
    const { eventId } = await kit.events.publish(
      { accountId, objectName: 'RequestPayment', type: 'payed', data: { id: `of ${accountId}` } },
      { tx: 'new' },
    );
    return { eventId, endpointId: created._unsafeUnwrap().endpoint.id };
  };
  const [ours, theirs] = [await of('acc_a'), await of('acc_b')];
  await kit.worker().drain();
  const [delivery] = (await kit.deliveries.list('acc_a'))._unsafeUnwrap().items;
  return {
    ...made,
    clock,
    sender,
    ours,
    theirs,
    deliveryId: delivery?.id as string,
    recover: () => {
      status = 200;
    },
  };
};

test('an event is explained, and sent again at once', async () => {
  const { kit, ours, deliveryId, recover, sender } = await world();
  const explain = async () => (await kit.deliveries.explain('acc_a', ours.eventId, ours.endpointId))._unsafeUnwrap();
  expect(await explain()).toMatchObject({ kind: 'waiting', deliveryId, attempts: 1, last: { status: 500 } });
  recover();
  expect((await kit.deliveries.sendAgain('acc_a', deliveryId))._unsafeUnwrap()).toEqual({ deliveryId });
  await kit.worker().drain();
  expect(await explain()).toMatchObject({ kind: 'delivered', deliveryId, attempts: 2 });
  const again = (await kit.deliveries.sendAgain('acc_a', deliveryId))._unsafeUnwrap();
  expect(again.deliveryId).not.toBe(deliveryId);
  expect((await kit.deliveries.sendAgain('acc_a', deliveryId))._unsafeUnwrapErr()).toMatchObject({
    code: 'unfinished',
    deliveryId: again.deliveryId,
  });
  await kit.worker().drain();
  const bodies = sender.posts.map(({ body }) => body).filter((body) => body.includes('of acc_a'));
  expect(new Set(bodies).size).toBe(1);
  expect(bodies).toHaveLength(3);
  const attempts = (await kit.deliveries.attempts('acc_a', again.deliveryId))._unsafeUnwrap();
  expect(attempts).toMatchObject([{ status: 200 }]);
});

test('rows of another account count as absent', async () => {
  const { kit, ours, theirs, deliveryId } = await world();
  const nowhere = '01930000-0000-7000-8000-000000000000';
  const { deliveries } = kit;
  for (const id of [theirs.eventId, nowhere, 'x'])
    expect((await deliveries.explain('acc_a', id, ours.endpointId))._unsafeUnwrapErr()).toMatchObject({
      code: 'no_such_event',
    });
  for (const id of [theirs.endpointId, nowhere, 'x'])
    expect((await deliveries.explain('acc_a', ours.eventId, id))._unsafeUnwrapErr()).toMatchObject({
      code: 'no_such_endpoint',
    });
  for (const [account, id] of [
    ['acc_b', deliveryId],
    ['acc_a', `${ours.eventId}.${theirs.endpointId}`],
    ['acc_a', `${nowhere}.${nowhere}`],
    ['acc_a', nowhere],
    ['acc_a', 'x'],
  ] as const) {
    expect((await deliveries.sendAgain(account, id))._unsafeUnwrapErr()).toMatchObject({ code: 'not_found' });
    expect((await deliveries.attempts(account, id))._unsafeUnwrap()).toEqual([]);
  }
  expect((await kit.events.list('acc_a'))._unsafeUnwrap().items.map(({ id }) => id)).toEqual([ours.eventId]);
});

test('a cursor belongs to its account, its filter and its order', async () => {
  const { kit, clock } = await world();
  for (let index = 0; index < 3; index++) {
    await clock.advance(hour);
    await kit.events.publish(
      { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: `p${index}` } },
      { tx: 'new' },
    );
  }
  const { list: listEvents } = kit.events;
  const { list } = kit.deliveries;
  const { next: after = '' } = (await listEvents('acc_a', { type: 'payed', page: { limit: 1 } }))._unsafeUnwrap();
  expect((await listEvents('acc_a', { type: 'payed', page: { after } }))._unsafeUnwrap().items).toHaveLength(3);
  const refused = { code: 'invalid_cursor' };
  for (const wrong of [
    listEvents('acc_b', { type: 'payed', page: { after } }),
    listEvents('acc_a', { page: { after } }),
    listEvents('acc_a', { type: 'payed', page: { after, newestFirst: true } }),
    list('acc_a', { type: 'payed', page: { after } }),
    list('acc_a', { page: { after: 'x' } }),
  ])
    expect((await wrong)._unsafeUnwrapErr()).toMatchObject(refused);
});

test('a period is replayed in batches to an endpoint created later, and again', async () => {
  const { kit, clock, sender, theirs, recover } = await world();
  recover();
  const publish = (id: number) => ({
    accountId: 'acc_a',
    objectName: 'RequestPayment' as const,
    type: 'payed' as const,
    data: { id: `p${id}` },
  });
  await kit.events.publishMany(
    Array.from({ length: 150 }, (_, id) => publish(id)),
    { tx: 'new' },
  );
  await kit.worker().drain();
  const created = await kit.endpoints.create('acc_a', { url: 'https://late.example/', events: ['payed'] });
  const { id } = created._unsafeUnwrap().endpoint;
  const range = { from: 0, to: clock.now() + hour };
  const replay = async (after?: string) =>
    (await kit.deliveries.replay('acc_a', id, after === undefined ? range : { ...range, after }))._unsafeUnwrap();
  const first = await replay();
  const second = await replay(first.next);
  expect([first.deliveries + second.deliveries, second.next]).toEqual([151, undefined]);
  expect((await replay()).deliveries).toBe(0);
  const elsewhere = { ...range, from: 1, after: first.next as string };
  expect((await kit.deliveries.replay('acc_a', id, elsewhere))._unsafeUnwrapErr()).toMatchObject({
    code: 'invalid_cursor',
  });
  expect(
    (await kit.deliveries.recover('acc_a', id, { ...range, after: first.next as string }))._unsafeUnwrapErr(),
  ).toMatchObject({
    code: 'invalid_cursor',
  });
  await kit.worker().drain();
  const late = sender.posts.filter(({ url }) => url === 'https://late.example/');
  expect(new Set(late.map(({ body }) => body)).size).toBe(151);
  for (const endpointId of [theirs.endpointId, 'x'])
    expect((await kit.deliveries.replay('acc_a', endpointId, range))._unsafeUnwrapErr()).toMatchObject({
      code: 'not_found',
    });
  for (const wrong of [{ from: -1 }, { to: Number.NaN }, { from: '0' as unknown as number }])
    expect((await kit.deliveries.replay('acc_a', id, { ...range, ...wrong }))._unsafeUnwrapErr()).toMatchObject({
      code: 'invalid_input',
    });
});

test('what failed in a period is sent again, once', async () => {
  const { kit, clock, sender, ours, recover } = await world();
  for (const wait of retrySchedule) {
    await clock.advance(1.25 * wait);
    await kit.worker().drain();
  }
  const statesOf = async () => (await kit.deliveries.list('acc_a'))._unsafeUnwrap().items.map(({ state }) => state);
  expect(await statesOf()).toEqual(['exhausted']);
  recover();
  const { endpointId } = ours;
  const send = async (range: Parameters<typeof kit.deliveries.recover>[2]) =>
    (await kit.deliveries.recover('acc_a', endpointId, range)).map(({ deliveries }) => deliveries);
  expect(await send({ from: clock.now() - hour, to: clock.now() })).toEqual(ok(0));
  const range = { from: 0, to: clock.now() };
  expect(await Promise.all([send(range), send(range)])).toEqual([ok(1), ok(0)]);
  const posts = sender.posts.length;
  await clock.advance(24 * hour);
  await kit.worker().drain();
  expect(await statesOf()).toEqual(['exhausted', 'delivered']);
  expect(sender.posts.slice(posts).filter(({ body }) => body.includes('of acc_a'))).toHaveLength(1);
  expect(await send(range)).toEqual(ok(0));
  (await kit.endpoints.disable('acc_a', endpointId))._unsafeUnwrap();
  expect((await send(range))._unsafeUnwrapErr()).toMatchObject({ code: 'endpoint_disabled' });
});

test.each([
  // 2026-11-23T18:00:00Z in seconds, and in milliseconds.
  [{ from: 1_795_456_800, to: 1_795_456_800_000 }, 'from', 'this is a time in seconds'],
  [{ from: 1_795_370_400_000, to: 1_795_456_800 }, 'to', 'this is a time in seconds'],
  [{ from: 0, to: 99_999_999_999 }, 'to', 'this is a time in seconds'],
  [{ from: 100_000_000, to: 100_000_000_000 }, 'from', 'this is a time in seconds'],
  [{ from: 1_795_456_800_001, to: 1_795_456_800_000 }, 'to', 'not before from.'],
])('a replay of %j is refused: %s', async (range, field, detail) => {
  const { kit, ours } = await world();
  expect((await kit.deliveries.replay('acc_a', ours.endpointId, range))._unsafeUnwrapErr()).toMatchObject({
    code: 'invalid_input',
    errors: [{ pointer: `/${field}`, detail: expect.stringContaining(detail) }],
  });
});

test.each([
  { from: 0, to: 1_795_456_800_000 },
  { from: 99_999_999, to: 100_000_000_000 },
  { from: 1_795_456_800_000, to: 1_795_456_800_000 },
])('a replay of %j is made', async (range) => {
  const { kit, ours } = await world();
  expect((await kit.deliveries.replay('acc_a', ours.endpointId, range)).isOk()).toBe(true);
});

test('a list by a time in seconds is refused', async () => {
  const { kit } = await world();
  const [from, to] = [1_795_456_800, 1_795_456_800_000];
  expect((await kit.deliveries.list('acc_a', { from }))._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_input' });
  expect((await kit.events.list('acc_a', { to: from }))._unsafeUnwrapErr()).toMatchObject({
    code: 'invalid_input',
  });
  expect((await kit.deliveries.list('acc_a', { from: 0, to })).isOk()).toBe(true);
});

test('the backlog of one account is part of that of all', async () => {
  const { kit, clock } = await world();
  const backlog = async () => [
    (await kit.deliveries.backlog('acc_a'))._unsafeUnwrap(),
    (await kit.deliveries.backlogOfAll())._unsafeUnwrap(),
  ];
  const none = { undispatched: 0, held: 0 };
  expect(await backlog()).toEqual([
    { ...none, waiting: 1 },
    { ...none, waiting: 2 },
  ]);
  await clock.advance(hour);
  const [own] = await backlog();
  expect(own?.oldestDue).toBeGreaterThan(hour - 10_000);
  // What is no account is none, and never all of them.
  expect((await kit.deliveries.backlog(undefined as unknown as string))._unsafeUnwrapErr()).toMatchObject({
    code: 'invalid_input',
  });
});

test('a failing log is unavailable', async () => {
  const { storage } = await world();
  const cause = new Error('down');
  const broken = async () => Promise.reject(cause);
  const { kit } = platform({
    storage: {
      ...storage,
      log: {
        listDeliveries: broken,
        listAttempts: broken,
        readExplainSnapshot: broken,
        sendAgain: broken,
        countBacklog: broken,
        readFailing: broken,
        readFailedHours: broken,
        deleteFailedHours: broken,
        readHealthSnapshot: broken,
        readStatistics: broken,
        replay: broken,
        prune: broken,
      },
    },
  });
  const id = '01930000-0000-7000-8000-000000000000';
  const deliveryId = `${id}.${id}`;
  for (const answer of [
    kit.deliveries.list('acc_a'),
    kit.deliveries.attempts('acc_a', deliveryId),
    kit.deliveries.explain('acc_a', id, id),
    kit.deliveries.sendAgain('acc_a', deliveryId),
    kit.deliveries.replay('acc_a', id, { from: 0, to: 1 }),
    kit.deliveries.backlog('acc_a'),
    kit.deliveries.backlogOfAll(),
  ])
    expect((await answer)._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', cause });
});

test.each([
  [{ state: 'leased' }, 'state: one of waiting, held, delivered, exhausted, expired.'],
  [{ from: Number.NaN }, 'from: milliseconds since 1970, a whole number.'],
  [{ to: 1.5 }, 'to: milliseconds since 1970, a whole number.'],
  [{ from: '2026-01-01' }, 'from: milliseconds since 1970, a whole number.'],
  [{ objectId: 'a\0b' }, 'objectId: 1 to 256 bytes of text without control characters.'],
  [{ type: ['payed'] }, 'type: 1 to 256 bytes of text without control characters.'],
])('a list filtered by %j is refused, and says what to give', async (filter, detail) => {
  const { kit } = await world();
  const failures = [
    await kit.deliveries.list('acc_a', filter as object),
    ...('state' in filter ? [] : [await kit.events.list('acc_a', filter as object)]),
  ];
  for (const failure of failures)
    expect(failure._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_input', message: detail });
});
