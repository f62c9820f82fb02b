import { afterEach, describe, expect, test } from 'vitest';
import { hour, minute, second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import type { SendOutcome } from '../../../src/webhooks/deliveries/sender.ts';
import { breakerPauses, failuresToOpen } from '../../../src/webhooks/delivery-rules/breaker.ts';
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
import { call } from '../../support/http.ts';
import { platform, provenEngine } from '../../support/kit.ts';
import { withoutJitter } from '../../support/random.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
afterEach(workers.stop);

const testEvent = { objectName: 'RequestPayment', type: 'payed', data: {} } as const;

/** An endpoint that is paused because its receiver gave these answers. Nothing is due but what the pause delays. */
const paused = async (...answers: readonly SendOutcome[]) => {
  const receiver = { answer: answered(200) as SendOutcome };
  const sender = memorySender(() => receiver.answer);
  const made = platform({ random: withoutJitter(), sender });
  const { id } = await subscribe(made, 'one.example');
  const worker = made.kit.worker({ perEndpoint: 1 });
  for (const [index, answer] of answers.entries()) {
    receiver.answer = answer;
    await publish(made, 1, 'acc_a', index);
    await worker.drain();
  }
  const { endpoints, events, deliveries } = made.kit;
  const health = async () => (await endpoints.health('acc_a', [id]))._unsafeUnwrap()[0];
  expect((await health())?.pausedUntil, 'the endpoint is paused').toBeGreaterThan(start);
  return {
    ...made,
    endpointId: id,
    worker,
    receiver,
    health,
    resume: () => endpoints.resume('acc_a', id),
    sendTest: async () => (await events.sendTest('acc_a', id, testEvent))._unsafeUnwrap(),
    sendAgain: async (index: number) => {
      const delivery = (await deliveriesOf(made))[index];
      return (await deliveries.sendAgain('acc_a', delivery?.id ?? ''))._unsafeUnwrap();
    },
    /** The attempts that one look at the storage makes. */
    attempts: async () => {
      const before = sender.posts.length;
      await worker.drain();
      return sender.posts.length - before;
    },
  };
};

const failed = answered(500);
const opened = Array.from({ length: failuresToOpen }, () => failed);

describe('while the breaker pauses an endpoint', () => {
  test('new events wait', async () => {
    const made = await paused(...opened);
    await publish(made, 3, 'acc_a', 10);
    expect(await made.attempts()).toBe(0);
  });

  test('a test event is sent, and its success ends the pause for all', async () => {
    const made = await paused(...opened);
    await publish(made, 3, 'acc_a', 10);
    made.receiver.answer = answered(200);
    await made.sendTest();
    // The test event and three new ones. The five retries are not due.
    expect(await made.attempts()).toBe(4);
    expect(made.sender.posts.at(failuresToOpen)?.body).toContain('"id":"test_');
    expect(await made.health()).toBeUndefined();
    expect(made.signals.filter(({ kind }) => kind === 'endpoint_recovered')).toHaveLength(1);
  });

  test('a failed test event neither ends nor lengthens the pause', async () => {
    const made = await paused(...opened);
    const before = await made.health();
    await made.sendTest();
    expect(await made.attempts()).toBe(1);
    expect(await made.health()).toEqual({ ...before, failures: failuresToOpen + 1 });
    // Its retry waits, like any other delivery.
    made.clock.set(start + 30 * second);
    expect(await made.attempts()).toBe(0);
  });

  test('what is sent again is sent: scheduled, queued or finished', async () => {
    const made = await paused(answered(200), ...opened);
    await publish(made, 1, 'acc_a', 20);
    await made.worker.drain();
    expect(await statesOf(made)).toEqual(['delivered', ...Array(failuresToOpen + 1).fill('waiting')]);
    for (const index of [0, 1, failuresToOpen + 1]) {
      await made.sendAgain(index);
      expect(await made.attempts(), `delivery ${index}`).toBe(1);
    }
    made.receiver.answer = answered(200);
    await made.sendAgain(1);
    await made.worker.drain();
    expect(await made.health()).toBeUndefined();
  });

  test('a test event is sent that waited in memory when the pause began', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    const { id } = await subscribe(made, 'one.example');
    workers.run(made, { perEndpoint: 1 });
    await publish(made, failuresToOpen);
    await settled();
    for (let failed = 1; failed < failuresToOpen; failed++) {
      sender.answerAll(500);
      await settled();
    }
    (await made.kit.events.sendTest('acc_a', id, testEvent))._unsafeUnwrap();
    await settled();
    sender.answerAll(500);
    await made.clock.advance(second);
    expect(sender.open.map(({ post }) => post.body)).toEqual([expect.stringContaining('"id":"test_')]);
  });

  test('a delivery is sent that was sent again while it waited in memory, before the pause began', async () => {
    const sender = heldSender();
    const made = platform({ random: withoutJitter(), sender });
    await subscribe(made, 'one.example');
    workers.run(made, { perEndpoint: 1 });
    await publish(made, failuresToOpen - 1);
    await settled();
    for (let failed = 1; failed < failuresToOpen; failed++) {
      sender.answerAll(500);
      await settled();
    }
    // All retries are due: the first one is in flight, the others were read.
    await made.clock.advance(6 * second);
    const last = (await deliveriesOf(made)).at(-1);
    (await made.kit.deliveries.sendAgain('acc_a', last?.id ?? ''))._unsafeUnwrap();
    sender.answerAll(500);
    await made.clock.advance(second);
    expect(sender.open.map(({ post }) => idOf(post))).toEqual([`acc_a/${failuresToOpen - 2}`]);
  });

  test('one attempt at a time', async () => {
    const sender = heldSender();
    const made = platform({ engine: provenEngine, sender });
    const { id } = await subscribe(made, 'one.example');
    workers.run(made);
    await publish(made, failuresToOpen);
    await settled();
    sender.answerAll(500);
    await settled();
    for (const _ of Array(3)) (await made.kit.events.sendTest('acc_a', id, testEvent))._unsafeUnwrap();
    await made.clock.advance(second);
    expect(sender.open).toHaveLength(1);
    sender.answerAll(500);
    await settled();
    expect(sender.open).toHaveLength(1);
    // After the failure, the others are as urgent as before; a success lets them go together.
    sender.answerAll(200);
    await made.clock.advance(second);
    expect(sender.counts.sent).toBe(failuresToOpen + 3);
  });

  test('a worker that takes over after a crash sends them too', async () => {
    const made = await paused(...opened);
    const dispatches: unknown[] = [];
    const deliveries: typeof made.storage.deliveries = {
      ...made.storage.deliveries,
      dispatch: async (...args) => {
        const dispatched = await made.storage.deliveries.dispatch(...args);
        dispatches.push(args[1]);
        return dispatched;
      },
      // It crashes before it reads what is due.
      readDue: () => Promise.reject(new Error('The process has died.')),
    };
    await made.sendTest();
    const { clock, sender } = made;
    const crashing = platform({ clock, sender, storage: { ...made.storage, deliveries } }).kit.worker();
    await expect(crashing.drain()).rejects.toThrow('the storage failed');
    expect(dispatches).toHaveLength(1);
    made.clock.set(start + 25 * second);
    expect(await made.attempts()).toBe(1);
  });
});

