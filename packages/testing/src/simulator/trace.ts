import type {
  Abandoned,
  Attempt,
  Delivery,
  DurationMs,
  EndpointState,
  EndpointTurn,
  EpochMs,
  NewEvent,
  SendOutcome,
  Settlement,
  Signal,
  StampedEvent,
} from '@partnerkit/core';
import type { History } from './history.ts';

/** A lease that a worker was given. @public */
export interface Grant {
  /** Its place among all grants and ends: several share a moment. */
  readonly order: number;
  readonly at: EpochMs;
  /** The machine and its life, `worker 1.2`. */
  readonly process: string;
  readonly deliveryId: string;
  readonly lease: string;
  readonly until: EpochMs;
  readonly attempt: number;
  readonly accountId: string;
  readonly endpointId: string;
}

/** One POST that left. @public */
export interface Sent {
  readonly at: EpochMs;
  readonly process: string;
  readonly url: string;
  readonly body: string;
  readonly deadline: DurationMs;
  /** Absent when the process died before it learned. */
  ended?: EpochMs;
  outcome?: SendOutcome;
}

/** The end of a lease that its holder asked for: a settlement, or a release when `next` is absent. @public */
export interface Ended {
  readonly order: number;
  readonly at: EpochMs;
  readonly deliveryId: string;
  readonly lease: string;
  readonly next?: Settlement['next'];
  /** Absent for a release. */
  readonly settlement?: Settlement;
}

/** Something that came over an endpoint, or over a lease from elsewhere. @public */
export type Happened = { readonly order: number; readonly at: EpochMs } & (
  | { readonly kind: 'abandoned'; readonly abandoned: Abandoned }
  | { readonly kind: 'turned'; readonly turn: EndpointTurn }
  /** Whoever manages it changed or deleted it. */
  | { readonly kind: 'changed'; readonly endpointId: string; readonly state: EndpointState | undefined }
  | { readonly kind: 'expired'; readonly endpointId: string; readonly deliveries: number }
);

/** All that can be seen of a simulated life, for the laws to be checked on. Times are virtual, of no store's clock. @public */
export interface Trace {
  readonly history: History;
  readonly grants: readonly Grant[];
  readonly sent: readonly Sent[];
  readonly ended: readonly Ended[];
  readonly happened: readonly Happened[];
  /** Turns of endpoints, and deliveries that expired, as a host was told of them. */
  readonly signals: readonly Extract<Signal, { readonly kind: EndpointTurn['kind'] | 'delivery_expired' }>[];
  /** What became of each publish: its event, and whether the host saw it commit or roll back, or died before it knew. */
  readonly publishes: readonly {
    readonly eventId: string | undefined;
    readonly end: 'committed' | 'rolled back' | 'unknown';
  }[];
  /** The committed events at the end. */
  readonly events: readonly (NewEvent | StampedEvent)[];
  /** The deliveries at the end, with their log. */
  readonly deliveries: readonly (Delivery & { readonly accountId: string; readonly log: readonly Attempt[] })[];
  readonly endpoints: readonly {
    readonly id: string;
    readonly url: string;
    readonly accountId: string;
    /** Absent once deleted. */
    readonly state: EndpointState | undefined;
    /** Nobody but the breaker changed it. */
    readonly steady: boolean;
  }[];
  readonly perAccount: number;
  /** While account 1 is a child of account 0: until when. */
  readonly childUntil?: EpochMs;
}
