import { describe, expect, test } from 'vitest';
import { second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import type { Sender } from '../../../src/webhooks/deliveries/sender.ts';
import { developmentSchedule, retrySchedule } from '../../../src/webhooks/delivery-rules/retry-policy.ts';
import { start, testClock } from '../../support/clock.ts';
import { platform } from '../../support/kit.ts';

const input = { url: 'https://partner.example/', events: ['payed'] } as const;

test('a development sender has as many retries, none later than in production', () => {
  expect(developmentSchedule).toHaveLength(retrySchedule.length);
  for (const [index, wait] of developmentSchedule.entries()) {
    expect(wait).toBeLessThanOrEqual(5 * second);
    expect(wait).toBeLessThanOrEqual(retrySchedule[index] as number);
  }
});

test.each([
  [undefined, [5, 300]],
  [false, [5, 300]],
  [true, [5, 5]],
])('a sender with development: %s has retries after %j seconds', async (development, waits) => {
  const clock = testClock();
  const real = memorySender(() => ({ kind: 'failed', reason: 'connect', durationMs: 1 }));
  const sender: Sender & typeof real = { ...real, ...(development === undefined ? {} : { development }) };
  const { kit } = platform({ clock, sender });
  (await kit.endpoints.create('acc_a', input))._unsafeUnwrap();
  await kit.events.publish(
    { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } },
    { tx: 'new' },
  );
  const worker = kit.worker();
  let at = start;
  for (const [index, wait] of [0, ...waits].entries()) {
    clock.set(at + wait * second - 1);
    if (index > 0) await worker.drain();
    expect(real.posts).toHaveLength(index);
    // The jitter is a tenth at most.
    at += wait * 1.1 * second;
    clock.set(at);
    await worker.drain();
    expect(real.posts).toHaveLength(index + 1);
  }
});

describe('a URL that the sender can never reach', () => {
  const detail =
    'url: this address is not public, so nothing is sent to it. The sender\'s option "development" opens loopback, "allow" other ranges.';
  const sender = { ...memorySender(), canReach: (url: string) => !url.includes('10.0.0.1') };

  test('is refused when the endpoint is created, and when its URL changes', async () => {
    const { kit } = platform({ sender });
    const refused = { ...input, url: 'https://10.0.0.1/hooks' };
    expect((await kit.endpoints.create('acc_a', refused))._unsafeUnwrapErr()).toMatchObject({
      code: 'invalid_input',
      message: detail,
    });
    const { endpoint } = (await kit.endpoints.create('acc_a', input))._unsafeUnwrap();
    expect((await kit.endpoints.update('acc_a', endpoint.id, { url: refused.url }))._unsafeUnwrapErr()).toMatchObject({
      code: 'invalid_input',
      message: detail,
    });
  });

  test('is checked in its stored form', async () => {
    const asked: string[] = [];
    const { kit } = platform({ sender: { ...sender, canReach: (url) => asked.push(url) > 0 } });
    (await kit.endpoints.create('acc_a', { ...input, url: 'HTTPS://Partner.Example' }))._unsafeUnwrap();
    expect(asked).toEqual(['https://partner.example/']);
  });

  test('does not block other changes of an endpoint that has it', async () => {
    const { kit, storage } = platform({ sender });
    const { endpoint } = (await kit.endpoints.create('acc_a', input))._unsafeUnwrap();
    const stored = await storage.endpoints.findEndpoint('acc_a', endpoint.id);
    await storage.endpoints.replaceEndpoint({ ...stored, url: 'https://10.0.0.1/' } as never);
    expect((await kit.endpoints.update('acc_a', endpoint.id, { label: 'x' })).isOk()).toBe(true);
  });
});
