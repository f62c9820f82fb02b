import { createBell } from '../runtime/bell.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, second } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import type { Beat, Membership, ShardStore } from './shard-store.ts';
import type { WorkerErrors } from './worker-errors.ts';

/** How long the shards of a worker that died are not served. @internal */
export const workerLease: DurationMs = 20 * second;

/** @internal */
export interface HeartbeatDeps {
  readonly shards: Pick<ShardStore, 'join' | 'heartbeat'>;
  readonly workerId: string;
  readonly lease: DurationMs;
  readonly clock: Clock;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  readonly errors: WorkerErrors;
  /** Up to when which shards are settled: those that are served, and no others. */
  readonly mark: () => Pick<Beat, 'shards' | 'settledTo'>;
  /** The worker acquires no more shards. */
  readonly isStopping: () => boolean;
  /** The lease was renewed, and these workers share the store. */
  readonly onMembers: (members: Membership) => void;
  readonly onFenced: () => void;
}

/** Keeps a worker alive. @internal */
export interface Heartbeat {
  /** Joins, and asks who else did. Says whether the worker has joined; the storage may fail. */
  join(): Promise<boolean>;
  /** How much of the lease is left, counted from when the request that renewed it was sent. */
  leaseLeft(): DurationMs;
  /** Renews the lease every tenth of it, and as soon as the lease of another worker expires. Resolves when it is stopped. */
  run(): Promise<void>;
  /** Renews it once, also after it was stopped, and marks what is settled. */
  mark(): Promise<void>;
  /** Renews it now: workers or shards came or went. */
  beat(): void;
  stop(): void;
}

/** Marks are rows of every shard: they are written less often. A successor looks at a few seconds more. */
const markEvery = 5;

/** @internal */
export const createHeartbeat = (deps: HeartbeatDeps): Heartbeat => {
  const { shards, workerId, lease, clock, now, errors, mark, isStopping, onMembers, onFenced } = deps;
  const bell = createBell(clock);
  let until = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let wait: DurationMs = 0;
  let beats = 0;

  /** How long to wait until the next one. */
  const renew = async (marks: boolean): Promise<DurationMs> => {
    const sentAt = now();
    beats++;
    const members = await errors.orElse(
      'heartbeat',
      ask(() => {
        const marked = marks ? mark() : { shards: [], settledTo: 0 };
        return shards.heartbeat(workerId, lease, { ...marked, isStopping: isStopping() });
      }),
      undefined,
    );
    if (members === undefined) return second;
    if (members === 'fenced') {
      isStopped = true;
      onFenced();
      return 0;
    }
    until = sentAt + lease;
    onMembers(members);
    // A little later than the store says: it deletes what has expired, not what is about to.
    return Math.min(lease / 10, (members.nextExpiryIn ?? lease) + 10);
  };

  return {
    join: async () => {
      const sentAt = now();
      const hasJoined = await errors.orElse(
        'heartbeat',
        ask(async () => {
          await shards.join(workerId, lease);
          return true;
        }),
        false,
      );
      if (!hasJoined) return false;
      until = sentAt + lease;
      wait = Math.max(await renew(false), 1);
      return true;
    },
    leaseLeft: () => until - now(),
    run: async () => {
      while (!isStopped) {
        await bell.wait(wait);
        if (!isStopped) wait = Math.max(await renew(beats % markEvery === 0), 1);
      }
    },
    mark: async () => void (await renew(true)),
    beat: () => bell.ring(),
    stop: () => {
      isStopped = true;
      bell.ring();
    },
  };
};
