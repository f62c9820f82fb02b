import { describe, expect, test } from 'vitest';
import { day, hour, minute, second } from '../../../src/base/runtime/time.ts';
import type { Signal } from '../../../src/base/signals/signal.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { SendOutcome } from '../../../src/webhooks/deliveries/sender.ts';
import { settled, start, testClock } from '../../support/clock.ts';
import { platform, provenEngine } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';
import { heldSender } from '../../support/sender.ts';

const answered = (status: number, retryAfter?: string): SendOutcome => ({
  kind: 'answered',
  status,
  body: '',
  durationMs: 1,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** A platform whose receivers answer as a test tells them to, by their host; 200 otherwise. */
const world = () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const answers = new Map<string, SendOutcome>();
  const sender = memorySender(({ url }) => answers.get(new URL(url).host) ?? answered(200));
  const made = platform({ clock, storage, sender, webhooks: { maxEndpoints: 100 } });
  let published = 0;
  return {
    ...made,
    clock,
    answers,
    subscribe: async (host: string) =>
      (await made.kit.endpoints.create('acc_a', { url: `https://${host}/`, events: ['payed'] }))._unsafeUnwrap()
        .endpoint,
    publish: async (count = 1): Promise<void> => {
      const batch = Array.from({ length: count }, () => ({
        accountId: 'acc_a',
        objectName: 'RequestPayment' as const,
        type: 'payed' as const,
        data: { id: `object-${published++}` },
      }));
      await made.kit.events.publishMany(batch, { tx: 'new' });
    },
    postsTo: (host: string) => sender.posts.filter(({ url }) => new URL(url).host === host),
    signalsOf: <K extends Signal['kind']>(kind: K) =>
      made.signals.filter((signal): signal is Extract<Signal, { readonly kind: K }> => signal.kind === kind),
    states: async (endpointId: string) =>
      (await made.kit.deliveries.list('acc_a', { endpointId, page: { limit: 100 } }))
        ._unsafeUnwrap()
        .items.map(({ state }) => state),
  };
};
type World = ReturnType<typeof world>;

/** Workers on as many machines: each of its own kit, over the storage of one world. */
const workers = ({ storage, sender, clock, signals }: World, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const deliveries: typeof storage.deliveries = {
      ...storage.deliveries,
      // What happens at once is mixed, as with a database.
      settle: async (...args) => {
        await settled();
        return storage.deliveries.settle(...args);
      },
    };
    const observe = (signal: Signal) => signals.push(signal);
    const random = seededRandom(index);
    return platform({ storage: { ...storage, deliveries }, sender, clock, observe, random }).kit.worker();
  });

const idOf = ({ body }: { readonly body: string }): string => JSON.parse(body).data.id;

test('an endpoint that fails for five days is disabled once, with one signal, by any number of workers', async () => {
  const made = world();
  const dead = await made.subscribe('dead.example');
  const well = await made.subscribe('well.example');
  made.answers.set('dead.example', answered(503));
  const machines = workers(made, 3);
  await made.publish(20);
  for (let time = 0; time < 6 * day; time += 15 * minute) {
    if (time % (6 * hour) === 0) await made.publish();
    await Promise.all(machines.map((machine) => machine.drain()));
    made.clock.set(start + time + 15 * minute);
  }
  const [failing, ...failingAgain] = made.signalsOf('endpoint_failing');
  expect(failing).toMatchObject({ accountId: 'acc_a', endpointId: dead.id, outcome: 503, failingFor: 0 });
  const [disabled, ...disabledAgain] = made.signalsOf('endpoint_disabled');
  expect([failingAgain, disabledAgain, made.signalsOf('endpoint_recovered')]).toEqual([[], [], []]);
  const probes = made.postsTo('dead.example').length;
  expect(disabled).toMatchObject({ endpointId: dead.id, reason: 'failing', outcome: 503, failures: probes });
  expect(disabled?.failingFor).toBeGreaterThanOrEqual(5 * day);
  expect(disabled?.failingFor).toBeLessThan(5 * day + hour);
  // A burst, and then one probe every quarter of an hour, whatever waits.
  expect(probes).toBeLessThan(20 + 5 * 96 + 10);
  expect((await made.kit.endpoints.find('acc_a', dead.id))._unsafeUnwrap().state).toBe('disabled_by_breaker');
  expect(new Set(await made.states(dead.id))).toEqual(new Set(['exhausted', 'held']));
  expect(await made.states(well.id)).toEqual(Array(44).fill('delivered'));
  for (const [index, { endpointId }] of made.signalsOf('attempt').entries())
    expect([dead.id, well.id], `${index}`).toContain(endpointId);
});

