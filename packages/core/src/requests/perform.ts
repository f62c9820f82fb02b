import { err, ok, type Result } from 'neverthrow';
import type { EventInput, Events } from '../events/publish.ts';
import { type Failure, failure } from '../runtime/failure.ts';
import { isIdentifier } from '../runtime/text.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { Actor, ObjectKind } from '../signals/actor.ts';
import type { Observer } from '../signals/signal.ts';
import type { Step } from './command.ts';
import { type HistoryEntry, historyEntry } from './history.ts';
import { checkSize } from './object-size.ts';
import type { requestObjects } from './objects.ts';
import type { GivenCommand } from './on-command.ts';
import { type AccountRef, assertAccount, type StoredRecord } from './record.ts';
import type { ReferenceStore } from './references.ts';
import type { Refusal } from './refusal.ts';
import type { RequestStore } from './stores.ts';
import { afterCommit } from './transact.ts';

type RequestEvent = EventInput<(typeof requestObjects)[number]>;
/** Publishes the events of commands. @internal */
export type RequestEvents<Tx extends object> = Pick<Events<Tx, (typeof requestObjects)[number]>, 'publishMany'>;

/** One kind of objects: its store and its view. @internal */
export interface Kind<Tx extends object, R extends StoredRecord> {
  /** The kind, as signals name it. */
  readonly object: ObjectKind;
  /** The `objectName` of its events. */
  readonly objectName: RequestEvent['objectName'];
  /** The store of its objects. */
  readonly store: RequestStore<Tx, R>;
  /** The partner's view, over HTTP and in events. */
  readonly view: (record: R) => { readonly id: string };
}

/** What commands call. @internal */
export interface PerformDeps<Tx extends object> {
  /** Publishes the events. */
  readonly events: RequestEvents<Tx>;
  /** Receives the signal `command`. */
  readonly observe: Observer;
  /** `undefined`: references need not be unique. */
  readonly references: ReferenceStore<Tx> | undefined;
  /** The host's hook, with its timeout. */
  readonly onCommand: ((given: GivenCommand<Tx>) => Promise<void>) | undefined;
  /** The current time. */
  now(): EpochMs;
  /** Returns the id of a new object. */
  newId(object: ObjectKind, account: AccountRef, tx: Tx): Promise<string>;
}

/** The versions that a command is meant for. `undefined`: any. @internal */
export type Versions = number | readonly number[] | undefined;
/** Whether a record has one of the versions. @internal */
export const matchesVersion = ({ version }: StoredRecord, versions: Versions): boolean =>
  versions === undefined || (typeof versions === 'number' ? versions === version : versions.includes(version));

/** One record that a command writes. @internal */
export interface Write<Tx extends object, R extends StoredRecord = StoredRecord> {
  /** The kind of the record. */
  readonly kind: Kind<Tx, R>;
  /** `undefined`: the record is new. */
  readonly before: R | undefined;
  /** The record to store. */
  readonly after: R;
  /** Entries to append to its history. */
  readonly entries: readonly HistoryEntry[];
}

/** Everything that a command writes and publishes. @internal */
export interface Effects<Tx extends object> {
  /**
   * The version of the first record guards the others: every command that changes them changes the first record, too.
   */
  readonly writes: readonly [Write<Tx>, ...Write<Tx>[]];
  /** The events to publish. */
  readonly events: readonly { readonly objectName: string; readonly type: string; readonly data: object }[];
  /** The command's name. */
  readonly command: string;
  /** Who gave it. */
  readonly actor: Actor;
  /** What `onCommand` receives. */
  readonly given: { readonly object: ObjectKind; readonly before: unknown; readonly after: StoredRecord };
}

const accountOf = ({ accountId, environment }: StoredRecord): AccountRef => ({ id: accountId, environment });

const store = <Tx extends object>({ kind, before, after, entries }: Write<Tx>, tx: Tx): Promise<boolean> => {
  if (!before) return kind.store.insert(tx, after, entries).then(() => true);
  return after.status === 'deleted' ? kind.store.remove(tx, before) : kind.store.replace(tx, after, entries);
};

