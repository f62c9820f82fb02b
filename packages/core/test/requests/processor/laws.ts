import { expect } from 'vitest';
import type { Page } from '../../../src/base/pagination/page.ts';
import type { SecurityDeposit } from '../../../src/requests/kinds/deposit-fields.ts';
import type { PaymentRequest } from '../../../src/requests/kinds/payment.ts';
import type { StoredTransaction } from '../../../src/requests/stores/transaction-store.ts';
import { noSums } from '../books/ledger.ts';
import { done, type World } from '../world.ts';
import { type Booking, disagreementsOf, flagsOf, sumsOf } from './bookkeeper.ts';
import { accountOf, accounts, hear, type Known } from './host.ts';
import { createProcessor, type Movement, type Processor, type Stage } from './processor.ts';

const second = 1_000;

/** The items of all pages. */
const all = async <T>(read: (page: { limit: number; after?: string }) => Promise<Page<T>>): Promise<readonly T[]> => {
  const items: T[] = [];
  for (let after: string | undefined; ; ) {
    const page = await read({ limit: 100, ...(after === undefined ? {} : { after }) });
    items.push(...page.items);
    after = page.next;
    if (after === undefined) return items;
  }
};

/** The case that the messages about one chargeback make: each field as the newest that names it says. */
const caseOf = (stages: readonly Stage[]) => {
  const sorted = stages.toSorted((a, b) => a.reportedAt - b.reportedAt);
  const { reference: processorReference, stage, reason, respondBy }: Stage = Object.assign({}, ...sorted);
  const told = { stage, ...(reason ? { reason } : {}) };
  return { processorReference, ...told, ...(typeof respondBy === 'number' ? { respondBy: respondBy * second } : {}) };
};

/** What the processor did and said about one request. */
interface Truth {
  readonly movements: readonly Movement[];
  readonly stages: readonly Stage[];
  readonly ends: Processor['ends'];
}

const assertRequest = async (
  { requests }: World,
  known: Known,
  rows: readonly StoredTransaction[],
  { movements, stages, ends }: Truth,
): Promise<void> => {
  const { payments, deposits } = requests;
  const [account, { id, of }] = [accountOf(known), known];
  const stored: PaymentRequest | SecurityDeposit = await done<PaymentRequest | SecurityDeposit>(
    of === 'payment' ? payments.find(account, id) : deposits.find(account, id),
  );
  const history = await all((page) => done((of === 'payment' ? payments : deposits).history(account, id, { page })));
  const byId = new Map(movements.map((movement) => [movement.id, movement]));

  // Nothing was refused, lost or booked twice.
  const told = rows.map(({ metadata }) => metadata?.['movement'] ?? '');
  expect(told.toSorted()).toEqual([...byId.keys()].toSorted());
  for (const row of rows) {
    const { kind, status, minor, currency, fee, reference, settledAt } =
      byId.get(row.metadata?.['movement'] ?? '') ?? expect.unreachable('unknown');
    expect({
      kind: row.kind,
      status: row.status,
      minor: row.amount,
      currency: row.currency,
      fee: row.fee ?? 0,
    }).toEqual({ kind, status, minor, currency, fee });
    expect([row.processorReference, row.settledAt]).toEqual([reference, settledAt * second]);
  }

  // The sums are those of the processor.
  const sums = sumsOf(known, movements);
  expect({ ...noSums(), ...stored.sums }).toEqual(sums);
  expect(stored.transactionCount ?? 0).toBe(movements.length);

  // Each disagreement is a flag with its law, and there is no other flag.
  const bookings: Booking[] = [];
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const booked = new Set<string>();
  for (const [nth, { transactionId, command }] of history.entries()) {
    const row = transactionId === undefined || booked.has(transactionId) ? undefined : rowOf.get(transactionId);
    if (!row) continue;
    booked.add(row.id);
    const movement = byId.get(row.metadata?.['movement'] ?? '') as Movement;
    bookings.push({ movement, command, status: history[nth - 1]?.status ?? '' });
  }
  const flags = flagsOf(known, bookings);
  for (const { metadata, breaks = [] } of rows) {
    const movement = metadata?.['movement'] ?? '';
    expect([movement, breaks.toSorted()]).toEqual([movement, flags.get(movement)?.toSorted()]);
  }
  const flagged = rows.flatMap(({ breaks = [] }) => breaks);
  for (const law of disagreementsOf(known, stored.status, sums)) expect(flagged).toContain(law);

  // What is paid is not pending, and what is not paid at all is not payed.
  const isPaid = sums.charged + sums.captured - sums.returned;
  if (of === 'payment' && !known.isCancelled) {
    if (isPaid >= known.minor) expect([id, stored.status]).not.toEqual([id, 'pending']);
    if (isPaid <= 0) expect([id, stored.status]).toEqual([id, 'pending']);
  }

  // Chargebacks are as the newest messages say, and authorisations end as the longest says.
  const cases = [...Map.groupBy(stages, ({ reference }) => reference).values()].map(caseOf);
  const byReference = (a: { processorReference: string }, b: { processorReference: string }) =>
    a.processorReference < b.processorReference ? -1 : 1;
  const shown = (stored.chargebacks ?? []).map(({ saidAt: _saidAt, reportTimes: _times, ...each }) => each);
  expect(shown.toSorted(byReference)).toEqual(cases.toSorted(byReference));
  for (const { id: row, capturableUntil } of stored.transactions ?? []) {
    const end = ends.get(rowOf.get(row)?.metadata?.['movement'] ?? '');
    expect(capturableUntil).toBe(end === undefined ? undefined : end * second);
  }
};

