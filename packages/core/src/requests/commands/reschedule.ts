import { err, ok, type ResultAsync } from '#result';
import type { AccountDirectory } from '../../base/accounts/account.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import type { Failure } from '../../base/runtime/failure.ts';
import { accountOf, orUnavailable } from '../record/calls.ts';
import type { AccountRef, StoredRequest } from '../record/record.ts';
import type { ServedKind } from './effects.ts';
import { plannedAnew } from './plan-due.ts';
import type { CommandDeps } from './run-command.ts';

/** What was planned anew. @public */
export interface Rescheduled {
  /** The number of objects that were read. */
  readonly objects: number;
  /** The number of commands that they wait for. */
  readonly commands: number;
}

/** Number of objects that are planned in one transaction. */
const pageSize = 100;
/** Number of objects that are read at once: a storage in this process answers all of these before any timer runs. */
const readsAtOnce = 8;

const readAgain = async <Tx extends object>(
  { store }: ServedKind<Tx>,
  account: AccountRef,
  records: readonly StoredRequest[],
): Promise<readonly (StoredRequest | undefined)[]> => {
  const found: (StoredRequest | undefined)[] = [];
  for (let from = 0; from < records.length; from += readsAtOnce) {
    const some = records.slice(from, from + readsAtOnce);
    found.push(...(await Promise.all(some.map(({ id }) => store.find(account, id)))));
  }
  return found;
};

/**
 * Plans objects, and those again that a command has changed meanwhile: its process may have planned by an old policy,
 * or planned first.
 */
const planAll = async <Tx extends object>(
  deps: CommandDeps<Tx>,
  of: ServedKind<Tx>,
  account: AccountRef,
  records: readonly StoredRequest[],
): Promise<number> => {
  const changes = records.flatMap((record) => plannedAnew({ name: of.name, definition: of.kind }, record, deps));
  if (changes.length === 0) return 0;
  await deps.storage.transaction((tx) => deps.due.plan(tx, changes));
  const now = await readAgain(of, account, records);
  const changed = now.flatMap((record, nth) => (record && record.version !== records[nth]?.version ? [record] : []));
  const again = await planAll(deps, of, account, changed);
  return (
    again + changes.filter(({ id, dueAt }) => dueAt !== undefined && !changed.some((each) => each.id === id)).length
  );
};

/** Plans what the objects of one kind wait for. */
const planKind = async <Tx extends object>(
  deps: CommandDeps<Tx>,
  of: ServedKind<Tx>,
  account: AccountRef,
): Promise<Rescheduled> => {
  const { rules, waitsIn: statuses = [] } = of.kind;
  const planned = { objects: 0, commands: 0 };
  for (let after: string | undefined, isLast = !rules; !isLast; isLast = after === undefined) {
    const page = { limit: pageSize, newestFirst: false, ...(after === undefined ? {} : { after }) };
    const { items, next } = await of.store.list(account, page, { statuses });
    planned.objects += items.length;
    planned.commands += await planAll(deps, of, account, items);
    after = next;
  }
  return planned;
};

/** Plans anew what the open objects of an account wait for. */
export const reschedule = <Tx extends object>(
  deps: CommandDeps<Tx>,
  accounts: AccountDirectory,
  accountId: string,
): ResultAsync<Rescheduled, Failure<'not_found'> | Unavailable> => {
  if (typeof accountId !== 'string') throw new TypeError("requests.reschedule: the account's id is a text.");
  return orUnavailable(async () => {
    const found = await accountOf(accounts, accountId);
    if (found.isErr()) return err(found.error);
    const planned = { objects: 0, commands: 0 };
    for (const of of Object.values(deps.served)) {
      const { objects, commands } = await planKind(deps, of, found.value);
      planned.objects += objects;
      planned.commands += commands;
    }
    return ok(planned);
  });
};
