import { type Clock, monotonicNow } from '../../base/runtime/clock.ts';
import { fraction, type Random } from '../../base/runtime/random.ts';
import { type DurationMs, minute, second } from '../../base/runtime/time.ts';
import { together } from '../../base/runtime/together.ts';
import { createWakeSignal } from '../../base/runtime/wake-signal.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { Transactions } from '../../base/transactions/transactions.ts';
import type { ClaimedDelivery, HandlerOutcome, HandlerStore } from '../deliveries/handler-store.ts';
import { jittered } from '../delivery-rules/retry-policy.ts';
import type { WorkerErrors } from '../worker/context/worker-errors.ts';
import type { HandlerRuns } from '../worker/handler-runs.ts';
import type { HandlerEvent, NamedHandler } from './handler.ts';

/** What {@link createHandlerRuns} takes from the worker. */
export interface HandlerRunsDeps<Tx extends object> {
  readonly handlers: readonly NamedHandler<Tx>[];
  readonly storage: { readonly handlers: HandlerStore<Tx> } & Transactions<Tx>;
  readonly clock: Clock;
  readonly random: Random;
  /** The delay after attempt 1, 2, …. */
  readonly retries: readonly DurationMs[];
  /** Receives signals. `undefined`: no listener. */
  readonly observe: Observer | undefined;
  readonly errors: WorkerErrors;
}

/** Poll interval of due deliveries, and the pause after an error. */
const pollEvery: DurationMs = second;
/** How long a worker without a free slot waits for others, once one is free. */
const collectFor: DurationMs = 10;
/** The longest rest of a handler, in time-outs. */
const longestRest = 32;
/** How often it is noted that a worker has the handlers. */
const noteEvery: DurationMs = minute;
/** Number of past events for which one call of the storage makes deliveries. */
const backfill = 500;
/**
 * Added to the time-out: a claim and a settlement may take this long together. A handler is not called when its claim
 * took so long that another worker could claim the delivery before the time-out.
 */
const margin: DurationMs = 20 * second;
const never = new AbortController().signal;

/** The time-out of a handler passed, or that of its transaction's begin. */
class HandlerTimeout extends Error {
  override readonly name = 'HandlerTimeout';
  readonly code = 'handler_timeout';
  constructor(handler: string, timeout: DurationMs, isBegun: boolean) {
    super(
      isBegun
        ? `worker: handlers.${handler} did not end within ${timeout} ms. It is called again.`
        : `worker: handlers.${handler}: no transaction began within ${timeout} ms. It is called later.`,
    );
  }
}

