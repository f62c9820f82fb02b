import type { ResultAsync } from 'neverthrow';
import { createBell } from '../runtime/bell.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { type DurationMs, type EpochMs, minute, second } from '../runtime/time.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import { errorName, type Observer, type Signal } from '../signals/signal.ts';
import type { Attempts } from './attempt.ts';
import type { Abandoned, ClaimedDelivery, ClaimRequest, DeliveryQueue, Settlement } from './delivery-queue.ts';
import { retrySchedule } from './retry-schedule.ts';
import { createSettler } from './settler.ts';

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
}

/**
 * Sends deliveries. Any number may run over one storage, on any number of machines.
 * @public
 */
export interface Worker {
  /** Runs until it is stopped. A storage that fails is signalled, and tried again. */
  start(): void;
  /** Attempts all that is due, and resolves to how many attempts that were: for cron jobs and tests. Rejects when the storage failed. */
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
}

const lease: DurationMs = minute;
/** Where nothing was found, a busy worker looks again so much later. */
const quiet: DurationMs = 25;
/** After the deadline an answer's body may still be read for two seconds; then it is settled. */
const grace: DurationMs = 5 * second;

type During = Extract<Signal, { readonly kind: 'worker_trouble' }>['during'];

const wholeNumber = (name: string, value: number): number => {
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`worker: ${name} must be a whole number from 1.`);
  return value;
};

/** An attempt in flight. */
interface Sending {
  readonly delivery: ClaimedDelivery;
  readonly leaseEnds: EpochMs;
  readonly since: EpochMs;
}

