import fc from 'fast-check';
import type { Result } from 'neverthrow';
import { expect } from 'vitest';
import { type SecurityDeposit, viewDeposit } from '../../src/requests/deposits/deposit.ts';
import { viewPayment } from '../../src/requests/payments/payment.ts';
import type { Recorded } from '../../src/requests/record.ts';
import type { Refusal } from '../../src/requests/refusal.ts';
import { depositTemplates, paymentTemplates } from '../../src/requests/templates/template.ts';
import { hour } from '../../src/runtime/time.ts';
import { tables } from './tables.ts';
import { alone, own, recipient, type SentEvent, type World } from './world.ts';

type Kind = 'payments' | 'deposits' | 'paymentTemplates' | 'depositTemplates';
const kinds: readonly Kind[] = ['payments', 'deposits', 'paymentTemplates', 'depositTemplates'];
const objectNames = {
  payments: 'RequestPayment',
  deposits: 'RequestSecurityDeposit',
  paymentTemplates: 'ModelRequestPayment',
  depositTemplates: 'ModelRequestSecurityDeposit',
} as const;
/** 100 EUR: what every deposit is, in cents. */
const deposited = 10_000;

interface CashOutModel {
  status: string;
  amount: number;
}
interface ObjectModel {
  readonly kind: Kind;
  status: string;
  checkedIn: boolean;
  checkedOut: boolean;
  readonly cashOuts: CashOutModel[];
  /** The events that it must have had, in order. */
  readonly events: string[];
}
/** Any command, of any kind: what fits what is for the tables to say. */
type Perform = (
  owner: typeof own,
  id: string,
  command: never,
  input: never,
  options: typeof alone,
) => Promise<Result<Recorded, Refusal>>;
type Model = Map<string, ObjectModel>;
type Command = fc.AsyncCommand<Model, World>;

const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];
const ofKind = (model: Model, kind: Kind): readonly [string, ObjectModel][] =>
  [...model].filter(([, each]) => each.kind === kind);
const open = (status: string): boolean => !['done', 'cancelled', 'failed'].includes(status);

/** What is expected of a command on an object: a code of refusal, or the table's row. */
const expected = (object: ObjectModel, command: string): string | { next: string; events: readonly string[] } => {
  if (object.status === 'deleted') return 'not_found';
  const row = tables[object.kind].get(`${object.status} ${command}`);
  if (!row) return 'wrong_state';
  if (command === 'checkIn' && object.checkedIn) return 'already_done';
  if (command === 'checkOut' && !object.checkedIn) return 'not_checked_in';
  if (command === 'checkOut' && object.checkedOut) return 'already_done';
  if (command === 'finish' && object.cashOuts.some(({ status }) => open(status))) return 'open_cash_outs';
  return row;
};

const create = (kind: Kind, templateIndex: number): Command => ({
  check: () => true,
  run: async (model, { requests }) => {
    const template = pick(
      ofKind(model, kind === 'payments' ? 'paymentTemplates' : 'depositTemplates').filter(
        ([, { status }]) => status === 'active',
      ),
      templateIndex,
    );
    const templateId = templateIndex > 0 ? template?.[0] : undefined;
    const from = templateId === undefined ? {} : { templateId };
    const made = await {
      payments: () =>
        requests.payments.create(own, { name: 'Stay', amount: 100, currency: 'EUR', recipient, ...from }, alone),
      deposits: () =>
        requests.deposits.create(own, { name: 'Stay', depositAmount: 100, currency: 'EUR', recipient, ...from }, alone),
      paymentTemplates: () => requests.paymentTemplates.create(own, { name: 'Weekend' }, alone),
      depositTemplates: () =>
        requests.depositTemplates.create(own, { name: 'Weekend', depositAmount: 50, currency: 'EUR' }, alone),
    }[kind]();
    const { id, status } = made._unsafeUnwrap();
    model.set(id, { kind, status, checkedIn: false, checkedOut: false, cashOuts: [], events: ['creation'] });
  },
  toString: () => `create ${kind}`,
});

