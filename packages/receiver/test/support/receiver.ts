import { type Mock, vi } from 'vitest';
import { createReceiver, memorySeenKeys, type ProcessOptions, type Receiver, type SeenKeys } from '../../src/index.ts';
import { type TestClock, testClock } from './clock.ts';
import { type Gate, gate } from './gate.ts';
import { secret } from './platform.ts';

export type Options = Partial<ProcessOptions<Record<never, never>>>;

/** A receiver that hands everything to one handler, and what it works with. */
export interface Parts {
  readonly claim: Mock<SeenKeys['claim']>;
  readonly clock: TestClock;
  readonly handler: Mock<(event: unknown) => void | Promise<void>>;
  readonly onError: Mock<(cause: unknown, event: unknown) => void>;
  readonly receiver: Receiver;
  readonly seen: SeenKeys;
}

export const setUp = (options: Options = {}): Parts => {
  const clock = testClock();
  const seen = memorySeenKeys({ clock });
  const claim = vi.spyOn(seen, 'claim');
  const handler = vi.fn<Parts['handler']>();
  const onError = vi.fn();
  const receiver = createReceiver({ secrets: [secret], seen, on: {}, otherwise: handler, onError, clock, ...options });
  return { claim, clock, handler, onError, receiver, seen };
};

/** A handler whose every run waits for its own gate. */
export const gated = (): { readonly gates: readonly Gate[]; readonly handler: () => Promise<void> } => {
  const gates: Gate[] = [];
  const handler = (): Promise<void> => {
    const next = gate();
    gates.push(next);
    return next.passed;
  };
  return { gates, handler };
};

/** Lets everything run that waits for nothing. */
export const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** The verdict on a duplicate of what is being processed. */
export const inProgress = '409 in_progress';
/** The verdict on an event that could not be processed. */
export const failed = '503 handler_failed';
