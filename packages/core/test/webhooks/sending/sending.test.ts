import { afterEach, describe, expect, test } from 'vitest';
import { hour, minute, second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { SendOutcome } from '../../../src/webhooks/deliveries/sender.ts';
import { start, testClock } from '../../support/clock.ts';
import {
  answered,
  attemptsOf,
  deliveriesOf,
  hostOf,
  idOf,
  publish,
  runningWorkers,
  statesOf,
  subscribe,
} from '../../support/deliveries.ts';
import { anyAccount, platform } from '../../support/kit.ts';
import { withoutJitter } from '../../support/random.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
afterEach(workers.stop);

/** Longer than every worker needs to honour a pause: its poll interval, and a read that takes no time. */
const bound = 250;
const everything = {};
const testEvent = { objectName: 'RequestPayment', type: 'payed', data: {} } as const;
const accountIds = Array.from({ length: 12 }, (_, index) => `acc_${index}`);

/** Two processes over one storage; each has a worker. Receivers fail until told otherwise. */
const processes = async () => {
  const clock = testClock();
  const receiver = { answer: answered(500) as SendOutcome };
  const shared = {
    ...{ clock, storage: memoryStorage({ clock }), random: withoutJitter(), accounts: anyAccount },
    sender: memorySender(() => receiver.answer),
  };
  const [one, two] = [platform(shared), platform(shared)];
  const started = [workers.run(one), workers.run(two)];
  for (let seconds = 0; seconds < 5; seconds++) await clock.advance(second);
  expect(started.map((worker) => worker.state().shards)).toEqual([64, 64]);
  return { ...one, other: two, started, receiver };
};

describe('a pause of everything', () => {
  test('after the bound nothing is sent, whatever is due; after its end each delivery once, in order', async () => {
    const made = await processes();
    const { kit, clock, sender, receiver, signals } = made;
    for (const accountId of accountIds) await subscribe(made, `${accountId}.example`, accountId);
    for (const accountId of accountIds) await publish(made, 2, accountId);
    await clock.advance(second);
    expect(sender.posts).toHaveLength(2 * accountIds.length);
    const healthOf = async (accountId: string) => {
      const [endpoint] = (await kit.endpoints.list(accountId))._unsafeUnwrap().items;
      const [health] = (await kit.endpoints.health(accountId, [endpoint?.id ?? '']))._unsafeUnwrap();
      return { failures: health?.failures, failingSince: health?.failingSince };
    };
    const before = await healthOf('acc_0');
    expect(before.failures).toBe(2);

    (await kit.sending.pause(everything))._unsafeUnwrap();
    await clock.advance(bound);
    const posts = sender.posts.length;
    signals.length = 0;
    // Retries become due, events are published, and a worker restarts.
    for (let minutes = 0; minutes < 12; minutes++) {
      if (minutes === 5) for (const accountId of accountIds) await publish(made, 3, accountId, 2);
      if (minutes === 10) {
        await workers.stop();
        workers.run(made);
        workers.run(made.other);
      }
      await clock.advance(minute);
    }
    const [endpoint] = (await kit.endpoints.list('acc_0'))._unsafeUnwrap().items;
    (await kit.events.sendTest('acc_0', endpoint?.id ?? '', testEvent))._unsafeUnwrap();
    await clock.advance(minute);
    expect(sender.posts).toHaveLength(posts);
    expect(signals.filter(({ kind }) => kind === 'attempt' || kind === 'delivery_expired')).toEqual([]);
    for (const accountId of accountIds.slice(1))
      expect(await statesOf(made, accountId)).toEqual(Array(5).fill('waiting'));
    expect((await deliveriesOf(made, 'acc_1')).map(({ attempts }) => attempts)).toEqual([1, 1, 0, 0, 0]);
    expect(await healthOf('acc_0')).toEqual(before);

    receiver.answer = answered(200);
    (await kit.sending.resume(everything))._unsafeUnwrap();
    await clock.advance(second);
    const after = sender.posts.slice(posts);
    for (const accountId of accountIds.slice(1))
      expect(after.filter((post) => hostOf(post) === `${accountId}.example`).map(idOf)).toEqual(
        // The first two were due when their retry was: before the events of the fifth minute.
        [0, 1, 2, 3, 4].map((index) => `${accountId}/${index}`),
      );
    for (let minutes = 0; minutes < 16; minutes++) await clock.advance(minute);
    expect(sender.posts).toHaveLength(posts + 5 * accountIds.length + 1);
    for (const accountId of accountIds.slice(1))
      expect(await statesOf(made, accountId)).toEqual(Array(5).fill('delivered'));
  });

  test('what is in flight ends and counts', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    const { id } = await subscribe(made, 'one.example');
    workers.run(made);
    await publish(made, 2);
    await made.clock.advance(second);
    expect(sender.open).toHaveLength(1);
    (await made.kit.sending.pause(everything))._unsafeUnwrap();
    await made.clock.advance(second);
    sender.answerAll(500);
    await made.clock.advance(minute);
    expect(sender.counts.sent).toBe(1);
    expect((await deliveriesOf(made)).map(({ attempts }) => attempts)).toEqual([1, 0]);
    expect((await made.kit.endpoints.health('acc_a', [id]))._unsafeUnwrap()).toEqual([
      { endpointId: id, failures: 1, failingSince: start + 2 * second, sendingPausedSince: start + second },
    ]);
  });

  test('drain sends nothing, and ends', async () => {
    const made = platform();
    await subscribe(made, 'one.example');
    (await made.kit.sending.pause(everything))._unsafeUnwrap();
    await publish(made, 3);
    expect(await made.kit.worker().drain()).toBe(0);
    (await made.kit.sending.resume(everything))._unsafeUnwrap();
    expect(await made.kit.worker().drain()).toBe(3);
    expect(made.sender.posts.map(idOf)).toEqual(['acc_a/0', 'acc_a/1', 'acc_a/2']);
  });

  test('a backlog waits in the storage, not in memory: with what is published, due or urgent meanwhile', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    const { kit, clock } = made;
    const { id } = await subscribe(made, 'one.example');
    await subscribe(made, 'other.example', 'acc_b');
    const worker = workers.run(made, { perEndpoint: 2 });
    await publish(made, 200);
    await clock.advance(second);
    expect(worker.state().ready).toBe(199);
    (await kit.sending.pause(everything))._unsafeUnwrap();
    await clock.advance(second);
    expect(worker.state().ready).toBe(0);
    // One endpoint has a queue in the storage, the other has none.
    for (const accountId of ['acc_a', 'acc_b']) await publish(made, 1, accountId, 200);
    (await kit.events.sendTest('acc_a', id, testEvent))._unsafeUnwrap();
    const { sent } = sender.counts;
    for (let seconds = 0; seconds < 10; seconds++) {
      sender.answerAll(500);
      await clock.advance(second);
      expect(worker.state().ready).toBe(0);
    }
    expect(sender.counts.sent).toBe(sent);
  });

  test('events of pull endpoints are read, and handlers are called', async () => {
    const made = platform();
    const pull = { kind: 'pull', events: ['payed'] } as const;
    const { endpoint } = (await made.kit.endpoints.create('acc_a', pull))._unsafeUnwrap();
    const handled: string[] = [];
    const handle = async ({ data }: { readonly data: { readonly id: string } }) => void handled.push(data.id);
    const worker = made.kit.worker({ handlers: { ledger: { events: ['payed'], handle } } });
    await worker.drain();
    (await made.kit.sending.pause(everything))._unsafeUnwrap();
    await publish(made, 1);
    await worker.drain();
    expect((await made.kit.events.pull('acc_a', endpoint.id))._unsafeUnwrap().items).toHaveLength(1);
    expect(handled).toEqual(['acc_a/0']);
    expect((await made.kit.endpoints.health('acc_a', [endpoint.id]))._unsafeUnwrap()).toEqual([]);
  });
});

