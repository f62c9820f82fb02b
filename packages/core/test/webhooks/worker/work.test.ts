import { expect, test } from 'vitest';
import type { Steps } from '../../../src/webhooks/worker/steps/steps.ts';
import { createWork } from '../../../src/webhooks/worker/work.ts';

/** The reads of a session over steps that find this, each with its name in `calls`. */
const readsOf = (found: { announced?: number; more?: boolean[] } = {}) => {
  const calls: string[] = [];
  const { announced = 0, more = [] } = found;
  const answers: Readonly<Record<string, () => object>> = {
    dispatchAnnounced: () => ({ did: announced }),
    readOutbox: () => ({ did: 0, events: [] }),
    readEndpoints: () => ({ did: 1 }),
    readDue: () => ({ did: 1, deliveries: [], hasMore: more.shift() ?? false }),
    readQueues: () => ({ did: 0 }),
    keepDue: () => ({}),
  };
  const steps = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      () => {
        calls.push(name);
        return answer();
      },
    ]),
  );
  const { read } = createWork({
    steps: steps as unknown as Steps,
    context: { memory: { accounts: { hasExpected: () => false } } } as never,
    serve: async (step) => (await step()) as never,
    sendReady: () => calls.push('sendReady'),
  });
  return { calls, read };
};

test('more due deliveries than a page are read in the next cycle, whatever it reads besides', async () => {
  const { calls, read } = readsOf({ more: [true, true, false] });
  for (const reads of ['all', 'woken', 'events', 'woken', 'events'] as const) await read(reads);
  expect(calls.filter((name) => name === 'readDue')).toHaveLength(3);
});

test('attempts of announced events start before the outbox is read', async () => {
  const { calls, read } = readsOf({ announced: 1 });
  expect(await read('woken')).toEqual({ found: 1, propagates: false });
  expect(calls.slice(0, 3)).toEqual(['dispatchAnnounced', 'sendReady', 'readOutbox']);
});
