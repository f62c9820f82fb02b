import type { EpochMs, EpochSeconds } from '@partnerkit/core';
import type { NewEvent } from '@partnerkit/core/adapter';

/** A dispatched event. */
export interface Dispatch {
  readonly event: NewEvent;
  readonly accountId: string;
  readonly timestamp: EpochSeconds;
  readonly endpointIds: readonly string[];
  readonly process: string;
  /** When its call was sent: it may take effect later. */
  readonly sentAt: EpochMs;
  readonly at: EpochMs;
  readonly order: number;
  /** The time of the dispatch, by the clock of the storage. */
  readonly dispatchedAt: EpochMs;
  readonly propagates: boolean;
  /** Whether it was announced, and dispatched without a read. */
  readonly isAnnounced: boolean;
  /** The clock of the storage when the call took effect. */
  readonly storeTime: EpochMs;
}
