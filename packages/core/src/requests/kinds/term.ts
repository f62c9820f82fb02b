import { ok, type Result } from '#result';
import { described, hidden, setLater } from '../../base/fields/field.ts';
import { inSeconds, time } from '../../base/fields/values.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { filled } from '../books/books.ts';
import type { TransactionSums } from '../books/laws.ts';
import type { RequestTransaction, TransactionSummary } from '../books/transaction.ts';
import { withOptional } from '../fields/fields.ts';
import { type CommandContext, type CommandReason, isPastDue, type StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import { type CashOutSummary, isOpen } from './cash-out-summary.ts';
import type { DueRule } from './due-rule.ts';

const guaranteedUntil = time('Until when the deposited money is guaranteed.');
const claimUntil = time('Until when cash-outs may be created.');

/** The term of a deposit: until when its money is guaranteed, and may be claimed. */
export const termFields = {
  guaranteedUntil: inSeconds(setLater(guaranteedUntil)),
  claimUntil: inSeconds(setLater(claimUntil)),
  warnedOf: hidden<EpochMs | undefined>('The end that the last warning was about.'),
  toldEndOf: hidden<EpochMs | undefined>('The end that was told when it passed and the deposit went on.'),
  authorisationEnds: hidden<readonly EpochMs[] | undefined>('The ends of authorisations without a warning yet.'),
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

interface Told {
  readonly warnedOf?: EpochMs;
  readonly toldEndOf?: EpochMs;
  readonly authorisationEnds?: readonly EpochMs[];
}

export type Running = StoredRequest &
  Term &
  Told & {
    readonly sums?: TransactionSums;
    readonly cashOuts: readonly CashOutSummary[];
  };

const isRunning = ({ status }: StoredRequest): boolean => status === 'in_progress' || status === 'litigation';
const because = (code: string): { readonly reason: CommandReason } => ({ reason: { code } });

/** Maximum number of ends of authorisations that a deposit keeps: the latest. */
const maxEnds = 20;

/** A deposit with the end of one more authorisation, if it has one. */
export const withAuthorisation = <R extends Told>(
  deposit: R,
  { kind, status, capturableUntil: end }: Pick<RequestTransaction, 'kind' | 'status' | 'capturableUntil'>,
): R => {
  if (kind !== 'authorisation' || status !== 'succeeded' || end === undefined) return deposit;
  const ends = [...new Set([...(deposit.authorisationEnds ?? []), end])].sort((a, b) => a - b);
  return { ...deposit, authorisationEnds: ends.slice(-maxEnds) };
};

/**
 * A deposit of which an authorisation or the guarantee ends later than was known. The same deposit where neither does,
 * or where its money is not held.
 */
export const withLongerEnds = <R extends Running & { readonly transactions?: readonly TransactionSummary[] }>(
  deposit: R,
  {
    from,
    to,
    guaranteedUntil,
  }: { readonly from?: EpochMs | undefined; readonly to?: EpochMs; readonly guaranteedUntil?: EpochMs },
): R => {
  const { guaranteedUntil: known, authorisationEnds = [], transactions = [] } = deposit;
  const isShared = transactions.some(({ capturableUntil }) => capturableUntil === from);
  const others = authorisationEnds.filter((end) => end !== from || isShared);
  const ended = { ...deposit, authorisationEnds: others };
  const longer =
    to === undefined
      ? deposit
      : withAuthorisation(ended, { kind: 'authorisation', status: 'succeeded', capturableUntil: to });
  const isGuaranteedLonger = known !== undefined && guaranteedUntil !== undefined && guaranteedUntil > known;
  return isGuaranteedLonger && isRunning(deposit) ? withTerm(longer, { guaranteedUntil }) : longer;
};

const codes = {
  ending: 'guarantee_ending',
  expired: 'guarantee_expired',
  authorisation: 'authorisation_ending',
} as const;

/**
 * Records a warning, whose reason says what it is of. The reason decides, and not the time: the clock of this process
 * may be behind that of the storage, which decides what is due.
 */
export const warnOfEnd = <R extends Running>(
  deposit: R,
  { reason }: { readonly reason?: CommandReason | undefined },
  { now, policies }: CommandContext,
): Result<R, CommandRefusal> => {
  const { guaranteedUntil: end, authorisationEnds = [] } = deposit;
  if (reason?.code !== codes.authorisation) {
    const hasPassed = reason?.code === codes.expired || (end !== undefined && end <= now);
    return ok(withOptional<Told, R>(deposit, { warnedOf: end, ...(hasPassed ? { toldEndOf: end } : {}) }));
  }
  const [, ...others] = authorisationEnds;
  const later = others.filter((each) => each - (policies.guarantee?.warnBefore ?? 0) > now);
  return ok(withOptional<Told, R>(deposit, { authorisationEnds: later.length > 0 ? later : undefined }));
};

/** What happens by rule around the end of the guarantee. */
export const termRules = {
  guaranteeEnding: (deposit, { guarantee }) => {
    const { guaranteedUntil, warnedOf } = deposit;
    if (!guarantee || guaranteedUntil === undefined || warnedOf === guaranteedUntil) return undefined;
    const at = guaranteedUntil - guarantee.warnBefore;
    return isRunning(deposit) ? { at, command: 'warnOfEnd', input: because(codes.ending) } : undefined;
  },
  guaranteeExpired: (deposit, { guarantee }) => {
    const { status, guaranteedUntil: at, toldEndOf, cashOuts } = deposit;
    if (!guarantee || at === undefined || !isRunning(deposit)) return undefined;
    const waits = guarantee.atEnd === 'finish' && (status === 'litigation' || cashOuts.some(isOpen));
    if (waits && toldEndOf === at) return undefined;
    return { at, command: waits ? 'warnOfEnd' : guarantee.atEnd, input: because(codes.expired) };
  },
  authorisationEnding: (deposit, { guarantee }) => {
    const { authorisationEnds = [] } = deposit;
    const end = authorisationEnds.find((each) => !isPastDue(deposit, each - (guarantee?.warnBefore ?? 0)));
    const { secured, captured, released } = filled(deposit.sums ?? {});
    if (!guarantee || end === undefined || !isRunning(deposit) || secured <= captured + released) return undefined;
    return { at: end - guarantee.warnBefore, command: 'warnOfEnd', input: because(codes.authorisation) };
  },
} satisfies Record<string, DueRule<Running>>;
