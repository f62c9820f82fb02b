import type { Attempt, Delivery, DurationMs, EpochMs, PulledPage, Signal } from '@partnerkit/core';
import type { AuditEntry, FeedPart, ListedEvent, SendOutcome } from '@partnerkit/core/adapter';
import type { CallName, MethodOf } from './call-name.ts';
import type { History } from './history.ts';

/**
 * A call of the storage by a process. Times are true times. A call without `effectAt` changed nothing.
 * @public
 */
export interface Call<N extends CallName = CallName> {
  /** The method. */
  readonly name: N;
  /** The calling process. */
  readonly process: string;
  /** The arguments. */
  readonly args: Readonly<Parameters<MethodOf<N>>>;
  /** When the process made the call. */
  readonly sentAt: EpochMs;
  /** Its position among the effects of all calls and the starts of all POSTs. */
  order?: number;
  /** When the call took effect, at the earliest. */
  effectAt?: EpochMs;
  /** When the call was done: it may have waited for a transaction, and taken effect after that. */
  doneAt?: EpochMs;
  /** The time of the storage at {@link Call.effectAt}. */
  storeTime?: EpochMs;
  /** The time of the storage at {@link Call.doneAt}. */
  storeTimeDone?: EpochMs;
  /** The resolved value. Absent as well when it rejected. */
  result?: Awaited<ReturnType<MethodOf<N>>>;
  /** Whether the storage rejected it: what it changed is rolled back. */
  isRefused?: true;
  /** When the process got the result or an error. Absent when it died before. */
  learnedAt?: EpochMs;
  /** Whether the process got the result or an error. */
  learned?: 'answer' | 'error';
}

/**
 * A POST that was sent. Times are true times.
 * @public
 */
export interface SentPost {
  /** Its position among the effects of all calls and the starts of all POSTs. */
  readonly order: number;
  /** When the POST started. */
  readonly at: EpochMs;
  /** The wall clock of its process at that time. */
  readonly wallAt: EpochMs;
  /** The process that sent it. */
  readonly process: string;
  /** The URL of the endpoint. */
  readonly url: string;
  /** The request headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The time limit of the attempt, in milliseconds. */
  readonly deadline: DurationMs;
  /** The end of the POST, even if its process died. */
  readonly until: EpochMs;
  /** Absent: the promise of the sender never settles. */
  readonly outcome?: SendOutcome;
  /** When its process got the outcome. Absent when it died before. */
  learnedAt?: EpochMs;
  /** The position of that moment among the effects of all calls and the starts of all POSTs. */
  learnedOrder?: number;
}

/**
 * The life of a process, in true times.
 * @public
 */
export interface ProcessLife {
  /** The name of the process. */
  readonly process: string;
  /** Its machine: 0 is the host, workers run on 1 and above. */
  readonly machine: number;
  /** When it started. */
  readonly startedAt: EpochMs;
  /** When it died. Absent: it did not die. */
  diedAt?: EpochMs;
  /** When its stop was requested. Absent: it was not. */
  stopRequestedAt?: EpochMs;
  /** When it had stopped. Absent: it did not stop. */
  stoppedAt?: EpochMs;
  /** The times for which it was paused. */
  readonly pauses: {
    /** Start of the pause. */
    readonly from: EpochMs;
    /** End of the pause. */
    readonly to: EpochMs;
  }[];
}

/**
 * An event that the host published.
 * @public
 */
export interface PublishedEvent {
  /** `data.n`, which distinguishes the events of a history. */
  readonly n: number;
  /** The account of the event. */
  readonly accountId: string;
  /** The id of the object. */
  readonly object: string;
  /** The event type. */
  readonly type: string;
  /** The idempotency key. Absent: none. */
  readonly idempotencyKey?: string;
  /** When the event happened. Absent: the host gave no time. */
  readonly occurredAt?: EpochMs;
  /** The only endpoint that gets it. Absent: every endpoint that selects it. */
  readonly onlyTo?: string;
  /** The begin of its transaction. */
  readonly begunAt: EpochMs;
  /** The time of the storage then. */
  readonly begunInStore: EpochMs;
  /** The time of the storage before and after the append. */
  storedBetween?: readonly [EpochMs, EpochMs];
  /** The id of the event. Absent: it was not stored. */
  eventId?: string;
  /** The time of the commit. Absent: it was not committed, or was a repeat. */
  committedAt?: EpochMs;
  /** The end of the transaction, as the host saw it. */
  end: 'committed' | 'rolled back' | 'unknown';
}

/**
 * A program that read a pull endpoint.
 * @public
 */
export interface TracedReader {
  readonly accountId: string;
  readonly endpointId: string;
  /** Its reads, in the order of their answers; the last ones read to the end. */
  readonly pulls: readonly {
    /** The cursor. Absent: from the oldest event. */
    readonly after?: string;
    /** The page, or the code of the failure. */
    readonly page: PulledPage | string;
  }[];
  /** What the feed has at the end. */
  readonly feed: Pick<FeedPart, 'pruned' | 'entries'>;
}

/**
 * Everything that happened in a simulated history, as the laws check it.
 * @public
 */
export interface Trace {
  /** The simulated history. */
  readonly history: History;
  /** True times. */
  readonly startedAt: EpochMs;
  /** The true time of the end. */
  readonly endedAt: EpochMs;
  /** Calls of the storage, in the order of their start. */
  readonly calls: readonly Call[];
  /** POSTs, in the order of their start. */
  readonly posts: readonly SentPost[];
  /** Processes, in the order of their start. */
  readonly lives: readonly ProcessLife[];
  /** Published events. */
  readonly published: readonly PublishedEvent[];
  /** Signals, in order. */
  readonly signals: readonly {
    /** When it was sent. */
    readonly at: EpochMs;
    /** The process that sent it. */
    readonly process: string;
    readonly signal: Signal;
  }[];
  /** Changes of the clock of the storage. */
  readonly storeClock: readonly {
    /** When it changed. */
    readonly at: EpochMs;
    /** Milliseconds by which it is ahead of the true time from then on. */
    readonly ahead: DurationMs;
  }[];
  /** Ids of accounts, by their number in the history. */
  readonly accountIds: readonly string[];
  /** Ids of endpoints, by their number in the history. */
  readonly endpointIds: readonly string[];
  /** Programs that read pull endpoints, by their number in the history. */
  readonly readers: readonly TracedReader[];
  /** The entries of the audit trail, at the end. */
  readonly audit: readonly AuditEntry[];
  /** Clear texts of sealed values, as the host got them. */
  readonly clear: ReadonlyMap<string, string>;
  /** When account 1 stops being a child of account 0; may be infinite. Absent: it is no child. */
  readonly childUntil?: EpochMs;
  /** Committed events that are stored at the end. */
  readonly events: readonly ListedEvent[];
  /** Deliveries that are stored at the end, with their logs. */
  readonly deliveries: readonly (Delivery & {
    /** Its account. */
    readonly accountId: string;
    /** Its attempts, in order. */
    readonly log: readonly Attempt[];
  })[];
}
