import { strictEqual } from 'node:assert';
import type { Cases } from './contract.ts';
import { whileOpen } from './open-transaction.ts';
import { soon } from './racers.ts';
import { event, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { publish } from './world.ts';

/** Something that rings, and that one may wait for. */
const bell = () => {
  let rings = 0;
  let wake: () => void = () => {};
  let rung: Promise<void>;
  const forget = (): void => {
    rung = new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  forget();
  return {
    ring: () => {
      rings++;
      wake();
    },
    rings: () => rings,
    /** From now on it has not rung. */
    forget,
    /** Until it has rung. */
    heard: () => soon(rung, 'a call of onDue'),
  };
};

/** How a queue wakes a worker that sleeps. @internal */
export const wakingCases: Cases<StorageFixture> = {
  'who watches is called after a commit of events, of any account': async ({ storage }) => {
    const { ring, forget, heard } = bell();
    const stop = await storage.queue.watch(ring);
    for (const accountId of [ours, theirs]) {
      await whileOpen(storage, async (open) => {
        await storage.events.append(open.tx, [event({ accountId })]);
        // A call before the commit is for nothing: there is nothing to see yet.
        forget();
        await open.commit();
        await heard();
      });
    }
    stop();
  },
  'many watch at once, and who stopped is not called any more': async ({ storage }) => {
    const [stays, stops] = [bell(), bell()];
    const stopStaying = await storage.queue.watch(stays.ring);
    const stop = await storage.queue.watch(stops.ring);
    await publish(storage, [event()]);
    await Promise.all([stays.heard(), stops.heard()]);
    stop();
    const before = stops.rings();
    for (let times = 0; times < 3; times++) {
      stays.forget();
      await publish(storage, [event({ accountId: theirs })]);
      await stays.heard();
    }
    strictEqual(stops.rings(), before);
    stopStaying();
  },
};
