import fc from 'fast-check';
import { expect } from 'vitest';
import type { ResultAsync } from '#result';
import type { Unavailable } from '../../src/base/runtime/call-port.ts';
import { hour } from '../../src/base/runtime/time.ts';
import type { GivenCommand } from '../../src/requests/commands/on-command.ts';
import { CommandRejection } from '../../src/requests/record/command-rejection.ts';
import type { StoredRequest } from '../../src/requests/record/record.ts';
import type { CommandRefusal } from '../../src/requests/record/refusal.ts';
import { assertDisputesEnd, assertEvents, assertHistories, assertWithinDeposit } from './model-laws.ts';
import {
  afterwards,
  type CashOutModel,
  caseOf,
  cashOutOutcome,
  held,
  type Kind,
  kinds,
  type Model,
  moveCashOut,
  type Named,
  type ObjectModel,
  ofKind,
  outcomeOf,
  remember,
  taken,
  total,
} from './model-state.ts';
import { tables } from './tables.ts';
import { alone, own, recipient, type World } from './world.ts';

/** Any command, of any kind: what fits what is for the tables to say. */
type Perform = (
  accountId: string,
  id: string,
  command: never,
  options: never,
) => ResultAsync<StoredRequest, CommandRefusal | Unavailable>;

/** A world whose host refuses commands now and then, and counts the others. */
interface ModelWorld extends World {
  readonly hook: { refuses: boolean; readonly given: GivenCommand<object>[] };
}
type Command = fc.AsyncCommand<Model, ModelWorld>;

const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];
const reason = { code: 'as_the_guest_wished', text: 'It rained.' };
/** Halves: two of them refund all. */
const refundOf = (cents: number): number => (cents % 2 ? total / 2 : cents);
const inputOf = (command: string, index: number, cents: number): object => {
  switch (command) {
    case 'change':
      return { metadata: { [`key${index}`]: `${cents % 2}` }, reference: `R-${cents % 2}` };
    case 'setPaymentUrl':
      return { paymentUrl: `https://pay.example/${index}` };
    case 'setTerm':
      return { guaranteedUntil: 4_000_000_000 + index };
    case 'extend':
      return { stay: { from: '2027-03-01', to: `2027-03-0${(index % 9) + 1}` } };
    case 'offer':
      return { amount: cents / 100 };
    case 'settle':
      return { amount: cents / 100, reason };
    case 'refund':
      return { amount: refundOf(cents) / 100, reason };
    case 'returnTransaction':
      return { transaction: { amount: cents / 100 } };
    case 'updateChargeback':
      return { chargeback: caseOf(index, cents) };
    case 'giveEvidence':
      return { processorReference: caseOf(index, cents).processorReference, evidence: [{ id: 'f', kind: 'invoice' }] };
    case 'markIrrecoverable':
      return { document: 'D-1' };
    case 'cancel':
    case 'deny':
    case 'fail':
    case 'litigate':
      return cents % 2 ? { reason } : {};
    default:
      return {};
  }
};

/** Gives a command that the host's hook may refuse; the outcome is that of the tables, or its refusal. */
const give = async <R>(
  model: Model,
  { hook }: ModelWorld,
  refuses: boolean,
  expected: string | undefined,
  perform: () => ResultAsync<R, CommandRefusal | Unavailable>,
): Promise<R | undefined> => {
  hook.refuses = refuses;
  const result = await perform();
  hook.refuses = false;
  const code = expected ?? (refuses ? 'rejected' : undefined);
  expect(result.isErr() ? result.error.code : undefined).toBe(code);
  if (code === undefined) model.carriedOut++;
  return code === undefined ? result._unsafeUnwrap() : undefined;
};

const create = (kind: Kind, templateIndex: number, refuses: boolean): Command => ({
  check: () => true,
  run: async (model, world) => {
    const { requests } = world;
    const templates = ofKind(model, kind === 'payments' ? 'paymentTemplates' : 'depositTemplates');
    const template = pick(
      templates.filter(([, { status }]) => status === 'active'),
      templateIndex,
    );
    const templateId = templateIndex > 0 ? template?.[0] : undefined;
    const from = templateId === undefined ? {} : { templateId };
    const request = { name: 'Stay', currency: 'EUR', recipient, ...from };
    const made = await give<StoredRequest>(
      model,
      world,
      refuses,
      undefined,
      {
        payments: () => requests.payments.create(own.id, { ...request, amount: total / 100 }, alone),
        deposits: () => requests.deposits.create(own.id, { ...request, depositAmount: total / 100 }, alone),
        paymentTemplates: () => requests.paymentTemplates.create(own.id, { name: 'Weekend' }, alone),
        depositTemplates: () =>
          requests.depositTemplates.create(own.id, { name: 'Weekend', depositAmount: 50, currency: 'EUR' }, alone),
      }[kind],
    );
    if (!made) return;
    const { id, status, version } = made;
    const state = { kind, status, version, refunded: 0, charged: 0, returned: 0, checkedIn: false, checkedOut: false };
    model.objects.set(id, { ...state, chargebacks: new Map(), cashOuts: [], events: ['creation'] });
  },
  toString: () => `create ${kind}`,
});

