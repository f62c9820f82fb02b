import { expect, test } from 'vitest';
import { minute, second } from '../../../src/base/runtime/time.ts';
import type { DeliveryRequest, Sender, SendOutcome } from '../../../src/webhooks/deliveries/sender.ts';
import { settled, testClock } from '../../support/clock.ts';
import { platform } from '../../support/kit.ts';

/** A sender that breaks its promise: it never settles what goes to the host `hung.example`. */
const hangingSender = (): Sender & { readonly posts: DeliveryRequest[] } => {
  const posts: DeliveryRequest[] = [];
  return {
    posts,
    send: async (post) => {
      posts.push(post);
      if (new URL(post.url).host === 'hung.example') await new Promise(() => undefined);
      return { kind: 'answered', status: 200, body: '', durationMs: 0 };
    },
  };
};

const world = async () => {
  const clock = testClock();
  const made = { ...platform({ clock, sender: hangingSender() }), clock };
  for (const host of ['hung.example', 'good.example']) {
    (await made.kit.endpoints.create('acc_a', { url: `https://${host}/`, events: ['payed'] }))._unsafeUnwrap();
  }
  const publish = (id: string) =>
    made.kit.events.publish(
      { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id } },
      { tx: 'new' },
    );
  return { ...made, publish };
};

test('an attempt whose sender never settles frees its slot, and is retried like any failure', async () => {
  const { kit, clock, sender, signals, publish } = await world();
  const worker = kit.worker({ concurrency: 1, perAccount: 1 });
  worker.start();
  await publish('p');
  await settled();
  expect(sender.posts.map(({ url }) => url)).toEqual(['https://hung.example/']);
  await clock.advance(25 * second);
  expect(sender.posts.map(({ url }) => url)).toContain('https://good.example/');
  expect(signals).toContainEqual({
    kind: 'worker_error',
    during: 'attempt',
    error: { name: 'SenderNeverSettled' },
    count: 1,
  });
  expect(signals.find((signal) => signal.kind === 'attempt')).toMatchObject({ outcome: 'internal', next: 'retry' });
  const stopping = worker.stop();
  await clock.advance(minute);
  await stopping;
});

test('stop does not wait for it longer than an attempt may take', async () => {
  const { kit, clock, publish } = await world();
  const worker = kit.worker();
  worker.start();
  await publish('p');
  await settled();
  let stopped = false;
  const stopping = worker.stop().then(() => {
    stopped = true;
  });
  await clock.advance(19 * second);
  expect(stopped).toBe(false);
  await clock.advance(second);
  await stopping;
  const { items } = (await kit.deliveries.list('acc_a', { page: {} }))._unsafeUnwrap();
  expect(items.map(({ state }) => state).toSorted()).toEqual(['delivered', 'waiting']);
});

test('what was answered while the process was suspended counts', async () => {
  const clock = testClock();
  const answer = Promise.withResolvers<SendOutcome>();
  const { kit, signals } = platform({ clock, sender: { send: () => answer.promise } });
  (await kit.endpoints.create('acc_a', { url: 'https://good.example/', events: ['payed'] }))._unsafeUnwrap();
  const worker = kit.worker();
  worker.start();
  await kit.events.publish(
    { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } },
    { tx: 'new' },
  );
  await settled();
  clock.set(clock.now() + minute);
  // Its timers come first, then what arrived.
  await clock.advance(0);
  answer.resolve({ kind: 'answered', status: 200, body: '', durationMs: 1 });
  await settled();
  expect(signals.find((signal) => signal.kind === 'attempt')).toMatchObject({ outcome: 200, next: 'delivered' });
  await worker.stop();
});

test('an attempt that was given up and ends later is finished once', async () => {
  const clock = testClock();
  const late = Promise.withResolvers<SendOutcome>();
  let sent = 0;
  const never = new Promise<SendOutcome>(() => undefined);
  const { kit, signals } = platform({ clock, sender: { send: () => (sent++ === 0 ? late.promise : never) } });
  (await kit.endpoints.create('acc_a', { url: 'https://good.example/', events: ['payed'] }))._unsafeUnwrap();
  const worker = kit.worker({ concurrency: 1 });
  worker.start();
  for (const id of ['p', 'q', 'r'])
    await kit.events.publish(
      { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id } },
      { tx: 'new' },
    );
  await clock.advance(25 * second);
  const attempts = () => signals.filter(({ kind }) => kind === 'attempt');
  expect([attempts().length, sent]).toEqual([1, 2]);
  late.resolve({ kind: 'answered', status: 200, body: '', durationMs: 25 * second });
  await clock.advance(second);
  // It frees no slot for a second time, and is neither signalled nor logged.
  expect([attempts().length, sent]).toEqual([1, 2]);
  const { items } = (await kit.deliveries.list('acc_a', { page: {} }))._unsafeUnwrap();
  expect(items.map(({ state, attempts: made }) => `${state} ${made}`)).toEqual(['waiting 1', 'waiting 0', 'waiting 0']);
  const stopping = worker.stop();
  await clock.advance(minute);
  await stopping;
});
