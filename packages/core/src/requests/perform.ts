import { err, ok, type Result } from 'neverthrow';
import type { EventInput, Events } from '../events/publish.ts';
import { isIdentifier } from '../runtime/text.ts';
import type { Step } from './decide.ts';
import type { requestObjects } from './objects.ts';
import { assertOwner, type Context, type Owner, type Recorded } from './record.ts';
import type { Refusal } from './refusal.ts';
import type { RequestStore } from './stores.ts';

/** What is published. */
type RequestEvent = EventInput<(typeof requestObjects)[number]>;
/** @internal */
export type RequestEvents<Tx extends object> = Pick<Events<Tx, (typeof requestObjects)[number]>, 'publishMany'>;

/** One kind of objects: where they are, and how they are shown. @internal */
export interface Kind<Tx extends object, R extends Recorded> {
  readonly objectName: RequestEvent['objectName'];
  readonly store: RequestStore<Tx, R>;
  /** What partners see, over HTTP and in events. */
  readonly view: (record: R) => { readonly id: string };
}

/** What a command makes of an object: one step or more. @internal */
export type Decision<R> = (held: R, context: Context) => Result<readonly Step<R>[], Refusal>;

/** The versions that a command is meant for. Absent: whichever there is. @internal */
export type Versions = number | readonly number[] | undefined;
const fits = (version: number, versions: Versions): boolean =>
  versions === undefined || (typeof versions === 'number' ? versions === version : versions.includes(version));

/** @internal */
export interface PerformDeps<Tx extends object> {
  readonly events: RequestEvents<Tx>;
  readonly context: Context;
}

const publish = <Tx extends object, R extends Recorded>(
  { events }: PerformDeps<Tx>,
  { objectName, view }: Kind<Tx, R>,
  steps: readonly Step<R>[],
  tx: Tx,
): Promise<unknown> =>
  events.publishMany(
    steps.map(
      ({ event, record }) =>
        // The machines give each object the types that the catalogue gives it; publish looks at the data.
        ({ accountId: record.accountId, objectName, type: event, data: view(record) }) as RequestEvent,
    ),
    { tx },
  );

/** Stores a new object and its event, in one transaction. Rejects when the infrastructure fails. @internal */
export const create = async <Tx extends object, R extends Recorded>(
  deps: PerformDeps<Tx>,
  kind: Kind<Tx, R>,
  record: R,
  tx: Tx,
): Promise<R> => {
  await kind.store.insert(tx, record);
  await publish(deps, kind, [{ event: 'creation', record }], tx);
  return record;
};

/** An object that a store found, if it is what was asked for: a store is not relied upon. @internal */
export const owned = <R extends Recorded>(held: R | undefined, owner: Owner, id: string): Result<R, Refusal> =>
  held?.id === id && held.accountId === owner.id && held.environment === owner.environment
    ? ok(held)
    : err({ code: 'not_found' });

/** Finds an object. A text that nobody can have as an id is not asked for: the store of a host may fail on it. @internal */
export const find = async <Tx extends object, R extends Recorded>(
  { store }: Kind<Tx, R>,
  owner: Owner,
  id: string,
  tx?: Tx,
): Promise<Result<R, Refusal>> =>
  isIdentifier(id) ? owned(await store.find(assertOwner(owner), id, tx), owner, id) : err({ code: 'not_found' });

/**
 * Gives one command: load, decide, store unless it was changed meanwhile, publish, all in `tx`. A refusal has written nothing; it rejects when
 * the infrastructure fails, and the transaction must roll back.
 * @internal
 */
export const perform = async <Tx extends object, R extends Recorded>(
  deps: PerformDeps<Tx>,
  kind: Kind<Tx, R>,
  owner: Owner,
  id: string,
  decide: Decision<R>,
  versions: Versions,
  tx: Tx,
): Promise<Result<R, Refusal>> => {
  const found = await find(kind, owner, id, tx);
  if (found.isErr()) return err(found.error);
  const { version } = found.value;
  const decided = decide(found.value, { ...deps.context });
  if (decided.isErr()) return err(decided.error);
  // A condition counts only where the command would succeed without it (RFC 9110 §13.2.1).
  if (!fits(version, versions)) return err({ code: 'version_mismatch' });
  const after = decided.value.at(-1)?.record ?? found.value;
  const stored =
    after.status === 'deleted'
      ? await kind.store.remove(tx, found.value)
      : await kind.store.replace(tx, { ...after, version });
  if (!stored) return err({ code: versions === undefined ? 'changed_meanwhile' : 'version_mismatch' });
  await publish(deps, kind, decided.value, tx);
  return ok({ ...after, version: version + 1 });
};