const act = (kind: Kind, index: number, command: string, cents: number, refuses: boolean): Command => ({
  check: (model) => ofKind(model, kind).length > 0,
  run: async (model, world) => {
    const [id, object] = pick(ofKind(model, kind), index) as [string, ObjectModel];
    const perform: Perform = world.requests[kind].perform;
    const moved = command === 'refund' ? refundOf(cents) : cents;
    const outcome = outcomeOf(object, command, moved, index);
    const refusal = typeof outcome === 'string' ? outcome : undefined;
    const input = inputOf(command, index, cents);
    const isDisputed = command === 'litigate' && object.status === 'litigation';
    const { processorReference, stage } = caseOf(index, cents);
    const isKnown = command === 'updateChargeback' && object.chargebacks.get(processorReference) === stage;
    const isSame = isDisputed || isKnown || (command === 'change' && isRepeated(object, input));
    const done = await give(model, world, refuses && !isSame, refusal, () =>
      perform(own.id, id, command as never, { input, ...alone } as never),
    );
    if (!done || typeof outcome === 'string') return;
    if (isSame) {
      model.carriedOut--;
      expect(done.version).toBe(object.version);
      return;
    }
    object.version++;
    expect([done.status, done.version]).toEqual([outcome.next, object.version]);
    object.status = outcome.next;
    object.events.push(...outcome.events);
    if (command === 'change') rememberFields(object, input);
    remember(object, command, moved, index);
  },
  toString: () => `${command} of ${kind} ${index}`,
});

/** What the changes of an object have given it: one that gives it again changes nothing. */
const given = new WeakMap<object, Map<string, string>>();
const pairsOf = (input: object): readonly [string, string][] => {
  const { metadata, reference } = input as { metadata: Record<string, string>; reference: string };
  return [...Object.entries(metadata), ['reference', reference]];
};
const rememberFields = (object: object, input: object): void => {
  given.set(object, new Map([...(given.get(object) ?? []), ...pairsOf(input)]));
};
const isRepeated = (object: object, input: object): boolean =>
  pairsOf(input).every(([key, value]) => given.get(object)?.get(key) === value);

const requestCashOut = (index: number, cents: number, refuses: boolean): Command => ({
  check: (model) => ofKind(model, 'deposits').length > 0,
  run: async (model, world) => {
    const [depositId, deposit] = pick(ofKind(model, 'deposits'), index) as [string, ObjectModel];
    const refusal = !held.includes(deposit.status)
      ? 'wrong_state'
      : taken(deposit) + cents > total
        ? 'exceeds_deposit'
        : undefined;
    const made = await give(model, world, refuses, refusal, () =>
      world.requests.cashOuts.create(own.id, { depositId, amount: cents / 100 }, alone),
    );
    if (!made) return;
    deposit.cashOuts.push({
      id: made.id,
      status: 'requested',
      amount: cents,
      claimed: false,
      version: 1,
      events: ['cashout'],
    });
    deposit.version++;
    deposit.events.push('cashout');
  },
  toString: () => `cash-out of ${cents} of deposit ${index}`,
});

/** Usually names the current offer; sometimes nothing, or the previous offer. */
const namedBy = (command: string, { amount, version }: CashOutModel, cents: number): Named => {
  const accepts = command === 'accept';
  if (!accepts && command !== 'complete') return {};
  switch (cents % 16) {
    case 0:
      return {};
    case 1:
      return { version: version - 1 };
    case 2:
      return accepts ? { amount: amount + 1 } : { version };
    case 3:
      return accepts ? { amount, version } : { version };
    default:
      return accepts && cents % 2 ? { amount } : { version };
  }
};

