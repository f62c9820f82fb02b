import { present } from '../../base/fields/present.ts';
import { type EpochMs, toSeconds } from '../../base/runtime/time.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { EventType } from '../../webhooks/catalogue/specification.ts';
import type { CommandReason, StoredRequest } from '../record/record.ts';
import { type ReportedChargeback, showReported } from './chargeback.ts';
import type { Evidence } from './evidence.ts';

/**
 * One entry of an object's history: a command, or a rule that followed from it.
 * @public
 */
export interface RequestHistoryEntry {
  /** The object's version after the command. */
  readonly version: number;
  /** 0 for the command, 1 for a rule that followed from it. */
  readonly step: number;
  /** When the command was given. */
  readonly at: EpochMs;
  /** The command's name; `create` for the first. */
  readonly command: string;
  /** The type of the published event. */
  readonly event: EventType;
  /** The object's state afterwards. */
  readonly status: string;
  /** Who gave the command. */
  readonly by: Actor;
  /** Why the command was given, where it has a reason. */
  readonly reason?: CommandReason;
  /** What proves it, where evidence was given with the command. Never in the history of the deposit of a cash-out. */
  readonly evidence?: readonly Evidence[];
  /** What the command reported of a chargeback. */
  readonly chargeback?: ReportedChargeback;
  /** In the history of a deposit: the cash-out on which the command was given. */
  readonly cashOutId?: string;
  /** The transaction that the command recorded. */
  readonly transactionId?: string;
}

/** The history entry of a step. */
export const historyEntry = (
  record: StoredRequest,
  step: {
    readonly command: string;
    readonly event: EventType;
    readonly by: Actor;
    readonly reason?: CommandReason | undefined;
    readonly transaction?: { readonly id: string } | undefined;
    readonly evidence?: readonly Evidence[] | undefined;
    readonly chargeback?: ReportedChargeback | undefined;
  },
  index: number,
  cashOutId?: string,
): RequestHistoryEntry => ({
  version: record.version,
  step: index,
  at: record.updatedAt,
  command: step.command,
  event: step.event,
  status: record.status,
  by: step.by,
  ...(step.reason ? { reason: step.reason } : {}),
  ...(cashOutId === undefined ? present({ evidence: step.evidence }) : { cashOutId }),
  ...present({ chargeback: step.chargeback }),
  ...(step.transaction ? { transactionId: step.transaction.id } : {}),
});

/** The partner's view of a history entry. */
export const viewHistoryEntry = ({ at, event, version, command, status, by, reason, ...of }: RequestHistoryEntry) => ({
  type: event,
  command,
  status,
  version,
  by,
  ...(reason ? { reason } : {}),
  ...present({
    evidence: of.evidence,
    chargeback: of.chargeback && showReported(of.chargeback),
    cashOutId: of.cashOutId,
    transactionId: of.transactionId,
  }),
  createdAt: toSeconds(at),
});
