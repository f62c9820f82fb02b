import { isSame } from '../../base/fields/merge-patch.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { RequestTransaction, TransactionSummary } from '../books/transaction.ts';
import type { Command, RequestKind } from '../kinds/define-kind.ts';
import type { CommandContext, StoredRequest } from '../record/record.ts';
import type { StoredTransaction } from '../stores/transaction-store.ts';
import { reasonOf, type Step, takeStep } from './take-step.ts';

/** A command whose transaction was stored before. */
interface BookedCommand {
  readonly command: string;
  readonly input: unknown;
  readonly context: CommandContext;
  /** The stored transaction. */
  readonly stored: StoredTransaction;
}

type Booked = StoredRequest & { readonly transactions?: readonly TransactionSummary[] };

const transactionOf = ({
  accountId: _account,
  environment: _environment,
  object: _object,
  objectId: _id,
  number: _number,
  isTimed: _isTimed,
  ...transaction
}: StoredTransaction): RequestTransaction => transaction;

/** What changes with every command. */
const saidBy = ({ updatedAt: _at, updatedBy: _by, version: _version, reason: _reason, ...rest }: StoredRequest) => rest;

/**
 * The transaction and its object, where the input says that the authorisation ends later than is known. Its row stays;
 * the object has its latest end.
 */
const madeLonger = (
  { books }: RequestKind,
  current: Booked,
  { input, stored }: Pick<BookedCommand, 'input' | 'stored'>,
): { readonly record: Booked; readonly transaction: RequestTransaction } => {
  const { transactions = [] } = current;
  const { transaction: given = {}, guaranteedUntil } = input as {
    readonly transaction?: { readonly capturableUntil?: EpochMs };
    readonly guaranteedUntil?: EpochMs | null;
  };
  const known = transactions.find(({ id }) => id === stored.id)?.capturableUntil ?? stored.capturableUntil;
  const { capturableUntil: named = 0 } = given;
  const isLonger = stored.kind === 'authorisation' && stored.status === 'succeeded' && named > (known ?? 0);
  const end = isLonger ? named : known;
  const ends = end === undefined ? {} : { capturableUntil: end };
  const record = isLonger
    ? { ...current, transactions: transactions.map((each) => (each.id === stored.id ? { ...each, ...ends } : each)) }
    : current;
  const lengthened = books?.lengthen?.(record, {
    ...(isLonger ? { from: known, to: named } : {}),
    ...(stored.kind === 'authorisation' && typeof guaranteedUntil === 'number' ? { guaranteedUntil } : {}),
  });
  return { record: (lengthened ?? record) as Booked, transaction: { ...transactionOf(stored), ...ends } };
};

const isWaiting = ({ from, money }: Command, current: StoredRequest, input: unknown): boolean =>
  from.includes(current.status) && (money?.isBooked?.(current, input) ?? false);

/**
 * The step of a command whose transaction was stored before, which is not booked again. `undefined`: the same report
 * came again, and nothing changes.
 *
 * - A command that waits for the money, such as `succeed`, is applied when the books have it by an earlier report.
 * - An authorisation that ends later than is known is made longer.
 */
export const takeBooked = (
  kind: RequestKind,
  current: StoredRequest,
  { command, input, context, stored }: BookedCommand,
): Step | undefined => {
  const rule = kind.commands[command] as Command;
  const { record: longer, transaction } = madeLonger(kind, current, { input, stored });
  if (isWaiting(rule, current, input)) {
    const step = takeStep(kind, longer, { command, input, context: { ...context, isBooked: true } }).unwrapOr(
      undefined,
    );
    if (step && !isSame(saidBy(step.record), saidBy(current))) return { ...step, transaction };
  }
  if (longer === current) return undefined;
  const reason = reasonOf(input, { reasonCode: 'authorisation_extended' });
  const { reason: _before, ...rest } = longer;
  const { now: updatedAt, actor: by } = context;
  const changes = { ...(reason ? { reason } : {}), updatedAt, updatedBy: by, version: current.version + 1 };
  return { command, event: 'update', record: { ...rest, ...changes }, by, reason, transaction };
};
