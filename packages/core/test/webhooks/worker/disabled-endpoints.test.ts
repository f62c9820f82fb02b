import { afterEach, expect, test } from 'vitest';
import { day, minute, second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { settled, start } from '../../support/clock.ts';
import {
  answered,
  deliveriesOf,
  idOf,
  publish,
  runningWorkers,
  statesOf,
  subscribe,
} from '../../support/deliveries.ts';
import { platform, provenEngine } from '../../support/kit.ts';
import { seededRandom, withoutJitter } from '../../support/random.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
afterEach(workers.stop);

/** Deliveries of one endpoint that wait: their first attempts failed. */
const waiting = async (count: number) => {
  const receiver = { status: 500 };
  const sender = memorySender(() => answered(receiver.status));
  const made = platform({ random: withoutJitter(), sender });
  const { id } = await subscribe(made, 'one.example');
  const worker = made.kit.worker();
  await publish(made, count);
  expect(await worker.drain()).toBe(count);
  const { endpoints } = made.kit;
  return {
    ...made,
    worker,
    receiver,
    disable: async () => (await endpoints.disable('acc_a', id))._unsafeUnwrap(),
    enable: async () => (await endpoints.enable('acc_a', id))._unsafeUnwrap(),
    remove: async () => (await endpoints.delete('acc_a', id))._unsafeUnwrap(),
  };
};

test('disabled by the partner: pending deliveries are held, new events create none; enabling releases them', async () => {
  const made = await waiting(2);
  await made.disable();
  await publish(made, 1, 'acc_a', 2);
  expect(await made.worker.drain()).toBe(0);
  expect(await statesOf(made)).toEqual(['held', 'held']);
  made.clock.set(start + day);
  expect(await made.worker.drain()).toBe(0);
  made.receiver.status = 200;
  await made.enable();
  expect(await statesOf(made)).toEqual(['waiting', 'waiting']);
  expect(await made.worker.drain()).toBe(2);
  expect(made.sender.posts.slice(2).map(idOf)).toEqual(['acc_a/0', 'acc_a/1']);
});

test('after enabling, a retry is not earlier than it was due', async () => {
  const made = await waiting(1);
  made.clock.set(start + 5 * second);
  await made.worker.drain();
  await made.disable();
  await made.enable();
  made.clock.set(start + 5 * second + 5 * minute - 1);
  expect(await made.worker.drain()).toBe(0);
  made.clock.set(start + 5 * second + 5 * minute);
  expect(await made.worker.drain()).toBe(1);
});

test('disabled while an attempt is under way: it counts, and its retry is held', async () => {
  const sender = heldSender();
  const made = platform({ sender });
  const { id } = await subscribe(made, 'one.example');
  await publish(made, 1);
  const draining = made.kit.worker().drain();
  await settled();
  (await made.kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
  sender.open[0]?.answer(500);
  expect(await draining).toBe(1);
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'held', attempts: 1 }]);
});

test('disabled while some wait in memory: they are not sent', async () => {
  const sender = heldSender();
  const made = platform({ sender });
  const { id } = await subscribe(made, 'one.example');
  await publish(made, 3);
  workers.run(made, { perEndpoint: 1 });
  await settled();
  (await made.kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
  // The next look at the store tells of it.
  await made.clock.advance(250);
  sender.answerAll();
  await settled();
  expect(sender.counts.sent).toBe(1);
  expect(await statesOf(made)).toEqual(['delivered', 'held', 'held']);
  (await made.kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
  for (const expected of ['acc_a/1', 'acc_a/2']) {
    await settled();
    expect(sender.open.map(({ post }) => idOf(post))).toEqual([expected]);
    sender.answerAll();
  }
  await settled();
  expect(await statesOf(made)).toEqual(['delivered', 'delivered', 'delivered']);
});

test('disabled by the breaker: new events create held deliveries', async () => {
  const made = platform();
  const { id } = await subscribe(made, 'one.example');
  const stored = await made.storage.endpoints.findEndpoint('acc_a', id);
  const disabled = { ...stored, state: 'disabled_by_breaker' } as never;
  expect(await made.storage.endpoints.replaceEndpoint(disabled)).toBe(true);
  await publish(made, 2);
  const worker = made.kit.worker();
  expect(await worker.drain()).toBe(0);
  expect(await statesOf(made)).toEqual(['held', 'held']);
  (await made.kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
  expect(await worker.drain()).toBe(2);
});

test('deleted: unfinished deliveries expire', async () => {
  const made = await waiting(2);
  await made.remove();
  expect(await statesOf(made)).toEqual(['expired', 'expired']);
  made.clock.set(start + day);
  expect(await made.worker.drain()).toBe(0);
  expect(await statesOf(made)).toEqual(['expired', 'expired']);
});

test('deleted while held, and while an attempt is under way', async () => {
  const made = await waiting(1);
  await made.disable();
  await made.remove();
  // Another process: its events are listed after those of an earlier millisecond.
  made.clock.set(start + 1);
  const sender = heldSender();
  const other = platform({
    engine: provenEngine,
    clock: made.clock,
    storage: made.storage,
    sender,
    random: seededRandom(2),
  });
  const busy = await subscribe(other, 'busy.example');
  await publish(other, 2, 'acc_a', 1);
  const draining = other.kit.worker().drain();
  await settled();
  (await other.kit.endpoints.delete('acc_a', busy.id))._unsafeUnwrap();
  sender.open[0]?.answer(500);
  sender.open[0]?.answer(200);
  expect(await draining).toBe(2);
  expect(await statesOf(made)).toEqual(['expired', 'expired', 'delivered']);
});