const act = (kind: Kind, index: number, command: string): Command => ({
  check: (model) => ofKind(model, kind).length > 0,
  run: async (model, { requests }) => {
    const [id, object] = pick(ofKind(model, kind), index) as [string, ObjectModel];
    const input = command === 'change' ? { name: `Stay ${index}` } : {};
    const perform: Perform = requests[kind].perform;
    const result = await perform(own, id, command as never, input as never, alone);
    const outcome = expected(object, command);
    if (typeof outcome === 'string') {
      expect(result.isErr() && result.error.code).toBe(outcome);
      return;
    }
    expect(result._unsafeUnwrap()).toMatchObject({
      status: outcome.next,
      version: object.events.length + 1 - extra(object),
    });
    object.status = outcome.next;
    object.events.push(...outcome.events);
    if (command === 'checkIn') object.checkedIn = true;
    if (command === 'checkOut') object.checkedOut = true;
  },
  toString: () => `${command} of ${kind} ${index}`,
});
/** A denial that leads to litigation is one command with two events. */
const extra = ({ events }: ObjectModel): number => events.filter((type) => type === 'litigation').length;

const requestCashOut = (index: number, cents: number): Command => ({
  check: (model) => ofKind(model, 'deposits').length > 0,
  run: async (model, { requests }) => {
    const [id, deposit] = pick(ofKind(model, 'deposits'), index) as [string, ObjectModel];
    const result = await requests.cashOuts.create(own, id, { amount: cents / 100 }, alone);
    const taken = deposit.cashOuts
      .filter(({ status }) => status !== 'cancelled' && status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0);
    const refusal =
      deposit.status !== 'in_progress' ? 'wrong_state' : taken + cents > deposited ? 'exceeds_deposit' : undefined;
    expect(result.isErr() ? result.error.code : undefined).toBe(refusal);
    if (refusal !== undefined) return;
    deposit.cashOuts.push({ status: 'requested', amount: cents });
    deposit.events.push('cashout');
  },
  toString: () => `cash-out of ${cents} of deposit ${index}`,
});

const actOnCashOut = (index: number, which: number, command: string, cents: number): Command => ({
  check: (model) => (pick(ofKind(model, 'deposits'), index)?.[1].cashOuts.length ?? 0) > 0,
  run: async (model, { requests }) => {
    const [id, deposit] = pick(ofKind(model, 'deposits'), index) as [string, ObjectModel];
    const stored = (await requests.deposits.find(own, id))._unsafeUnwrap();
    const at = which % deposit.cashOuts.length;
    const cashOut = deposit.cashOuts[at] as CashOutModel;
    const input = command === 'offer' ? { amount: cents / 100 } : {};
    const cashOutId = stored.cashOuts[at]?.id ?? '';
    const result = await requests.cashOuts.perform(own, id, cashOutId, command as never, input as never, alone);
    const row = tables.cashOuts.get(`${cashOut.status} ${command}`);
    const others = deposit.cashOuts
      .filter((each) => each !== cashOut && each.status !== 'cancelled' && each.status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0);
    const refusal =
      !['in_progress', 'litigation'].includes(deposit.status) || !row
        ? 'wrong_state'
        : command === 'offer' && others + cents > deposited
          ? 'exceeds_deposit'
          : undefined;
    expect(result.isErr() ? result.error.code : undefined).toBe(refusal);
    if (refusal !== undefined || !row) return;
    cashOut.status = row.next;
    if (command === 'offer') cashOut.amount = cents;
    deposit.events.push(...row.events);
    if (command === 'deny' && deposit.status === 'in_progress') {
      deposit.status = 'litigation';
      deposit.events.push('litigation');
    }
  },
  toString: () => `${command} of cash-out ${which} of deposit ${index}`,
});

const passTime = (hours: number): Command => ({
  check: () => true,
  run: async (_model, { clock }) => clock.set(clock.now() + hours * hour),
  toString: () => `${hours} hours pass`,
});

const few = fc.nat({ max: 3 });
const cents = fc.integer({ min: 1, max: 6_000 });
const commandsOf = (kind: keyof typeof tables) =>
  fc.constantFrom(...new Set([...tables[kind].keys()].map((key) => key.split(' ')[1] as string)));
const depositCommand = fc.oneof(
  { arbitrary: fc.constant('succeedDeposit'), weight: 4 },
  { arbitrary: commandsOf('deposits').filter((command) => !['cancel', 'fail', 'finish'].includes(command)), weight: 8 },
  { arbitrary: commandsOf('deposits'), weight: 1 },
);
const everyCommand: fc.Arbitrary<Command>[] = [
  ...kinds.map((kind) => few.map((template) => create(kind, template))),
  fc.tuple(few, commandsOf('payments')).map(([index, command]) => act('payments', index, command)),
  fc.tuple(few, commandsOf('paymentTemplates')).map(([index, command]) => act('paymentTemplates', index, command)),
  fc.tuple(few, commandsOf('depositTemplates')).map(([index, command]) => act('depositTemplates', index, command)),
  ...Array.from({ length: 3 }, () =>
    fc.tuple(few, depositCommand).map(([index, command]) => act('deposits', index, command)),
  ),
  fc.tuple(few, cents).map(([index, amount]) => requestCashOut(index, amount)),
  ...Array.from({ length: 4 }, () =>
    fc
      .tuple(few, few, commandsOf('cashOuts'), cents)
      .map(([index, which, command, amount]) => actOnCashOut(index, which, command, amount)),
  ),
  fc.nat({ max: 48 }).map(passTime),
];

