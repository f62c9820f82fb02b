import { err, ok, type Result } from '#result';
import { failure } from '../../base/runtime/failure.ts';
import { matchesVersion, namesVersion } from '../../base/runtime/if-version.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { ObjectKind } from '../../base/signals/actor.ts';
import { type ChangeOptions, type CommandActor, hostActor } from '../../base/signals/change-options.ts';
import type { Transactions } from '../../base/transactions/transactions.ts';
import { evidenceOf } from '../fields/evidence.ts';
import type { Command, CommandRule, RequestKind } from '../kinds/define-kind.ts';
import type { RequestKindName } from '../record/names.ts';
import { type AccountRef, type Movement, newRecord, type StoredRequest } from '../record/record.ts';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';
import type { StoredTransaction } from '../stores/transaction-store.ts';
import { carryOut, type EffectDeps, type Effects, effectsOf, type ServedKind } from './effects.ts';
import { isRepeated, nameOfTransaction } from './move-money.ts';
import { allowsWithin, effectsWithParent } from './parent-effects.ts';
import { findObject, lockObject } from './read-objects.ts';
import { checkReturnUrls } from './return-urls.ts';
import { takeBooked } from './take-booked.ts';
import { type Step, takeStep } from './take-step.ts';
import { type Try, transactUntilWon } from './transact.ts';

/** What commands call. */
export interface CommandDeps<Tx extends object> extends EffectDeps<Tx> {
  /** Opens transactions. */
  readonly storage: Transactions<Tx>;
  /** The kinds with their stores. */
  readonly served: Readonly<Record<RequestKindName, ServedKind<Tx>>>;
  /** The current time. */
  now(): EpochMs;
  /** Returns the id of a new object. */
  newId(object: ObjectKind, account: AccountRef, tx: Tx, idempotencyKey: string): Promise<string>;
  /** Returns a new UUID: the id of a transaction, or a key of a command. */
  newUuid(): string;
  /** Returns the fields of the address where the recipient of a new object pays. */
  paymentUrl(object: ObjectKind, record: StoredRequest, tx: Tx, idempotencyKey: string): Promise<object>;
  /** Returns the origins to which the recipients of an account may return. */
  returnOrigins(account: AccountRef, tx: Tx, idempotencyKey: string): Promise<readonly string[]>;
}

/** How a command is given. */
export interface Giving<Tx extends object> extends CommandActor, Pick<ChangeOptions, 'ifVersion'> {
  /** The host's open transaction, or `'new'`. */
  readonly tx: Tx | 'new';
  readonly input: unknown;
  /** The try, where `tx` is that of a try. @defaultValue the first of a command of its own */
  readonly given?: Try | undefined;
}

/** The object that a command is given on. */
interface Target {
  readonly id: string;
  readonly command: string;
}

/** Runs in the host's transaction, or in a new one. */
const inTransaction = <Tx extends object, T>(
  { storage, newUuid }: Pick<CommandDeps<Tx>, 'storage' | 'newUuid'>,
  { tx, given }: Pick<Giving<Tx>, 'tx' | 'given'>,
  work: (tx: Tx, given: Try) => Promise<Result<T, CommandRefusal>>,
): Promise<Result<T, CommandRefusal>> =>
  tx === 'new'
    ? transactUntilWon(storage, newUuid(), work)
    : work(tx, given ?? { idempotencyKey: newUuid(), isAgain: false });

const namesTransaction = (input: unknown): boolean =>
  (input as { readonly transaction?: object } | undefined)?.transaction !== undefined;

/**
 * Whether an input names what only one may have: a transaction's name or a reference. Such a command locks its object
 * before it claims the name: two commands that take these locks in different orders wait for each other.
 */
const claimsName = (input: unknown): boolean =>
  namesTransaction(input) || typeof (input as { readonly reference?: unknown } | undefined)?.reference === 'string';

