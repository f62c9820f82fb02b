import type { DurationMs } from '../../../base/runtime/time.ts';
import type { WorkerRecord } from '../../shards/shard-store.ts';
import type { Memory } from '../memory/memory.ts';
import { callStore, type Did, hasFailed, nothing, type StepContext, type StepFailure } from './step.ts';

/** Adds the worker to the store, under the id of its session. */
export const join = async (context: StepContext): Promise<Did | StepFailure> => {
  const { workerId, memory, stores, lease, now } = context;
  const sentAt = now();
  const joined = await callStore(context, 'heartbeat', () => stores.shards.join(workerId, lease));
  if (hasFailed(joined)) return joined;
  memory.shards.renewed(sentAt);
  return { did: 1 };
};

/** The storage has less than it confirmed. */
class CommitsLost extends Error {
  override readonly name = 'CommitsLost';
  constructor() {
    super('The storage lost what it had confirmed, as after a failover. The worker joins again, and reads all anew.');
  }
}

/** What was confirmed to the worker. Without `shards`: which it owns is changing, or uncertain. */
interface Confirmed extends Pick<WorkerRecord, 'settlement' | 'endpointVersion'> {
  readonly shards: ReturnType<Memory['shards']['confirmed']>;
}

const confirmedTo = ({ shards, unsettled, accounts }: Memory): Confirmed => ({
  shards: shards.confirmed(),
  settlement: unsettled.confirmed(),
  endpointVersion: accounts.knownVersion(),
});

const isSame = (a: readonly number[], b: readonly number[]): boolean => a.join() === b.join();

/** Whether the store has other shards of the worker than those that were confirmed, and have not changed since. */
const hasOthers = (stored: WorkerRecord, before: Confirmed['shards'], { shards }: Memory): boolean =>
  before !== undefined &&
  before === shards.confirmed() &&
  !(isSame(before.shards, stored.shards) && isSame(before.acquired, stored.acquired));

/** Whether the store lacks something of what was confirmed when the call was sent. */
const lacks = (stored: WorkerRecord, before: Confirmed, memory: Memory): boolean =>
  stored.settlement < before.settlement ||
  stored.endpointVersion < before.endpointVersion ||
  hasOthers(stored, before.shards, memory);

/** A renewed lease. */
export interface Renewed extends Did {
  /** Milliseconds until the next renewal. */
  readonly nextIn: DurationMs;
}

/**
 * Renews the lease, counted from when the renewing call is sent, and reads the membership. Without it, a worker would
 * go on with what a store has lost: such as a shard that it released, and that the store says it owns.
 * @param withWatermark - Stores the watermark of the served shards.
 */
export const heartbeat = async (
  context: StepContext,
  { withWatermark, isStopping }: { readonly withWatermark: boolean; readonly isStopping: boolean },
): Promise<Renewed | StepFailure> => {
  const { workerId, memory, stores, lease, now, errors, ended } = context;
  const sentAt = now();
  const confirmed = confirmedTo(memory);
  const settled = withWatermark
    ? { shards: memory.shards.served(), watermark: memory.watermark.value() }
    : { shards: [], watermark: 0 };
  const members = await callStore(context, 'heartbeat', () =>
    stores.shards.heartbeat(workerId, lease, { ...settled, settlement: confirmed.settlement, isStopping }),
  );
  if (hasFailed(members)) return members;
  memory.shards.renewed(sentAt);
  if (!ended.aborted && lacks(members.stored, confirmed, memory)) {
    errors.note('heartbeat', new CommitsLost());
    return 'lost';
  }
  memory.shards.note(members);
  // Slightly later than the expiry: the store deletes only expired workers.
  return { did: 1, nextIn: Math.max(Math.min(lease / 10, (members.nextExpiryIn ?? lease) + 10), 1) };
};

/** Acquires free shards up to the worker's share, or stops serving those above it. */
export const acquire = async (context: StepContext): Promise<Did | StepFailure> => {
  const { workerId, memory, stores } = context;
  const wanted = memory.shards.wanted();
  if (wanted < 0) memory.leave(-wanted);
  if (wanted <= 0) return nothing;
  memory.shards.change('acquire');
  const got = await callStore(context, 'acquire', () => stores.shards.acquire(workerId, wanted));
  // Without an answer, it is unknown which shards the worker owns.
  if (hasFailed(got)) return got === 'fenced' ? got : 'lost';
  memory.shards.add(got);
  return { did: got.length };
};

/** Takes over the deliveries of acquired shards, which are served from then on. */
export const recover = async (context: StepContext): Promise<Did | StepFailure> => {
  const { workerId, memory, stores } = context;
  const acquired = memory.shards.acquired();
  if (acquired.length === 0) return nothing;
  memory.shards.change('recover');
  const recovered = await callStore(context, 'acquire', () => stores.deliveries.recover(workerId, acquired));
  if (hasFailed(recovered)) return recovered;
  memory.serve();
  return { did: acquired.length };
};

/** Frees shards that were left, once nothing of them is in flight or unstored. */
export const release = async (context: StepContext): Promise<Did | StepFailure> => {
  const { workerId, memory, stores } = context;
  const shards = memory.shards.releasable();
  if (shards.length === 0) return nothing;
  memory.shards.change('release');
  const released = await callStore(context, 'release', () => stores.shards.release(workerId, shards));
  if (hasFailed(released)) return released;
  memory.shards.released(shards);
  return { did: shards.length };
};

/** Frees all shards, and removes the worker from the store. */
export const leave = async (context: StepContext): Promise<Did | StepFailure> => {
  const left = await callStore(context, 'release', () => context.stores.shards.leave(context.workerId));
  return hasFailed(left) ? left : { did: 1 };
};
