import { addLine, brokenBy, brokenIn, noSums, type Sums } from '../books/ledger.ts';
import type { Asked, Movement } from './processor.ts';

/** A booking, in the order in which the platform made them. */
export interface Booking {
  readonly movement: Movement;
  /** The command that booked it. */
  readonly command: string;
  /** The state before it. */
  readonly status: string;
}

const paidOf = ({ charged, captured, returned }: Sums): number => charged + captured - returned;
const depositedOf = ({ secured, charged, returned }: Sums): number => secured + charged - returned;

/** How far sums are from what was asked for: 0 or less where they agree. */
const disagreement = ({ of, minor }: Asked, status: string, sums: Sums): number => {
  const asked = status === 'cancelled' ? 0 : minor;
  if (of === 'payment') return paidOf(sums) - asked;
  const over = depositedOf(sums) - sums.released - sums.refunded - asked;
  return ['in_progress', 'litigation'].includes(status) ? Math.max(over, asked - depositedOf(sums)) : over;
};
const lawOf = ({ of }: Asked): string => (of === 'payment' ? 'paid_as_asked' : 'secured_as_deposited');

/** What a booking moves: money of another currency moves nothing. */
const lineOf = ({ currency }: Asked, { kind, minor, status, ...movement }: Movement) => ({
  ...{ kind, cents: minor },
  status: movement.currency === currency ? status : ('failed' as const),
});

/** The sums of what the processor did, in the currency of the request. */
export const sumsOf = (asked: Asked, movements: readonly Movement[]): Sums =>
  movements.map((movement) => lineOf(asked, movement)).reduce(addLine, noSums());

/** The flags of each booking, by the id of its movement. */
export const flagsOf = (asked: Asked, bookings: readonly Booking[]): ReadonlyMap<string, readonly string[]> => {
  const named = new Set<string>();
  const flags = new Map<string, readonly string[]>();
  let sums = noSums();
  for (const { movement, command, status } of bookings) {
    const after = addLine(sums, lineOf(asked, movement));
    const received = asked.of === 'payment' ? paidOf(sums) : depositedOf(sums);
    const isOff =
      command === 'succeed' || command === 'succeedDeposit'
        ? movement.minor !== Math.max(0, asked.minor - received)
        : disagreement(asked, status, after) > Math.max(0, disagreement(asked, status, sums));
    const name = `${movement.kind} ${movement.reference}`;
    const isOther = movement.currency !== asked.currency;
    flags.set(movement.id, [
      ...(isOff ? [lawOf(asked)] : []),
      ...brokenBy(sums, after),
      ...(isOther ? ['other_currency'] : []),
      ...(movement.status === 'succeeded' && named.has(name) ? ['reference_twice'] : []),
    ]);
    if (movement.status === 'succeeded') named.add(name);
    sums = after;
  }
  return flags;
};

/** The laws that what the processor did is over, in whatever order it is told. */
export const disagreementsOf = (asked: Asked, status: string, sums: Sums): readonly string[] => [
  ...(disagreement(asked, status, sums) > 0 ? [lawOf(asked)] : []),
  ...brokenIn(sums),
];