/** The parent of a new or known object, in a state that allows the command; `undefined` for a kind without parents. */
const findParent = async <Tx extends object>(
  { served }: CommandDeps<Tx>,
  { kind: { parent } }: ServedKind<Tx>,
  { account, child, rule }: { account: AccountRef; child: unknown; rule: Pick<CommandRule, 'within'> },
  { tx, isLocked }: { readonly tx: Tx; readonly isLocked: boolean },
): Promise<Result<StoredRequest | undefined, CommandRefusal>> => {
  if (!parent) return ok(undefined);
  const id = (child as Readonly<Record<string, string>>)[parent.field] ?? '';
  const read = isLocked ? lockObject : findObject;
  return (await read(served.deposits, account, id, tx)).andThen((found) => allowsWithin(found, rule));
};

/** The template that an input names, in the same account and environment. */
const findTemplate = async <Tx extends object>(
  { served }: CommandDeps<Tx>,
  { kind }: ServedKind<Tx>,
  { account, input }: { readonly account: AccountRef; readonly input: unknown },
  tx: Tx,
): Promise<Result<StoredRequest | undefined, CommandRefusal>> => {
  const { templateId } = input as { readonly templateId?: string };
  if (!kind.templates || templateId === undefined) return ok(undefined);
  const found = await findObject(served[kind.templates], account, templateId, tx);
  return found.mapErr(() => wrongField('/templateId', 'no template of this account.'));
};

/** Writes and publishes one step, with that of its parent. */
const carryOutStep = async <Tx extends object>(
  deps: CommandDeps<Tx>,
  of: ServedKind<Tx>,
  {
    step,
    before,
    deposit,
    rule,
    now,
  }: {
    readonly step: Step;
    readonly before: StoredRequest | undefined;
    readonly deposit: StoredRequest | undefined;
    readonly rule: Pick<CommandRule, 'follows'>;
    readonly now: EpochMs;
  },
  within: { readonly tx: Tx; readonly idempotencyKey: string },
): Promise<Result<StoredRequest, CommandRefusal>> => {
  const { parent } = of.kind;
  const effects =
    parent && deposit
      ? effectsWithParent(
          { of, deposits: deps.served.deposits, parent },
          { before, deposit, step, rule, context: { now, actor: step.by, policies: deps.policies } },
        )
      : ok<Effects<Tx>, CommandRefusal>(effectsOf(of, before, step));
  if (effects.isErr()) return err(effects.error);
  return (await carryOut(deps, effects.value, of.kind, within)).map(() => step.record);
};

/** Creates an object: the object, its history and its event are stored together. */
export const createObject = async <Tx extends object>(
  deps: CommandDeps<Tx>,
  of: ServedKind<Tx>,
  account: AccountRef,
  { input, actor = hostActor, ...giving }: Giving<Tx>,
): Promise<Result<StoredRequest, CommandRefusal>> => {
  const { object, create, fields } = of.kind;
  const read = readInput(create.input, input);
  if (read.isErr()) return err(read.error);
  return inTransaction(deps, giving, async (open, given) => {
    const { idempotencyKey } = given;
    const isLocked = given.isAgain || claimsName(read.value);
    const child = { account, child: read.value, rule: create };
    const within = await findParent(deps, of, child, { tx: open, isLocked });
    if (within.isErr()) return err(within.error);
    const returns = await checkReturnUrls(deps, read.value, { account, tx: open, idempotencyKey });
    if (returns.isErr()) return err(returns.error);
    const id = await deps.newId(object, account, open, idempotencyKey);
    const now = deps.now();
    const template = await findTemplate(deps, of, { account, input: read.value }, open);
    if (template.isErr()) return err(template.error);
    const { policies } = deps;
    const context = { now, actor, id, policies, parent: within.value, template: template.value };
    const made = create.make(read.value, context);
    if (made.isErr()) return err(made.error);
    const whole: StoredRequest = { ...newRecord(account, create.to, context), ...made.value };
    const paymentUrl = 'paymentUrl' in fields ? await deps.paymentUrl(object, whole, open, idempotencyKey) : {};
    const record: StoredRequest = { ...whole, ...paymentUrl };
    const step = { command: 'create', event: create.event, record, by: actor, evidence: evidenceOf(read.value) };
    const effects = { step, before: undefined, deposit: within.value, rule: {}, now };
    return carryOutStep(deps, of, effects, { tx: open, idempotencyKey });
  });
};

