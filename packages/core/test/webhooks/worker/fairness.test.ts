import { afterEach, describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { settled, testClock } from '../../support/clock.ts';
import { hostOf, idOf, publish, runningWorkers, statesOf, subscribe } from '../../support/deliveries.ts';
import { platform, provenEngine } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
afterEach(workers.stop);

describe('limits', () => {
  test('at most eight in flight to one endpoint, over all workers', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const sender = heldSender();
    const one = platform({ clock, storage, sender });
    const two = platform({ clock, storage, sender, random: seededRandom(2) });
    await subscribe(one, 'one.example');
    await publish(one, 50);
    workers.run(one);
    workers.run(two);
    for (let times = 0; times < 50; times++) {
      await clock.advance(250);
      expect(sender.open.length).toBeLessThanOrEqual(8);
      sender.open[0]?.answer();
    }
    await clock.advance(250);
    expect(sender.counts).toEqual({ sent: 50, most: 8 });
  });

  test('at most a quarter of concurrency in flight for one account', async () => {
    const sender = heldSender();
    const made = platform({ engine: provenEngine, sender });
    for (let index = 0; index < 5; index++) await subscribe(made, `e${index}.example`);
    await publish(made, 20);
    workers.run(made);
    await settled();
    expect(sender.open).toHaveLength(16);
    while (sender.counts.sent < 100) {
      sender.open[0]?.answer();
      await settled();
    }
    sender.answerAll();
    expect(sender.counts).toEqual({ sent: 100, most: 16 });
  });

  test('never more in flight than concurrency', async () => {
    const sender = heldSender();
    const made = platform({ engine: provenEngine, sender });
    for (let index = 0; index < 3; index++) await subscribe(made, `e${index}.example`);
    await publish(made, 30);
    workers.run(made, { concurrency: 5, perAccount: 100, perEndpoint: 100 });
    await settled();
    while (sender.counts.sent < 90) {
      expect(sender.open).toHaveLength(5);
      sender.open[0]?.answer();
      await settled();
    }
    sender.answerAll();
    expect(sender.counts.most).toBe(5);
  });

  test('a concurrency of 1 delivers everything', async () => {
    const made = platform();
    await subscribe(made, 'one.example');
    await publish(made, 5);
    expect(await made.kit.worker({ concurrency: 1 }).drain()).toBe(5);
  });

  test('free capacity of a full endpoint is used at once', async () => {
    const sender = heldSender();
    const made = platform({ engine: provenEngine, sender });
    await subscribe(made, 'one.example');
    await publish(made, 30);
    workers.run(made);
    await settled();
    const begun = made.clock.now();
    expect(sender.open).toHaveLength(8);
    while (sender.counts.sent < 30) {
      sender.open[0]?.answer();
      await settled();
      expect(sender.open).toHaveLength(8);
    }
    sender.answerAll();
    expect(made.clock.now()).toBe(begun);
  });
});

describe('turns', () => {
  test('a busy account with dead endpoints does not delay another', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    for (let index = 0; index < 20; index++) await subscribe(made, `dead${index}.example`);
    await publish(made, 100);
    workers.run(made);
    await settled();
    expect(sender.open).toHaveLength(16);
    await subscribe(made, 'living.example', 'acc_b');
    await publish(made, 1, 'acc_b');
    await settled();
    expect(sender.open.map(({ post }) => post.url)).toContain('https://living.example/');
  });

  test('no endpoint is served twice while another waits', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    for (const host of ['a', 'b', 'c']) await subscribe(made, `${host}.example`);
    await publish(made, 4);
    workers.run(made, { concurrency: 1 });
    const order: string[] = [];
    for (let times = 0; times < 12; times++) {
      await settled();
      for (const { post, answer } of [...sender.open]) {
        order.push(hostOf(post)[0] as string);
        answer();
      }
    }
    for (let turn = 0; turn < 4; turn++)
      expect(order.slice(3 * turn, 3 * turn + 3).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('an account with very many events gets one read per round', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const reads: string[] = [];
    const deliveries: typeof storage.deliveries = {
      ...storage.deliveries,
      dispatch: (workerId, events, ...rest) => {
        reads.push([...new Set(events.map(({ event }) => event.accountId))].join(' '));
        return storage.deliveries.dispatch(workerId, events, ...rest);
      },
    };
    const made = platform({ clock, storage: { ...storage, deliveries } });
    for (const accountId of ['acc_child', 'acc_a', 'acc_b']) await subscribe(made, `${accountId}.example`, accountId);
    // Its shard is read before those of the others.
    await publish(made, 2_000, 'acc_child');
    await publish(made, 1, 'acc_a');
    await publish(made, 1, 'acc_b');
    const worker = made.kit.worker();
    expect(await worker.drain()).toBe(2_002);
    expect(reads).toEqual(['acc_child', 'acc_b acc_a acc_child', 'acc_child', 'acc_child']);
    expect(made.sender.posts.findLastIndex((post) => idOf(post) === 'acc_b/0')).toBeLessThan(600);
  });

  test('drains of one worker run one at a time, within its concurrency', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    for (let index = 0; index < 3; index++) await subscribe(made, `e${index}.example`);
    await publish(made, 10);
    const worker = made.kit.worker({ concurrency: 4, perAccount: 100, perEndpoint: 100 });
    const draining = Promise.all([worker.drain(), worker.drain()]);
    while (sender.counts.sent < 30) {
      await settled();
      sender.open[0]?.answer();
    }
    sender.answerAll();
    expect(await draining).toEqual([30, 0]);
    expect(await statesOf(made)).toEqual(Array(30).fill('delivered'));
    expect(sender.counts.most).toBeLessThanOrEqual(4);
  });
});