test('a quiet endpoint that fails once is not disabled', async () => {
  const made = world();
  const quiet = await made.subscribe('quiet.example');
  const worker = made.kit.worker();
  await made.publish();
  await worker.drain();
  made.clock.set(start + 60 * day);
  made.answers.set('quiet.example', answered(500));
  await made.publish();
  await worker.drain();
  made.answers.delete('quiet.example');
  made.clock.set(start + 61 * day);
  expect(await worker.drain()).toBe(1);
  expect(made.signals.filter(({ kind }) => kind.startsWith('endpoint_'))).toEqual([]);
  expect((await made.kit.endpoints.find('acc_a', quiet.id))._unsafeUnwrap().state).toBe('enabled');
});

test('enabling delivers what was held, oldest first, and starves no other endpoint', async () => {
  const made = world();
  const gone = await made.subscribe('gone.example');
  made.answers.set('gone.example', answered(410));
  const worker = made.kit.worker({ concurrency: 4, perEndpoint: 2, perAccount: 4 });
  await made.publish(1);
  await worker.drain();
  await made.publish(30);
  await worker.drain();
  expect(await made.states(gone.id)).toEqual(Array(31).fill('held'));
  expect(made.postsTo('gone.example')).toHaveLength(1);

  await made.subscribe('other.example');
  made.answers.delete('gone.example');
  (await made.kit.endpoints.enable('acc_a', gone.id))._unsafeUnwrap();
  await made.publish(4);
  const before = made.sender.posts.length;
  await worker.drain();
  const sent = made.sender.posts.slice(before).map((post) => [new URL(post.url).host, idOf(post)] as const);
  const ofGone = sent.filter(([host]) => host === 'gone.example').map(([, id]) => id);
  expect(ofGone).toEqual(Array.from({ length: 35 }, (_, index) => `object-${index}`));
  // They take turns: the others are among the first.
  expect(sent.findLastIndex(([host]) => host === 'other.example')).toBeLessThan(12);
  expect(new Set(await made.states(gone.id))).toEqual(new Set(['delivered']));
});

test('410: the attempt says so, the delivery is held, and the endpoint is disabled', async () => {
  const made = world();
  const gone = await made.subscribe('gone.example');
  made.answers.set('gone.example', answered(410));
  await made.publish(3);
  await made.kit.worker({ perEndpoint: 1 }).drain();
  expect(made.signalsOf('attempt').map(({ next, outcome }) => [next, outcome])).toEqual([['gone', 410]]);
  const [{ eventId = '' } = {}] = made.signalsOf('attempt');
  expect(made.signalsOf('endpoint_disabled')).toEqual([
    {
      kind: 'endpoint_disabled',
      reason: 'gone',
      accountId: 'acc_a',
      endpointId: gone.id,
      failures: 1,
      failingFor: 0,
      outcome: 410,
      lastFailure: { objectName: 'RequestPayment', type: 'payed', eventId, outcome: 410 },
      unfinished: 3,
    },
  ]);
  expect(await made.states(gone.id)).toEqual(['held', 'held', 'held']);
});

describe('an endpoint that fails for a while', () => {
  test('is probed after 1, 5 and 15 minutes, and recovers with the first success', async () => {
    const made = world();
    const sick = await made.subscribe('sick.example');
    made.answers.set('sick.example', answered(500));
    const worker = made.kit.worker({ perEndpoint: 1 });
    await made.publish(20);
    const probed: number[] = [];
    const drainAt = async (at: number): Promise<void> => {
      made.clock.set(start + at);
      const before = made.postsTo('sick.example').length;
      await worker.drain();
      if (made.postsTo('sick.example').length > before) probed.push(at);
    };
    await drainAt(0);
    expect(made.postsTo('sick.example')).toHaveLength(5);
    // A second before each minute it is still too early.
    const lastSecond = minute - second;
    for (let at = 0; at < 40 * minute; at += minute)
      for (const after of [second, 20 * second, 40 * second, lastSecond, minute]) await drainAt(at + after);
    expect(probed).toEqual([0, minute, 6 * minute, 21 * minute, 36 * minute]);
    made.answers.delete('sick.example');
    await drainAt(51 * minute);
    expect(made.signalsOf('endpoint_recovered')).toMatchObject([
      { endpointId: sick.id, failures: 9, failingFor: 51 * minute, outcome: 200 },
    ]);
    await drainAt(2 * hour);
    expect(await made.states(sick.id)).toEqual(Array(20).fill('delivered'));
    expect(made.signals.filter(({ kind }) => kind.startsWith('endpoint_'))).toHaveLength(2);
  });

  test('does not delay another, be there 64 of them', async () => {
    const made = world();
    for (let index = 0; index < 64; index++) {
      await made.subscribe(`dead-${index}.example`);
      made.answers.set(`dead-${index}.example`, answered(500));
    }
    await made.subscribe('well.example');
    const worker = made.kit.worker({ concurrency: 8, perEndpoint: 2, perAccount: 4 });
    await made.publish(30);
    await worker.drain();
    expect(made.postsTo('well.example')).toHaveLength(30);
    expect(made.sender.posts.length).toBeLessThanOrEqual(30 + 64 * 6);
  });
});