/** The sums of an account are those of the processor, by kind and currency, with its fees. */
const assertAccount = async ({ requests }: World, nth: number, { requests: asked, movements }: Processor) => {
  const expected = new Map<string, { count: number; amount: number; fee: number }>();
  for (const { request, kind, currency, status, minor, fee } of movements.values()) {
    if (asked[request]?.account !== nth || status !== 'succeeded') continue;
    const before = expected.get(`${kind} ${currency}`) ?? { count: 0, amount: 0, fee: 0 };
    expected.set(`${kind} ${currency}`, {
      count: before.count + 1,
      amount: before.amount + minor,
      fee: before.fee + fee,
    });
  }
  const totals = await done(requests.transactions.sums(accounts[nth]?.id ?? ''));
  expect(new Map(totals.map(({ kind, currency, ...total }) => [`${kind} ${currency}`, total]))).toEqual(expected);
};

/**
 * A platform hears what a processor reports, in whatever order, late, twice and at once:
 *
 * - Nothing is refused that the processor did, and nothing is booked twice.
 * - Stored sums are those of the processor, to the minor unit.
 * - Every disagreement is a flag with its law, and there is no other flag.
 * - A request is not pending that is paid, and not payed of which nothing is paid.
 */
export const assertBooksOfProcessor = async (
  world: World,
  size: { readonly seed: number; readonly reports: number },
): Promise<Processor> => {
  const processor = createProcessor(size, Math.ceil(world.clock.now() / second));
  const { known, refused } = await hear(world, processor);
  expect(refused).toEqual([]);
  const rows = new Map<string, StoredTransaction[]>();
  for (const { id } of accounts)
    for (const row of await all((page) => done(world.requests.transactions.list(id, { page }))))
      rows.set(row.objectId, [...(rows.get(row.objectId) ?? []), row]);
  const [movements, stages] = [
    Map.groupBy(processor.movements.values(), ({ request }) => request),
    Map.groupBy(processor.stages, ({ request }) => request),
  ];
  for (const [nth, each] of known.entries())
    await assertRequest(world, each, rows.get(each.id) ?? [], {
      movements: movements.get(nth) ?? [],
      stages: stages.get(nth) ?? [],
      ends: processor.ends,
    });
  for (const nth of accounts.keys()) await assertAccount(world, nth, processor);
  return processor;
};
