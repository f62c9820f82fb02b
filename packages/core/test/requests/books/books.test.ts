import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addTransaction, type Books } from '../../../src/requests/books/books.ts';
import { type BooksOf, laws } from '../../../src/requests/books/laws.ts';
import { type TransactionKind, transactionKinds } from '../../../src/requests/books/transaction.ts';
import { runs } from '../../support/runs.ts';

type Movement = readonly [kind: TransactionKind, amount: number, status?: 'succeeded' | 'failed' | 'cancelled'];
const empty = (of: BooksOf, asked = 100): Books => ({ of, asked, sums: {} });
/** The sums after movements, and what each of them breaks. */
const book = (of: BooksOf, ...movements: readonly Movement[]) => bookFor(100, of, ...movements);
const bookFor = (asked: number, of: BooksOf, ...movements: readonly Movement[]) => {
  let books = empty(of, asked);
  const breaks = movements.map(([kind, amount, status = 'succeeded']) => {
    const added = addTransaction(books, { kind, amount, status });
    books = added.books;
    return added.breaks.map(({ name }) => name).join();
  });
  return { sums: books.sums, breaks };
};

test.each<readonly [what: string, of: BooksOf, movements: readonly Movement[], broken: string]>([
  [
    'a capture of more than is secured',
    'deposit',
    [
      ['authorisation', 100],
      ['capture', 101],
    ],
    'taken_within_secured',
  ],
  [
    'a capture without an authorisation',
    'deposit',
    [
      ['charge', 100],
      ['capture', 1],
    ],
    'taken_within_secured',
  ],
  [
    'captures and releases of more than is secured',
    'deposit',
    [
      ['authorisation', 100],
      ['capture', 60],
      ['release', 41],
    ],
    'taken_within_secured',
  ],
  [
    'a refund of more than was charged',
    'deposit',
    [
      ['charge', 100],
      ['refund', 101],
    ],
    'refunded_within_charged',
  ],
  [
    'a refund of what was only authorised',
    'deposit',
    [
      ['authorisation', 100],
      ['refund', 1],
    ],
    'refunded_within_charged',
  ],
  [
    'a chargeback after a refund of all',
    'deposit',
    [
      ['charge', 100],
      ['refund', 100],
      ['chargeback', 100],
    ],
    'refunded_within_charged',
  ],
  [
    'a second refund of what is left',
    'deposit',
    [
      ['charge', 100],
      ['refund', 60],
      ['refund', 41],
    ],
    'refunded_within_charged',
  ],
  [
    'a collection of more than was asked for',
    'cashOut',
    [
      ['capture', 60],
      ['charge', 41],
    ],
    'collected_within_asked',
  ],
  [
    'a refund of more than was collected',
    'cashOut',
    [
      ['capture', 60],
      ['refund', 61],
    ],
    'refunded_within_collected',
  ],
])('%s breaks a law, and one unit less does not', (_what, of, movements, broken) => {
  expect(book(of, ...movements).breaks.at(-1)).toBe(broken);
  const [kind, amount] = movements.at(-1) as Movement;
  const within = book(of, ...movements.slice(0, -1), [kind, amount - 1]);
  const isWithin = kind !== 'chargeback';
  expect(within.breaks.at(-1)).toBe(isWithin ? '' : broken);
});

test('only transactions that succeeded move money, and each its own sums', () => {
  const { sums, breaks } = bookFor(
    540,
    'deposit',
    ['authorisation', 500],
    ['authorisation', 7, 'failed'],
    ['capture', 120],
    ['capture', 9, 'cancelled'],
    ['release', 380],
    ['charge', 40],
    ['refund', 25],
    ['chargeback', 5],
    ['chargeback', 900, 'failed'],
  );
  expect(breaks.join('')).toBe('');
  expect(sums).toEqual({
    authorised: 500,
    secured: 500,
    captured: 120,
    released: 380,
    charged: 40,
    refunded: 25,
    chargedBack: 5,
  });
  expect(book('cashOut', ['capture', 60], ['charge', 20], ['refund', 5], ['release', 9]).sums).toEqual({
    collected: 80,
    refunded: 5,
  });
});

test('what brings broken books nearer to their law breaks nothing, and what leads away breaks it again', () => {
  expect(
    book('deposit', ['charge', 10], ['chargeback', 15], ['charge', 2], ['chargeback', 1], ['charge', 9]).breaks,
  ).toEqual(['', 'refunded_within_charged', '', 'refunded_within_charged', '']);
});

test('what leaves broken books as far from their law as they were breaks nothing', () => {
  const broken = [
    ['charge', 10],
    ['chargeback', 15],
  ] as const;
  expect(book('deposit', ...broken, ['authorisation', 9], ['release', 9]).breaks.slice(1)).toEqual([
    'refunded_within_charged',
    '',
    '',
  ]);
});

const movement = fc.tuple(
  fc.constantFrom(...transactionKinds),
  fc.integer({ min: 1, max: 60 }),
  fc.constantFrom('succeeded', 'succeeded', 'failed', 'cancelled'),
);

test('whatever is refused where it breaks a law, no law is ever broken', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<BooksOf>('payment', 'deposit', 'cashOut'),
      fc.array(movement, { maxLength: 60 }),
      (of, given) => {
        let books = empty(of);
        for (const [kind, amount, status] of given) {
          const added = addTransaction(books, { kind, amount, status });
          if (added.breaks.length === 0) books = added.books;
        }
        const { authorised = 0, secured = 0, captured = 0, charged = 0, released = 0 } = books.sums;
        const { refunded = 0, chargedBack = 0, chargebackReversed = 0, collected = 0 } = books.sums;
        expect(secured).toBeLessThanOrEqual(authorised);
        expect(captured + released).toBeLessThanOrEqual(secured);
        expect(chargebackReversed).toBeLessThanOrEqual(chargedBack);
        const back = refunded + chargedBack - chargebackReversed;
        expect(back).toBeLessThanOrEqual(of === 'cashOut' ? collected : charged + captured);
        expect(collected).toBeLessThanOrEqual(100);
      },
    ),
    runs,
  );
});

test('each law has a name of its own, and refuses with a code, or flags alone', () => {
  expect(laws.map(({ name, refusal }) => `${name} ${refusal?.code}`)).toEqual([
    'paid_as_asked undefined',
    'secured_as_deposited undefined',
    'secured_within_authorised exceeds_authorised',
    'taken_within_secured exceeds_secured',
    'refunded_within_charged exceeds_payment',
    'reversed_within_charged_back undefined',
    'collected_within_asked exceeds_cash_out',
    'refunded_within_collected exceeds_collected',
  ]);
});