const actOnCashOut = (index: number, which: number, command: string, cents: number, refuses: boolean): Command => ({
  check: (model) => (pick(ofKind(model, 'deposits'), index)?.[1].cashOuts.length ?? 0) > 0,
  run: async (model, world) => {
    const [, deposit] = pick(ofKind(model, 'deposits'), index) as [string, ObjectModel];
    const cashOut = pick(deposit.cashOuts, which) as CashOutModel;
    const named = namedBy(command, cashOut, cents);
    const outcome = cashOutOutcome(deposit, cashOut, command, cents, named);
    const refusal = typeof outcome === 'string' ? outcome : undefined;
    const accepted = named.amount === undefined ? {} : { amount: named.amount / 100 };
    const input = command === 'refund' ? {} : { ...inputOf(command, index, cents), ...accepted };
    const isSame = command === 'change' && refusal === undefined && isRepeated(cashOut, input);
    const done = await give(model, world, refuses && !isSame, refusal, () =>
      world.requests.cashOuts.perform(own.id, cashOut.id, command as never, {
        input: input as never,
        ...alone,
        ifVersion: named.version,
      }),
    );
    if (!done) return;
    if (isSame) {
      model.carriedOut--;
      return;
    }
    if (command === 'offer' || command === 'settle') cashOut.amount = cents;
    if (command === 'change') rememberFields(cashOut, input);
    moveCashOut(deposit, cashOut, command, outcome);
    expect([done.status, done.amount, done.version]).toEqual([cashOut.status, cashOut.amount, cashOut.version]);
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
/** One command in twelve is refused by the host. */
const refuses = fc.nat({ max: 11 }).map((each) => each === 0);
const commandsOf = (kind: keyof typeof tables) =>
  fc.constantFrom(...new Set([...tables[kind].keys()].map((key) => key.split(' ')[1] as string)));
/** What ends a deposit, and what each of its states allows: often given, it would keep others from happening. */
const rare = ['cancel', 'fail', 'finish', 'returnTransaction', 'updateChargeback', 'giveEvidence'];
const depositCommand = fc.oneof(
  { arbitrary: fc.constant('succeedDeposit'), weight: 4 },
  { arbitrary: commandsOf('deposits').filter((command) => !rare.includes(command)), weight: 8 },
  { arbitrary: fc.constantFrom('returnTransaction', 'updateChargeback', 'giveEvidence', 'finish'), weight: 2 },
  { arbitrary: fc.constantFrom('checkIn', 'checkOut'), weight: 2 },
  { arbitrary: commandsOf('deposits'), weight: 1 },
);
const cashOutCommand = fc.oneof(
  { arbitrary: commandsOf('cashOuts').filter((command) => !afterwards.includes(command)), weight: 10 },
  { arbitrary: fc.constantFrom('claim', 'deny'), weight: 4 },
  { arbitrary: fc.constantFrom('accept', 'complete'), weight: 2 },
  { arbitrary: commandsOf('cashOuts'), weight: 1 },
);
const acts = (kind: Kind, command: fc.Arbitrary<string>): fc.Arbitrary<Command> =>
  fc.tuple(few, command, cents, refuses).map((drawn) => act(kind, ...drawn));
const everyCommand: fc.Arbitrary<Command>[] = [
  ...kinds.map((kind) => fc.tuple(few, refuses).map(([template, refused]) => create(kind, template, refused))),
  acts('payments', commandsOf('payments')),
  acts('paymentTemplates', commandsOf('paymentTemplates')),
  acts('depositTemplates', commandsOf('depositTemplates')),
  ...Array.from({ length: 3 }, () => acts('deposits', depositCommand)),
  fc.tuple(few, cents, refuses).map((drawn) => requestCashOut(...drawn)),
  ...Array.from({ length: 4 }, () =>
    fc.tuple(few, few, cashOutCommand, cents, refuses).map((drawn) => actOnCashOut(...drawn)),
  ),
  fc.nat({ max: 48 }).map(passTime),
];

/** Opens a world with a host that takes part in each command. */
export type OpenModelWorld = (options: {
  readonly onCommand: (given: GivenCommand<object>) => void;
}) => World | Promise<World>;

/**
 * Whatever commands are given, in any order:
 *
 * - Each does what its table says, or is refused; no rule is broken.
 * - The host's hook was called once for each command that was carried out; what it refused left nothing.
 * - Events and history tell all of it, and rebuild what is stored.
 * - Each dispute can be brought to an end.
 *
 * Resolves to the pairs of object and type that occurred.
 */
export const assertFollowsTables = async (
  open: OpenModelWorld,
  parameters: fc.Parameters<unknown>,
): Promise<ReadonlySet<string>> => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.commands(everyCommand, { maxCommands: 80, size: 'max' }), async (commands) => {
      const hook: ModelWorld['hook'] = { refuses: false, given: [] };
      const world = await open({
        onCommand: (command) => {
          if (hook.refuses) throw new CommandRejection({ code: 'not_today', detail: 'Come back tomorrow.' });
          hook.given.push(command);
        },
      });
      const model: Model = { objects: new Map(), carriedOut: 0 };
      await fc.asyncModelRun(() => ({ model, real: { ...world, hook } }), commands);
      expect(hook.given).toHaveLength(model.carriedOut);
      await assertWithinDeposit(model, world);
      await assertEvents(model, world, seen);
      await assertHistories(model, world);
      await assertDisputesEnd(model, world);
    }),
    parameters,
  );
  return seen;
};