describe('a pause of less', () => {
  const made = async () => {
    const it = platform();
    const { id } = await subscribe(it, 'one.example');
    await subscribe(it, 'two.example');
    await subscribe(it, 'other.example', 'acc_b');
    const sentTo = async () => {
      const before = it.sender.posts.length;
      await publish(it, 1);
      await publish(it, 1, 'acc_b');
      await it.kit.worker().drain();
      return it.sender.posts.slice(before).map(hostOf).sort();
    };
    return { ...it, id, sentTo };
  };

  test('of an account concerns no other', async () => {
    const { kit, sentTo } = await made();
    (await kit.sending.pause({ accountId: 'acc_a' }))._unsafeUnwrap();
    expect(await sentTo()).toEqual(['other.example']);
  });

  test('of an endpoint concerns no other of its account', async () => {
    const { kit, id, sentTo } = await made();
    (await kit.sending.pause({ accountId: 'acc_a', endpointId: id }))._unsafeUnwrap();
    expect(await sentTo()).toEqual(['other.example', 'two.example']);
  });

  test('each is independent: an endpoint is sent to when nothing pauses it', async () => {
    const { kit, id, sentTo } = await made();
    const scopes = [{}, { accountId: 'acc_a' }, { accountId: 'acc_a', endpointId: id }];
    for (const scope of scopes) (await kit.sending.pause(scope))._unsafeUnwrap();
    expect(await sentTo()).toEqual([]);
    (await kit.sending.resume({}))._unsafeUnwrap();
    expect(await sentTo()).toEqual(['other.example', 'other.example']);
    (await kit.sending.resume({ accountId: 'acc_a' }))._unsafeUnwrap();
    expect(await sentTo()).toEqual(['other.example', 'two.example', 'two.example', 'two.example']);
    (await kit.sending.resume({ accountId: 'acc_a', endpointId: id }))._unsafeUnwrap();
    expect((await sentTo()).filter((host) => host === 'one.example')).toHaveLength(4);
  });
});

