import type { DurationMs, EventSelector, EventType, SpecifiedPairs } from '@partnerkit/core';
import type { SendFailure } from '@partnerkit/core/adapter';
import type { CallName } from './call-name.ts';

/** The response of a receiver to one POST. @public */
export type ScriptedAnswer =
  | {
      /** HTTP status. */
      readonly status: number;
      /** Value of the `Retry-After` header. Absent: no header. */
      readonly retryAfter?: string;
    }
  | {
      /** Why no response comes. `never`: the promise of the sender never settles. */
      readonly fails: SendFailure | 'never';
    };

/** The event types that histories publish. @public */
export type SimulatedType = EventType<'RequestSecurityDeposit'>;

/**
 * The endpoint of a partner, with the responses of its receiver.
 * @public
 */
export interface ScriptedEndpoint {
  /** The number of its account. */
  readonly account: number;
  /** The events that it selects. */
  readonly events: readonly EventSelector<SpecifiedPairs>[];
  /** Whether it also gets events of child accounts. */
  readonly includeChildren: boolean;
  /** Whether its POSTs have the headers of Standard Webhooks as well. */
  readonly standardWebhooks: boolean;
  /** Whether it has a delivery header. */
  readonly hasDeliveryHeader: boolean;
  /** Responses, in order. */
  readonly answers: readonly ScriptedAnswer[];
  /** The response after the last of `answers`. */
  readonly afterwards: ScriptedAnswer;
  /** Maximum delay of a response, in milliseconds. */
  readonly slowness: DurationMs;
}

/**
 * A transaction of the host, with the events that it publishes.
 * @public
 */
export interface ScriptedTransaction {
  /** Start of the transaction. */
  readonly at: DurationMs;
  /** Time between its last event and its commit, in milliseconds. */
  readonly openFor: DurationMs;
  /** How it ends. */
  readonly end: 'commit' | 'rollback';
  /** The events that it publishes, in order. */
  readonly events: readonly {
    /** The number of its account. */
    readonly account: number;
    /** A small number, so that events share objects. */
    readonly object: number;
    /** The event type. */
    readonly type: SimulatedType;
    /** Time between the event and its publication, in milliseconds. Absent: the host gives no time. */
    readonly age?: DurationMs | undefined;
    /** The idempotency key. Absent: none. */
    readonly idempotencyKey?: string | undefined;
  }[];
}

/** An act of a partner or an operator. @public */
export type ScriptedAct = {
  /** When it happens. */
  readonly at: DurationMs;
  /** The number of the endpoint. */
  readonly endpoint: number;
} & (
  | {
      readonly kind:
        | 'disable'
        | 'enable'
        | 'resume'
        | 'delete'
        | 'prepare'
        | 'activate'
        | 'activate later'
        | 'cancel'
        | 'new api key'
        | 'no api key'
        | 'move'
        | 'send test'
        /** Replays every published event. */
        | 'replay'
        /** Sends its latest delivery again. */
        | 'send again';
    }
  | {
      readonly kind: 'select';
      /** The events that the endpoint selects from then on. */
      readonly events: readonly EventSelector<SpecifiedPairs>[];
      /** Whether it also gets events of child accounts. */
      readonly includeChildren: boolean;
    }
  | {
      /** The host pauses sending, or resumes it. */
      readonly kind: 'pause sending' | 'resume sending';
      /** Everything, the account of the endpoint, or the endpoint. */
      readonly scope: 'everything' | 'account' | 'endpoint';
    }
);

/**
 * A program of a partner that reads a pull endpoint. The endpoint is created at the start, and stays as it is.
 * @public
 */
export interface ScriptedReader {
  /** The number of its account. */
  readonly account: number;
  /** The events that its endpoint selects. */
  readonly events: readonly EventSelector<SpecifiedPairs>[];
  /** Whether it also gets events of child accounts. */
  readonly includeChildren: boolean;
  /** Maximum number of events of a page. */
  readonly limit: number;
  /** When it reads a page, besides the end. */
  readonly reads: readonly {
    readonly at: DurationMs;
    /** Whether it dies before it has stored the cursor. */
    readonly forgets: boolean;
  }[];
}

