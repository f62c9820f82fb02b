import { createBell } from '../runtime/bell.ts';
import { type Clock, monotonicNow } from '../runtime/clock.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { type DurationMs, second } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import type { Observer } from '../signals/signal.ts';
import type { Storage } from '../storage.ts';
import type { Attempts } from './attempt.ts';
import type { ShardedKey, StoreState } from './delivery-store.ts';
import type { DeliveryInHand } from './in-hand.ts';
import { createLanes } from './lanes.ts';
import { createMarks } from './marks.ts';
import { createHeartbeat } from './membership.ts';
import { createOutbox } from './outbox.ts';
import { createOverflow } from './overflow.ts';
import { createOwnership } from './ownership.ts';
import { createReading } from './reading.ts';
import { createSchedule } from './schedule.ts';
import { createSending } from './sending.ts';
import { createSettler } from './settler.ts';
import { shardCount } from './shard.ts';
import type { AcquiredShard, Wake } from './shard-store.ts';
import type { WorkerErrors } from './worker-errors.ts';
import type { WorkerOptions } from './worker-options.ts';

/** @internal */
export interface SessionDeps {
  readonly storage: Pick<Storage<never>, 'shards' | 'deliveries'>;
  readonly attempt: Attempts;
  readonly clock: Clock;
  readonly random: Random;
  /** Absent when nobody listens. */
  readonly observe: Observer | undefined;
  readonly errors: WorkerErrors;
  /** The longest that an attempt may take. */
  readonly deadline: DurationMs;
  /** How long after attempt 1, 2, … the next one is due. */
  readonly retries: readonly DurationMs[];
  readonly lease: DurationMs;
  readonly options: Required<WorkerOptions>;
  /** It serves all shards that are free, whatever its share is. */
  readonly takesAll: boolean;
  /** Events wait for the parents of their accounts to be found, or may do so. */
  readonly onPropagating: () => void;
}

/** Why a session ended. */
type SessionEnd =
  | 'fenced'
  | 'stopped'
  /** Nobody knows which shards it owns: the storage failed while it acquired some. */
  | 'lost';

/** Its row is gone: its lease expired while it could not renew it. */
class WorkerFenced extends Error {
  override readonly name = 'WorkerFenced';
  constructor() {
    super('The lease of this worker expired, and another worker took its shards over.');
  }
}

/** A worker under one id: from when it joins until it leaves or is fenced. @internal */
export interface Session {
  readonly id: string;
  /** Shards that are served. */
  served(): readonly number[];
  /** Joins; says whether the storage did so. */
  join(): Promise<boolean>;
  /**
   * Looks for work once. Resolves to how much there was: events, deliveries that were due or queued.
   * @param isFull - Looks at all shards and at what is due; else where something was found, or somebody woke it.
   */
  cycle(isFull: boolean): Promise<number>;
  /** Why it ended; `undefined` while it serves. */
  ended(): SessionEnd | undefined;
  /** Attempts may be added: there is room in memory. */
  hasRoom(): boolean;
  isIdle(): boolean;
  begun(): number;
  wake(wake: Wake): void;
  /** Waits until something happens, or for so long. */
  wait(time: DurationMs): Promise<void>;
  nudge(): void;
  /** Begins nothing more. */
  stop(): void;
  /** Resolves when nothing is in flight, and what became of it is stored or given up; then the worker leaves. */
  end(): Promise<void>;
}