test('an explanation says that the platform pauses sending, since when, and what was attempted', async () => {
  const made = platform({ sender: memorySender(() => answered(500)) });
  const { kit, clock } = made;
  const { id } = await subscribe(made, 'one.example');
  await publish(made, 1);
  await kit.worker().drain();
  const [event] = (await kit.events.list('acc_a'))._unsafeUnwrap().items;
  const explained = async () => (await kit.deliveries.explain('acc_a', event?.id ?? '', id))._unsafeUnwrap();
  const [attempt] = await attemptsOf(made);
  clock.set(start + hour);
  (await kit.sending.pause({ accountId: 'acc_a' }))._unsafeUnwrap();
  clock.set(start + 2 * hour);
  expect(await explained()).toEqual({
    ...{ kind: 'sending_paused', since: start + hour, attempts: 1 },
    ...{ deliveryId: expect.any(String), last: expect.objectContaining({ kind: attempt?.kind, status: 500 }) },
  });
  (await kit.sending.resume({ accountId: 'acc_a' }))._unsafeUnwrap();
  expect(await explained()).toMatchObject({ kind: 'waiting' });
});

test('pauses are listed; one that exists stays as it is', async () => {
  const made = platform();
  const { kit, clock } = made;
  const { id } = await subscribe(made, 'one.example');
  const list = async () => (await kit.sending.list())._unsafeUnwrap();
  const by = { type: 'host' };
  (await kit.sending.pause({ accountId: 'acc_b' }))._unsafeUnwrap();
  clock.set(start + hour);
  for (const scope of [{ accountId: 'acc_a', endpointId: id }, {}, { accountId: 'acc_b' }])
    (await kit.sending.pause(scope))._unsafeUnwrap();
  expect(await list()).toEqual([
    { since: start + hour, by },
    { accountId: 'acc_a', endpointId: id, since: start + hour, by },
    { accountId: 'acc_b', since: start, by },
  ]);
  (await kit.sending.resume({ accountId: 'acc_a' }))._unsafeUnwrap();
  expect(await list(), 'of another scope').toHaveLength(3);
});

