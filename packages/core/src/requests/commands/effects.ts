import { err, ok, type Result } from '#result';
import { failure } from '../../base/runtime/failure.ts';
import type { Actor, ObjectKind } from '../../base/signals/actor.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { NewEvent } from '../../webhooks/events/event.ts';
import type { RequestTransaction } from '../books/transaction.ts';
import { showTransaction } from '../books/transaction-view.ts';
import type { Evidence } from '../fields/evidence.ts';
import { historyEntry, type RequestHistoryEntry } from '../fields/history.ts';
import type { RequestKind } from '../kinds/define-kind.ts';
import type { RequestKindName } from '../record/names.ts';
import type { RequestPolicies } from '../record/policies.ts';
import type { AccountRef, StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import type { DueStore } from '../stores/due-store.ts';
import type { ReferenceStore } from '../stores/references.ts';
import type { RequestStore } from '../stores/stores.ts';
import type { StoredTransaction, TransactionStore } from '../stores/transaction-store.ts';
import type { CommandEvent, PublishWithWrite } from './command-events.ts';
import { checkSize } from './object-size.ts';
import type { GivenCommand } from './on-command.ts';
import { dueChanges } from './plan-due.ts';
import type { Step } from './take-step.ts';
import { afterCommit } from './transact.ts';

/** A kind of objects with its store. */
export interface ServedKind<Tx extends object> {
  /** Its name. */
  readonly name: RequestKindName;
  /** The kind, with the host's own fields. */
  readonly kind: RequestKind;
  /** The store of its objects. */
  readonly store: RequestStore<Tx, StoredRequest>;
}

/** What the effects of a command call. */
export interface EffectDeps<Tx extends object> {
  /** Publishes the events, together with the first write. */
  readonly publish: PublishWithWrite<Tx>;
  /** Receives the signal `command`. */
  readonly observe: Observer;
  /** Stores the transactions that commands record. */
  readonly transactions: TransactionStore<Tx>;
  /** `undefined`: references need not be unique. */
  readonly references: ReferenceStore<Tx> | undefined;
  /** What happens by rule. */
  readonly policies: RequestPolicies;
  /** The commands that objects wait for. */
  readonly due: DueStore<Tx>;
  /** The host's hook, with its timeout. */
  readonly onCommand: ((given: GivenCommand<Tx>) => Promise<void>) | undefined;
}

/** One record that a command writes. */
interface Write<Tx extends object> {
  /** The kind of the record. */
  readonly of: ServedKind<Tx>;
  /** `undefined`: the record is new. */
  readonly before: StoredRequest | undefined;
  /** The record to store. */
  readonly after: StoredRequest;
  /** Entries to append to its history. */
  readonly entries: readonly RequestHistoryEntry[];
}

/** Everything that a command writes and publishes. */
export interface Effects<Tx extends object> {
  /**
   * The version of the first record guards the others: every command that changes them changes the first record, too.
   */
  readonly writes: readonly [Write<Tx>, ...Write<Tx>[]];
  /** The transaction to store. */
  readonly transaction: StoredTransaction | undefined;
  /** The events to publish. */
  readonly events: readonly { readonly objectName: string; readonly type: string; readonly data: object }[];
  /** What `onCommand` receives, apart from the transaction. */
  readonly given: {
    readonly object: ObjectKind;
    readonly command: string;
    readonly before: StoredRequest | undefined;
    readonly after: StoredRequest;
    readonly caller: Actor;
    readonly transaction?: RequestTransaction;
    readonly evidence?: readonly Evidence[];
    readonly deposit?: StoredRequest;
  };
}

/** Stores a record, its history and the events. Returns `false` when another command came first. */
const store = async <Tx extends object>(
  { of, before, after, entries }: Write<Tx>,
  tx: Tx,
  events: readonly NewEvent[],
): Promise<boolean> => {
  if (before)
    return after.status === 'deleted'
      ? of.store.remove(tx, before, events)
      : of.store.replace(tx, after, entries, events);
  await of.store.insert(tx, after, entries, events);
  return true;
};

/** The references that a write claims and releases. */
const referencesOf = <Tx extends object>({ of, before, after }: Write<Tx>) => {
  const account: AccountRef = { id: after.accountId, environment: after.environment };
  const key = (reference: string | undefined) =>
    reference === undefined ? undefined : { account, object: of.kind.object, reference };
  const next = after.status === 'deleted' ? undefined : after.reference;
  return next === before?.reference ? {} : { taken: key(next), freed: key(before?.reference) };
};

const referenceTaken: CommandRefusal = {
  code: 'reference_taken',
  message: 'Another object of this account has this reference.',
};

/** What a step records beside its object: in its event, and as `onCommand` receives it. */
export const recordedBy = ({ transaction, evidence }: Step) => ({
  inEvent: transaction ? { transaction: showTransaction(transaction) } : {},
  given: { ...(transaction ? { transaction } : {}), ...(evidence ? { evidence } : {}) },
});

/** The transaction of a step as it is stored: that of a cash-out belongs to its deposit. */
export const storedTransaction = (
  { transaction, row }: Step,
  { object }: RequestKind,
  { accountId, environment, id: objectId }: StoredRequest,
): StoredTransaction | undefined =>
  // Only the kinds with books have transactions.
  transaction && row
    ? { ...transaction, ...row, accountId, environment, object: object as StoredTransaction['object'], objectId }
    : undefined;

/** The effects of one step on one object. */
export const effectsOf = <Tx extends object>(
  of: ServedKind<Tx>,
  before: StoredRequest | undefined,
  step: Step,
): Effects<Tx> => {
  const { record: after, event: type, command, by: caller } = step;
  const { object, objectName, show } = of.kind;
  const { inEvent, given } = recordedBy(step);
  return {
    writes: [{ of, before, after, entries: [historyEntry(after, step, 0)] }],
    transaction: storedTransaction(step, of.kind, after),
    events: [{ objectName, type, data: { ...show(after), ...inEvent } }],
    given: { object, command, before, after, caller, ...given },
  };
};

/**
 * Applies a command in `tx`: stores, publishes, calls the host's hook. A refusal writes nothing.
 * Rejects when the infrastructure or the hook fails; the transaction must then roll back.
 */
export const carryOut = async <Tx extends object>(
  { publish, transactions, references, observe, policies, due, onCommand }: EffectDeps<Tx>,
  { writes, transaction, given, ...effects }: Effects<Tx>,
  kind: RequestKind,
  { tx, idempotencyKey }: { readonly tx: Tx; readonly idempotencyKey: string },
): Promise<Result<void, CommandRefusal>> => {
  const { command, after, object, caller } = given;
  if (command === 'create' || command === 'change') {
    const sized = checkSize(kind, after);
    if (sized.isErr()) return err(sized.error);
  }
  const changed = references ? writes.map((write) => ({ id: write.after.id, references, ...referencesOf(write) })) : [];
  for (const { id, taken, references } of changed)
    if (taken && !(await references.claim(tx, taken, id))) return err(referenceTaken);
  const [first, ...others] = writes;
  // Another one with its reference was stored since these were looked up.
  if (transaction && !(await transactions.insert(tx, transaction))) return err(failure('changed_meanwhile'));
  // The kinds name only pairs of the specification; `publish` checks the data.
  const published = effects.events.map(
    (event) => ({ ...event, accountId: after.accountId }) as unknown as CommandEvent,
  );
  if (!(await publish(published, tx, first.of.store, (events) => store(first, tx, events)))) {
    if (transaction) await transactions.remove(tx, transaction);
    for (const { id, taken, references } of changed) if (taken) await references.release(tx, taken, id);
    return err(failure('changed_meanwhile'));
  }
  for (const { id, freed, references } of changed) if (freed) await references.release(tx, freed, id);
  for (const other of others)
    if (!(await store(other, tx, [])))
      throw new Error(`${other.of.kind.object}: it was changed past the deposit that it belongs to.`);
  const planned = writes.flatMap(({ of: { name, kind: definition }, before, after }) =>
    dueChanges({ name, definition }, before, after, policies),
  );
  if (planned.length > 0) await due.plan(tx, planned);
  afterCommit(tx, () =>
    observe({ kind: 'command', object, command, accountId: after.accountId, objectId: after.id, by: caller }),
  );
  // The record matches its `object`; types cannot express it.
  await onCommand?.({ ...given, tx, idempotencyKey } as GivenCommand<Tx>);
  return ok(undefined);
};
