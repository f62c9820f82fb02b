import {
  type Clock,
  createBell,
  type DedupTimes,
  type DurationMs,
  day,
  type Envelope,
  hour,
  type Inbox,
  type InboxEntry,
  minute,
  parseEnvelope,
  second,
  systemClock,
} from '@partnerkit/core/receiver';
import type { Schemas } from './handlers.ts';
import { teller } from './tell.ts';
import { type Processing, workFinder } from './work.ts';

/**
 * What a worker could not do, and what becomes of the event.
 * @public
 */
export type InboxTrouble =
  /** The handler failed, or the schema refused the data: it is tried again after `wait`. Milliseconds. */
  | { readonly kind: 'retried'; readonly entry: InboxEntry; readonly event?: Envelope; readonly wait: DurationMs }
  /** It failed for the last time: it is set aside, until a person looks into it and has it resumed. */
  | { readonly kind: 'parked'; readonly entry: InboxEntry; readonly event?: Envelope }
  /** It was processed, and that could not be stored: it is processed again when its lease has lapsed. */
  | { readonly kind: 'repeated'; readonly entry: InboxEntry; readonly event?: Envelope }
  /** The inbox could not be asked: it is asked again. */
  | { readonly kind: 'inbox' };

/**
 * What a worker does with the events of an inbox.
 * @public
 */
export interface InboxWorkerOptions<S extends Schemas> extends Processing<S> {
  readonly inbox: Inbox;
  /** So many handlers run at once. @defaultValue 8 */
  readonly concurrency?: number;
  /** How often it looks by itself, in milliseconds; what comes through {@link InboxWorker.inbox} wakes it at once. @defaultValue 1 second */
  readonly pollEvery?: DurationMs;
  /**
   * How long an event waits after its first failure, its second, …; after one more it is parked. No jitter: the slots bound what comes at
   * once. @defaultValue 5 s, 30 s, 2 m, 10 m, 30 m, 1 h, 2 h, 4 h, 8 h, 16 h: eleven attempts in 32 hours
   */
  readonly waits?: readonly DurationMs[];
  /** The lease must be longer than any handler takes: then another runs it again. @defaultValue a lease of 1 minute, kept 35 days */
  readonly times?: Partial<DedupTimes>;
  /** Told of all that fails. What it throws is ignored. */
  readonly onError?: (cause: unknown, trouble: InboxTrouble) => void;
  readonly clock?: Clock;
}

/**
 * Processes what an inbox keeps. Any number may run over one inbox, in any number of processes.
 * @public
 */
export interface InboxWorker {
  /** For the receiver of this process: what is kept through it is processed at once. */
  readonly inbox: Pick<Inbox, 'keep'>;
  /** Runs until it is stopped, and again when it was. An inbox that fails is told of, and asked again. */
  start(): void;
  /** Processes all that is due, and resolves to how many events that were: for cron jobs and tests. Rejects when the inbox fails. */
  drain(): Promise<number>;
  /** Takes nothing more, and resolves when the handlers that run have ended. */
  stop(): Promise<void>;
}

const defaultWaits: readonly DurationMs[] = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[1, 2, 4, 8, 16].map((hours) => hours * hour),
];

/**
 * Runs the handlers for what a receiver keeps (`createReceiver({ inbox })`): the oldest first, a failing one out of the way of
 * the others. What was accepted is never dropped: it is processed, or parked and told of.
 * @example
 * const worker = createInboxWorker({
 *   inbox: postgresInbox(pool),
 *   on: { RequestPayment: { payed: async ({ data }) => orders.markPaid(data.id) } },
 *   onError: (cause, { kind }) => log.error({ cause, kind }),
 * });
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: worker.inbox });
 * worker.start();                                       // … and await worker.stop() on the way out
 * @throws TypeError when `concurrency` or `pollEvery` is no whole number from 1.
 * @public
 */
export const createInboxWorker = <const S extends Schemas = Record<never, never>>({
  inbox,
  concurrency = 8,
  pollEvery = second,
  waits = defaultWaits,
  times: { lease = minute, keep = 35 * day } = {},
  onError,
  clock = systemClock,
  ...handling
}: InboxWorkerOptions<S>): InboxWorker => {
  for (const [name, value] of Object.entries({ concurrency, pollEvery })) {
    if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${name}: a whole number from 1.`);
  }
  const workOn = workFinder(handling);
  const tell = teller(onError);
  const bell = createBell(clock);
  const running = new Set<Promise<void>>();
  let looping: Promise<void> | undefined;
  /** Of the loop that was begun last. */
  let run: { stopping: boolean } | undefined;

  const fail = async (entry: InboxEntry, told: { readonly event?: Envelope }, cause: unknown): Promise<void> => {
    const wait = waits[entry.attempt - 1];
    try {
      if (wait === undefined) await inbox.park(entry.key, entry.lease);
      else await inbox.retry(entry.key, entry.lease, wait);
    } catch {
      // The lease lapses by itself, and the failure is the one to tell.
    }
    tell(cause, wait === undefined ? { kind: 'parked', entry, ...told } : { kind: 'retried', entry, ...told, wait });
  };

  const process = async (entry: InboxEntry): Promise<void> => {
    const event = parseEnvelope(entry.body);
    const told = event ? { event } : {};
    try {
      if (!event) throw new TypeError('What was kept is no envelope.');
      // It must not end one process after the other.
      if (entry.attempt > waits.length + 1)
        throw new Error('Its last attempt never ended: the process died of it, or it took longer than the lease.');
      await workOn(event)?.();
    } catch (cause) {
      return fail(entry, told, cause);
    }
    try {
      await inbox.done(entry.key, entry.lease, keep);
    } catch (cause) {
      tell(cause, { kind: 'repeated', entry, ...told });
    }
  };

  const begin = (entry: InboxEntry): void => {
    const processing = process(entry).finally(() => {
      // Only who found no free slot waits for one.
      if (running.size >= concurrency) bell.ring();
      running.delete(processing);
    });
    running.add(processing);
  };

  const takeOrTell = async (free: number): Promise<readonly InboxEntry[]> => {
    try {
      return await inbox.take(free, lease);
    } catch (cause) {
      tell(cause, { kind: 'inbox' });
      return [];
    }
  };

  const loop = async (own: { readonly stopping: boolean }): Promise<void> => {
    while (!own.stopping) {
      const free = concurrency - running.size;
      const taken = free > 0 ? await takeOrTell(free) : [];
      for (const entry of taken) begin(entry);
      if (free === 0) await bell.wait();
      else if (taken.length < free) await bell.wait(pollEvery);
    }
  };

  return {
    inbox: {
      keep: async (key, body) => {
        const kept = await inbox.keep(key, body);
        if (kept) bell.ring();
        return kept;
      },
    },
    start: () => {
      if (run && !run.stopping) return;
      const next = { stopping: false };
      run = next;
      // Two loops would take more than there are slots. The one before takes no more: it is not its handlers that this waits for.
      looping = looping ? looping.then(() => loop(next)) : loop(next);
    },
    drain: async () => {
      for (let count = 0; ; ) {
        const taken = await inbox.take(concurrency, lease);
        if (taken.length === 0) return count;
        await Promise.all(taken.map(process));
        count += taken.length;
      }
    },
    stop: async () => {
      if (run) run.stopping = true;
      bell.ring();
      await looping;
      await Promise.all(running);
    },
  };
};
