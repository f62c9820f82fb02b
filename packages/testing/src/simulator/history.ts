import type { DurationMs, EventSelector, EventType, SendFailure } from '@partnerkit/core';
import type { CallName } from './trace.ts';

/** What a receiver does with one POST. @public */
export type ScriptedAnswer =
  | { readonly status: number; readonly retryAfter?: string }
  /** `never`: the sender is never told, and breaks its promise. */
  | { readonly fails: SendFailure | 'never' };

/** The object that histories publish events of. @public */
export type SimulatedType = EventType<'RequestSecurityDeposit'>;

/**
 * A partner's endpoint, and how its receiver answers.
 * @public
 */
export interface ScriptedEndpoint {
  readonly account: number;
  readonly events: readonly EventSelector[];
  readonly includeChildren: boolean;
  readonly standardWebhooks: boolean;
  readonly hasApiKey: boolean;
  /** Answers in order. */
  readonly answers: readonly ScriptedAnswer[];
  /** What it answers once they are used up. */
  readonly afterwards: ScriptedAnswer;
  /** How long an answer takes at most. */
  readonly slowness: DurationMs;
}

/**
 * A transaction of the host, with the events that it publishes.
 * @public
 */
export interface ScriptedTransaction {
  readonly at: DurationMs;
  /** How long it stays open after its last event. */
  readonly openFor: DurationMs;
  readonly end: 'commit' | 'rollback';
  readonly events: readonly {
    readonly account: number;
    /** A small number, so that events meet on one object. */
    readonly object: number;
    readonly type: SimulatedType;
    /** How long before it was published it happened. */
    readonly age?: DurationMs | undefined;
    readonly idempotencyKey?: string | undefined;
  }[];
}

/** What partners and operators do. @public */
export type ScriptedAct = { readonly at: DurationMs; readonly endpoint: number } & (
  | {
      readonly kind:
        | 'disable'
        | 'enable'
        | 'delete'
        | 'prepare'
        | 'activate'
        | 'activate later'
        | 'cancel'
        | 'new api key'
        | 'no api key'
        | 'move'
        | 'send test'
        /** Everything that was published so far. */
        | 'replay'
        /** Its latest delivery. */
        | 'send again';
    }
  | { readonly kind: 'select'; readonly events: readonly EventSelector[]; readonly includeChildren: boolean }
);

/** What happens to a machine. `machine` 0 is the host, workers run on 1 and above. @public */
export type MachineEvent = { readonly at: DurationMs; readonly machine: number } & (
  | { readonly kind: 'stop' | 'start' }
  /** It dies, and is started again after a while. */
  | { readonly kind: 'crash'; readonly downFor: DurationMs }
  | { readonly kind: 'pause'; readonly length: DurationMs }
  /** Its wall clock is set. */
  | { readonly kind: 'clock'; readonly by: DurationMs }
);

/**
 * What goes wrong with one call of the storage, or with one POST (`send`).
 * @public
 */
export interface ScriptedFault {
  readonly machine: number;
  readonly call: CallName | 'send';
  /** Its number among the calls of this name on this machine, from 0. */
  readonly number: number;
  /**
   * `crash` and `pause`: of the process that calls, before or after the effect. `fail`: there is no effect. `lose`: the effect is there, and
   * the caller sees an error. `slow`: both the way there and the way back take time.
   */
  readonly kind: 'crash before' | 'crash after' | 'pause before' | 'pause after' | 'fail' | 'lose' | 'slow';
  readonly length: DurationMs;
}

/**
 * One simulated history of a platform: who publishes what and when, how receivers answer, what goes wrong.
 *
 * Times are milliseconds after the start.
 * @public
 */
export interface History {
  /** Decides every interleaving. */
  readonly seed: number;
  /** How many workers run at first, each on a machine of its own. */
  readonly workers: number;
  readonly concurrency: number;
  readonly perEndpoint: number;
  readonly pollEvery: DurationMs;
  readonly pruneEvery: DurationMs;
  readonly retention: { readonly held: DurationMs; readonly events: DurationMs; readonly attempts: DurationMs };
  /** It goes on for so long at least, even when nothing waits any more. */
  readonly lasts: DurationMs;
  /** How many accounts there are, and which: they belong to different shards. */
  readonly accounts: readonly number[];
  readonly endpoints: readonly ScriptedEndpoint[];
  readonly transactions: readonly ScriptedTransaction[];
  readonly acts: readonly ScriptedAct[];
  readonly machineEvents: readonly MachineEvent[];
  readonly faults: readonly ScriptedFault[];
  /** Until `until`, this part of the calls fails, and this part is slow, besides. */
  readonly noise: { readonly until: DurationMs; readonly failures: number; readonly slowness: number };
  /** How far the storage's clock is ahead at first, and when it is set. */
  readonly storeAhead: DurationMs;
  readonly storeJumps: readonly { readonly at: DurationMs; readonly by: DurationMs }[];
  /** How far the wall clocks of machines are ahead. */
  readonly wallAhead: readonly DurationMs[];
  /** Workers have a monotonic clock. Without, their wall clocks never jump. */
  readonly hasMonotonic: boolean;
  /** Account 1 is a child of account 0. Absent: they have nothing to do with each other. */
  readonly family?:
    | {
        /** Until then; absent: for ever. */
        readonly leavesAt?: DurationMs | undefined;
        /** How often the directory fails or never answers, as a probability, while there is noise. */
        readonly faults: number;
      }
    | undefined;
}