/** A change of a machine. @public */
export type MachineEvent = {
  /** When it happens. */
  readonly at: DurationMs;
  /** The number of the machine: 0 is the host; workers run on 1 and above. */
  readonly machine: number;
} & (
  | { readonly kind: 'stop' | 'start' }
  | {
      readonly kind: 'crash';
      /** Time until it restarts, in milliseconds. */
      readonly downFor: DurationMs;
    }
  | {
      readonly kind: 'pause';
      /** Duration of the pause, in milliseconds. */
      readonly length: DurationMs;
    }
  | {
      readonly kind: 'clock';
      /** Change of its wall clock, in milliseconds; negative sets it back. */
      readonly by: DurationMs;
    }
);

/**
 * The fault of one call of the storage, or of one POST (`send`).
 * @public
 */
export interface ScriptedFault {
  /** The machine of the call. */
  readonly machine: number;
  /** The method of the storage, or `send` for a POST. */
  readonly call: CallName | 'send';
  /** The index among the calls of this name on this machine, from 0. */
  readonly number: number;
  /**
   * `crash` and `pause` hit the calling process, before or after the effect. `fail`: no effect. `lose`: the effect
   * happens, but the caller gets an error. `slow`: both directions take time. `silent`: no answer ever comes, and the
   * effect may happen.
   */
  readonly kind: 'crash before' | 'crash after' | 'pause before' | 'pause after' | 'fail' | 'lose' | 'slow' | 'silent';
  /** Duration of the pause, the downtime or the delay, in milliseconds. */
  readonly length: DurationMs;
}

/**
 * One simulated history of a platform: what is published when, how receivers respond, and what fails.
 *
 * Times are milliseconds after the start.
 * @public
 */
export interface History {
  /** Decides every interleaving. */
  readonly seed: number;
  /** Number of workers at the start, each on its own machine. */
  readonly workers: number;
  /** Maximum number of attempts in flight per worker. */
  readonly concurrency: number;
  /** Maximum number of attempts in flight per endpoint. */
  readonly perEndpoint: number;
  /** Poll interval of workers. */
  readonly pollEvery: DurationMs;
  /** Prune interval of workers. */
  readonly pruneEvery: DurationMs;
  /** Retention periods. */
  readonly retention: {
    /** Of held deliveries. */
    readonly held: DurationMs;
    /** Of events with their attempts. */
    readonly events: DurationMs;
  };
  /** Minimum duration of the history, even when nothing is pending. */
  readonly lasts: DurationMs;
  /** Its end, whether something is pending or not. Absent: it ends when nothing is pending. */
  readonly endsAt?: DurationMs | undefined;
  /** The accounts by number; they belong to different shards. */
  readonly accounts: readonly number[];
  /** Endpoints, by their number. */
  readonly endpoints: readonly ScriptedEndpoint[];
  /** Programs that read pull endpoints. Absent: none. */
  readonly readers?: readonly ScriptedReader[];
  /** Transactions of the host. */
  readonly transactions: readonly ScriptedTransaction[];
  /** Acts of partners and operators. */
  readonly acts: readonly ScriptedAct[];
  /** Changes of machines. */
  readonly machineEvents: readonly MachineEvent[];
  /** Scripted faults. */
  readonly faults: readonly ScriptedFault[];
  /** Additional failures and slow calls. */
  readonly noise: {
    /** End of the noise. */
    readonly until: DurationMs;
    /** Probability that a call fails. */
    readonly failures: number;
    /** Probability that a call is slow. */
    readonly slowness: number;
  };
  /** Milliseconds by which the clock of the storage is ahead at the start, and later changes. */
  readonly storeAhead: DurationMs;
  /** Changes of the clock of the storage. */
  readonly storeJumps: readonly {
    /** When it happens. */
    readonly at: DurationMs;
    /** Change in milliseconds; negative sets it back. */
    readonly by: DurationMs;
  }[];
  /** Milliseconds by which the wall clocks of machines are ahead. */
  readonly wallAhead: readonly DurationMs[];
  /** Whether workers have a monotonic clock. Without one, their wall clocks never jump. */
  readonly hasMonotonic: boolean;
  /** Account 1 is a child of account 0. Absent: they are unrelated. */
  readonly family?:
    | {
        /** End of the relation. Absent: it never ends. */
        readonly leavesAt?: DurationMs | undefined;
        /** Probability that a lookup of the directory fails or never ends, during the noise. */
        readonly faults: number;
      }
    | undefined;
}
