import type { HeartbeatInput, Membership, ShardStore } from '../delivery-ports/shard-store.ts';
import { callPort } from '../runtime/call-port.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, second } from '../runtime/time.ts';
import { createWakeSignal } from '../runtime/wake-signal.ts';
import type { WorkerErrors } from './worker-errors.ts';

/** How long the shards of a dead worker are not served. @internal */
export const workerLease: DurationMs = 20 * second;

/** What {@link createHeartbeat} calls. @internal */
export interface HeartbeatDeps {
  /** The store of leases. */
  readonly shards: Pick<ShardStore, 'join' | 'heartbeat'>;
  /** The id of this session. */
  readonly workerId: string;
  /** Duration of the lease. */
  readonly lease: DurationMs;
  /** Source of time. */
  readonly clock: Clock;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Receives failures of the storage. */
  readonly errors: WorkerErrors;
  /** The served shards and their watermark. */
  readonly watermark: () => Pick<HeartbeatInput, 'shards' | 'settledTo'>;
  /** Whether the worker acquires no more shards. */
  readonly isStopping: () => boolean;
  /** The lease was renewed; these workers share the store. */
  readonly onMembers: (members: Membership) => void;
  /** The worker's row was deleted. */
  readonly onFenced: () => void;
}

/** Renews the lease of a worker. @internal */
export interface Heartbeat {
  /** Joins and reads the membership. Returns whether the worker joined; the storage may fail. */
  join(): Promise<boolean>;
  /** The rest of the lease, counted from when the renewing call was sent. */
  leaseLeft(): DurationMs;
  /** Renews the lease every tenth of it, and as soon as another worker's lease expires. Resolves when stopped. */
  run(): Promise<void>;
  /** Renews the lease once and stores the watermark, also after `stop`. */
  storeWatermark(): Promise<void>;
  /** Renews the lease now, because workers or shards changed. */
  beat(): void;
  /** Stops renewing. */
  stop(): void;
}

/**
 * A watermark writes a row per shard, so only every fifth renewal stores it. A successor then reads a few seconds more.
 */
const watermarkEvery = 5;

/** Creates the heartbeat of a session. @internal */
export const createHeartbeat = (deps: HeartbeatDeps): Heartbeat => {
  const { shards, workerId, lease, clock, now, errors, watermark, isStopping, onMembers, onFenced } = deps;
  const wakeSignal = createWakeSignal(clock);
  let until = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let wait: DurationMs = 0;
  let beats = 0;

  /** Resolves to the time until the next renewal. */
  const renew = async (withWatermark: boolean): Promise<DurationMs> => {
    const sentAt = now();
    beats++;
    const members = await errors.orElse(
      'heartbeat',
      callPort(() => {
        const settled = withWatermark ? watermark() : { shards: [], settledTo: 0 };
        return shards.heartbeat(workerId, lease, { ...settled, isStopping: isStopping() });
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
    // Slightly later than the expiry: the store deletes only expired workers.
    return Math.min(lease / 10, (members.nextExpiryIn ?? lease) + 10);
  };

  return {
    join: async () => {
      const sentAt = now();
      const hasJoined = await errors.orElse(
        'heartbeat',
        callPort(async () => {
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
        await wakeSignal.wait(wait);
        if (!isStopped) wait = Math.max(await renew(beats % watermarkEvery === 0), 1);
      }
    },
    storeWatermark: async () => void (await renew(true)),
    beat: () => wakeSignal.wake(),
    stop: () => {
      isStopped = true;
      wakeSignal.wake();
    },
  };
};
