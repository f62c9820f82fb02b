import { afterEach, describe, expect, test } from 'vitest';
import type { Account } from '../../../src/base/accounts/account.ts';
import { minute, second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { SendOutcome } from '../../../src/webhooks/deliveries/sender.ts';
import { testClock } from '../../support/clock.ts';
import { runningWorkers } from '../../support/deliveries.ts';
import { accounts, platform } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';

type Find = (id: string) => Promise<Account | undefined>;

/** A platform whose directory a test changes, lets fail, and lets hang. */
const world = (options: Pick<Parameters<typeof platform>[0] & object, 'api'> = {}) => {
  const clock = testClock();
  const known = new Map<string, Account>(accounts.map((each) => [each.id, each]));
  const script: { find: Find; answer: () => SendOutcome } = {
    find: async (id) => known.get(id),
    answer: () => ({ kind: 'answered', status: 200, body: '', durationMs: 0 }),
  };
  const asked: string[] = [];
  const sender = memorySender(() => script.answer());
  const made = platform({
    ...options,
    clock,
    sender,
    accounts: {
      find: (id) => {
        asked.push(id);
        return script.find(id);
      },
    },
  });
  const subscribe = async (accountId: string, host: string, more: object = { includeChildren: true }) =>
    (
      await made.kit.endpoints.create(accountId, { url: `https://${host}/`, events: ['payed'], ...more })
    )._unsafeUnwrap().endpoint.id;
  const publish = async (accountId: string, id: string): Promise<string> => {
    const event = { accountId, objectName: 'RequestPayment', type: 'payed', data: { id } } as const;
    return (await made.kit.events.publish(event, { tx: 'new' })).eventId;
  };
  const sent = () => sender.posts.map(({ url, body }) => `${new URL(url).host} ${JSON.parse(body).data.id}`).toSorted();
  const deliveries = async (accountId = 'acc_a') =>
    (await made.kit.deliveries.list(accountId, { page: { limit: 100 } }))._unsafeUnwrap().items;
  const signalsOf = (kind: string) => made.signals.filter((signal) => signal.kind === kind);
  return { ...made, clock, known, script, asked, sender, subscribe, publish, sent, deliveries, signalsOf };
};
const orphan = { id: 'acc_child', name: 'Child', status: 'active', environment: 'prod' };

const workers = runningWorkers();
afterEach(workers.stop);

describe('an endpoint that includes children', () => {
  test('receives events of direct children: the same bytes, once, and no other endpoint does', async () => {
    const made = world();
    await made.subscribe('acc_a', 'parent.example');
    await made.subscribe('acc_a', 'own.example', {});
    await made.subscribe('acc_child', 'child.example');
    await made.subscribe('acc_b', 'stranger.example');
    for (const accountId of ['acc_a', 'acc_child', 'acc_grandchild', 'acc_b']) await made.publish(accountId, accountId);
    const worker = made.kit.worker();
    expect(await worker.drain()).toBe(6);
    expect(await worker.drain()).toBe(0);
    expect(made.sent()).toEqual([
      'child.example acc_child',
      // One step up, and no further.
      'child.example acc_grandchild',
      'own.example acc_a',
      'parent.example acc_a',
      'parent.example acc_child',
      'stranger.example acc_b',
    ]);
    const ofChild = made.sender.posts.filter(({ body }) => JSON.parse(body).data.id === 'acc_child');
    expect(new Set(ofChild.map(({ body }) => body)).size).toBe(1);
    const { items } = (await made.kit.events.list('acc_a'))._unsafeUnwrap();
    expect(items.map(({ objectId, origin }) => [objectId, origin])).toEqual([
      ['acc_a', undefined],
      ['acc_child', 'acc_child'],
    ]);
  });

  test('while no endpoint includes children, the directory is not called', async () => {
    const made = world();
    await made.subscribe('acc_a', 'parent.example', {});
    await made.subscribe('acc_child', 'child.example', {});
    made.asked.length = 0;
    await made.publish('acc_child', 'p');
    await made.kit.worker().drain();
    expect(made.asked).toEqual([]);
  });

  test('in another environment, or of an account that is its own parent: nothing', async () => {
    const made = world();
    made.known.set('acc_child', { ...orphan, parentId: 'acc_a', environment: 'dev' });
    made.known.set('acc_b', { ...orphan, id: 'acc_b', parentId: 'acc_b' });
    await made.subscribe('acc_a', 'parent.example');
    await made.subscribe('acc_b', 'self.example');
    await made.publish('acc_child', 'p');
    await made.publish('acc_b', 'q');
    await made.kit.worker().drain();
    expect(made.sent()).toEqual(['self.example q']);
  });

  test('in another environment, where all are reached: the event once, and of no grandchild', async () => {
    const made = world({ api: { environmentReach: 'all' } });
    made.known.set('acc_child', { ...orphan, parentId: 'acc_a', environment: 'dev' });
    const endpointId = await made.subscribe('acc_a', 'parent.example');
    const eventId = await made.publish('acc_child', 'p');
    await made.publish('acc_grandchild', 'q');
    await made.kit.worker().drain();
    expect(made.sent()).toEqual(['parent.example p']);
    const explained = (await made.kit.deliveries.explain('acc_a', eventId, endpointId))._unsafeUnwrap();
    expect(explained.kind).toBe('delivered');
  });

  test('by a pair receives that of its children, and no other', async () => {
    const made = world();
    const events = ['RequestPayment.payed'];
    await made.subscribe('acc_a', 'pair.example', { includeChildren: true, events });
    await made.subscribe('acc_a', 'other.example', {
      includeChildren: true,
      events: ['RequestSecurityDeposit.cancel'],
    });
    await made.publish('acc_child', 'p');
    await made.kit.worker().drain();
    expect(made.sent()).toEqual(['pair.example p']);
  });

  test('a test event stays with its endpoint', async () => {
    const made = world();
    await made.subscribe('acc_a', 'parent.example');
    const id = await made.subscribe('acc_child', 'child.example');
    (
      await made.kit.events.sendTest('acc_child', id, { objectName: 'RequestPayment', type: 'payed', data: {} })
    )._unsafeUnwrap();
    await made.kit.worker().drain();
    expect(made.sender.posts.map(({ url }) => url)).toEqual(['https://child.example/']);
  });
});

describe('before each attempt', () => {
  /** An event of a child whose first attempt failed. */
  const refused = async () => {
    const made = world();
    const endpointId = await made.subscribe('acc_a', 'parent.example');
    made.script.answer = () => ({ kind: 'answered', status: 500, body: '', durationMs: 0 });
    const eventId = await made.publish('acc_child', 'p');
    const worker = made.kit.worker();
    expect(await worker.drain()).toBe(1);
    made.clock.set(made.clock.now() + minute);
    const explain = async () => (await made.kit.deliveries.explain('acc_a', eventId, endpointId))._unsafeUnwrap();
    return { ...made, worker, endpointId, eventId, explain };
  };

  test.each<[string, Account | undefined]>([
    ['is nobody’s child any more', orphan],
    ['is another’s child', { ...orphan, parentId: 'acc_b' }],
    ['has gone to another environment', { ...orphan, parentId: 'acc_a', environment: 'dev' }],
    ['is gone', undefined],
  ])('an account that %s: no POST, the delivery expires, and that is told', async (_, now) => {
    const made = await refused();
    if (now) made.known.set('acc_child', now);
    else made.known.delete('acc_child');
    await made.worker.drain();
    expect(made.sender.posts).toHaveLength(1);
    expect(await made.explain()).toMatchObject({ kind: 'expired', reason: 'out_of_reach', attempts: 1 });
    const { endpointId } = made;
    expect(made.signalsOf('delivery_expired')).toEqual([
      { kind: 'delivery_expired', accountId: 'acc_a', endpointId, deliveries: 1, reason: 'out_of_reach' },
    ]);
    expect(made.signalsOf('attempt')).toHaveLength(1);
    made.clock.set(made.clock.now() + minute);
    expect(await made.worker.drain()).toBe(0);
  });

  test('a failing directory does not count against the endpoint: the attempt is made later', async () => {
    const made = await refused();
    made.script.find = () => Promise.reject(Object.assign(new Error('secret text'), { code: 'EDOWN' }));
    await made.worker.drain();
    expect(made.sender.posts).toHaveLength(1);
    expect(await made.explain()).toMatchObject({ kind: 'waiting', attempts: 2, last: { reason: 'internal' } });
    expect(made.signalsOf('worker_error')).toEqual([
      { kind: 'worker_error', during: 'attempt', error: { name: 'Error', code: 'EDOWN' }, count: 1 },
    ]);
    made.script.find = async (id) => made.known.get(id);
    made.clock.set(made.clock.now() + 60 * minute);
    await made.worker.drain();
    expect(made.sender.posts).toHaveLength(2);
  });

  test('a burst calls the directory once', async () => {
    const made = world();
    await made.subscribe('acc_a', 'parent.example');
    made.asked.length = 0;
    for (let times = 0; times < 50; times++) await made.publish('acc_child', `p${times}`);
    await made.kit.worker().drain();
    expect(made.sent()).toHaveLength(50);
    // First whether it is known, since it has no endpoint; then its parent.
    expect(made.asked).toEqual(['acc_child', 'acc_child', 'acc_a']);
  });
});

describe('a directory that cannot find a parent', () => {
  const family = () => {
    const made = world();
    for (const id of ['acc_child_2', 'acc_child_3']) made.known.set(id, { ...orphan, id, parentId: 'acc_a' });
    return made;
  };
  const all = ['acc_child', 'acc_child_2', 'acc_child_3'];

  test('loses nothing when it fails: other accounts continue, and it is called again', async () => {
    const made = family();
    await made.subscribe('acc_a', 'parent.example');
    for (const id of all) await made.publish(id, id);
    made.script.find = async (id) => {
      if (id === 'acc_child_2') throw new Error('down');
      return made.known.get(id);
    };
    const worker = made.kit.worker();
    expect(await worker.drain()).toBe(2);
    expect(made.signalsOf('worker_error')).toEqual([
      { kind: 'worker_error', during: 'propagate', error: { name: 'Error' }, count: 1 },
    ]);
    made.script.find = async (id) => made.known.get(id);
    made.clock.set(made.clock.now() + 5 * second);
    expect(await worker.drain()).toBe(1);
    expect(made.sent()).toEqual(all.map((id) => `parent.example ${id}`));
  });

  test('delays neither other accounts nor deliveries when it hangs, and is called again', async () => {
    const made = family();
    await made.subscribe('acc_a', 'parent.example');
    await made.subscribe('acc_child', 'child.example', {});
    made.script.find = (id) =>
      id === 'acc_child' ? new Promise(() => undefined) : Promise.resolve(made.known.get(id));
    workers.run(made);
    for (const id of all) await made.publish(id, id);
    await made.clock.advance(second / 2);
    expect(made.sent()).toEqual([
      'child.example acc_child',
      'parent.example acc_child_2',
      'parent.example acc_child_3',
    ]);
    await made.clock.advance(3 * second);
    expect(made.signalsOf('worker_error')).toHaveLength(1);
    await made.publish('acc_child_2', 'later');
    await made.clock.advance(second / 2);
    expect(made.sent()).toContain('parent.example later');
    made.script.find = async (id) => made.known.get(id);
    await made.clock.advance(10 * second);
    expect(made.sent()).toContain('parent.example acc_child');
    expect(made.sent()).toHaveLength(5);
  });

  test('delays no drain when it fails, however many events and parents wait', async () => {
    const made = family();
    await made.subscribe('acc_a', 'parent.example');
    made.script.find = () => Promise.reject(new Error('down'));
    for (const accountId of all) {
      const events = Array.from({ length: 600 }, (_, index) => ({
        ...{ accountId, objectName: 'RequestPayment' as const, type: 'payed' as const },
        data: { id: `${accountId}/${index}` },
      }));
      await made.kit.events.publishMany(events, { tx: 'new' });
    }
    const worker = made.kit.worker();
    expect(await worker.drain()).toBe(0);
    made.script.find = async (id) => made.known.get(id);
    made.clock.set(made.clock.now() + 5 * second);
    expect(await worker.drain()).toBe(1_800);
  });

  test('may be slow: a late result counts', async () => {
    const made = family();
    await made.subscribe('acc_a', 'parent.example');
    made.script.find = async (id) => {
      await made.clock.sleep(0.7 * second, new AbortController().signal);
      return made.known.get(id);
    };
    workers.run(made);
    for (const id of all) await made.publish(id, id);
    await made.clock.advance(5 * second);
    expect(made.sent()).toEqual(all.map((id) => `parent.example ${id}`));
    expect(made.signalsOf('worker_error')).toEqual([]);
  });

  test('delays no stopping worker', async () => {
    const made = family();
    await made.subscribe('acc_a', 'parent.example');
    made.script.find = () => new Promise(() => undefined);
    const worker = made.kit.worker();
    worker.start();
    await made.publish('acc_child', 'p');
    await made.clock.advance(10);
    const stopped = worker.stop();
    await made.clock.advance(second / 10);
    await stopped;
  });
});

describe('events that another worker left', () => {
  test('is found: it had dispatched, and was gone', async () => {
    const made = world();
    await made.subscribe('acc_a', 'parent.example');
    await made.publish('acc_child', 'p');
    made.script.find = () => Promise.reject(new Error('down'));
    await made.kit.worker().drain();
    made.script.find = async (id) => made.known.get(id);
    const { clock, storage, sender } = made;
    const other = platform({ clock, storage, sender, random: seededRandom(2) });
    workers.run(other);
    await made.clock.advance(second);
    expect(made.sent()).toEqual(['parent.example p']);
  });
});

describe('explain', () => {
  test('says that an event of a child was not propagated yet, to its parent alone', async () => {
    const made = world();
    const endpointId = await made.subscribe('acc_a', 'parent.example');
    const stranger = await made.subscribe('acc_b', 'stranger.example');
    const eventId = await made.publish('acc_child', 'p');
    made.script.find = () => Promise.reject(new Error('down'));
    await made.kit.worker().drain();
    const explain = async (accountId: string, id: string) =>
      (await made.kit.deliveries.explain(accountId, eventId, id)).match<string>(
        ({ kind }) => kind,
        ({ code }) => code,
      );
    made.clock.set(made.clock.now() + second);
    expect(await explain('acc_a', endpointId)).toBe('unavailable');
    made.script.find = async (id) => made.known.get(id);
    made.clock.set(made.clock.now() + second);
    expect(await explain('acc_a', endpointId)).toBe('not_propagated_yet');
    expect(await explain('acc_b', stranger)).toBe('no_such_event');
    await made.kit.worker().drain();
    expect(await explain('acc_a', endpointId)).toBe('delivered');
  });
});

test('a failed read of what waits is repeated after a second, not with the next pruning', async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  let failures = 1;
  const made = platform({
    clock,
    storage: {
      ...storage,
      parents: {
        ...storage.parents,
        readPropagated: async (...args) => {
          const events = await storage.parents.readPropagated(...args);
          if (events.length > 0 && failures-- > 0) throw new Error('down');
          return events;
        },
      },
    },
  });
  const endpoint = { url: 'https://parent.example/', events: ['payed'], includeChildren: true } as const;
  (await made.kit.endpoints.create('acc_a', endpoint))._unsafeUnwrap();
  workers.run({ ...made, clock });
  const event = { accountId: 'acc_child', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } } as const;
  await made.kit.events.publish(event, { tx: 'new' });
  await clock.advance(second / 2);
  const list = async () => (await made.kit.deliveries.list('acc_a', {}))._unsafeUnwrap().items;
  expect([failures, await list()]).toEqual([0, []]);
  await clock.advance(2 * second);
  expect(await list()).toMatchObject([{ state: 'delivered' }]);
});

test('a copy is sent at once: it waits for no poll', async () => {
  const made = world();
  await made.subscribe('acc_a', 'parent.example');
  workers.run(made, { pollEvery: 60 * minute });
  await made.clock.advance(0);
  await made.publish('acc_child', 'p');
  await made.clock.advance(second / 10);
  expect(made.sent()).toEqual(['parent.example p']);
});

test('endpoints of the parent that their partner has disabled take no copies', async () => {
  const made = world();
  const id = await made.subscribe('acc_a', 'parent.example');
  await made.subscribe('acc_a', 'other.example', { includeChildren: true, events: ['cancel'] });
  (await made.kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
  await made.publish('acc_child', 'p');
  await made.kit.worker().drain();
  expect((await made.kit.events.list('acc_a', {}))._unsafeUnwrap().items).toEqual([]);
});
