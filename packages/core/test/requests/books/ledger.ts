/** Sums in cents, each 0 at first. */
export interface Sums {
  authorised: number;
  secured: number;
  captured: number;
  charged: number;
  released: number;
  refunded: number;
  chargedBack: number;
  chargebackReversed: number;
  returned: number;
}
export const noSums = (): Sums => ({
  authorised: 0,
  secured: 0,
  captured: 0,
  charged: 0,
  released: 0,
  refunded: 0,
  chargedBack: 0,
  chargebackReversed: 0,
  returned: 0,
});

/** The kinds that any report may name; a return has a report of its own. */
export const transactionKinds = [
  'authorisation',
  'capture',
  'charge',
  'release',
  'refund',
  'chargeback',
  'chargeback_reversal',
] as const;
export type Kind = (typeof transactionKinds)[number] | 'return';

/** A transaction as a bookkeeper writes it down. */
export interface Line {
  readonly kind: Kind;
  readonly cents: number;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
}

/** What a bookkeeper adds a transaction to: an authorisation is secured, too. */
const sumsOf: Readonly<Record<Kind, readonly (keyof Sums)[]>> = {
  authorisation: ['authorised', 'secured'],
  capture: ['captured'],
  charge: ['charged'],
  release: ['released'],
  refund: ['refunded'],
  chargeback: ['chargedBack'],
  chargeback_reversal: ['chargebackReversed'],
  return: ['returned'],
};
export const addLine = (sums: Sums, { kind, cents, status }: Line): Sums => {
  const after = { ...sums };
  if (status === 'succeeded') for (const name of sumsOf[kind]) after[name] += cents;
  return after;
};

/** By how much sums are over each law. */
const over = {
  secured_within_authorised: ({ secured, authorised }: Sums) => secured - authorised,
  taken_within_secured: ({ captured, released, secured }: Sums) => captured + released - secured,
  refunded_within_charged: ({ refunded, chargedBack, chargebackReversed, returned, charged, captured }: Sums) =>
    refunded + chargedBack - chargebackReversed + returned - charged - captured,
  reversed_within_charged_back: ({ chargebackReversed, chargedBack }: Sums) => chargebackReversed - chargedBack,
};
/** The laws that sums are over. */
export const brokenIn = (sums: Sums): readonly string[] =>
  Object.entries(over).flatMap(([law, excess]) => (excess(sums) > 0 ? [law] : []));
/** The laws that sums are over, by more than before. */
export const brokenBy = (before: Sums, after: Sums): readonly string[] =>
  Object.entries(over).flatMap(([law, excess]) => (excess(after) > Math.max(0, excess(before)) ? [law] : []));
