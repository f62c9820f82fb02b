import { createBell } from '../runtime/bell.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { type DurationMs, type EpochMs, minute } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import type { Observer, Signal } from '../signals/signal.ts';
import type { Attempts } from './attempt.ts';
import type { ClaimedDelivery, DeliveryQueue, Settlement } from './delivery-queue.ts';
import { createPass } from './pass.ts';
import { createPruner, type Retention } from './pruner.ts';
import { createSettler } from './settler.ts';
import { createSlots } from './slots.ts';
import { createTrouble } from './trouble.ts';

/**
 * How a worker divides its slots.
 * @public
 */
export interface WorkerOptions {
  /** Slots: how many POSTs are in flight at once. @defaultValue 64 */
  readonly concurrency?: number;
  /** At most so many in flight to one endpoint, over all workers. @defaultValue 8 */
  readonly perEndpoint?: number;
  /** At most so many slots of this worker for one account. @defaultValue a quarter of `concurrency` */
  readonly perAccount?: number;
  /** How often an idle worker looks by itself, in milliseconds; what this process or the storage tells it of wakes it at once. @defaultValue 250 */
  readonly pollEvery?: DurationMs;
  /** About how often it drops what is too old, in milliseconds. @defaultValue 60000 */
  readonly pruneEvery?: DurationMs;
}

/**
 * Sends deliveries. Any number may run over one storage, on any number of machines.
 * @public
 */
export interface Worker {
  /** Runs until it is stopped. A storage that fails is signalled, and tried again. */
  start(): void;
  /**
   * Attempts all that is due, drops what is too old, and resolves to how many attempts that were: for cron jobs and tests. Rejects when the
   * storage failed.
   */
  drain(): Promise<number>;
  /**
   * Claims nothing more, waits for the attempts in flight (15 s, or a little more) and stores what became of them (a minute at
   * most, should the storage be down).
   */
  stop(): Promise<void>;
}

/** @internal */
export interface WorkerDeps {
  readonly queue: DeliveryQueue;
  readonly attempt: Attempts;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  /** Hands over the way to wake this worker, and takes it back. */
  readonly wakeable: (ring: () => void) => () => void;
  /** The longest that an attempt may take. */
  readonly deadline: DurationMs;
  readonly retention: Retention;
}

const wholeNumber = (name: string, value: number): number => {
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`worker: ${name} must be a whole number from 1.`);
  return value;
};

const attemptSignal = (
  { event, endpoint, deliveryId, attempt: number }: ClaimedDelivery,
  { outcome, next }: Settlement,
  startedAt: EpochMs,
): Signal => ({
  kind: 'attempt',
  accountId: event.accountId,
  eventId: event.id,
  deliveryId,
  endpointId: endpoint.id,
  attempt: number,
  startedAt,
  took: outcome.took,
  outcome: outcome.kind === 'answered' ? outcome.status : outcome.reason,
  next: typeof next === 'string' ? next : 'retry',
  ...(event.traceContext === undefined ? {} : { traceContext: event.traceContext }),
});

