import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, second } from '../runtime/time.ts';
import type { WorkerStores } from './worker-stores.ts';

/** The storage did not answer a call in time. It is unknown whether the call takes effect, or will. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly code = 'no_answer';
  constructor(limit: DurationMs) {
    super(`The storage did not answer within ${limit} ms. The call was given up, and is tried again.`);
  }
}

/** What {@link limitStores} takes. @internal */
export interface LimitOptions {
  readonly clock: Clock;
  /** Duration of the lease of the worker. */
  readonly lease: DurationMs;
  /** Whether the worker is stopping: it waits less. */
  readonly isStopping: () => boolean;
  /** A write was given up: it may take effect later, as long as the row of its worker exists. */
  readonly onUncertainWrite: () => void;
}

/**
 * The stores of a worker with a time limit for each call: a connection that stays open and silent is an error, not a
 * wait. A call is given up before the lease ends; one that renews the lease so early that it can be tried again.
 * @internal
 */
export const limitStores = (stores: WorkerStores, options: LimitOptions): WorkerStores => {
  const { clock, lease, isStopping, onUncertainWrite } = options;
  const { shards, deliveries, parents, log } = stores;
  const short = lease / 4;
  const longest = (): DurationMs => (isStopping() ? short : 3 * short);

  const within = async <T>(limit: DurationMs, call: () => Promise<T>, onGivenUp?: () => void): Promise<T> => {
    const settled = new AbortController();
    const giveUp = async (): Promise<never> => {
      // After the process was suspended, an answer that arrived meanwhile gets one second to be read.
      await clock.sleep(limit - second, settled.signal);
      await clock.sleep(second, settled.signal);
      if (!settled.signal.aborted) onGivenUp?.();
      throw new NoAnswer(limit);
    };
    try {
      return await Promise.race([call(), giveUp()]);
    } finally {
      settled.abort('settled');
    }
  };
  const read = <T>(call: () => Promise<T>): Promise<T> => within(longest(), call);
  const write = <T>(call: () => Promise<T>): Promise<T> => within(longest(), call, onUncertainWrite);

  return {
    shards: {
      join: (...args) => within(short, () => shards.join(...args), onUncertainWrite),
      heartbeat: (...args) => within(short, () => shards.heartbeat(...args)),
      acquire: (...args) => write(() => shards.acquire(...args)),
      release: (...args) => write(() => shards.release(...args)),
      leave: (...args) => within(short, () => shards.leave(...args)),
      watch: async (onWake) => {
        let isGivenUp = false;
        const watching = shards.watch(onWake);
        const stopLate = async (): Promise<void> => {
          const unwatch = await watching;
          if (isGivenUp) unwatch();
        };
        void stopLate().catch(() => undefined);
        return within(
          short,
          () => watching,
          () => {
            isGivenUp = true;
          },
        );
      },
    },
    deliveries: {
      readOutbox: (...args) => read(() => deliveries.readOutbox(...args)),
      stamp: (...args) => write(() => deliveries.stamp(...args)),
      settle: (...args) => write(() => deliveries.settle(...args)),
      readDue: (...args) => read(() => deliveries.readDue(...args)),
      readQueued: (...args) => read(() => deliveries.readQueued(...args)),
      recover: (...args) => write(() => deliveries.recover(...args)),
      readEndpoints: (...args) => read(() => deliveries.readEndpoints(...args)),
    },
    parents: {
      readPropagated: (...args) => read(() => parents.readPropagated(...args)),
      propagate: (...args) => read(() => parents.propagate(...args)),
    },
    log: { ...log, prune: (...args) => read(() => log.prune(...args)) },
  };
};