/** Returns a command. @throws TypeError when there is none of that name. */
export const assertCommand = ({ kind: { commands } }: Pick<ServedKind<object>, 'kind'>, name: string): Command => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new TypeError(`There is no command "${name}"; use one of ${Object.keys(commands).join(', ')}.`);
  return command;
};

/**
 * What is known of the transaction that an input names: the stored one when the same report came before. A processor
 * reports one movement twice, and several movements under one reference.
 */
const movementOf = async <Tx extends object>(
  { transactions, newUuid }: CommandDeps<Tx>,
  account: AccountRef,
  given: {
    readonly kind: RequestKind;
    readonly command: Command;
    readonly current: StoredRequest;
    readonly input: unknown;
  },
  tx: Tx,
): Promise<{ readonly movement?: Movement; readonly stored?: StoredTransaction }> => {
  if (!given.command.money || !namesTransaction(given.input)) return {};
  const named = nameOfTransaction(given.command, given.input);
  const before = named ? await transactions.findAll(tx, account, named.kind, named.processorReference) : [];
  const stored = before.find((each) => isRepeated(each, given));
  if (stored) return { stored };
  const isAgain = before.some(({ status }) => status === 'succeeded');
  return { movement: { id: newUuid(), number: before.length + 1, isAgain } };
};

/** Gives a command: the new state, its history and its events are stored together. */
export const performCommand = async <Tx extends object>(
  deps: CommandDeps<Tx>,
  of: ServedKind<Tx>,
  account: AccountRef,
  { id, command, input, ifVersion, actor = hostActor, ...giving }: Giving<Tx> & Target,
): Promise<Result<StoredRequest, CommandRefusal>> => {
  const rule = assertCommand(of, command);
  const { parent } = of.kind;
  const read = readInput(rule.input, input);
  if (read.isErr()) return err(read.error);
  return inTransaction(deps, giving, async (open, attempt) => {
    // In the host's transaction, a report that lost a race could only be given again in another one.
    const isReport = giving.tx !== 'new' && rule.money !== undefined && rule.money.rest === undefined;
    const isLocked = attempt.isAgain || isReport || claimsName(read.value);
    const named = await (isLocked && !parent ? lockObject : findObject)(of, account, id, open);
    if (named.isErr()) return err(named.error);
    const within = await findParent(deps, of, { account, child: named.value, rule }, { tx: open, isLocked });
    // Read again after its parent: a command that changes it from now on also changes the parent's version.
    const found = parent ? await findObject(of, account, id, open) : named;
    if (found.isErr()) return err(found.error);
    const current = found.value;
    const { movement, stored } = await movementOf(
      deps,
      account,
      { kind: of.kind, command: rule, current, input: read.value },
      open,
    );
    // Nothing but these two can follow from a transaction that was stored before.
    if (stored && !rule.money?.isBooked && stored.kind !== 'authorisation') return ok(current);
    if (within.isErr()) return err(within.error);
    const { idempotencyKey } = attempt;
    const returns = await checkReturnUrls(deps, read.value, { account, tx: open, idempotencyKey });
    if (returns.isErr()) return err(returns.error);
    const { policies } = deps;
    const conditions = { isConditional: namesVersion(ifVersion), parent: within.value };
    const context = { now: deps.now(), actor, policies, movement, ...conditions };
    const given = { command, input: read.value, context };
    const taken = stored ? ok(takeBooked(of.kind, current, { ...given, stored })) : takeStep(of.kind, current, given);
    if (taken.isErr()) return err(taken.error);
    if (stored && !taken.value) return ok(current);
    // A condition counts only where the command would succeed without it (RFC 9110 §13.2.1).
    if (!matchesVersion(current, ifVersion)) return err(failure('version_mismatch'));
    const step = taken.value;
    if (!step) return ok(current);
    const effects = { step, before: current, deposit: within.value, rule, now: context.now };
    const carried = await carryOutStep(deps, of, effects, { tx: open, idempotencyKey });
    // A lost race counts as a version mismatch when the caller named a version; a parent has another version.
    const isMismatch = (refusal: CommandRefusal) =>
      refusal.code === 'changed_meanwhile' && namesVersion(ifVersion) && !parent;
    return carried.mapErr((refusal) => (isMismatch(refusal) ? failure('version_mismatch') : refusal));
  });
};