/** @throws TypeError that names the wrong option. @internal */
export const createWorker = (
  { queue, attempt, clock, random, observe, wakeable, deadline }: WorkerDeps,
  options: WorkerOptions,
): Worker => {
  const concurrency = wholeNumber('concurrency', options.concurrency ?? 64);
  const perEndpoint = wholeNumber('perEndpoint', options.perEndpoint ?? 8);
  const perAccount = wholeNumber('perAccount', options.perAccount ?? Math.max(1, Math.floor(concurrency / 4)));
  const pollEvery = wholeNumber('pollEvery', options.pollEvery ?? 250);
  const worker = newId(clock, random);

  const bell = createBell(clock);
  const landed = createBell(clock);
  const sending = new Set<Sending>();
  let running: Promise<void> | undefined;
  let draining: Promise<void> = Promise.resolve();
  let stopping = false;
  /** The loop waits for a slot, or for the settler. */
  let full = false;
  /** Somebody says that there is something new. */
  let news = false;
  let dispatchAgainAt: EpochMs = 0;
  let claimAgainAt: EpochMs = 0;
  /** The last error of the storage. */
  let lastTrouble: unknown;

  const wake = (): void => {
    news = true;
    bell.ring();
  };

  const settler = createSettler({
    queue,
    clock,
    observe,
    hurried: () => stopping,
    onSettled: (count) => {
      // A cap is free again only now; with fewer in flight than the smallest cap, none was reached.
      if (full || count + settler.unsettled() + sending.size >= Math.min(perEndpoint, perAccount)) bell.ring();
    },
  });

  const trouble =
    (during: During) =>
    ({ cause }: Unavailable): void => {
      lastTrouble = cause ?? new Error('The storage failed.');
      observe({ kind: 'worker_trouble', during, error: errorName(cause) });
    };
  const orSignal = <T>(during: During, call: ResultAsync<T, Unavailable>, otherwise: T): Promise<T> =>
    call.match(
      (value) => value,
      (failure) => {
        trouble(during)(failure);
        return otherwise;
      },
    );

  const signalAttempt = (
    { event, endpoint, deliveryId, attempt: number }: ClaimedDelivery,
    { outcome, next }: Settlement,
  ): void =>
    observe({
      kind: 'attempt',
      accountId: event.accountId,
      deliveryId,
      endpointId: endpoint.id,
      attempt: number,
      took: outcome.took,
      outcome: outcome.kind === 'answered' ? outcome.status : outcome.reason,
      next: typeof next === 'string' ? next : 'retry',
    });

  /** Once for each attempt: what comes after that was given up comes too late. */
  const finish = (sent: Sending, settlement: Settlement): void => {
    if (!sending.delete(sent)) return;
    signalAttempt(sent.delivery, settlement);
    settler.add(settlement, sent.leaseEnds);
    landed.ring();
    if (full) bell.ring();
  };

  const send = async (sent: Sending): Promise<void> => finish(sent, await attempt.make(sent.delivery));

  /** Gives up attempts of a sender that broke its promise to settle: they must not hold their slots for ever. */
  const giveUpOverdue = (): void => {
    const before = clock.now() - deadline - grace;
    for (const sent of [...sending]) if (sent.since <= before) finish(sent, attempt.giveUp(sent.delivery));
  };

  /** Starts what may be started, and gives back the rest: an attempt must end before another worker may make it. */
  const begin = async (claimed: readonly ClaimedDelivery[], leaseEnds: EpochMs): Promise<number> => {
    const since = clock.now();
    if (claimed.length === 0) return 0;
    if (stopping || leaseEnds - since < deadline + grace) {
      await orSignal(
        'release',
        ask(() => queue.release(claimed)),
        undefined,
      );
      return 0;
    }
    for (const delivery of claimed) {
      const sent: Sending = { delivery, leaseEnds, since };
      sending.add(sent);
      void send(sent);
    }
    return claimed.length;
  };

  const signalAbandoned = (abandoned: readonly Abandoned[]): void => {
    for (const { exhausted, ...attempted } of abandoned) {
      observe({
        kind: 'attempt',
        ...attempted,
        took: 0,
        outcome: 'abandoned',
        next: exhausted ? 'exhausted' : 'retry',
      });
    }
  };

  const wanting = (limit: number): ClaimRequest => ({
    worker,
    limit,
    perEndpoint,
    perAccount,
    lease,
    schedule: retrySchedule,
  });

  const nothing = { claimed: [], abandoned: [] };

  /**
   * New events first, for half of the free slots, or for all while nothing else is due; then whatever is due. Says how much there was to
   * do, and how much was begun. Where nothing was found a moment ago, only a thorough pass looks again.
   */
  const pass = async (thorough: boolean): Promise<{ readonly done: number; readonly begun: number }> => {
    const free = Math.max(concurrency - sending.size, 0);
    const at = clock.now();
    let done = 0;
    let begun = 0;
    if (thorough || news || at >= dispatchAgainAt) {
      news = false;
      const share = at < claimAgainAt ? free : Math.ceil(free / 2);
      const dispatch = ask(() => queue.dispatch(wanting(share)));
      const dispatched = await orSignal('dispatch', dispatch, { ...nothing, events: 0, ahead: [] });
      for (const late of dispatched.ahead) observe({ kind: 'stamped_ahead', ...late });
      signalAbandoned(dispatched.abandoned);
      begun = await begin(dispatched.claimed, at + lease);
      done = dispatched.events + dispatched.abandoned.length + begun;
      dispatchAgainAt = dispatched.events > 0 ? 0 : at + quiet;
    }
    const left = Math.max(free - begun, 0);
    const claimedAt = clock.now();
    if (stopping || !(thorough || (left > 0 && claimedAt >= claimAgainAt))) return { done, begun };

    const claim = ask(() => queue.claim(wanting(left)));
    const { claimed, abandoned } = await orSignal('claim', claim, nothing);
    signalAbandoned(abandoned);
    begun += await begin(claimed, claimedAt + lease);
    done += abandoned.length + claimed.length;
    claimAgainAt = claimed.length + abandoned.length > 0 ? 0 : claimedAt + quiet;
    return { done, begun };
  };

  const mayClaim = (): boolean => sending.size < concurrency && settler.unsettled() < 2 * concurrency;

  const loop = async (): Promise<void> => {
    let unwatch: (() => void) | undefined;
    /** Before it sleeps it looks at everything. */
    let thorough = true;
    while (!stopping) {
      full = !mayClaim();
      if (full) {
        await bell.wait(deadline + grace);
        giveUpOverdue();
        continue;
      }
      const { done } = await pass(thorough);
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
        unwatch = await orSignal(
          'watch',
          ask(() => queue.watch(wake)),
          () => undefined,
        );
      }
    }
    unwatch?.();
  };

  const settleAll = async (): Promise<void> => {
    while (sending.size > 0) {
      await landed.wait(deadline + grace);
      giveUpOverdue();
    }
    await settler.idle();
  };

  const drainOnce = async (): Promise<number> => {
    if (running) throw new TypeError('worker: drain() is for a worker that was not started.');
    stopping = false;
    lastTrouble = undefined;
    for (let attempts = 0; ; ) {
      const { done, begun } = await pass(true);
      await settleAll();
      attempts += begun;
      if (lastTrouble !== undefined)
        throw new Error('worker: the storage failed while draining.', { cause: lastTrouble });
      if (done === 0) return attempts;
    }
  };

  return {
    start: () => {
      if (running) return;
      stopping = false;
      const unregister = wakeable(wake);
      running = loop().finally(unregister);
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
      bell.ring();
      await running;
      await settleAll();
      running = undefined;
    },
  };
};
