import type { ResultAsync } from 'neverthrow';
import { createBell } from '../runtime/bell.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { type DurationMs, type EpochMs, minute, second } from '../runtime/time.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import { errorName, type Observer, type Signal } from '../signals/signal.ts';
import type { MakeAttempt } from './attempt.ts';
import type { ClaimedDelivery, ClaimRequest, DeliveryQueue, Settlement } from './delivery-queue.ts';
import { mostAttempts } from './retry-schedule.ts';
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
  /** Attempts all that is due, and resolves to how many attempts that were: for cron jobs and tests. */
  drain(): Promise<number>;
  /** Claims nothing more, waits for the attempts in flight (15 s at most) and stores what became of them. */
  stop(): Promise<void>;
}

/** @internal */
export interface WorkerDeps {
  readonly queue: DeliveryQueue;
  readonly attempt: MakeAttempt;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  /** Hands over the way to wake this worker, and takes it back. */
  readonly wakeable: (ring: () => void) => () => void;
  /** The longest that an attempt may take. */
  readonly deadline: DurationMs;
}

const lease: DurationMs = minute;
/** After the deadline an answer's body may still be read for two seconds; then it is settled. */
const grace: DurationMs = 5 * second;

type During = Extract<Signal, { readonly kind: 'worker_trouble' }>['during'];

const wholeNumber = (name: string, value: number): number => {
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`worker: ${name} must be a whole number from 1.`);
  return value;
};

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
  const sending = new Set<Promise<void>>();
  let running: Promise<void> | undefined;
  let stopping = false;
  /** The loop waits for a slot, or for the settler. */
  let full = false;

  const settler = createSettler({
    queue,
    clock,
    observe,
    onSettled: (count) => {
      // A cap is free again only now; with fewer in flight than the smallest cap, none was reached.
      if (full || count + sending.size >= Math.min(perEndpoint, perAccount)) bell.ring();
    },
  });

  const trouble =
    (during: During) =>
    ({ cause }: Unavailable): void =>
      observe({ kind: 'worker_trouble', during, error: errorName(cause) });
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

  const send = async (delivery: ClaimedDelivery, leaseEnds: EpochMs): Promise<void> => {
    const settlement = await attempt(delivery);
    signalAttempt(delivery, settlement);
    settler.add(settlement, leaseEnds);
  };

  /** Starts what may be started, and gives back the rest: an attempt must end before another worker may make it. */
  const begin = async (claimed: readonly ClaimedDelivery[], leaseEnds: EpochMs): Promise<void> => {
    const timely = !stopping && leaseEnds - clock.now() >= deadline + grace;
    if (!timely) {
      if (claimed.length > 0)
        await orSignal(
          'release',
          ask(() => queue.release(claimed)),
          undefined,
        );
      return;
    }
    for (const delivery of claimed) {
      const sent: Promise<void> = send(delivery, leaseEnds).finally(() => {
        sending.delete(sent);
        if (full) bell.ring();
      });
      sending.add(sent);
    }
  };

  const wanting = (limit: number): ClaimRequest => ({ worker, limit, perEndpoint, perAccount, lease, mostAttempts });

  /** New events first, for half of the free slots; then whatever is due. Resolves to how much there was to do. */
  const pass = async (): Promise<{ readonly done: number; readonly claimed: number }> => {
    const free = concurrency - sending.size;
    const leaseEnds = clock.now() + lease;
    const dispatched = await orSignal(
      'dispatch',
      ask(() => queue.dispatch(wanting(Math.ceil(free / 2)))),
      { claimed: [], events: 0, ahead: [] },
    );
    for (const late of dispatched.ahead) observe({ kind: 'stamped_ahead', ...late });
    await begin(dispatched.claimed, leaseEnds);
    if (stopping) return { done: dispatched.events, claimed: dispatched.claimed.length };

    const claimedUntil = clock.now() + lease;
    const claimed = await orSignal(
      'claim',
      ask(() => queue.claim(wanting(free - dispatched.claimed.length))),
      [],
    );
    await begin(claimed, claimedUntil);
    const all = dispatched.claimed.length + claimed.length;
    return { done: dispatched.events + all, claimed: all };
  };

  const mayClaim = (): boolean => sending.size < concurrency && settler.unsettled() < 2 * concurrency;

  const loop = async (): Promise<void> => {
    let unwatch: (() => void) | undefined;
    while (!stopping) {
      full = !mayClaim();
      if (full) {
        await bell.wait();
        continue;
      }
      const { done } = await pass();
      if (stopping) break;
      if (done > 0) {
        unwatch?.();
        unwatch = undefined;
      } else if (unwatch) {
        await bell.wait(pollEvery);
      } else {
        // Marked asleep: whatever is published from now on rings. What came just before is found by one more pass.
        unwatch = await orSignal(
          'watch',
          ask(() => queue.watch(bell.ring)),
          () => undefined,
        );
      }
    }
    unwatch?.();
  };

  const settleAll = async (): Promise<void> => {
    await Promise.all(sending);
    await settler.idle();
  };

  return {
    start: () => {
      if (running) return;
      stopping = false;
      const unregister = wakeable(bell.ring);
      running = loop().finally(unregister);
    },
    drain: async () => {
      if (running) throw new TypeError('worker: drain() is for a worker that was not started.');
      stopping = false;
      let attempts = 0;
      for (;;) {
        const { done, claimed } = await pass();
        await settleAll();
        attempts += claimed;
        if (done === 0) return attempts;
      }
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
