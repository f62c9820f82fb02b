import { type DurationMs, day, type EventPairs, hour, minute, second } from '@partnerkit/core';
import {
  assertPositiveInteger,
  type Clock,
  createWakeSignal,
  type DedupOptions,
  type Inbox,
  type InboxEntry,
  type StoredInbox,
  systemClock,
  wrongAnswer,
  yieldingOf,
} from '@partnerkit/core/adapter';
import { type Envelope, parseEnvelope } from '@partnerkit/core/wire';
import { createWorkFinder, type Processing } from './find-work.ts';
import type { HandlerNames, Schemas } from './handlers.ts';
import { type EventOrder, markerOf } from './latest.ts';
import { safeListener } from './safe-listener.ts';

/**
 * A failure of a worker, and what happens to the event.
 * @public
 */
export type InboxError =
  /** The handler failed, or the schema refused the data. The event is retried. */
  | {
      readonly kind: 'retried';
      /** The entry of the inbox. */
      readonly entry: InboxEntry;
      /** The event; absent when the body is not an envelope. */
      readonly event?: Envelope;
      /** Time until the next attempt, in milliseconds. */
      readonly wait: DurationMs;
    }
  /** The last attempt failed. The event is a dead letter: find the cause, then requeue it. */
  | {
      readonly kind: 'dead_lettered';
      /** The entry of the inbox. */
      readonly entry: InboxEntry;
      /** The event; absent when the body is not an envelope. */
      readonly event?: Envelope;
    }
  /** The event was processed, but could not be completed. It is processed again after its lease expires. */
  | {
      readonly kind: 'repeated';
      /** The entry of the inbox. */
      readonly entry: InboxEntry;
      readonly event?: Envelope;
    }
  /** The inbox could not be read. The worker tries again. */
  | { readonly kind: 'inbox' };

/**
 * Options of {@link createInboxWorker}.
 * @public
 */
export interface InboxWorkerOptions<
  S extends Schemas<P>,
  P extends EventPairs = EventPairs,
  H = HandlerNames<P>,
  O extends EventOrder = undefined,
  Tx extends object = object,
> extends Processing<S, P, H, O, Tx> {
  /** The queue; with `order`, in the database that the handlers write to. */
  readonly inbox: O extends 'latest' ? StoredInbox<Tx> : Inbox;
  /** Maximum number of handlers that run at once. @defaultValue 8 */
  readonly concurrency?: number;
  /**
   * Polling interval in milliseconds; {@link InboxWorker.inbox} also wakes the worker at once. @defaultValue 1 second
   */
  readonly pollEvery?: DurationMs;
  /**
   * Delays before each retry, in milliseconds, without jitter: `concurrency` limits the load. When the attempt after
   * the last delay fails, the event becomes a dead letter.
   * @defaultValue 5 s, 30 s, 2 m, 10 m, 30 m, 1 h, 2 h, 4 h, 8 h, 16 h: eleven attempts in 32 hours
   */
  readonly retryDelays?: readonly DurationMs[];
  /**
   * Durations of deduplication. The lease must be longer than any handler takes, or another worker repeats the work.
   * @defaultValue a lease of 1 minute, keys kept for 35 days
   */
  readonly dedup?: Pick<DedupOptions, 'lease' | 'keep'>;
  /** Receives every failure. An error that it throws is ignored. @defaultValue none */
  readonly onError?: (cause: unknown, error: InboxError) => void;
  /** Source of time. @defaultValue the system clock */
  readonly clock?: Clock;
}

/**
 * A worker of an inbox. Any number of workers and processes can share an inbox.
 * @public
 */
export interface InboxWorker {
  /** For the receiver of this process: an event that it queues wakes this worker. */
  readonly inbox: Pick<Inbox, 'enqueue'>;
  /** Runs until `stop`; it can be started again. Errors of the inbox are reported and retried. */
  start(): void;
  /** Processes all due events and resolves to their number, for cron jobs and tests. Rejects when the inbox fails. */
  drain(): Promise<number>;
  /** Claims no more events, and resolves when the running handlers have ended. */
  stop(): Promise<void>;
}

const defaultDelays: readonly DurationMs[] = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[1, 2, 4, 8, 16].map((hours) => hours * hour),
];

const isEntry = (entry: InboxEntry): boolean => {
  const { key, body, lease, attempt }: Partial<InboxEntry> = Object(entry);
  return [key, body, lease].every((text) => typeof text === 'string') && Number.isInteger(attempt);
};

/** Claims entries. The leases of an unknown answer expire by themselves. */
const claimEntries = async (inbox: Inbox, limit: number, lease: DurationMs): Promise<readonly InboxEntry[]> => {
  const entries = await inbox.claim(limit, lease);
  if (Array.isArray(entries) && entries.every(isEntry)) return entries;
  throw wrongAnswer('Inbox.claim', 'a list of entries: key, body and lease, all texts, and attempt, a number');
};