describe('the audit trail', () => {
  const options = { actor: { type: 'host', id: 'on call' }, requestId: 'req-1' } as const;

  test('it says what was paused and resumed, by whom; what changes nothing leaves no entry', async () => {
    const made = platform();
    const { id } = await subscribe(made, 'one.example');
    const { sending, audit } = made.kit;
    const before = (await audit.listAll())._unsafeUnwrap().items.length;
    for (const scope of [{}, { accountId: 'acc_a' }, { accountId: 'acc_a', endpointId: id }])
      for (const call of ['pause', 'pause', 'resume', 'resume'] as const)
        (await sending[call](scope, options))._unsafeUnwrap();
    const entries = (await audit.listAll())._unsafeUnwrap().items.slice(before);
    const of = (accountId: string, subjectId: string, scope: string) =>
      ['paused', 'resumed'].map((change) => ({
        ...{ accountId, subjectId, type: `sending.${change}`, data: { change, scope } },
        ...{ by: options.actor, requestId: 'req-1' },
      }));
    expect(entries.map(({ id: _id, at: _at, mac: _mac, ...entry }) => entry)).toEqual([
      ...of('', 'platform', 'platform'),
      ...of('acc_a', 'acc_a', 'account'),
      ...of('acc_a', id, 'endpoint'),
    ]);
  });

  test('no account has the entries of all accounts; they verify, and a handler is told of them', async () => {
    const { kit } = platform();
    const told: unknown[] = [];
    const alerts = {
      events: ['Operations.sending.paused', 'Operations.sending.resumed'],
      handle: async ({ accountId, type, data }: { accountId: string; type: string; data: object }) =>
        told.push([accountId, type, data]),
    } as const;
    const worker = kit.worker({ handlers: { alerts } });
    await worker.drain();
    (await kit.sending.pause({}, options))._unsafeUnwrap();
    await worker.drain();
    expect(told).toEqual([
      ['', 'sending.paused', { id: 'platform', by: options.actor, change: 'paused', scope: 'platform' }],
    ]);
    expect((await kit.audit.list('acc_a'))._unsafeUnwrap().items).toEqual([]);
    expect((await kit.audit.list(''))._unsafeUnwrapErr().code).toBe('invalid_input');
    expect((await kit.audit.verify())._unsafeUnwrap().problems).toEqual([]);
    const [{ id = '' } = {}] = (await kit.audit.listAll())._unsafeUnwrap().items;
    expect((await kit.handlers.ofEvent('', id))._unsafeUnwrap()).toMatchObject([{ handler: 'alerts' }]);
    expect(
      (await kit.handlers.sendAgain({ accountId: '', eventId: id, handler: 'alerts' }))._unsafeUnwrapErr().code,
    ).toBe('already_handled');
  });

  test('options that are misspelled change nothing', async () => {
    const { kit } = platform();
    for (const call of ['pause', 'resume'] as const)
      expect(() => kit.sending[call]({}, { actr: options.actor } as never)).toThrow(
        `sending.${call}: there is no option 'actr'; did you mean 'actor'?`,
      );
    expect((await kit.sending.list())._unsafeUnwrap()).toEqual([]);
  });
});

describe('what cannot be paused', () => {
  test.each([
    [{ accountId: undefined }, 'accountId'],
    [{ accountId: '' }, 'accountId'],
    [{ accountId: 'acc_a', endpointId: undefined }, 'endpointId'],
    [{ accountId: 'acc_a', endpointId: 'endpoint' }, 'endpointId'],
    [{ endpointId: '01910b3e-4f6a-7c1d-9e2f-3a4b5c6d7e8f' }, 'accountId'],
  ])('%j is refused, so that a mistake does not pause everything', async (scope, field) => {
    const { kit } = platform();
    for (const call of ['pause', 'resume'] as const) {
      const refused = (await kit.sending[call](scope as never))._unsafeUnwrapErr();
      expect(refused).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(field) });
    }
    expect((await kit.sending.list())._unsafeUnwrap()).toEqual([]);
  });

  test('an option that is misspelled', () => {
    const { kit } = platform();
    expect(() => kit.sending.pause({ account: 'acc_a' } as never)).toThrow("'account'");
  });

  test("another account's endpoint, and a pull endpoint", async () => {
    const made = platform();
    const { id } = await subscribe(made, 'one.example');
    const { sending, endpoints } = made.kit;
    const codeOf = async (accountId: string, endpointId: string) =>
      (await sending.pause({ accountId, endpointId }))._unsafeUnwrapErr().code;
    expect(await codeOf('acc_b', id)).toBe('not_found');
    const pull = (await endpoints.create('acc_a', { kind: 'pull', events: ['payed'] }))._unsafeUnwrap().endpoint;
    expect(await codeOf('acc_a', pull.id)).toBe('wrong_kind');
  });
});
