import type { EventType } from '../catalogue/catalogue.ts';
import { type EpochMs, toSeconds } from '../runtime/time.ts';
import type { Actor } from './actor.ts';
import type { Reason, StoredRecord } from './record.ts';

/**
 * One entry of an object's history: a command, or a rule that followed from it.
 * @public
 */
export interface HistoryEntry {
  /** The object's version after the command. */
  readonly version: number;
  /** 0 for the command, 1 for a rule that followed from it. */
  readonly step: number;
  readonly at: EpochMs;
  readonly command: string;
  /** The type of the event that was published. */
  readonly event: EventType;
  /** The object's state afterwards. */
  readonly status: string;
  readonly by: Actor;
  readonly reason?: Reason;
  /** In the history of a deposit: the cash-out that the command was given on. */
  readonly cashOutId?: string;
}

/** What a step adds to the history of an object. @internal */
export const historyEntry = (
  record: StoredRecord,
  step: {
    readonly command: string;
    readonly event: EventType;
    readonly by: Actor;
    readonly reason?: Reason | undefined;
  },
  index: number,
  cashOutId?: string,
): HistoryEntry => ({
  version: record.version,
  step: index,
  at: record.updatedAt,
  command: step.command,
  event: step.event,
  status: record.status,
  by: step.by,
  ...(step.reason ? { reason: step.reason } : {}),
  ...(cashOutId === undefined ? {} : { cashOutId }),
});

/** What partners see of it. @internal */
export const viewHistoryEntry = ({ at, event, version, command, status, by, reason, cashOutId }: HistoryEntry) => ({
  type: event,
  command,
  status,
  version,
  by,
  ...(reason ? { reason } : {}),
  ...(cashOutId === undefined ? {} : { cashOutId }),
  createdAt: toSeconds(at),
});
