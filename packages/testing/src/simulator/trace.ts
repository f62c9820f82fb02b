import type {
  Attempt,
  Delivery,
  DurationMs,
  EpochMs,
  NewEvent,
  SendOutcome,
  Signal,
  StampedEvent,
  Storage,
} from '@partnerkit/core';
import type { History } from './history.ts';

type Ports = Omit<Storage<object>, 'transaction' | 'check' | 'clients'>;
type Method = (...args: never) => Promise<unknown>;
type MethodOf<N extends CallName> = N extends `${infer P extends keyof Ports}.${infer M}`
  ? M extends keyof Ports[P]
    ? NonNullable<Ports[P][M]> extends infer F extends Method
      ? F
      : never
    : never
  : never;

/** A method of a port, `deliveries.settle` for one. @public */
export type CallName = { [P in keyof Ports]: `${P}.${keyof Ports[P] & string}` }[keyof Ports];

/**
 * A call of the storage by a process. Times are true times. A call without `effectAt` changed nothing.
 * @public
 */
export interface Call<N extends CallName = CallName> {
  readonly name: N;
  readonly process: string;
  readonly args: Readonly<Parameters<MethodOf<N>>>;
  readonly sentAt: EpochMs;
  /** Its place among the effects of all calls and the starts of all POSTs. */
  order?: number;
  effectAt?: EpochMs;
  /** The storage's own time when it began, and when it was done: it may have waited for a transaction. */
  storeTime?: EpochMs;
  storeTimeDone?: EpochMs;
  /** What the storage resolved to. Absent, too, when it rejected. */
  result?: Awaited<ReturnType<MethodOf<N>>>;
  /** When the process learned of the answer, or of an error. Absent when it died before. */
  heardAt?: EpochMs;
  heard?: 'answer' | 'error';
}

/**
 * One POST that left. Times are true times.
 * @public
 */
export interface SentPost {
  /** Its place among the effects of all calls and the starts of all POSTs. */
  readonly order: number;
  readonly at: EpochMs;
  /** What the wall clock of its process showed. */
  readonly wallAt: EpochMs;
  readonly process: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadline: DurationMs;
  /** It was under way until then, whatever became of its process. */
  readonly until: EpochMs;
  /** Absent: the receiver never lets the sender know. */
  readonly outcome?: SendOutcome;
  /** When its process learned of the outcome. Absent when that died before. */
  heardAt?: EpochMs;
  /** The place of that moment among the effects of all calls and the starts of all POSTs. */
  heardOrder?: number;
}

/**
 * The life of a process, in true times.
 * @public
 */
export interface ProcessLife {
  readonly process: string;
  /** Which machine it ran on: 0 is the host, workers run on 1 and above. */
  readonly machine: number;
  readonly startedAt: EpochMs;
  diedAt?: EpochMs;
  stopAskedAt?: EpochMs;
  stoppedAt?: EpochMs;
  /** When it stood still. */
  readonly pauses: { readonly from: EpochMs; readonly to: EpochMs }[];
}

/**
 * An event that the host published.
 * @public
 */
export interface PublishedEvent {
  /** `data.n`, which tells the events of a history apart. */
  readonly n: number;
  readonly accountId: string;
  readonly object: string;
  readonly type: string;
  readonly idempotencyKey?: string;
  readonly occurredAt?: EpochMs;
  /** The one endpoint that it is for. */
  readonly onlyTo?: string;
  /** When its transaction began. */
  readonly begunAt: EpochMs;
  /** The storage's time then. */
  readonly begunInStore: EpochMs;
  /** The storage's time around when it was appended. */
  storedBetween?: readonly [EpochMs, EpochMs];
  eventId?: string;
  /** When it was committed. Absent: it was not, or it held nothing new. */
  committedAt?: EpochMs;
  /** What the host learned. */
  end: 'committed' | 'rolled back' | 'unknown';
}

/**
 * All that can be seen of a simulated history, for laws to be checked on.
 * @public
 */
export interface Trace {
  readonly history: History;
  /** True times. */
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
  readonly calls: readonly Call[];
  readonly posts: readonly SentPost[];
  readonly lives: readonly ProcessLife[];
  readonly published: readonly PublishedEvent[];
  readonly signals: readonly { readonly at: EpochMs; readonly process: string; readonly signal: Signal }[];
  /** How far the storage's clock was ahead of the true time, from then on. */
  readonly storeClock: readonly { readonly at: EpochMs; readonly ahead: DurationMs }[];
  /** Accounts by their number in the history. */
  readonly accountIds: readonly string[];
  /** Endpoints by their number in the history. */
  readonly endpointIds: readonly string[];
  /** What sealed texts hold, as the host was shown it. */
  readonly clear: ReadonlyMap<string, string>;
  /** While account 1 is a child of account 0: until when. */
  readonly childUntil?: EpochMs;
  /** Everything that was committed and is stored still, at the end. */
  readonly events: readonly (NewEvent | StampedEvent)[];
  /** The deliveries that are stored still, at the end, with their log. */
  readonly deliveries: readonly (Delivery & { readonly accountId: string; readonly log: readonly Attempt[] })[];
}
