import { expect } from 'vitest';
import { kinds as definitions } from '../../src/requests/kinds/all.ts';
import type { CashOut } from '../../src/requests/kinds/cash-out-fields.ts';
import { isDisputed, isOpen, type Kind, type Model, ofKind, total } from './model-state.ts';
import { tables } from './tables.ts';
import { alone, done, own, type SentEvent, type World } from './world.ts';

const objectNames = {
  payments: 'RequestPayment',
  deposits: 'RequestSecurityDeposit',
  paymentTemplates: 'ModelRequestPayment',
  depositTemplates: 'ModelRequestSecurityDeposit',
} as const;

/** What is stored of an object, as partners see it. */
const shown = async ({ requests }: World, kind: Kind, id: string): Promise<unknown> => {
  switch (kind) {
    case 'payments':
      return (await requests.payments.find(own.id, id)).map(definitions.payments.show).unwrapOr(undefined);
    case 'deposits':
      return (await requests.deposits.find(own.id, id)).map(definitions.deposits.show).unwrapOr(undefined);
    case 'paymentTemplates':
      return (await requests.paymentTemplates.find(own.id, id))
        .map(definitions.paymentTemplates.show)
        .unwrapOr(undefined);
    default:
      return (await requests.depositTemplates.find(own.id, id))
        .map(definitions.depositTemplates.show)
        .unwrapOr(undefined);
  }
};

interface SeenDeposit {
  readonly cashOut?: { readonly id: string; readonly status: string };
  readonly cashOuts: readonly { readonly id: string; readonly status: string }[];
}

/** Reads the events of a deposit one by one: each that shows a cash-out moves that one by its table, and no other. */
const assertMovesByTable = (events: readonly SentEvent[]): ReadonlyMap<string, unknown> => {
  const last = new Map<string, { readonly status: string }>();
  for (const { data, type } of events) {
    const { cashOut, cashOuts } = data as unknown as SeenDeposit;
    if (cashOut) {
      const before = last.get(cashOut.id);
      const rows = [...tables.cashOuts].filter(([key]) => key.startsWith(`${before?.status} `)).map(([, row]) => row);
      if (before) expect(rows).toContainEqual({ next: cashOut.status, events: [type] });
      else expect([cashOut.status, type]).toEqual(['requested', 'cashout']);
      last.set(cashOut.id, cashOut);
    }
    expect(cashOuts.map(({ id, status }) => [id, status])).toEqual([...last].map(([id, { status }]) => [id, status]));
  }
  return last;
};

const findCashOut = async ({ requests }: World, id: string): Promise<CashOut> =>
  done(requests.cashOuts.find(own.id, id));

/** None lost, none invented; by their timestamps they rebuild what is stored. */
export const assertEvents = async (model: Model, world: World, seen: Set<string>): Promise<void> => {
  const all = await world.events();
  const expected = [...model.objects.values()].reduce((sum, { events }) => sum + events.length, 0);
  expect(all).toHaveLength(expected);
  for (const [id, { kind, status, events, cashOuts }] of model.objects) {
    const about = all.filter(({ data }) => data.id === id);
    expect(about.map(({ type }) => type)).toEqual(events);
    expect(new Set(about.map(({ timestamp }) => timestamp)).size).toBe(about.length);
    for (const { objectName, type } of about) {
      expect(objectName).toBe(objectNames[kind]);
      seen.add(`${objectName} ${type}`);
    }
    const { cashOut: _last, transaction: _transaction, ...last } = about.at(-1)?.data ?? expect.unreachable('no event');
    expect(last['status']).toBe(status);
    expect(await shown(world, kind, id)).toEqual(status === 'deleted' ? undefined : last);
    if (kind !== 'deposits') continue;
    const rebuilt = assertMovesByTable(about);
    for (const cashOut of cashOuts)
      expect(rebuilt.get(cashOut.id)).toEqual(definitions.cashOuts.show(await findCashOut(world, cashOut.id)));
  }
};

/** The history of each object has one entry for each event, and ends in what is stored. */
export const assertHistories = async (model: Model, { requests }: World): Promise<void> => {
  for (const [id, { kind, status, events, cashOuts }] of model.objects) {
    if (status === 'deleted') continue;
    const { items } = (await requests[kind].history(own.id, id, { page: { limit: 100 } }))._unsafeUnwrap();
    expect(items.map(({ event }) => event)).toEqual(events.slice(0, 100));
    if (events.length <= 100) expect(items.at(-1)?.status).toBe(status);
    for (const { by, step } of items) expect(by.type).toBe(step === 0 ? 'host' : 'rule');
    for (const cashOut of cashOuts) {
      const found = (await requests.cashOuts.history(own.id, cashOut.id, { page: { limit: 100 } }))._unsafeUnwrap();
      expect(found.items.map(({ event }) => event)).toEqual(cashOut.events);
      expect(found.items.at(-1)).toMatchObject({ status: cashOut.status, version: cashOut.version });
    }
  }
};

export const assertWithinDeposit = async (model: Model, world: World): Promise<void> => {
  for (const [id, { cashOuts, version }] of ofKind(model, 'deposits')) {
    const deposit = await done(world.requests.deposits.find(own.id, id));
    const taken = deposit.cashOuts.filter(({ status }) => status !== 'cancelled' && status !== 'failed');
    expect(taken.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(total);
    expect(deposit.version).toBe(version);
    for (const { id: each, status, amount } of cashOuts)
      expect(await findCashOut(world, each)).toMatchObject({ status, amount, depositId: id });
    expect(deposit.cashOuts.map((each) => each.id)).toEqual(cashOuts.map((each) => each.id));
  }
};

/** Each dispute can be settled; then its deposit is in progress again, and can be finished. */
export const assertDisputesEnd = async (model: Model, { requests }: World): Promise<void> => {
  for (const [id, { status, cashOuts }] of ofKind(model, 'deposits')) {
    if (status !== 'litigation') continue;
    const give = (cashOutId: string, command: 'settle' | 'complete', input: object) =>
      done(requests.cashOuts.perform(own.id, cashOutId, command, { input: input as never, ...alone }));
    for (const cashOut of cashOuts.filter(isDisputed)) {
      await give(cashOut.id, 'settle', { amount: Math.ceil(cashOut.amount / 2) / 100 });
      await give(cashOut.id, 'complete', {});
    }
    expect((await done(requests.deposits.find(own.id, id))).status).toBe('in_progress');
    for (const cashOut of cashOuts.filter((each) => isOpen(each) && !isDisputed(each)))
      await done(requests.cashOuts.perform(own.id, cashOut.id, 'fail', alone));
    expect((await done(requests.deposits.perform(own.id, id, 'finish', alone))).status).toBe('finished');
  }
};
