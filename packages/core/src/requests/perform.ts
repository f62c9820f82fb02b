import { err, ok, type Result } from 'neverthrow';
import type { EventInput, Events } from '../events/publish.ts';
import { isIdentifier } from '../runtime/text.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { Observer } from '../signals/signal.ts';
import type { Actor } from './actor.ts';
import type { Step } from './command.ts';
import { type HistoryEntry, historyEntry } from './history.ts';
import type { requestObjects } from './objects.ts';
import type { GivenCommand, ObjectKind } from './on-command.ts';
import { type AccountRef, assertAccount, type StoredRecord } from './record.ts';
import type { ReferenceStore } from './references.ts';
import type { Refusal } from './refusal.ts';
import type { RequestStore } from './stores.ts';

type RequestEvent = EventInput<(typeof requestObjects)[number]>;
/** @internal */
export type RequestEvents<Tx extends object> = Pick<Events<Tx, (typeof requestObjects)[number]>, 'publishMany'>;

/** One kind of objects: where they are, and how they are shown. @internal */
export interface Kind<Tx extends object, R extends StoredRecord> {
  readonly object: ObjectKind;
  readonly objectName: RequestEvent['objectName'];
  readonly store: RequestStore<Tx, R>;
  /** What partners see, over HTTP and in events. */
  readonly view: (record: R) => { readonly id: string };
}

/** @internal */
export interface PerformDeps<Tx extends object> {
  readonly events: RequestEvents<Tx>;
  readonly observe: Observer;
  /** Absent: references need not be unique. */
  readonly references: ReferenceStore<Tx> | undefined;
  readonly onCommand: ((given: GivenCommand<Tx>) => Promise<void>) | undefined;
  now(): EpochMs;
  /** An id for a new object: the host's, or ours. */
  newId(object: ObjectKind, account: AccountRef, tx: Tx): Promise<string>;
}

/** The versions that a command is meant for. Absent: any. @internal */
export type Versions = number | readonly number[] | undefined;
/** @internal */
export const matchesVersion = ({ version }: StoredRecord, versions: Versions): boolean =>
  versions === undefined || (typeof versions === 'number' ? versions === version : versions.includes(version));

/** One record that a command writes. @internal */
export interface Write<Tx extends object, R extends StoredRecord = StoredRecord> {
  readonly kind: Kind<Tx, R>;
  /** Absent: it is new. */
  readonly before: R | undefined;
  readonly after: R;
  readonly entries: readonly HistoryEntry[];
}

/** All that a command does. @internal */
export interface Effects<Tx extends object> {
  /**
   * The first record decides: its version must be the stored one. Whoever changes the others changes it too, so that they are as they
   * were read.
   */
  readonly writes: readonly [Write<Tx>, ...Write<Tx>[]];
  readonly events: readonly { readonly objectName: string; readonly type: string; readonly data: object }[];
  readonly command: string;
  readonly actor: Actor;
  /** What `onCommand` receives. */
  readonly given: { readonly object: ObjectKind; readonly before: unknown; readonly after: StoredRecord };
}

const accountOf = ({ accountId, environment }: StoredRecord): AccountRef => ({ id: accountId, environment });

const store = <Tx extends object>({ kind, before, after, entries }: Write<Tx>, tx: Tx): Promise<boolean> => {
  if (!before) return kind.store.insert(tx, after, entries).then(() => true);
  return after.status === 'deleted' ? kind.store.remove(tx, before) : kind.store.replace(tx, after, entries);
};

/** The reference that a write takes, and the one that it gives up. */
const referencesOf = <Tx extends object>({ kind, before, after }: Write<Tx>) => {
  const key = (reference: string | undefined) =>
    reference === undefined ? undefined : { account: accountOf(after), object: kind.object, reference };
  const next = after.status === 'deleted' ? undefined : after.reference;
  return next === before?.reference ? {} : { taken: key(next), freed: key(before?.reference) };
};

const referenceTaken: Refusal = {
  code: 'reference_taken',
  detail: 'Another object of this account has this reference.',
};

/**
 * Carries out a command in `tx`: store, publish, call the host. A refusal has written nothing. Rejects when the infrastructure or the
 * host's hook does, and the transaction must roll back.
 * @internal
 */
export const carryOut = async <Tx extends object>(
  { events, references, observe, onCommand }: PerformDeps<Tx>,
  { writes, command, actor, given, ...effects }: Effects<Tx>,
  tx: Tx,
): Promise<Result<void, Refusal>> => {
  const changed = references ? writes.map((write) => ({ id: write.after.id, references, ...referencesOf(write) })) : [];
  for (const { id, taken, references } of changed)
    if (taken && !(await references.claim(tx, taken, id))) return err(referenceTaken);
  const [first, ...others] = writes;
  if (!(await store(first, tx))) {
    for (const { id, taken, references } of changed) if (taken) await references.release(tx, taken, id);
    return err({ code: 'changed_meanwhile' });
  }
  for (const { id, freed, references } of changed) if (freed) await references.release(tx, freed, id);
  for (const other of others)
    if (!(await store(other, tx)))
      throw new Error(`${other.kind.object}: it was changed past the deposit that it belongs to.`);
  // The machines give each object the types that the catalogue gives it; publish looks at the data.
  const published = effects.events.map((event) => ({ ...event, accountId: given.after.accountId }) as RequestEvent);
  await events.publishMany(published, { tx });
  const { object, after } = given;
  observe({ kind: 'command', object, command, accountId: after.accountId, objectId: after.id, by: actor });
  // What `given` holds is what its object has.
  await onCommand?.({ ...given, command, caller: actor, tx } as unknown as GivenCommand<Tx>);
  return ok(undefined);
};

/** A record that a store found, if it is the one that was asked for: a store is not trusted. @internal */
export const owned = <R extends StoredRecord>(
  found: R | undefined,
  account: AccountRef,
  id: string,
): Result<R, Refusal> =>
  found?.id === id && found.accountId === account.id && found.environment === account.environment
    ? ok(found)
    : err({ code: 'not_found' });

/** Finds an object. A text that cannot be an id is not looked up: a store of the host may fail on it. @internal */
export const find = async <Tx extends object, R extends StoredRecord>(
  { store: { find: look } }: Kind<Tx, R>,
  account: AccountRef,
  id: string,
  tx?: Tx,
): Promise<Result<R, Refusal>> =>
  isIdentifier(id) ? owned(await look(assertAccount(account), id, tx), account, id) : err({ code: 'not_found' });

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
