import type { ShardedKey, StoreState } from '../delivery-ports/delivery-store.ts';
import { shardCount } from '../delivery-ports/shard.ts';
import type { AcquiredShard, Wake } from '../delivery-ports/shard-store.ts';
import { callPort } from '../runtime/call-port.ts';
import { type Clock, monotonicNow } from '../runtime/clock.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { type DurationMs, second } from '../runtime/time.ts';
import { createWakeSignal } from '../runtime/wake-signal.ts';
import type { Observer } from '../signals/signal.ts';
import type { Attempts } from './attempt.ts';
import { limitStores } from './limited-stores.ts';
import { createHeartbeat } from './membership.ts';
import type { LoadedDelivery } from './memory/in-hand.ts';
import { createLanes } from './memory/lanes.ts';
import { createOverflow } from './memory/overflow.ts';
import { createSchedule } from './memory/schedule.ts';
import { createWatermark } from './memory/watermark.ts';
import { createOutbox } from './outbox.ts';
import { createOwnership } from './ownership.ts';
import { createReading } from './reading.ts';
import { createSending } from './sending.ts';
import { createSettler } from './settler.ts';
import type { NoteDispatched } from './unknown-accounts.ts';
import type { WorkerErrors } from './worker-errors.ts';
import type { WorkerOptions } from './worker-options.ts';
import type { WorkerStores } from './worker-stores.ts';

/** What {@link createSession} takes from the worker. @internal */
export interface SessionDeps {
  readonly storage: WorkerStores;
  readonly attempt: Attempts;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives signals. `undefined`: no listener. */
  readonly observe: Observer | undefined;
  readonly errors: WorkerErrors;
  /** Maximum duration of an attempt. */
  readonly deadline: DurationMs;
  /** The delay after attempt 1, 2, …. */
  readonly retries: readonly DurationMs[];
  /** How long the breaker stays open, from the first time on. */
  readonly pauses: readonly DurationMs[];
  readonly lease: DurationMs;
  readonly options: Required<WorkerOptions>;
  /** Whether it serves all free shards, whatever its share. */
  readonly takesAll: boolean;
  /** Receives the events of each dispatch. @defaultValue none */
  readonly noteDispatched?: NoteDispatched | undefined;
  /** Events may wait for propagation. */
  readonly onPropagating: () => void;
}

/** Why a session ended. */
type SessionEnd =
  | 'fenced'
  | 'stopped'
  /** It is unknown whether a write took effect or will, or which shards it owns. */
  | 'lost';

/** The worker's row was deleted, because its lease expired. */
class WorkerFenced extends Error {
  override readonly name = 'WorkerFenced';
  constructor() {
    super('The lease of this worker expired, and another worker took its shards over.');
  }
}

/** A worker under one id, from its join until it leaves or is fenced. @internal */
export interface Session {
  /** Its id in the store. */
  readonly id: string;
  /** The served shards. */
  served(): readonly number[];
  /** The rest of its lease; not positive after a pause, until it is renewed. */
  leaseLeft(): DurationMs;
  /** Joins; resolves to whether the storage accepted. */
  join(): Promise<boolean>;
  /**
   * Reads work once. Resolves to its amount: events, due and queued deliveries.
   * @param isFull - Reads all shards and due deliveries; otherwise only where work was found or a wake came.
   */
  cycle(isFull: boolean): Promise<number>;
  /** Why it ended; `undefined` while it serves. */
  ended(): SessionEnd | undefined;
  /** Whether memory has capacity for more deliveries. */
  hasRoom(): boolean;
  /** Whether nothing is in flight, unstored or ready to send. */
  isIdle(): boolean;
  /** The number of attempts started. */
  begun(): number;
  /** Wakes it for new events or changed members. */
  wake(wake: Wake): void;
  /** Waits for a wake, at most this long. */
  wait(time: DurationMs): Promise<void>;
  /** Wakes it for a full cycle. */
  nudge(): void;
  /** Starts nothing more. */
  stop(): void;
  /** Waits until nothing is in flight and all outcomes are stored or dropped; then leaves. */
  end(): Promise<void>;
}