/** Another worker has claimed or finished the delivery: the transaction is rolled back. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
  readonly code = 'claim_lost';
  constructor(handler: string) {
    super(
      `worker: handlers.${handler}: the delivery was claimed or finished meanwhile. Its transaction is rolled back.`,
    );
  }
}

const eventOf = ({ id, accountId, objectName, type, timestamp, body }: ClaimedDelivery['event']): HandlerEvent => ({
  ...{ id, accountId, objectName, type, timestamp },
  data: (JSON.parse(body) as Pick<HandlerEvent, 'data'>).data,
});

/** One handler: its calls in flight, and the account whose turn came last. */
const createRun = <Tx extends object>(
  { registration: { name }, concurrency, timeout, isAlone, handler }: NamedHandler<Tx>,
  { storage, clock, random, retries, observe, errors }: HandlerRunsDeps<Tx>,
) => {
  const inFlight = new Set<Promise<void>>();
  const wakes = createWakeSignal(clock);
  const now = (): number => monotonicNow(clock);
  const lease = timeout + margin;
  /** Of the last attempt too: its worker may die. */
  const pauses = [...retries.map((pause) => Math.max(pause, lease)), lease];
  const settle = together(storage.handlers.settle);
  let last: string | undefined;
  let calls = 0;
  /** Calls that timed out, one after the other. */
  let timedOut = 0;
  /** Nothing else was written meanwhile: before the next call, others write. */
  let restsUntil = 0;

  /** Calls the handler; in a transaction, settles the claim with it. `begin` is called before the handler. */
  const call = async (claimed: ClaimedDelivery, signal: AbortSignal, begin: () => void): Promise<void> => {
    const event = eventOf(claimed.event);
    const context = { key: `${claimed.eventId}.${name}`, signal };
    if (!handler.transaction) {
      begin();
      return void (await handler.handle(event, context));
    }
    await storage.transaction(
      async (tx) => {
        // It was given up while it waited for a connection.
        signal.throwIfAborted();
        begin();
        const since = now();
        await handler.handle(event, { ...context, tx });
        signal.throwIfAborted();
        const handled = { claimed, outcome: 'handled', durationMs: Math.round(now() - since) } as const;
        const [isSettled] = await storage.handlers.settle([handled], tx);
        if (!isSettled) throw new ClaimLost(name);
      },
      { signal },
    );
  };

  const callInTime = async (claimed: ClaimedDelivery): Promise<HandlerOutcome> => {
    const timing = new AbortController();
    const begun = new AbortController();
    const done = new AbortController();
    const begin = (): void => begun.abort('begun');
    /** The wait for a free connection is none of the handler's time. */
    const giveUp = async (): Promise<void> => {
      if (!begun.signal.aborted) await clock.sleep(margin / 2, begun.signal);
      const isBegun = begun.signal.aborted;
      const limit = isBegun ? timeout : margin / 2;
      if (isBegun) await clock.sleep(timeout, done.signal);
      if (done.signal.aborted) return;
      const reason = new HandlerTimeout(name, limit, isBegun);
      timing.abort(reason);
      throw reason;
    };
    try {
      const calling = call(claimed, timing.signal, begin);
      await Promise.race([calling, giveUp()]);
      return 'handled';
    } catch (cause) {
      // The storage may have committed it although the answer was lost: then nothing is settled any more.
      errors.note('handle', cause);
      return cause === timing.signal.reason && timing.signal.aborted ? 'timed_out' : 'failed';
    } finally {
      // With a reason: the default reason is an error, whose stack would be made each time.
      done.abort('ended');
      begun.abort('ended');
    }
  };

  const handle = async (claimed: ClaimedDelivery): Promise<void> => {
    const startedAt = clock.now();
    const since = now();
    const outcome = await callInTime(claimed);
    timedOut = outcome === 'timed_out' ? timedOut + 1 : 0;
    if (isAlone && timedOut > 0) restsUntil = now() + timeout * Math.min(2 ** (timedOut - 1), longestRest);
    const durationMs = Math.round(Math.max(now() - since, 0));
    const delay = retries[claimed.attempts - 1];
    const isOver = outcome === 'handled' || delay === undefined;
    const retry = isOver ? {} : { retryIn: jittered(delay, fraction(random)) };
    const isSettledAlready = outcome === 'handled' && handler.transaction === true;
    const isSettled = isSettledAlready || (await settle({ claimed, outcome, durationMs, ...retry }));
    if (!isSettled) return;
    const { accountId, eventId, attempts: attempt } = claimed;
    const next = outcome === 'handled' ? 'handled' : isOver ? 'exhausted' : 'retry';
    const { traceContext } = claimed.event;
    observe?.({
      ...({ kind: 'handler_attempt', handler: name, accountId, eventId, attempt, startedAt, durationMs } as const),
      ...{ outcome, next },
      ...(traceContext === undefined ? {} : { traceContext }),
    });
  };

  /** Begins to handle what is due. Resolves to whether more may be due. */
  const turn = async (stopped: AbortSignal): Promise<boolean> => {
    if (inFlight.size >= concurrency) {
      await Promise.race(inFlight);
      // One claim for several slots: those that are about to be free. `drain` works without passing time.
      if (concurrency > 1 && stopped !== never) await clock.sleep(collectFor, stopped);
    }
    const rest = restsUntil - now();
    if (rest > 0 && stopped !== never) await clock.sleep(rest, stopped);
    if (stopped.aborted) return false;
    const room = concurrency - inFlight.size;
    const sentAt = now();
    const claimed = await storage.handlers.claim(name, room, pauses, last).catch((cause: unknown) => {
      errors.noteStorage('handle', cause);
      return undefined;
    });
    // Another worker could claim these again before the time-out has passed.
    if (!claimed || now() - sentAt > margin / 2) return false;
    last = claimed.at(-1)?.accountId ?? last;
    for (const each of claimed) {
      calls++;
      const handling = handle(each)
        .catch((cause: unknown) => errors.noteStorage('handle', cause))
        .finally(() => inFlight.delete(handling));
      inFlight.add(handling);
    }
    return claimed.length === room;
  };

  const idle = async (): Promise<void> => {
    while (inFlight.size > 0) await Promise.all(inFlight);
  };

  return {
    wake: wakes.wake,
    drain: async (): Promise<number> => {
      const before = calls;
      while ((await turn(never)) || inFlight.size > 0) await idle();
      return calls - before;
    },
    run: async (stopped: AbortSignal): Promise<void> => {
      while (!stopped.aborted) if (!(await turn(stopped))) await wakes.wait(pollEvery);
      await idle();
    },
  };
};

/** Creates the handlers of a worker. */
export const createHandlerRuns = <Tx extends object>(deps: HandlerRunsDeps<Tx>): HandlerRuns => {
  const { handlers, storage, clock, errors } = deps;
  const runs = handlers.map((each) => createRun(each, deps));
  const all = handlers.map(({ registration }) => registration);
  const names = all.map(({ name }) => ({ name }));

  const register = async (): Promise<void> => {
    // One at a time: a handler with many past events delays no other.
    for (let left = all; left.length > 0; ) {
      const [first, ...rest] = left as [(typeof all)[number], ...typeof all];
      left = (await storage.handlers.register([first], backfill)) ? [...rest, first] : rest;
    }
  };

  const keepRegistered = async (stopped: AbortSignal): Promise<void> => {
    for (let isRegistered = false; !stopped.aborted; ) {
      try {
        if (isRegistered) await storage.handlers.register(names, backfill);
        else await register();
        isRegistered = true;
      } catch (cause) {
        errors.noteStorage('handle', cause);
      }
      await clock.sleep(isRegistered ? noteEvery : pollEvery, stopped);
    }
  };

  return {
    register,
    wake: () => {
      for (const { wake } of runs) wake();
    },
    drain: async () => {
      let sum = 0;
      for (let more = true; more; ) {
        const handled = await Promise.all(runs.map((run) => run.drain()));
        const calls = handled.reduce((all, each) => all + each, 0);
        sum += calls;
        more = calls > 0;
      }
      return sum;
    },
    run: async (stopped) => {
      if (runs.length > 0) await Promise.all([keepRegistered(stopped), ...runs.map((run) => run.run(stopped))]);
    },
  };
};
