import { err, ok, type Result } from '#result';
import { isSame } from '../../base/fields/merge-patch.ts';
import { allOf } from '../../base/pagination/all-pages.ts';
import { type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { hostActor } from '../../base/signals/change-options.ts';
import type { NewEvent } from '../../webhooks/events/event.ts';
import type { CommandEvent } from '../commands/command-events.ts';
import type { ServedKind } from '../commands/effects.ts';
import { dueChanges } from '../commands/plan-due.ts';
import type { CommandDeps } from '../commands/run-command.ts';
import { afterCommit } from '../commands/transact.ts';
import type { RequestHistoryEntry } from '../fields/history.ts';
import { objectKinds } from '../record/names.ts';
import type { AccountRef, StoredRequest } from '../record/record.ts';
import type { StoredTransaction, TransactionObject } from '../stores/transaction-store.ts';
import { type Brought, fieldOf } from './read-object.ts';
import type { Rehearsal } from './rehearsal.ts';

/** What an import decides for all of its objects. */
export interface Storing {
  /** The time of the import. */
  readonly now: EpochMs;
  readonly events: 'none' | 'update';
  readonly pastDue: 'skip' | 'give';
  /** What a dry run would have stored before. `undefined`: no dry run. */
  readonly rehearsal: Rehearsal | undefined;
}

const accountOf = ({ accountId, environment }: StoredRequest): AccountRef => ({ id: accountId, environment });

/** Everything that is stored of an object. */
export const readStored = async <Tx extends object>(
  { served, transactions: store }: Pick<CommandDeps<Tx>, 'served' | 'transactions'>,
  { name, record: { id } }: Brought,
  record: StoredRequest,
): Promise<Omit<Brought, 'name'>> => {
  const account = accountOf(record);
  const history: RequestHistoryEntry[] = [];
  const transactions: StoredTransaction[] = [];
  for await (const entry of allOf((page) => served[name].store.listHistory(account, id, page))) history.push(entry);
  const object = objectKinds[name];
  if (object === 'RequestPayment' || object === 'RequestSecurityDeposit') {
    const of: { readonly object: TransactionObject; readonly objectId: string } = { object, objectId: id };
    for await (const each of allOf((page) => store.list(account, page, { of }))) transactions.push(each);
  }
  return { record, history, transactions };
};

/** The deposit of a cash-out, which has its summary. `undefined`: the object has no parent. */
const findParent = async <Tx extends object>(
  { served }: CommandDeps<Tx>,
  { kind: { parent } }: ServedKind<Tx>,
  record: StoredRequest,
  { rehearsal, tx }: { readonly rehearsal: Rehearsal | undefined; readonly tx: Tx },
): Promise<Result<StoredRequest | undefined, InvalidInput>> => {
  if (!parent) return ok(undefined);
  const id = (record as unknown as Readonly<Record<string, string>>)[parent.field] ?? '';
  const stored = (await served.deposits.store.find(accountOf(record), id, tx)) ?? rehearsal?.depositOf(record, id);
  if (!stored) return err(invalidField(`request/${parent.field}`, 'a deposit of this account: import it first.'));
  return isSame(parent.put(stored, record), stored) && hasCurrency(stored, record)
    ? ok(stored)
    : err(invalidField('request', 'as its deposit has it: its currency, and the summary of it in cashOuts.'));
};
const hasCurrency = (deposit: object, cashOut: object): boolean =>
  Reflect.get(deposit, 'currency') === Reflect.get(cashOut, 'currency');

/** Whether the names that only one object may have are free; claims them. */
const claimNames = async <Tx extends object>(
  { references, transactions }: CommandDeps<Tx>,
  of: ServedKind<Tx>,
  { name, record, transactions: rows }: Brought,
  { rehearsal, tx }: { readonly rehearsal: Rehearsal | undefined; readonly tx: Tx },
): Promise<InvalidInput | undefined> => {
  const { id, reference } = record;
  const key = reference === undefined ? undefined : { account: accountOf(record), object: of.kind.object, reference };
  const taken = invalidField(`${fieldOf(name)}/reference`, 'another object of this account has it.');
  if (references && key && (rehearsal?.hasReference(key) || !(await references.claim(tx, key, id)))) return taken;
  for (const [index, row] of rows.entries()) {
    if (!rehearsal?.hasTransaction(row) && (await transactions.insert(tx, row))) continue;
    for (const each of rows.slice(0, index)) await transactions.remove(tx, each);
    if (references && key) await references.release(tx, key, id);
    const pointer = `transactions/${index}/number`;
    return invalidField(pointer, 'another transaction of this account has its kind, reference and number: count on.');
  }
  return undefined;
};

/** The event of an import, in place of all that were before. */
const eventOf = <Tx extends object>(
  { served }: CommandDeps<Tx>,
  { kind: { objectName, show, parent } }: ServedKind<Tx>,
  record: StoredRequest,
  deposit: StoredRequest | undefined,
): CommandEvent => {
  const reason = { code: 'imported' };
  const shown =
    parent && deposit ? { ...served.deposits.kind.show(deposit), [parent.eventField]: show(record) } : show(record);
  // Every object of the specification has updates; `publish` checks the data.
  return {
    accountId: record.accountId,
    objectName,
    type: 'update',
    data: { ...shown, reason },
  } as unknown as CommandEvent;
};

/**
 * Stores a new object in `tx` with its history, its transactions and what it waits for. A refusal writes nothing.
 * Rejects when the id exists in another account, and when the infrastructure fails.
 */
export const storeObject = async <Tx extends object>(
  deps: CommandDeps<Tx>,
  brought: Brought,
  { now, events, pastDue, rehearsal }: Storing,
  tx: Tx,
): Promise<Result<void, InvalidInput>> => {
  const of = deps.served[brought.name];
  const record: StoredRequest = { ...brought.record, ...(pastDue === 'skip' ? { importedAt: now } : {}) };
  const parent = await findParent(deps, of, record, { rehearsal, tx });
  if (parent.isErr()) return err(parent.error);
  const taken = await claimNames(deps, of, brought, { rehearsal, tx });
  if (taken) return err(taken);
  const told = events === 'update' ? [eventOf(deps, of, record, parent.value)] : [];
  const insert = (stored: readonly NewEvent[]) => of.store.insert(tx, record, brought.history, stored).then(() => true);
  await deps.publish(told, tx, of.store, insert);
  const planned = dueChanges({ name: of.name, definition: of.kind }, undefined, record, deps.policies);
  if (planned.length > 0) await deps.due.plan(tx, planned);
  const { id: objectId, accountId } = record;
  afterCommit(tx, () =>
    deps.observe({ kind: 'command', object: of.kind.object, command: 'import', accountId, objectId, by: hostActor }),
  );
  return ok(undefined);
};
