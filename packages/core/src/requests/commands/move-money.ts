import { err, ok, type Result } from '#result';
import { present } from '../../base/fields/present.ts';
import { day, second } from '../../base/runtime/time.ts';
import { addTransaction } from '../books/books.ts';
import type { Law } from '../books/laws.ts';
import type { RequestTransaction, TransactionKind } from '../books/transaction.ts';
import type { TransactionInput } from '../books/transaction-input.ts';
import { type MinorUnits, toMinor } from '../fields/money.ts';
import type { Command, RequestKind } from '../kinds/define-kind.ts';
import type { CommandContext, StoredRequest } from '../record/record.ts';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';
import type { StoredTransaction } from '../stores/transaction-store.ts';

interface MoneyInput {
  readonly amount?: number;
  readonly transaction?: TransactionInput & { readonly cashOutId?: string | undefined };
}

/** The amount that an input names, as `amount`, in its transaction, or in both. */
const namedAmount = (
  { amount, transaction }: MoneyInput,
  currency: string,
): Result<MinorUnits | undefined, CommandRefusal> => {
  const named = amount ?? transaction?.amount;
  if (named === undefined) return ok(undefined);
  if (transaction?.amount !== undefined && transaction.amount !== named)
    return err(wrongField('/transaction/amount', 'the same as amount, or absent.'));
  return toMinor(amount === undefined ? '/transaction/amount' : '/amount', named, currency);
};

/** The name that a processor gave to the transaction of an input, with its kind. `undefined`: none. */
export const nameOfTransaction = ({ money }: Command, input: unknown) => {
  const { transaction } = (input ?? {}) as MoneyInput;
  const { processorReference, kind = money?.kind } = transaction ?? {};
  return processorReference === undefined || kind === undefined ? undefined : { kind, processorReference };
};

/**
 * Whether an input reports a stored transaction again: of the same object, with the same end, currency and, where the
 * input names them, the same amount and time. A stored time that nobody named is not compared.
 */
export const isRepeated = (
  stored: StoredTransaction,
  {
    kind,
    command,
    current,
    input,
  }: {
    readonly kind: RequestKind;
    readonly command: Command;
    readonly current: StoredRequest;
    readonly input: unknown;
  },
): boolean => {
  const { parent } = kind;
  const given = input as MoneyInput;
  const owner: unknown = parent ? Reflect.get(current, parent.field) : current.id;
  const isOwn =
    stored.object === (parent?.kind ?? kind).object &&
    stored.objectId === owner &&
    stored.cashOutId === (parent ? current.id : given.transaction?.cashOutId);
  const { currency: ownCurrency } = current as StoredRequest & { readonly currency: string };
  const { currency = ownCurrency, settledAt } = given.transaction ?? {};
  if (!isOwn || currency !== stored.currency || stored.status !== command.money?.status) return false;
  if (settledAt !== undefined && stored.isTimed && settledAt * second !== stored.settledAt) return false;
  const amount = namedAmount(given, currency).unwrapOr(undefined);
  const isNamed = given.amount !== undefined || given.transaction?.amount !== undefined;
  return !isNamed || amount === stored.amount;
};

/** Whether an input says when its transaction was carried out. */
export const namesTime = (input: unknown): boolean =>
  (input as MoneyInput | undefined)?.transaction?.settledAt !== undefined;

/** The transaction that an input names. */
const readTransaction = (
  { fee, settledAt, kind: _kind, amount: _amount, currency: _currency, ...details }: TransactionInput,
  common: Pick<RequestTransaction, 'id' | 'kind' | 'status' | 'amount' | 'currency' | 'cashOutId'>,
  { now }: CommandContext,
): Result<RequestTransaction, CommandRefusal> => {
  if (details.capturableUntil !== undefined && common.kind !== 'authorisation')
    return err(wrongField('/transaction/capturableUntil', 'absent: only an authorisation ends by itself.'));
  if (common.amount === 0) return err(wrongField('/transaction/amount', 'missing, and nothing is left.'));
  const at = settledAt === undefined ? now : settledAt * second;
  if (at > now + day)
    return err(wrongField('/transaction/settledAt', 'whole seconds since 1970-01-01T00:00:00Z, at most a day ahead.'));
  const taken = fee === undefined || fee === 0 ? ok(fee) : toMinor('/transaction/fee', fee, common.currency);
  // Parsed input has no field that is `undefined`; its type cannot say so.
  return taken.map(
    (minor) => ({ ...common, ...present({ ...details, fee: minor }), settledAt: at }) as RequestTransaction,
  );
};