describe('Retry-After', () => {
  test.each([429, 503])('of a %d pauses the whole endpoint, and no success shortens it', async (status) => {
    const made = world();
    await made.subscribe('busy.example');
    made.answers.set('busy.example', answered(status, '3600'));
    const worker = made.kit.worker({ perEndpoint: 1 });
    await made.publish(3);
    expect(await worker.drain()).toBe(1);
    made.answers.delete('busy.example');
    made.clock.set(start + hour - 1);
    expect(await worker.drain()).toBe(0);
    made.clock.set(start + hour);
    expect(await worker.drain()).toBe(3);
    expect(made.signals.filter(({ kind }) => kind.startsWith('endpoint_'))).toEqual([]);
  });

  test('of another failure delays that delivery alone', async () => {
    const made = world();
    await made.subscribe('busy.example');
    made.answers.set('busy.example', answered(500, '3600'));
    const worker = made.kit.worker({ perEndpoint: 1 });
    await made.publish(3);
    expect(await worker.drain()).toBe(3);
  });
});

test('failures before an endpoint was enabled again do not count', async () => {
  const made = world();
  const { id } = await made.subscribe('one.example');
  made.answers.set('one.example', answered(500));
  const worker = made.kit.worker();
  await made.publish(4);
  await worker.drain();
  (await made.kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
  (await made.kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
  await made.publish(4);
  await worker.drain();
  expect(made.signalsOf('endpoint_failing')).toEqual([]);
  await made.publish(1);
  await worker.drain();
  expect(made.signalsOf('endpoint_failing')).toMatchObject([{ endpointId: id, failures: 5 }]);
});

test('nor does an attempt that started before', async () => {
  const made = world();
  const { clock, storage } = made;
  const sender = heldSender();
  const other = platform({ engine: provenEngine, clock, storage, sender, random: seededRandom(2) });
  const { id } = await made.subscribe('one.example');
  await made.publish(5);
  const worker = other.kit.worker();
  worker.start();
  await settled();
  expect(sender.open).toHaveLength(5);
  (await made.kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
  (await made.kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
  const stopping = worker.stop();
  sender.answerAll(500);
  await stopping;
  made.answers.set('one.example', answered(500));
  await made.publish(4);
  await made.kit.worker().drain();
  expect(made.signalsOf('endpoint_failing')).toEqual([]);
});

test('what was held for fourteen days expires, with one signal for its endpoint', async () => {
  const made = world();
  const gone = await made.subscribe('gone.example');
  made.answers.set('gone.example', answered(410));
  const worker = made.kit.worker();
  await made.publish(30);
  await worker.drain();
  made.clock.set(start + 14 * day - 1);
  await worker.drain();
  expect(made.signalsOf('delivery_expired')).toEqual([]);
  made.clock.set(start + 14 * day + minute);
  await worker.drain();
  expect(made.signalsOf('delivery_expired')).toEqual([
    { kind: 'delivery_expired', accountId: 'acc_a', endpointId: gone.id, deliveries: 30, reason: 'held_too_long' },
  ]);
  expect(await made.states(gone.id)).toEqual(Array(30).fill('expired'));
});

test.each([
  [{ held: 0 }, 'retention.held'],
  [{ events: 0.5 }, 'retention.events'],
  [{ events: Number.NaN }, 'retention.events'],
])('a retention that is none is refused when the kit is made', (retention, name) => {
  expect(() => platform({ webhooks: { retention } })).toThrow(name);
});

test('retention is an option', async () => {
  const made = world();
  await made.subscribe('one.example');
  const { kit } = platform({
    storage: made.storage,
    clock: made.clock,
    sender: made.sender,
    webhooks: { retention: { events: hour } },
  });
  const worker = kit.worker();
  await made.publish();
  await worker.drain();
  const event = (await made.storage.events.listEvents('acc_a', {})).items[0];
  const [delivery] = (await kit.deliveries.list('acc_a'))._unsafeUnwrap().items;
  const kept = async () => [
    (await made.storage.events.listEvents('acc_a', {})).items.some(({ id }) => id === event?.id),
    (await kit.deliveries.list('acc_a'))._unsafeUnwrap().items.length,
    (await kit.deliveries.attempts('acc_a', delivery?.id ?? ''))._unsafeUnwrap().length,
  ];
  made.clock.set(start + hour - 1);
  await worker.drain();
  expect(await kept()).toEqual([true, 1, 1]);
  made.clock.set(start + hour + minute);
  await worker.drain();
  expect(await kept()).toEqual([false, 0, 0]);
});
