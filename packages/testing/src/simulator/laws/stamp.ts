import type { NewEvent } from '@partnerkit/core/ports';
import type { EpochMs, EpochSeconds } from '@partnerkit/core/time';

/** A dispatched event. @internal */
export interface Stamp {
  readonly event: NewEvent;
  readonly accountId: string;
  readonly second: EpochSeconds;
  readonly endpointIds: readonly string[];
  readonly process: string;
  readonly at: EpochMs;
  readonly order: number;
  /** The time of the dispatch, by the clock of the storage. */
  readonly dispatchedAt: EpochMs;
  readonly propagates: boolean;
}
