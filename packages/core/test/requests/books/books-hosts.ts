import fc from 'fast-check';
import { expect } from 'vitest';
import type { Result } from '#result';
import type { StoredRequest } from '../../../src/requests/record/record.ts';
import type { StoredTransaction } from '../../../src/requests/stores/transaction-store.ts';
import { alone, done, own, recipient, stranger, type World } from '../world.ts';
import {
  type AccountBooks,
  book,
  type Move,
  newAccount,
  newObject,
  type ObjectBooks,
  outcomeOf,
  takenOf,
} from './books-model.ts';
import { addLine, brokenIn, type Kind, noSums, transactionKinds } from './ledger.ts';

const accounts = [own, stranger];
type Requests = World['requests'];
type Refusable = Result<StoredRequest, { readonly code: string }>;

const step = fc.record({
  host: fc.nat({ max: 1 }),
  account: fc.nat({ max: 1 }),
  act: fc.nat({ max: 99 }),
  pick: fc.nat({ max: 11 }),
  kind: fc.constantFrom(...transactionKinds),
  cents: fc.integer({ min: 1, max: 6_000 }),
  isNamed: fc.boolean(),
  hasTransaction: fc.boolean(),
  reference: fc.option(fc.nat({ max: 40 }), { nil: undefined, freq: 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
/** What one host is asked for alone can be foretold; several at once race for one object. */
const round = fc.oneof(
  { arbitrary: fc.tuple(step), weight: 3 },
  {
    arbitrary: fc
      .tuple(fc.array(step, { minLength: 2, maxLength: 3 }), step)
      .map(([steps, { account, pick }]) => steps.map((each) => ({ ...each, account, pick }))),
    weight: 1,
  },
);

const reports = [
  'succeedTransaction',
  'succeedTransaction',
  'failTransaction',
  'cancelTransaction',
  'returnTransaction',
];
const onPayment = ['succeed', 'refund', 'refund', ...reports];
const onDeposit = ['succeedDeposit', 'extend', 'extend', ...reports];
const onCashOut = ['complete', 'complete', 'collect', 'collect', 'refund', 'refund'];
const kindsOf: Readonly<Record<string, readonly Kind[]>> = {
  succeed: ['charge', 'capture'],
  succeedDeposit: ['authorisation', 'charge'],
  complete: ['capture', 'charge'],
  collect: ['capture', 'charge'],
  refund: ['refund'],
  returnTransaction: ['return'],
};
const allowed = [
  ...['changed_meanwhile', 'wrong_state', 'already_done', 'exceeds_payment'],
  ...['exceeds_secured', 'exceeds_cash_out', 'exceeds_collected', 'exceeds_deposit', 'invalid_input'],
];
const pickFrom = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];

/** The command of a step. Of several at once each names its amount: what is left is not known. */
const moveOf = ({ objects }: AccountBooks, { act, pick, kind, cents, ...given }: Step, isAlone: boolean): Move => {
  const object = pickFrom(objects, pick) as ObjectBooks;
  const cashOut = object.cashOuts.length > 0 && act % 3 > 0 ? pickFrom(object.cashOuts, act) : undefined;
  const names = cashOut ? onCashOut : object.of === 'payment' ? onPayment : onDeposit;
  const command = names[(act >> 1) % names.length] as string;
  const isReport = reports.includes(command);
  const asked = command === 'extend' && act % 4 > 0 ? object.asked + (cents % 2 ? cents : -(cents % 5_000)) : undefined;
  const raised = asked !== undefined && asked < object.asked ? ['release', 'refund'] : ['authorisation', 'charge'];
  // Now and then a wrong one: an amount that falls by a charge.
  const kinds = command === 'extend' ? (act % 10 > 0 ? raised : transactionKinds) : (kindsOf[command] ?? [kind]);
  const isExtended = asked !== undefined && asked !== object.asked;
  const hasTransaction = command === 'extend' ? isExtended : isReport || given.hasTransaction || !isAlone;
  const isNamed = isReport || given.isNamed || !isAlone || command === 'extend';
  const takesAmount = hasTransaction || cashOut || command === 'refund';
  return {
    ...{ command, object, cashOut, hasTransaction },
    asked: asked === undefined ? undefined : Math.max(1, asked),
    kind: (hasTransaction ? pickFrom(kinds, cents) : kinds[0]) as Kind,
    ...(isNamed && takesAmount && !(command === 'extend' && !hasTransaction) ? { cents } : {}),
    ...(hasTransaction && given.reference !== undefined ? { reference: `r${given.reference}` } : {}),
  };
};

const inputOf = ({ command, cashOut, kind, cents, hasTransaction, reference, asked }: Move): object => {
  const amount = cents === undefined ? {} : { amount: cents / 100 };
  const named = reference === undefined ? {} : { processorReference: reference };
  const isOutside = cashOut !== undefined || command === 'refund';
  const transaction = { kind, ...(isOutside ? {} : amount), ...named };
  return {
    ...(isOutside ? amount : {}),
    ...(hasTransaction ? { transaction } : {}),
    ...(asked === undefined ? {} : { depositAmount: asked / 100 }),
    ...(command === 'extend' && asked === undefined ? { stay: { from: '2027-01-01', to: '2027-01-02' } } : {}),
  };
};
const give = async (requests: Requests, accountId: string, move: Move): Promise<Refusable> => {
  const { object, cashOut, command } = move;
  const options = { input: inputOf(move), ...alone } as never;
  if (cashOut) return requests.cashOuts.perform(accountId, cashOut.id, command as 'collect', options);
  if (object.of === 'payment') return requests.payments.perform(accountId, object.id, command as 'refund', options);
  return requests.deposits.perform(accountId, object.id, command as 'extend', options);
};

/** New objects and cash-outs: few at a time, so that commands meet. */
const begin = async (requests: Requests, accountId: string, books: AccountBooks, { act, pick, cents }: Step) => {
  const deposit = pickFrom(
    books.objects.filter(({ of, status }) => of === 'deposit' && status === 'running'),
    pick,
  );
  if (deposit && act % 2 > 0) {
    const made = await requests.cashOuts.create(accountId, { depositId: deposit.id, amount: cents / 100 }, alone);
    const isAllowed = deposit.cashOuts.length < 50 && takenOf(deposit) + cents <= deposit.asked;
    expect(made.isOk()).toBe(isAllowed);
    if (made.isErr()) return;
    const { id } = made.value;
    await done(requests.cashOuts.perform(accountId, id, 'accept', { input: { amount: cents / 100 }, ...alone }));
    deposit.cashOuts.push({ id, status: 'accepted', asked: cents, collected: 0, refunded: 0 });
    deposit.version += 2;
    return;
  }
  const common = { name: 'Car', currency: 'EUR', recipient };
  const of = act % 4 > 1 ? 'deposit' : 'payment';
  const asked = 5_000 + cents;
  const { id } = await done<StoredRequest>(
    of === 'deposit'
      ? requests.deposits.create(accountId, { ...common, depositAmount: asked / 100 }, alone)
      : requests.payments.create(accountId, { ...common, amount: asked / 100 }, alone),
  );
  books.objects.push(newObject(of, id, asked));
};

/** What is stored of an object is what the books say, and the events alone say the same. */
const assertObject = async ({ requests }: World, accountId: string, object: ObjectBooks, told: readonly object[]) => {
  const stored = await done<StoredRequest & { sums?: object; transactionCount?: number }>(
    object.of === 'payment'
      ? requests.payments.find(accountId, object.id)
      : requests.deposits.find(accountId, object.id),
  );
  const { sums, transactionCount = 0, version } = stored;
  expect([version, transactionCount]).toEqual([object.version, object.lines.length]);
  expect(sums === undefined).toBe(object.lines.length === 0);
  if (sums) expect({ ...noSums(), ...sums }).toEqual(object.sums);
  const written = object.lines.map(({ kind, status, cents, breaks }) => `${kind} ${status} ${cents} ${breaks}`);
  const events = told as readonly { kind: string; status: string; amount: number; breaks?: readonly string[] }[];
  const heard = events.map(
    (each) => `${each.kind} ${each.status} ${Math.round(each.amount * 100)} ${each.breaks ?? ''}`,
  );
  expect(heard.sort()).toEqual(written.sort());
  for (const { id, asked, collected, refunded } of object.cashOuts) {
    const { amount, collectedAmount, refundedAmount = 0, status } = await done(requests.cashOuts.find(accountId, id));
    expect([amount, collectedAmount ?? (status === 'done' ? amount : 0), refundedAmount]).toEqual([
      asked,
      collected,
      refunded,
    ]);
    expect(collected).toBeLessThanOrEqual(asked);
    expect(refunded).toBeLessThanOrEqual(collected);
  }
  // A law is broken only where a report says so.
  const flagged = object.lines.flatMap(({ breaks }) => breaks);
  for (const law of brokenIn(object.sums)) expect(flagged).toContain(law);
};

/** The rows of an account add up to its objects, kind by kind. */
const assertAccount = async ({ requests }: World, accountId: string, { objects }: AccountBooks) => {
  const rows: StoredTransaction[] = [];
  for (let after: string | undefined; ; ) {
    const page = await done(
      requests.transactions.list(accountId, { page: { limit: 100, ...(after ? { after } : {}) } }),
    );
    rows.push(...page.items);
    after = page.next;
    if (after === undefined) break;
  }
  const lines = objects.flatMap((object) => object.lines.map((line) => ({ ...line, id: object.id })));
  const shown = (id: string, { kind, status, cents, breaks }: Omit<(typeof lines)[number], 'id'>): string =>
    `${id} ${kind} ${status} ${cents} ${breaks}`;
  expect(
    rows.map((row) => shown(row.objectId, { ...row, cents: row.amount, breaks: row.breaks ?? [] })).sort(),
  ).toEqual(lines.map(({ id, ...line }) => shown(id, line)).sort());
  const names = rows.flatMap(({ kind, number, processorReference: name }) =>
    name === undefined ? [] : [`${kind} ${name} ${number}`],
  );
  expect(new Set(names).size).toBe(names.length);
  const totals = await done(requests.transactions.sums(accountId));
  const sums = totals.reduce(
    (sum, { kind, amount }) => addLine(sum, { kind, cents: amount, status: 'succeeded' }),
    noSums(),
  );
  expect(sums).toEqual(lines.reduce(addLine, noSums()));
  if (lines.every(({ breaks }) => breaks.length === 0) && objects.every(isBookedByLines))
    expect(brokenIn(sums)).toEqual([]);
};
/** Whether each sum of it is one of named transactions. */
const isBookedByLines = ({ lines, sums }: ObjectBooks): boolean =>
  JSON.stringify(lines.reduce(addLine, noSums())) === JSON.stringify(sums);

/** How many commands were given, and accepted. */
export interface Given {
  given: number;
  accepted: number;
}

/**
 * Two hosts over one storage give commands that move money, some at the same moment. Whatever they give:
 *
 * - A command without a rival is accepted exactly if the books allow it. After each command the books hold.
 * - Stored sums, rows, events and the sums of the account are those of a bookkeeper who wrote down what was accepted.
 * - Only a report breaks a law, and says so.
 */
export const assertBooksHold = async (
  open: () => World | Promise<World>,
  { rounds, ...parameters }: fc.Parameters<unknown> & { readonly rounds: number },
): Promise<Given> => {
  const counts: Given = { given: 0, accepted: 0 };
  const history = fc.array(round, { minLength: rounds, maxLength: rounds });
  await fc.assert(
    fc.asyncProperty(history, async (all) => {
      const world = await open();
      const hosts = [world.requests, world.requestsOver({})] as const;
      const books = accounts.map(newAccount);
      for (const steps of all) {
        const [{ account, act, host }] = steps as [Step];
        const [{ id: accountId }, ledger] = [accounts[account], books[account]] as [typeof own, AccountBooks];
        if (ledger.objects.length === 0 || (act < 8 && steps.length === 1)) {
          await begin(hosts[host as 0], accountId, ledger, steps[0] as Step);
          counts.given++;
          continue;
        }
        const moves = steps.map((each) => moveOf(ledger, each, steps.length === 1));
        const expected = moves.length === 1 ? outcomeOf(ledger, moves[0] as Move) : undefined;
        const given = await Promise.all(
          moves.map((move, nth) => give(hosts[(host + nth) % 2] as Requests, accountId, move)),
        );
        counts.given += given.length;
        for (const each of given) if (each.isErr()) expect(allowed).toContain(each.error.code);
        if (expected) expect([moves[0], given[0]?.isOk()]).toEqual([moves[0], expected !== 'refused']);
        const accepted = moves
          .flatMap(
            (move, nth) =>
              given[nth]?.match(
                (record) => [{ move, version: record.version }],
                () => [],
              ) ?? [],
          )
          .sort((a, b) => a.version - b.version);
        for (const { move } of accepted) book(ledger, move);
        counts.accepted += accepted.length;
      }
      for (const [nth, ledger] of books.entries()) {
        const accountId = (accounts[nth] as typeof own).id;
        const told = Map.groupBy(await world.events(accountId), ({ data }) => data.id);
        for (const object of ledger.objects) {
          const named = (told.get(object.id) ?? []).flatMap(
            ({ data }) => (data['transaction'] as object | undefined) ?? [],
          );
          await assertObject(world, accountId, object, named);
        }
        await assertAccount(world, accountId, ledger);
      }
    }),
    parameters,
  );
  return counts;
};