/** Why a command is refused that breaks laws. `undefined`: none of them refuses. */
const refusalOf = (breaks: readonly Law[]): CommandRefusal | undefined =>
  breaks.find(({ refusal }) => refusal !== undefined)?.refusal;

/** An object after a transaction. */
export interface Booked<R extends StoredRequest = StoredRequest> {
  /** The object afterwards. */
  readonly record: R;
  /** Absent: the command names none. */
  readonly transaction?: RequestTransaction | undefined;
}

/**
 * Books what a command moves, before the command changes anything else. A command that would break a law is refused; a
 * report is stored, with the laws that it breaks. Money of another currency is in no sum.
 */
export const moveMoney = (
  { books: rule, parent }: RequestKind,
  { money }: Command,
  { current, input, context }: { current: StoredRequest; input: unknown; context: CommandContext },
): Result<Booked, CommandRefusal> => {
  const given = (input ?? {}) as MoneyInput;
  const isReport = money?.rest === undefined;
  if (!rule || !money || context.isBooked || (isReport && !given.transaction)) return ok({ record: current });
  const { currency: ownCurrency } = current as StoredRequest & { readonly currency: string };
  const currency = given.transaction?.currency ?? ownCurrency;
  const isOther = currency !== ownCurrency;
  if (isOther && !isReport) return err(wrongField('/transaction/currency', `${ownCurrency}, or absent.`));
  const kind = given.transaction?.kind ?? (money.kind as TransactionKind);
  const before = rule.read(current);
  return namedAmount(given, currency).andThen((named) => {
    const left = money.rest && (named === undefined || money.asAsked) ? money.rest(current, input) : undefined;
    const moved = named === undefined && left ? left : ok(named ?? 0);
    return moved.andThen((amount) => {
      const { status } = money;
      const { books, breaks } = isOther
        ? { books: before, breaks: [] }
        : addTransaction(before, { kind, status, amount });
      const refusal = refusalOf(breaks);
      if (refusal && !isReport) return err(refusal);
      const isAsAsked = !money.asAsked || left?.unwrapOr(amount) === amount;
      const isAgain = status === 'succeeded' && context.movement?.isAgain;
      const flags = [
        ...(isReport ? breaks.map(({ name }) => name) : []),
        ...(money.asAsked && !isAsAsked ? [money.asAsked] : []),
        ...(isOther ? (['other_currency'] as const) : []),
        ...(isAgain ? (['reference_twice'] as const) : []),
      ];
      const write = (transaction: RequestTransaction | undefined): Booked => ({
        record: rule.write(current, books.sums, { transaction, isNamed: named !== undefined }),
        transaction,
      });
      if (!given.transaction) return ok(write(undefined));
      const common = { id: context.movement?.id ?? '', kind, status, amount, currency };
      const ofCashOut = parent ? { cashOutId: current.id } : {};
      return readTransaction(given.transaction, { ...common, ...ofCashOut }, context).map((transaction) =>
        write({ ...transaction, ...(flags.length > 0 ? { breaks: flags } : {}) }),
      );
    });
  });
};

/** Books the transaction of a cash-out in its deposit, too. */
export const bookInParent = (
  { books: rule }: RequestKind,
  deposit: StoredRequest,
  transaction: RequestTransaction | undefined,
): Result<StoredRequest, CommandRefusal> => {
  if (!rule || !transaction) return ok(deposit);
  const { books, breaks } = addTransaction(rule.read(deposit), transaction);
  const refusal = refusalOf(breaks);
  return refusal ? err(refusal) : ok(rule.write(deposit, books.sums, { transaction, isNamed: true }));
};