/** @internal */
export const createSession = (deps: SessionDeps): Session => {
  const {
    storage,
    attempt,
    clock,
    random,
    observe,
    errors,
    deadline,
    retries,
    lease,
    options,
    takesAll,
    onPropagating,
  } = deps;
  const { concurrency, perEndpoint, perAccount } = options;
  const id = newId(clock, random);
  const now = (): number => monotonicNow(clock);
  const bell = createBell(clock);
  const lowReady = Math.max(128, 2 * concurrency);
  const maxUnsettled = Math.max(256, 8 * concurrency);

  let end: SessionEnd | undefined;
  let stoppedAt: number | undefined;
  let hasGivenUp = false;
  /** Rings as soon as there is room. */
  let isWaitingForRoom = false;
  /** Deliveries of each shard that are in flight or not stored. */
  const inUse: number[] = new Array(shardCount).fill(0);

  const stopSession = (why: SessionEnd): void => {
    end ??= why;
    stoppedAt ??= now();
    bell.ring();
  };
  const fence = (): void => {
    if (end === undefined) errors.note('heartbeat', new WorkerFenced());
    stopSession('fenced');
  };

  const onState = (state: StoreState): void => {
    marks.see(state.now);
    if (lanes.observe(state)) bell.ring();
  };

  const marks = createMarks();
  const schedule = createSchedule({ concurrency, perEndpoint, perAccount, now });

  const drop = (delivery: DeliveryInHand): void => {
    reading.forget(delivery);
    if (delivery.batch) marks.close(delivery.batch);
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
      // What was given up keeps its shard, and the mark of it: nobody would find it behind the mark.
      if (isStored) {
        count(delivery, -1);
        drop(delivery);
      } else hasGivenUp = true;
      if (isIdle() || (isWaitingForRoom && hasRoom())) bell.ring();
    },
    onKeyDone: (key) => count(key, -1),
    onState,
    onFenced: fence,
  });

  const toQueue = (delivery: DeliveryInHand): void => {
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

  const lanes = createLanes({ now, onClosed: overflow.close, onOpened: (lane) => schedule.relist(lane) });

  const heartbeat = createHeartbeat({
    shards: storage.shards,
    workerId: id,
    lease,
    clock,
    now,
    errors,
    mark: () => ({ shards: ownership.served(), settledTo: marks.settledTo() }),
    isStopping: () => end === 'stopped',
    onMembers: (members) => {
      ownership.note(members);
      sending.fill();
      bell.ring();
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
      // Nothing is dispatched before what the last owner marked.
      for (const { settledTo } of acquired) marks.see(settledTo);
      reading.serve(acquired.map(({ shard }) => shard));
      // The last owner may have left events that are on their way to parents.
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
    accepts: overflow.accepts,
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
    leaseLeft: heartbeat.leaseLeft,
    isOpen: () => end === undefined,
    maxUnsettled,
    onBegun: (delivery) => count(delivery, 1),
    onClosed: overflow.close,
    onLanded: () => {
      if (end !== undefined || (isWaitingForRoom && hasRoom()) || schedule.inFlight() === 0) bell.ring();
    },
  });

  const isIdle = (): boolean => schedule.inFlight() === 0 && settler.unsettled() === 0 && schedule.runnable(1) === 0;

  const hasRoom = (): boolean => schedule.runnable(lowReady) < lowReady && settler.unsettled() < maxUnsettled;

  const nudge = (): void => {
    nudged = true;
    bell.ring();
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
    marks,
    load: reading.load,
    served: ownership.served,
    accepts: overflow.accepts,
    isEnded: () => end !== undefined,
    onState,
    onFenced: fence,
    onDispatched: (plan) => {
      for (const delivery of plan.inHand) {
        if (overflow.isOpen(delivery.lane)) schedule.add(delivery);
        else toQueue(delivery);
      }
      for (const lane of plan.queued) reading.noteQueue(lane);
      if (plan.events.some(({ propagates }) => propagates)) onPropagating();
      sending.fill();
    },
  });

  return {
    id,
    served: ownership.served,
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
      const events = hasRoom() ? await outbox.read(all) : 0;
      if (end !== undefined) return events;
      const due = all || reading.hasMoreDue() ? await reading.readDue() : 0;
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
      bell.ring();
    },
    wait: (time) => {
      isWaitingForRoom = !hasRoom();
      return bell.wait(time);
    },
    nudge,
    stop: () => stopSession('stopped'),
    end: async () => {
      // Others serve at once what has nothing in flight.
      if (end === 'stopped' && schedule.inFlight() > 0) {
        await heartbeat.mark();
        ownership.leaveAll();
      }
      while (schedule.inFlight() > 0) {
        await ownership.release();
        await bell.wait(second);
        sending.giveUpOverdue();
      }
      await settler.idle();
      // Until then: what was in flight could not be stored by a worker that was fenced meanwhile.
      heartbeat.stop();
      // Shards whose outcomes were given up are not handed over: once the lease has expired they are taken over as abandoned.
      if (end === 'fenced' || hasGivenUp) return;
      // The next owner need not look at what is settled by now; and what is behind the mark may be pruned.
      if (ownership.served().length > 0) await heartbeat.mark();
      await errors.orElse(
        'release',
        ask(() => storage.shards.leave(id)),
        undefined,
      );
    },
  };
};