/** @throws TypeError that names the wrong option. @internal */
export const createWorker = (
  { queue, attempt, clock, random, observe, wakeable, deadline, retention }: WorkerDeps,
  options: WorkerOptions,
): Worker => {
  const concurrency = wholeNumber('concurrency', options.concurrency ?? 64);
  const perEndpoint = wholeNumber('perEndpoint', options.perEndpoint ?? 8);
  const perAccount = wholeNumber('perAccount', options.perAccount ?? Math.max(1, Math.floor(concurrency / 4)));
  const pollEvery = wholeNumber('pollEvery', options.pollEvery ?? 250);
  const pruneEvery = wholeNumber('pruneEvery', options.pruneEvery ?? minute);

  const bell = createBell(clock);
  const landed = createBell(clock);
  const trouble = createTrouble(observe);
  let running: Promise<void> | undefined;
  let draining: Promise<void> = Promise.resolve();
  let releasing: Promise<unknown> = Promise.resolve();
  let stopping = false;
  /** The loop waits for room, or for the settler. */
  let full = false;
  /** So many may be ready beside those in flight: a worker whose slots are free again soon asks for many at once. */
  let spare = 0;

  const release = (deliveries: readonly ClaimedDelivery[]): Promise<void> =>
    trouble.orElse(
      'release',
      ask(() => queue.release(deliveries)),
      undefined,
    );
  const giveBack = (deliveries: readonly ClaimedDelivery[]): void => {
    if (deliveries.length > 0) releasing = Promise.all([releasing, release(deliveries)]);
  };

  const settler = createSettler({
    queue,
    clock,
    observe,
    // More will land soon, and the pass that comes then stores what has gathered.
    company: () => (spare > 0 ? concurrency : 1),
    hurried: () => stopping,
    onSettled: (count) => {
      // A cap is free again only now; with fewer in flight than the smallest cap, none was reached.
      if (full || count + settler.unsettled() + slots.sending() >= Math.min(perEndpoint, perAccount)) bell.ring();
    },
  });

  const slots = createSlots({
    attempt,
    clock,
    concurrency,
    deadline,
    onLanded: (delivery, settlement, leaseEnds, startedAt) => {
      observe(attemptSignal(delivery, settlement, startedAt));
      settler.add(settlement, leaseEnds);
      landed.ring();
      if (full && hasRoom()) bell.ring();
    },
    giveBack,
  });

  /** What is held is bounded, and so is what is not stored yet. */
  const room = (): number => {
    const held = slots.sending() + slots.ready();
    return Math.max(Math.min(concurrency + spare, 3 * concurrency - settler.unsettled()) - held, 0);
  };

  /** Asks only once the ready ones run low, so that it asks for many. */
  const hasRoom = (): boolean => room() > 0 && slots.ready() <= spare / 4 && settler.unsettled() < 2 * concurrency;

  const take = async (claimed: readonly ClaimedDelivery[], leaseEnds: EpochMs): Promise<number> => {
    if (claimed.length === 0) return 0;
    if (stopping || leaseEnds - clock.now() < slots.longest) {
      await release(claimed);
      return 0;
    }
    slots.add(claimed, leaseEnds);
    return claimed.length;
  };

  const caps = { worker: newId(clock, random), perEndpoint, perAccount };
  const pass = createPass({ queue, clock, observe, trouble, caps, room, take, stopping: () => stopping });

  const pruner = createPruner({ queue, clock, random, observe, trouble, retention, every: pruneEvery });

  const wake = (): void => {
    pass.tell();
    bell.ring();
  };

  /** The slots are not free as soon as was thought: what is ready goes back, for others to send, and no settlement waits for company. */
  const loosen = (): void => {
    spare = 0;
    settler.flush();
    giveBack(slots.takeReady());
  };

  const loop = async (): Promise<void> => {
    let unwatch: (() => void) | undefined;
    /** Before it sleeps it looks at everything. */
    let thorough = true;
    let landedBefore = slots.landed();
    let patientUntil: EpochMs = 0;
    while (!stopping) {
      full = !hasRoom();
      if (full) {
        const waits = spare > 0 || slots.ready() > 0;
        await bell.wait(waits ? pollEvery : slots.longest);
        slots.giveUpOverdue();
        if (waits && clock.now() >= patientUntil && !hasRoom()) loosen();
        continue;
      }
      spare = slots.landed() - landedBefore > concurrency / 4 ? concurrency : 0;
      landedBefore = slots.landed();
      if (room() === 0) continue;
      patientUntil = clock.now() + pollEvery;
      settler.flush();
      const { done } = await pass.run(thorough);
      if (stopping) break;
      if (done > 0) {
        unwatch?.();
        unwatch = undefined;
        thorough = false;
      } else if (!thorough) {
        thorough = true;
      } else if (unwatch) {
        await bell.wait(pollEvery);
      } else {
        // Marked asleep: whatever is published from now on rings. What came just before is found by one more pass.
        unwatch = await trouble.orElse(
          'watch',
          ask(() => queue.watch(wake)),
          () => undefined,
        );
      }
    }
    unwatch?.();
  };

  const settleAll = async (): Promise<void> => {
    while (slots.sending() > 0) {
      await landed.wait(slots.longest);
      slots.giveUpOverdue();
    }
    await settler.idle();
    await releasing;
  };

  const drainOnce = async (): Promise<number> => {
    if (running) throw new TypeError('worker: drain() is for a worker that was not started.');
    stopping = false;
    trouble.forget();
    for (let attempts = 0; ; ) {
      const { done, begun } = await pass.run(true);
      await settleAll();
      attempts += begun;
      if (done === 0) await pruner.once();
      if (trouble.last() !== undefined)
        throw new Error('worker: the storage failed while draining.', { cause: trouble.last() });
      if (done === 0) return attempts;
    }
  };

  return {
    start: () => {
      if (running) return;
      stopping = false;
      const unregister = wakeable(wake);
      running = Promise.all([loop().finally(unregister), pruner.run()]).then(() => undefined);
    },
    drain: () => {
      const next = draining.then(drainOnce);
      // One after the other: together they would take more than the slots.
      draining = next.then(
        () => undefined,
        () => undefined,
      );
      return next;
    },
    stop: async () => {
      stopping = true;
      pruner.stop();
      giveBack(slots.takeReady());
      bell.ring();
      await running;
      spare = 0;
      await settleAll();
      running = undefined;
    },
  };
};
