import { setTimeout as after } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { names } from './arrivals.ts';
import { addEndpoint, type Kit, payed } from './kit.ts';

/** So many that of two workers each has some: each owns half of the shards. */
export const loadAccounts = names(32, 'acc_');

/** Adds endpoints of these names to each account that has the load. */
export const addLoadEndpoints = async (kit: Kit, endpoints: readonly string[]): Promise<void> => {
  for (const account of loadAccounts)
    for (const name of endpoints) await addEndpoint(kit, account, `${account}/${name}`);
};

/** Publishes one event after the other, no faster than they are delivered, until it is stopped or the test ends. */
export const startLoad = ({ events }: Kit, prefix: string) => {
  /** Whose commit was acknowledged. */
  const committed: string[] = [];
  let stopping = false;
  const publish = async (): Promise<void> => {
    for (let count = 0; !stopping; count++) {
      const name = `${prefix}${count}`;
      const published = await events.tryPublish(payed(loadAccounts[count % loadAccounts.length] as string, name), {
        tx: 'new',
      });
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
