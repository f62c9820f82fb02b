import { addLine, brokenBy, type Kind, type Line, noSums, type Sums } from './ledger.ts';

/** A cash-out, as a bookkeeper knows it. */
interface CashOutBooks {
  readonly id: string;
  status: 'requested' | 'accepted' | 'done' | 'over';
  asked: number;
  collected: number;
  refunded: number;
}
/** A payment request or a security deposit, as a bookkeeper knows it. */
export interface ObjectBooks {
  readonly id: string;
  readonly of: 'payment' | 'deposit';
  status: 'pending' | 'running' | 'over';
  asked: number;
  sums: Sums;
  /** The transactions that were named. */
  readonly lines: (Line & { readonly breaks: readonly string[] })[];
  version: number;
  readonly cashOuts: CashOutBooks[];
}
/** The books of one account. */
export interface AccountBooks {
  readonly objects: ObjectBooks[];
  /** The transactions that have a name of the processor, by their kind and name. */
  readonly named: Map<string, readonly { readonly line: Line; readonly owner: string }[]>;
}
export const newAccount = (): AccountBooks => ({ objects: [], named: new Map() });

/** A command that moves money, in cents. */
export interface Move {
  readonly command: string;
  readonly object: ObjectBooks;
  readonly cashOut?: CashOutBooks | undefined;
  readonly kind: Kind;
  /** Absent: what is left. */
  readonly cents?: number | undefined;
  /** Whether it names a transaction; a report always does. */
  readonly hasTransaction: boolean;
  readonly reference?: string | undefined;
  /** `extend`: the new amount. */
  readonly asked?: number | undefined;
}

const paidOf = ({ charged, captured, returned }: Sums): number => charged + captured - returned;
const leftOf = (sums: Sums): number => paidOf(sums) - sums.refunded - sums.chargedBack + sums.chargebackReversed;
export const takenOf = ({ cashOuts }: ObjectBooks): number =>
  cashOuts.reduce((sum, { status, asked }) => sum + (status === 'over' ? 0 : asked), 0);

/** What a command moves that names no amount. */
const restOf = ({ command, object: { asked, sums }, cashOut }: Move): number => {
  if (cashOut) return command === 'refund' ? cashOut.collected - cashOut.refunded : cashOut.asked - cashOut.collected;
  if (command === 'refund') return Math.max(0, leftOf(sums));
  const before = command === 'succeed' ? paidOf(sums) : sums.secured + sums.charged - sums.returned;
  return command === 'extend' ? 0 : Math.max(0, asked - before);
};
const lineOf = (move: Move): Line => {
  const status = { failTransaction: 'failed', cancelTransaction: 'cancelled' } as const;
  return {
    kind: move.kind,
    cents: move.cents ?? restOf(move),
    status: status[move.command as keyof typeof status] ?? 'succeeded',
  };
};

const reports = ['succeedTransaction', 'failTransaction', 'cancelTransaction', 'returnTransaction'];
const mayFollow: Readonly<Record<string, readonly string[]>> = {
  succeed: ['pending'],
  succeedDeposit: ['pending'],
  extend: ['running'],
};

/** A deposit whose transactions are told does not learn from a cash-out that names none how it was collected. */
const movesObject = ({ object, cashOut, hasTransaction }: Move): boolean =>
  !cashOut || hasTransaction || object.lines.length === 0;

/** Whether the rules of the guide allow a command; a report is always allowed. */
const isLawful = (move: Move): boolean => {
  const { command, object, cashOut, hasTransaction, asked } = move;
  if (reports.includes(command)) return true;
  const line = lineOf(move);
  if (cashOut) {
    const states = { complete: ['accepted'], collect: ['done'], refund: ['done'] }[command] ?? [];
    if (!states.includes(cashOut.status) || line.cents <= 0) return false;
    if (command === 'refund' ? cashOut.refunded + line.cents > cashOut.collected : overCollected(cashOut, line.cents))
      return false;
  } else {
    const states = mayFollow[command] ?? (object.of === 'payment' ? ['running'] : []);
    if (!states.includes(object.status) || (hasTransaction && line.cents === 0)) return false;
    if (command === 'extend' && !mayExtend(move)) return false;
  }
  const after = movesObject(move) ? addLine(object.sums, line) : object.sums;
  return (asked === undefined || takenOf(object) <= asked) && brokenBy(object.sums, after).length === 0;
};
const overCollected = ({ collected, asked }: CashOutBooks, cents: number): boolean => collected + cents > asked;
/** More by more money, less by less. */
const mayExtend = ({ object, asked = object.asked, kind, hasTransaction }: Move): boolean => {
  if (asked === object.asked) return !hasTransaction;
  const kinds: readonly Kind[] = asked > object.asked ? ['authorisation', 'charge'] : ['release', 'refund'];
  return hasTransaction && kinds.includes(kind);
};