describe('a pause that the receiver requested', () => {
  const busy = answered(503, { retryAfter: '3600' });

  test('delays test events and what is sent again, also while the breaker is open', async () => {
    for (const answers of [[busy], [...opened.slice(1), busy]]) {
      const made = await paused(...answers);
      await made.sendTest();
      await made.sendAgain(0);
      expect(await made.attempts()).toBe(0);
      made.clock.set(start + hour - 1);
      expect(await made.attempts()).toBe(0);
    }
  });

  test('is ended by resume', async () => {
    const made = await paused(busy);
    made.receiver.answer = answered(200);
    await made.sendTest();
    expect(await made.attempts()).toBe(0);
    (await made.resume())._unsafeUnwrap();
    expect(await made.attempts()).toBe(1);
  });
});

describe('resume', () => {
  test('sends one probe at once; its success lets all others continue', async () => {
    const made = await paused(...opened);
    await publish(made, 3, 'acc_a', 10);
    await made.worker.drain();
    const before = await made.health();
    (await made.resume())._unsafeUnwrap();
    const { pausedUntil: _ended, ...rest } = before ?? {};
    expect(await made.health()).toEqual(rest);
    expect(await made.attempts()).toBe(1);
    // The probe failed: the second pause is longer than the first, as after a pause that ended by itself.
    expect((await made.health())?.pausedUntil).toBe(start + (breakerPauses[1] ?? 0));
    made.receiver.answer = answered(200);
    (await made.resume())._unsafeUnwrap();
    expect(await made.attempts(), 'without the probe, whose retry is not due').toBe(2);
    expect(await made.health()).toBeUndefined();
  });

  test('reaches a running worker', async () => {
    const sender = heldSender();
    const made = platform({ engine: provenEngine, sender });
    const { id } = await subscribe(made, 'one.example');
    workers.run(made);
    await publish(made, failuresToOpen);
    await settled();
    sender.answerAll(500);
    await made.clock.advance(10 * second);
    expect(sender.open).toHaveLength(0);
    (await made.kit.endpoints.resume('acc_a', id))._unsafeUnwrap();
    await made.clock.advance(second);
    expect(sender.open).toHaveLength(1);
  });

  test('is signalled once, and changes nothing when there is no pause', async () => {
    const made = await paused(...opened);
    const first = (await made.resume())._unsafeUnwrap();
    const again = (await made.resume())._unsafeUnwrap();
    expect(again).toEqual(first);
    const resumed = made.signals.filter((signal) => signal.kind === 'endpoint' && signal.change === 'resumed');
    expect(resumed).toEqual([
      { kind: 'endpoint', change: 'resumed', accountId: 'acc_a', endpointId: made.endpointId, by: { type: 'host' } },
    ]);
  });

  test('over the management API, answers with the endpoint as it is then', async () => {
    const made = await paused(...opened);
    const can = { webhooks: 'write' } as const;
    const routes = made.kit.managementRoutes({ authorize: () => ({ accountId: 'acc_a', userId: 'user_1', can }) });
    const target = `/api/v1/partner-management/endpoints/${made.endpointId}/resume`;
    const { status, headers, body } = await call({ routes }, 'POST', target, { headers: { 'if-match': '"1"' } });
    // Its health is a part of the ETag.
    expect([status, headers['etag']]).toEqual([200, expect.stringMatching(/^"2\.[0-9a-f]{16}"$/)]);
    const health = { status: 'failing', failures: failuresToOpen, failingSince: start / second };
    expect(JSON.parse(String(body))).toMatchObject({ id: made.endpointId, health });
    expect(made.signals.at(-1)).toMatchObject({ change: 'resumed', by: { type: 'user', id: 'user_1' } });
  });

  test('is refused for another account, an unknown endpoint and another version', async () => {
    const made = await paused(...opened);
    const { kit, endpointId } = made;
    expect((await kit.endpoints.resume('acc_b', endpointId))._unsafeUnwrapErr().code).toBe('not_found');
    expect((await kit.endpoints.resume('acc_a', 'none'))._unsafeUnwrapErr().code).toBe('not_found');
    const outdated = await kit.endpoints.resume('acc_a', endpointId, { ifVersion: 7 });
    expect(outdated._unsafeUnwrapErr().code).toBe('version_mismatch');
    expect((await made.health())?.pausedUntil).toBe(start + minute);
  });
});

test('with a development sender, no pause of the breaker takes longer than 5 seconds', async () => {
  const real = memorySender(() => failed);
  const made = platform({ random: withoutJitter(), sender: { ...real, development: true } });
  const { id } = await subscribe(made, 'one.example');
  const worker = made.kit.worker();
  await publish(made, failuresToOpen);
  for (const _ of breakerPauses) {
    await worker.drain();
    const [health] = (await made.kit.endpoints.health('acc_a', [id]))._unsafeUnwrap();
    const pause = (health?.pausedUntil ?? 0) - made.clock.now();
    expect(pause).toBeGreaterThan(0);
    expect(pause).toBeLessThanOrEqual(5 * second);
    made.clock.set(made.clock.now() + pause);
  }
});