/** The references that a write claims and releases. */
const referencesOf = <Tx extends object>({ kind, before, after }: Write<Tx>) => {
  const key = (reference: string | undefined) =>
    reference === undefined ? undefined : { account: accountOf(after), object: kind.object, reference };
  const next = after.status === 'deleted' ? undefined : after.reference;
  return next === before?.reference ? {} : { taken: key(next), freed: key(before?.reference) };
};

const referenceTaken: Refusal = {
  code: 'reference_taken',
  message: 'Another object of this account has this reference.',
};

/**
 * Applies a command in `tx`: stores, publishes, calls the host's hook. A refusal writes nothing.
 * Rejects when the infrastructure or the hook fails; the transaction must then roll back.
 * @internal
 */
export const carryOut = async <Tx extends object>(
  { events, references, observe, onCommand }: PerformDeps<Tx>,
  { writes, command, actor, given, ...effects }: Effects<Tx>,
  tx: Tx,
): Promise<Result<void, Refusal>> => {
  if (command === 'create' || command === 'change') {
    const sized = checkSize(given.object, given.after);
    if (sized.isErr()) return err(sized.error);
  }
  const changed = references ? writes.map((write) => ({ id: write.after.id, references, ...referencesOf(write) })) : [];
  for (const { id, taken, references } of changed)
    if (taken && !(await references.claim(tx, taken, id))) return err(referenceTaken);
  const [first, ...others] = writes;
  if (!(await store(first, tx))) {
    for (const { id, taken, references } of changed) if (taken) await references.release(tx, taken, id);
    return err(failure('changed_meanwhile'));
  }
  for (const { id, freed, references } of changed) if (freed) await references.release(tx, freed, id);
  for (const other of others)
    if (!(await store(other, tx)))
      throw new Error(`${other.kind.object}: it was changed past the deposit that it belongs to.`);
  // The machines use only event types of the catalogue; `publishMany` checks the data.
  const published = effects.events.map((event) => ({ ...event, accountId: given.after.accountId }) as RequestEvent);
  await events.publishMany(published, { tx });
  const { object, after } = given;
  afterCommit(tx, () =>
    observe({ kind: 'command', object, command, accountId: after.accountId, objectId: after.id, by: actor }),
  );
  // `given` matches its `object`; types cannot express it.
  await onCommand?.({ ...given, command, caller: actor, tx } as unknown as GivenCommand<Tx>);
  return ok(undefined);
};

/** Returns a record only when it has the requested account and id: a store of the host is not trusted. @internal */
export const owned = <R extends StoredRecord>(
  found: R | undefined,
  account: AccountRef,
  id: string,
): Result<R, Failure<'not_found'>> =>
  found?.id === id && found.accountId === account.id && found.environment === account.environment
    ? ok(found)
    : err(failure('not_found'));

/** Finds an object. A malformed id is not looked up, because a store of the host may fail on it. @internal */
export const find = async <Tx extends object, R extends StoredRecord>(
  { store: { find: look } }: Kind<Tx, R>,
  account: AccountRef,
  id: string,
  tx?: Tx,
): Promise<Result<R, Failure<'not_found'>>> =>
  isIdentifier(id) ? owned(await look(assertAccount(account), id, tx), account, id) : err(failure('not_found'));

/** The effects of one step on one object. @internal */
export const effectsOf = <Tx extends object, R extends StoredRecord>(
  kind: Kind<Tx, R>,
  before: R | undefined,
  step: Step<R>,
): Effects<Tx> => {
  const { record: after, event: type, command, by: actor } = step;
  const { object, objectName, view } = kind;
  return {
    // The record and its kind belong together.
    writes: [{ kind, before, after, entries: [historyEntry(after, step, 0)] } as unknown as Write<Tx>],
    events: [{ objectName, type, data: view(after) }],
    command,
    actor,
    given: { object, before, after },
  };
};
