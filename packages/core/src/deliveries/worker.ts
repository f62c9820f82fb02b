import type { FindParent } from '../accounts/find-parent.ts';
import { createBell } from '../runtime/bell.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import type { ErrorListener, Observer } from '../signals/signal.ts';
import type { Attempts } from './attempt.ts';
import { attemptSignal } from './attempt-signal.ts';
import type { ClaimedDelivery, DeliveryQueue } from './delivery-queue.ts';
import { createPass } from './pass.ts';
import { createPruner, type Retention } from './pruner.ts';
import type { Referrals } from './referrals.ts';
import { createReferrer } from './referrer.ts';
import { createSettler } from './settler.ts';
import { createSlots } from './slots.ts';
import { createTrouble } from './trouble.ts';
import { readWorkerOptions, type WorkerOptions } from './worker-options.ts';

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
  readonly referrals: Referrals;
  readonly findParent: FindParent;
  readonly attempt: Attempts;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  readonly tellError: ErrorListener;
  /** Hands over the way to wake this worker, and takes it back. */
  readonly wakeable: (ring: () => void) => () => void;
  /** The longest that an attempt may take. */
  readonly deadline: DurationMs;
  readonly schedule: readonly DurationMs[];
  readonly retention: Retention;
}

/** When a quarter of the slots is free again within this time, what is ready will not wait long. */
const soon: DurationMs = 25;

/** @throws TypeError that names the wrong option. @internal */
export const createWorker = (
  {
    queue,
    referrals,
    findParent,
    attempt,
    clock,
    random,
    observe,
    tellError,
    wakeable,
    deadline,
    schedule,
    retention,
  }: WorkerDeps,
  options: WorkerOptions,
): Worker => {
  const { concurrency, perEndpoint, perAccount, pollEvery, pruneEvery } = readWorkerOptions(options);

  /** So long what is ready waits for a slot, and what became of an attempt for company: a lease must not lapse over it. */
  const patience = Math.min(pollEvery, second / 4);

  const bell = createBell(clock);
  const landed = createBell(clock);
  const trouble = createTrouble(observe, tellError);
  let running: Promise<void> | undefined;
  let draining: Promise<void> = Promise.resolve();
  let releasing: Promise<void> = Promise.resolve();
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
    if (deliveries.length > 0) releasing = Promise.all([releasing, release(deliveries)]).then(() => undefined);
  };

  const settler = createSettler({
    queue,
    clock,
    observe,
    trouble,
    // More will land soon, and the pass that comes then stores what has gathered.
    company: () => (spare > 0 ? concurrency : 1),
    patience,
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
  const pass = createPass({
    queue,
    clock,
    observe,
    trouble,
    schedule,
    caps,
    room,
    take,
    onReferring: () => referrer.tell(),
    stopping: () => stopping,
  });

  const wake = (): void => {
    pass.tell();
    bell.ring();
  };

  const pruner = createPruner({ queue, clock, random, observe, trouble, retention, every: pruneEvery });

  const referrer = createReferrer({
    referrals,
    findParent,
    clock,
    trouble,
    every: pruneEvery,
    onCopied: wake,
  });

  /** Less will land than was thought: no settlement waits for company. */
  const slowDown = (): void => {
    spare = 0;
    settler.flush();
  };

  const loop = async (): Promise<void> => {
    let unwatch: (() => void) | undefined;
    /** Before it sleeps it looks at everything. */
    let thorough = true;
    let landedBefore = slots.landed();
    let countedSince = clock.now();
    let patientUntil: EpochMs = 0;
    while (!stopping) {
      full = !hasRoom();
      if (full) {
        const waits = spare > 0 || slots.ready() > 0;
        await bell.wait(waits ? patience : slots.longest);
        slots.giveUpOverdue();
        if (waits && clock.now() >= patientUntil && !hasRoom()) {
          slowDown();
          // For others to send.
          giveBack(slots.takeReady());
        }
        continue;
      }
      const now = clock.now();
      const many = slots.landed() - landedBefore > concurrency / 4;
      if (many || now - countedSince >= soon || now < countedSince) {
        spare = many ? concurrency : 0;
        landedBefore = slots.landed();
        countedSince = now;
      }
      settler.flush();
      if (room() === 0) continue;
      patientUntil = now + patience;
      const { done } = await pass.run(thorough);
      if (stopping) break;
      if (done > 0) {
        unwatch?.();
        unwatch = undefined;
        thorough = false;
        continue;
      }
      slowDown();
      if (!thorough) {
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
      const copies = done === 0 ? await referrer.once() : 0;
      if (trouble.last() !== undefined)
        throw new Error('worker: the storage failed while draining.', { cause: trouble.last() });
      if (done + copies === 0) return attempts;
    }
  };

  return {
    start: () => {
      if (running) return;
      stopping = false;
      const unregister = wakeable(wake);
      running = Promise.all([loop().finally(unregister), pruner.run(), referrer.run()]).then(() => undefined);
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
      referrer.stop();
      giveBack(slots.takeReady());
      bell.ring();
      await running;
      spare = 0;
      await settleAll();
      running = undefined;
    },
  };
};