/** What is stored of an object, as partners see it. */
const shown = async ({ requests }: World, kind: Kind, id: string): Promise<unknown> => {
  switch (kind) {
    case 'payments':
      return (await requests.payments.find(own, id)).map(viewPayment).unwrapOr(undefined);
    case 'deposits':
      return (await requests.deposits.find(own, id)).map(viewDeposit).unwrapOr(undefined);
    case 'paymentTemplates':
      return (await requests.paymentTemplates.find(own, id)).map(paymentTemplates.view).unwrapOr(undefined);
    default:
      return (await requests.depositTemplates.find(own, id)).map(depositTemplates.view).unwrapOr(undefined);
  }
};

interface SeenDeposit {
  readonly cashOuts: readonly { readonly id: string; readonly status: string; readonly amount: number }[];
}

/** Reads the events of a deposit one by one: each moves the deposit, or one of its cash-outs, by its table. */
const assertRebuilds = (events: readonly SentEvent[]): void => {
  let before: SeenDeposit = { cashOuts: [] };
  for (const { data, type } of events) {
    const now = data as unknown as SeenDeposit;
    const moved = now.cashOuts.filter(
      (each) => JSON.stringify(each) !== JSON.stringify(before.cashOuts.find(({ id }) => id === each.id)),
    );
    expect(before.cashOuts.every(({ id }) => now.cashOuts.some((each) => each.id === id))).toBe(true);
    expect(moved.length).toBeLessThanOrEqual(1);
    const [cashOut] = moved;
    if (cashOut) {
      const held = before.cashOuts.find(({ id }) => id === cashOut.id);
      const rows = [...tables.cashOuts].filter(([key]) => key.startsWith(`${held?.status} `)).map(([, row]) => row);
      if (!held) expect([cashOut.status, type]).toEqual(['requested', 'cashout']);
      else expect(rows).toContainEqual({ next: cashOut.status, events: [type] });
    }
    before = now;
  }
};

/** None lost, none invented; by their seconds they rebuild what is stored. */
const assertEvents = async (model: Model, world: World, seen: Set<string>): Promise<void> => {
  const all = await world.events();
  expect(all).toHaveLength([...model.values()].reduce((sum, { events }) => sum + events.length, 0));
  for (const [id, { kind, status, events }] of model) {
    const about = all.filter(({ data }) => data.id === id);
    expect(about.map(({ type }) => type)).toEqual(events);
    expect(new Set(about.map(({ timestamp }) => timestamp)).size).toBe(about.length);
    for (const { objectName, type } of about) {
      expect(objectName).toBe(objectNames[kind]);
      seen.add(`${objectName} ${type}`);
    }
    const last = about.at(-1)?.data;
    expect(last?.status).toBe(status);
    expect(await shown(world, kind, id)).toEqual(status === 'deleted' ? undefined : last);
    if (kind === 'deposits') assertRebuilds(about);
  }
};

const assertWithinDeposit = async (model: Model, { requests }: World): Promise<void> => {
  for (const [id] of ofKind(model, 'deposits')) {
    const deposit: SecurityDeposit = (await requests.deposits.find(own, id))._unsafeUnwrap();
    const taken = deposit.cashOuts.filter(({ status }) => status !== 'cancelled' && status !== 'failed');
    expect(taken.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(deposit.amount);
  }
};

/**
 * Whatever commands are given, in any order: each does what its table says or is refused, no rule is broken, and the events tell all of it.
 * Resolves to the pairs of object and type that occurred.
 */
export const assertFollowsTables = async (
  open: () => World | Promise<World>,
  parameters: fc.Parameters<unknown>,
): Promise<ReadonlySet<string>> => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.commands(everyCommand, { maxCommands: 80, size: 'max' }), async (commands) => {
      const world = await open();
      const model: Model = new Map();
      await fc.asyncModelRun(() => ({ model, real: world }), commands);
      await assertWithinDeposit(model, world);
      await assertEvents(model, world, seen);
    }),
    parameters,
  );
  return seen;
};
