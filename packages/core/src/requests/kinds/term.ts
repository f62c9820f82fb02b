import { described, hidden, setLater } from '../../base/fields/field.ts';
import { inSeconds, time } from '../../base/fields/values.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { withOptional } from '../fields/fields.ts';
import type { CommandReason, StoredRequest } from '../record/record.ts';
import { type CashOutSummary, isOpen } from './cash-out-summary.ts';
import type { DueRule } from './due-rule.ts';

const guaranteedUntil = time('Until when the deposited money is guaranteed.');
const claimUntil = time('Until when cash-outs may be created.');

/** The term of a deposit: until when its money is guaranteed, and may be claimed. */
export const termFields = {
  guaranteedUntil: inSeconds(setLater(guaranteedUntil)),
  claimUntil: inSeconds(setLater(claimUntil)),
  warnedOf: hidden<EpochMs | undefined>('The end that the last warning was about.'),
};

/** The fields of a term in the input of a command; `null` removes one. */
export const termInput = {
  guaranteedUntil: described(guaranteedUntil.input, guaranteedUntil.description).nullable().optional(),
  claimUntil: described(claimUntil.input, claimUntil.description).nullable().optional(),
};

/** The term of a record. */
export interface Term {
  readonly guaranteedUntil?: EpochMs;
  readonly claimUntil?: EpochMs;
}

/** A record with a changed term: `null` removes a field, an absent one stays. */
export const withTerm = <R extends Term>(
  record: R,
  given: { readonly [K in keyof Term]?: EpochMs | null | undefined },
): R => {
  const { guaranteedUntil = record.guaranteedUntil, claimUntil = record.claimUntil } = given;
  return withOptional<Term, R>(record, {
    guaranteedUntil: guaranteedUntil ?? undefined,
    claimUntil: claimUntil ?? undefined,
  });
};

export type Running = StoredRequest &
  Term & {
    readonly warnedOf?: EpochMs;
    readonly cashOuts: readonly CashOutSummary[];
  };

const isRunning = ({ status }: StoredRequest): boolean => status === 'in_progress' || status === 'litigation';
const because = (code: string): { readonly reason: CommandReason } => ({ reason: { code } });

/** What happens by rule around the end of the guarantee. */
export const termRules = {
  guaranteeEnding: (deposit, { guarantee }) => {
    const { guaranteedUntil, warnedOf } = deposit;
    if (!guarantee || guaranteedUntil === undefined || warnedOf === guaranteedUntil) return undefined;
    const at = guaranteedUntil - guarantee.warnBefore;
    return isRunning(deposit) ? { at, command: 'warnOfEnd', input: because('guarantee_ending') } : undefined;
  },
  guaranteeExpired: (deposit, { guarantee }) => {
    const { status, guaranteedUntil: at, cashOuts } = deposit;
    if (!guarantee || at === undefined) return undefined;
    const command = guarantee.atEnd;
    const mayEnd = command === 'fail' ? isRunning(deposit) : status === 'in_progress' && !cashOuts.some(isOpen);
    return mayEnd ? { at, command, input: because('guarantee_expired') } : undefined;
  },
} satisfies Record<string, DueRule<Running>>;