/** How far sums are from what was asked for, where the object is paid or deposited as it says. */
const distance = ({ of, asked, status }: ObjectBooks, sums: Sums): number => {
  if (of === 'payment') return paidOf(sums) - asked;
  const deposited = sums.secured + sums.charged - sums.returned;
  const over = deposited - sums.released - sums.refunded - asked;
  return status === 'running' ? Math.max(over, asked - deposited) : over;
};
/** The law of what was asked for, where a move leads away from it: a report, or a command that names another amount. */
const disagreement = (move: Move, after: Sums): readonly string[] => {
  const { object, command, cents, asked } = move;
  const law = object.of === 'payment' ? 'paid_as_asked' : 'secured_as_deposited';
  const expected = command === 'extend' ? Math.abs((asked ?? object.asked) - object.asked) : restOf(move);
  const isOff = reports.includes(command)
    ? distance(object, after) > Math.max(0, distance(object, object.sums))
    : command in mayFollow && cents !== undefined && cents !== expected;
  return isOff ? [law] : [];
};

const nameOf = ({ kind, reference }: Move): string | undefined =>
  reference === undefined ? undefined : `${kind} ${reference}`;
const ownerOf = ({ object, cashOut }: Move): string => (cashOut ? `${object.id} ${cashOut.id}` : object.id);

/** Those of its kind and name that were booked before. */
const namedBefore = ({ named }: AccountBooks, move: Move) => {
  const name = nameOf(move);
  return (name === undefined ? undefined : named.get(name)) ?? [];
};
/** Whether it repeats a transaction that was booked: the model names no times. */
const isRepeated = (books: AccountBooks, move: Move): boolean =>
  namedBefore(books, move).some(
    ({ owner, line }) =>
      owner === ownerOf(move) &&
      line.status === lineOf(move).status &&
      (move.cents === undefined || line.cents === move.cents),
  );
/** What a command leads to: it is accepted, it repeats one, it is refused. */
export const outcomeOf = (books: AccountBooks, move: Move): 'done' | 'repeated' | 'refused' => {
  if (isRepeated(books, move)) return 'repeated';
  return isLawful(move) ? 'done' : 'refused';
};

/** Whether a command waits for money that the books have: its transaction was reported before it. */
const isWaiting = (move: Move): boolean => {
  const { command, object, cashOut, asked } = move;
  const { status, sums } = object;
  if (cashOut) return false;
  if (command === 'refund') return object.of === 'payment' && status === 'running' && leftOf(sums) <= 0;
  if (command in mayFollow && !mayFollow[command]?.includes(status)) return false;
  const deposited = sums.secured + sums.charged - sums.returned;
  if (command === 'succeed') return paidOf(sums) >= object.asked;
  if (command === 'succeedDeposit') return deposited >= object.asked;
  const isDeposited = asked === deposited - sums.released - sums.refunded && takenOf(object) <= asked;
  return command === 'extend' && asked !== object.asked && isDeposited && mayExtend(move);
};

/** The state after a command. */
const advance = ({ command, object, cashOut, asked }: Move): void => {
  const isNothingPaid = command === 'succeed' && paidOf(object.sums) <= 0 && object.lines.length > 0;
  if ((command === 'succeed' && !isNothingPaid) || command === 'succeedDeposit') object.status = 'running';
  if (command === 'refund' && !cashOut && leftOf(object.sums) <= 0) object.status = 'over';
  const isReopened = command === 'returnTransaction' && object.of === 'payment' && paidOf(object.sums) < object.asked;
  if (isReopened && object.status === 'running') object.status = 'pending';
  if (asked !== undefined) object.asked = asked;
};

/** Writes an accepted command into the books; one that was repeated changes nothing. */
export const book = (books: AccountBooks, given: Move): void => {
  const { command, object, cashOut, hasTransaction } = given;
  const name = nameOf(given);
  if (isRepeated(books, given)) {
    if (!isWaiting(given)) return;
    object.version++;
    advance(given);
    return;
  }
  const line = lineOf(given);
  const before = object.sums;
  const off = disagreement(given, movesObject(given) ? addLine(before, line) : before);
  const namesakes = namedBefore(books, given);
  const isAgain = line.status === 'succeeded' && namesakes.some((each) => each.line.status === 'succeeded');
  if (movesObject(given)) object.sums = addLine(before, line);
  object.version++;
  if (name !== undefined) books.named.set(name, [...namesakes, { line, owner: ownerOf(given) }]);
  const breaks = [...off, ...brokenBy(before, object.sums), ...(isAgain ? ['reference_twice'] : [])];
  if (hasTransaction) object.lines.push({ ...line, breaks });
  if (cashOut && command === 'refund') cashOut.refunded += line.cents;
  else if (cashOut) cashOut.collected += line.cents;
  if (command === 'complete' && cashOut) cashOut.status = 'done';
  advance(given);
};

export const newObject = (of: ObjectBooks['of'], id: string, asked: number): ObjectBooks => ({
  ...{ of, id, asked, status: 'pending', sums: noSums(), lines: [], version: 1, cashOuts: [] },
});