/** Creates a session. @internal */
export const createSession = (deps: SessionDeps): Session => {
  const { attempt, clock, random, observe, errors, deadline, retries, pauses } = deps;
  const { lease, options, takesAll, onPropagating } = deps;
  const { concurrency, perEndpoint, perAccount, pollEvery } = options;
  const id = newId(clock, random);
  const now = (): number => monotonicNow(clock);
  const wakeSignal = createWakeSignal(clock);
  const lowReady = Math.max(128, 2 * concurrency);
  const maxUnsettled = Math.max(256, 8 * concurrency);

  let end: SessionEnd | undefined;
  let stoppedAt: number | undefined;
  let hasGivenUp = false;
  /** Whether to wake as soon as there is capacity. */
  let isWaitingForRoom = false;
  /** Deliveries of each shard that are in flight or not stored. */
  const inUse: number[] = new Array(shardCount).fill(0);

  const stopSession = (why: SessionEnd): void => {
    end ??= why;
    stoppedAt ??= now();
    wakeSignal.wake();
  };
  // Under a new id, no late effect of a write that was given up meets what was written after it.
  const storage = limitStores(deps.storage, {
    ...{ clock, lease, isStopping: () => end === 'stopped', onUncertainWrite: () => stopSession('lost') },
  });
  const fence = (): void => {
    if (end === undefined) errors.note('heartbeat', new WorkerFenced());
    stopSession('fenced');
  };

  const onState = (state: StoreState): void => {
    watermark.observe(state.now);
    if (lanes.observe(state)) wakeSignal.wake();
  };

  const watermark = createWatermark();
  const schedule = createSchedule({ concurrency, perEndpoint, perAccount, now });

  const drop = (delivery: LoadedDelivery): void => {
    reading.forget(delivery);
    if (delivery.batch) watermark.close(delivery.batch);
  };

  const count = ({ shard }: ShardedKey, by: number): void => {
    inUse[shard] = (inUse[shard] ?? 0) + by;
  };

  const settler = createSettler({
    store: storage.deliveries,
    workerId: id,
    clock,
    now,
    observe,
    errors,
    isQuiet: () => schedule.inFlight() === 0,
    givesUp: () => end === 'fenced' || (stoppedAt !== undefined && now() - stoppedAt > lease),
    onDone: (delivery, isStored) => {
      // A dropped outcome keeps its shard and holds the watermark: behind it, no successor would find the delivery.
      if (isStored) {
        count(delivery, -1);
        drop(delivery);
      } else hasGivenUp = true;
      if (isIdle() || (isWaitingForRoom && hasRoom())) wakeSignal.wake();
    },
    onKeyDone: (key) => count(key, -1),
    onState,
    onFenced: fence,
  });

  const toQueue = (delivery: LoadedDelivery): void => {
    count(delivery, 1);
    settler.queue(delivery);
  };

  const toQueueKey = (key: ShardedKey): void => {
    count(key, 1);
    settler.queueKey(key);
  };

  const overflow = createOverflow({
    ...{ schedule, now, queue: toQueue },
    noteQueue: (lane) => reading.noteQueue(lane),
  });

  const lanes = createLanes({ now, onClosed: overflow.close, onOpened: overflow.open });

  const heartbeat = createHeartbeat({
    shards: storage.shards,
    workerId: id,
    lease,
    clock,
    now,
    errors,
    watermark: () => ({ shards: ownership.served(), settledTo: watermark.settledTo() }),
    isStopping: () => end === 'stopped',
    onMembers: (members) => {
      ownership.note(members);
      sending.fill();
      wakeSignal.wake();
    },
    onFenced: fence,
  });

  const ownership = createOwnership({
    shards: storage.shards,
    deliveries: storage.deliveries,
    workerId: id,
    errors,
    takesAll,
    isInUse: (shard) => (inUse[shard] ?? 0) > 0,
    onServed: (acquired: readonly AcquiredShard[]) => {
      // Nothing is dispatched before the last owner's watermark.
      for (const { settledTo } of acquired) watermark.observe(settledTo);
      reading.serve(acquired.map(({ shard }) => shard));
      // The last owner may have left events to propagate.
      onPropagating();
      nudge();
    },
    onLeaving: (leaving) => {
      for (const account of lanes.all()) {
        if (!leaving.has(account.shard)) continue;
        for (const lane of account.lanes) {
          for (const delivery of schedule.takeReady(lane)) drop(delivery);
          lane.isGone = true;
        }
      }
      lanes.drop(leaving);
    },
    onFenced: fence,
    onUncertain: () => stopSession('lost'),
  });

  const reading = createReading({
    store: storage.deliveries,
    errors,
    lanes,
    schedule,
    settler: { ...settler, queue: toQueue, queueKey: toQueueKey },
    now,
    perEndpoint,
    served: ownership.served,
    onState,
    hasRoom: () => hasRoom(),
    accepts: overflow.accepts,
    acceptsUrgent: overflow.acceptsUrgent,
  });

  const sending = createSending({
    attempt,
    schedule,
    settler,
    clock,
    now,
    random,
    observe,
    deadline,
    retries,
    pauses,
    leaseLeft: heartbeat.leaseLeft,
    isOpen: () => end === undefined,
    maxUnsettled,
    onBegun: (delivery) => count(delivery, 1),
    onClosed: overflow.close,
    onEnded: () => {
      if (end !== undefined || (isWaitingForRoom && hasRoom()) || schedule.inFlight() === 0) wakeSignal.wake();
    },
  });

  const isIdle = (): boolean => schedule.inFlight() === 0 && settler.unsettled() === 0 && schedule.runnable(1) === 0;

  const hasRoom = (): boolean => schedule.runnable(lowReady) < lowReady && settler.unsettled() < maxUnsettled;

  /** When accounts without deliveries in memory are read next, although it has no room. */
  let readIdleAt = now();

  const readOutbox = async (isFull: boolean): Promise<number> => {
    if (hasRoom()) return outbox.read(isFull);
    if (now() < readIdleAt || settler.unsettled() >= maxUnsettled || overflow.isFull()) return 0;
    readIdleAt = now() + pollEvery;
    return outbox.readIdle();
  };

  const nudge = (): void => {
    nudged = true;
    wakeSignal.wake();
  };
  let nudged = true;

  const outbox = createOutbox({
    store: storage.deliveries,
    workerId: id,
    clock,
    now,
    errors,
    observe,
    lanes,
    watermark,
    load: reading.load,
    served: ownership.served,
    accepts: overflow.accepts,
    isEnded: () => end !== undefined,
    onState,
    onFenced: fence,
    onDispatched: (plan) => {
      deps.noteDispatched?.(plan.events);
      for (const delivery of plan.inHand) {
        if (overflow.isOpen(delivery.lane)) schedule.add(delivery);
        else {
          // It was closed while the event was stamped.
          toQueue(delivery);
          if (!delivery.lane.isGone) reading.noteQueue(delivery.lane);
        }
      }
      for (const lane of plan.queued) reading.noteQueue(lane);
      if (plan.events.some(({ propagates }) => propagates)) onPropagating();
      sending.fill();
    },
  });

  return {
    id,
    served: ownership.served,
    leaseLeft: heartbeat.leaseLeft,
    join: async () => {
      if (!(await heartbeat.join())) return false;
      void heartbeat.run();
      return true;
    },
    cycle: async (isFull) => {
      await ownership.balance();
      if (end !== undefined) return 0;
      sending.giveUpOverdue();
      if (overflow.sweep(lanes.all())) lanes.trim();
      overflow.reopen();
      const all = isFull || nudged;
      nudged = false;
      isWaitingForRoom = false;
      const events = await readOutbox(all);
      if (end !== undefined) return events;
      const due = all || reading.hasMoreDue() ? await reading.readDue() : 0;
      if (end !== undefined) return events + due;
      await reading.load([]);
      const queued = await reading.readQueues();
      sending.fill();
      return events + due + queued;
    },
    ended: () => end,
    hasRoom,
    isIdle,
    begun: sending.begun,
    wake: (wake) => {
      if (wake.kind === 'members') heartbeat.beat();
      else outbox.wake(wake.shards);
      wakeSignal.wake();
    },
    wait: (time) => {
      isWaitingForRoom = !hasRoom();
      return wakeSignal.wait(isWaitingForRoom ? Math.min(time, Math.max(readIdleAt - now(), 1)) : time);
    },
    nudge,
    stop: () => stopSession('stopped'),
    end: async () => {
      // Shards with nothing in flight are freed at once.
      if (end === 'stopped' && schedule.inFlight() > 0) {
        await heartbeat.storeWatermark();
        ownership.leaveAll();
      }
      while (schedule.inFlight() > 0) {
        await ownership.release();
        await wakeSignal.wait(second);
        sending.giveUpOverdue();
      }
      await settler.idle();
      // Renews the lease until here: a worker fenced earlier could not store these outcomes.
      heartbeat.stop();
      // Shards with dropped outcomes are not released: once the lease expires, they are acquired as abandoned.
      if (end === 'fenced' || hasGivenUp) return;
      // Stores the watermark: the next owner skips settled events, and they may be pruned.
      if (ownership.served().length > 0) await heartbeat.storeWatermark();
      await errors.orElse(
        'release',
        callPort(() => storage.shards.leave(id)),
        undefined,
      );
    },
  };
};
