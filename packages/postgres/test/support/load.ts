import { setTimeout as after } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { type Kit, payed } from './kit.ts';

/** Publishes one event after the other, no faster than they are delivered, until it is stopped or the test ends. */
export const startLoad = ({ events }: Kit, prefix: string) => {
  /** Whose commit was acknowledged. */
  const committed: string[] = [];
  let stopping = false;
  const publish = async (): Promise<void> => {
    for (let count = 0; !stopping; count++) {
      const name = `${prefix}${count}`;
      const published = await events.tryPublish(payed('ours', name), { tx: 'new' });
      if (published.isOk()) committed.push(name);
      await after(5);
    }
  };
  const publishing = publish();
  const stop = async (): Promise<void> => {
    stopping = true;
    await publishing;
  };
  onTestFinished(stop);
  return {
    committed,
    stop,
    /** Resolves once so many more were committed. */
    more: async (count: number): Promise<void> => {
      const enough = committed.length + count;
      await vi.waitUntil(() => committed.length >= enough, { timeout: 240_000, interval: 5 });
    },
  };
};