/**
 * Creates a worker for the events that a receiver queues (`createReceiver({ inbox })`). It processes the oldest due
 * event first; a failing event does not block others. An accepted event is never dropped: it is processed or
 * dead-lettered.
 * @example
 * const worker = createInboxWorker({
 *   inbox: postgresInbox(pool),
 *   on: { RequestPayment: { payed: async ({ data }) => orders.markPaid(data.id) } },
 *   onError: (cause, { kind }) => log.error({ cause, kind }),
 * });
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: worker.inbox });
 * worker.start(); // and at shutdown: await worker.stop()
 * @throws TypeError when `concurrency` or `pollEvery` is not a whole number from 1, or when `order` is unknown or the
 * inbox cannot join the handlers' transactions.
 * @public
 */
export const createInboxWorker = <
  const S extends Schemas<P> = Record<never, never>,
  P extends EventPairs = EventPairs,
  H = unknown,
  O extends EventOrder = undefined,
  Tx extends object = object,
>({
  inbox,
  order,
  concurrency = 8,
  pollEvery = second,
  retryDelays = defaultDelays,
  dedup: { lease = minute, keep = 35 * day } = {},
  onError,
  clock = systemClock,
  ...handling
}: InboxWorkerOptions<S, P, H, O, Tx>): InboxWorker => {
  for (const [name, value] of Object.entries({ concurrency, pollEvery })) assertPositiveInteger(name, value);
  const workOn = createWorkFinder(handling, markerOf(order, inbox, 'completeIn', keep));
  const report = safeListener(onError);
  const wakeSignal = createWakeSignal(clock);
  const running = new Set<Promise<void>>();
  const yielding = yieldingOf(clock);
  let looping: Promise<void> | undefined;
  /** The loop that started last. */
  let run: { stopping: boolean } | undefined;

  const fail = async (entry: InboxEntry, about: { readonly event?: Envelope }, cause: unknown): Promise<void> => {
    const wait = retryDelays[entry.attempt - 1];
    try {
      if (wait === undefined) await inbox.deadLetter(entry.key, entry.lease);
      else await inbox.retry(entry.key, entry.lease, wait);
    } catch {
      // The lease expires by itself; the failure of the handler is reported.
    }
    report(
      cause,
      wait === undefined ? { kind: 'dead_lettered', entry, ...about } : { kind: 'retried', entry, ...about, wait },
    );
  };

  const process = async (entry: InboxEntry): Promise<void> => {
    const event = parseEnvelope(entry.body);
    const about = event ? { event } : {};
    try {
      if (!event) throw new TypeError('What was kept is no envelope.');
      // An event that kills its process must not kill one process after another.
      if (entry.attempt > retryDelays.length + 1)
        throw new Error('Its last attempt never ended: the process died of it, or it took longer than the lease.');
      await workOn(event)?.();
    } catch (cause) {
      return fail(entry, about, cause);
    }
    try {
      const completed: unknown = await inbox.complete(entry.key, entry.lease, keep);
      if (typeof completed !== 'boolean') throw wrongAnswer('Inbox.complete', 'true, or false for a lost lease');
    } catch (cause) {
      report(cause, { kind: 'repeated', entry, ...about });
    }
  };

  const begin = (entry: InboxEntry): void => {
    const processing = process(entry).finally(() => {
      // The loop waits for a wake only when all slots were taken.
      if (running.size >= concurrency) wakeSignal.wake();
      running.delete(processing);
    });
    running.add(processing);
  };

  const claimOrReport = async (free: number): Promise<readonly InboxEntry[]> => {
    try {
      return await claimEntries(inbox, free, lease);
    } catch (cause) {
      report(cause, { kind: 'inbox' });
      return [];
    }
  };

  const loop = async (own: { readonly stopping: boolean }): Promise<void> => {
    while (!own.stopping) {
      const free = concurrency - running.size;
      const claimed = free > 0 ? await claimOrReport(free) : [];
      for (const entry of claimed) begin(entry);
      await yielding.due();
      if (free === 0) await wakeSignal.wait();
      else if (claimed.length < free) await wakeSignal.wait(pollEvery);
    }
  };

  return {
    inbox: {
      enqueue: async (key, body) => {
        const isQueued = await inbox.enqueue(key, body);
        if (isQueued) wakeSignal.wake();
        return isQueued;
      },
    },
    start: () => {
      if (run && !run.stopping) return;
      const next = { stopping: false };
      run = next;
      // Two loops would exceed `concurrency`. This waits for the end of the earlier loop, not for its handlers.
      looping = looping ? looping.then(() => loop(next)) : loop(next);
    },
    drain: async () => {
      for (let count = 0; ; ) {
        const claimed = await claimEntries(inbox, concurrency, lease);
        if (claimed.length === 0) return count;
        await Promise.all(claimed.map(process));
        await yielding.due();
        count += claimed.length;
      }
    },
    stop: async () => {
      if (run) run.stopping = true;
      wakeSignal.wake();
      await looping;
      await Promise.all(running);
    },
  };
};
