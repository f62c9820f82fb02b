import { err, ok, type Result, type ResultAsync } from '#result';
import type { AccountDirectory } from '../../base/accounts/account.ts';
import {
  type ImportedRow,
  type ImportOptions,
  type ImportReport,
  refusedBy,
  reportOf,
} from '../../base/imports/import-report.ts';
import { hasBrand } from '../../base/runtime/brand.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import { type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import type { PublishError } from '../../webhooks/events/published.ts';
import type { CommandDeps } from '../commands/run-command.ts';
import { transact } from '../commands/transact.ts';
import type { RequestLine } from '../exports/request-line.ts';
import type { RequestExtensions } from '../extensions/extension.ts';
import { accountOf, orUnavailable } from '../record/calls.ts';
import { contentOf } from './content.ts';
import { groupLines, type Lines } from './group-lines.ts';
import { type Brought, fieldOf, readObject } from './read-object.ts';
import { createRehearsal, type Rehearsal } from './rehearsal.ts';
import type { RequestRow } from './request-row.ts';
import { readStored, type Storing, storeObject } from './store-object.ts';

/**
 * Options of `requests.import`.
 * @public
 */
export interface RequestImportOptions extends ImportOptions {
  /**
   * What is published of each object that is stored: nothing, or one `update` with the reason `imported`.
   * @defaultValue 'none'
   */
  readonly events?: 'none' | 'update';
  /**
   * What becomes of commands by rule whose time has passed, such as a reminder, `sendAt`, the end of a guarantee or of
   * the time for an answer: they are never given, or at once (`give`). What is due later is given in either case.
   * @defaultValue 'skip'
   */
  readonly pastDue?: 'skip' | 'give';
}

/** The rows of an import: a list, or one that is read while it is imported. */
type Rows = Iterable<unknown> | AsyncIterable<unknown>;

/** Maximum number of objects, and of their lines, that are stored in one transaction. */
const [maxObjects, maxLines] = [50, 1_000];
/** Number of objects that are looked up at once. */
const readsAtOnce = 8;

/** An object of a batch. */
interface Item {
  readonly row: number;
  readonly brought: Brought;
}

const wrongLine = ({ line }: Lines): InvalidInput => {
  if (!isObject(line)) return invalidField('', 'an object that is JSON.');
  return line['kind'] === 'history' || line['kind'] === 'transaction'
    ? invalidField('', 'goes after the line of its object.')
    : invalidField('kind', 'request or template, and object names the kind of one.');
};

const created = ({ row, brought }: Item): ImportedRow => ({ row, id: brought.record.id, outcome: 'created' });
const compared = ({ row, brought }: Item, content: string): ImportedRow => ({
  row,
  id: brought.record.id,
  outcome: content === contentOf(brought) ? 'unchanged' : 'differs',
});
const idTaken = ({ row, brought: { name } }: Item): ImportedRow => ({
  row,
  ...refusedBy(invalidField(`${fieldOf(name)}/id`, 'another account has an object with this id.')),
});

/** Why an event was not published that breaks a rule of the kit. */
const wrongEvent = (cause: unknown): string | undefined => {
  if (!hasBrand<PublishError>(cause, 'PublishError')) return undefined;
  const { code, message } = cause.failure;
  return code === 'invalid_event' || code === 'too_large' ? message : undefined;
};

/** Stores what is new of a batch. `decided`: for all objects of the import. */
const createStoring = <Tx extends object>(deps: CommandDeps<Tx>, decided: Omit<Storing, 'now'>) => {
  const { rehearsal } = decided;

  const find = async (item: Item): Promise<ImportedRow | undefined> => {
    const { name, record } = item.brought;
    const { accountId, environment, id } = record;
    const rehearsed = rehearsal?.find(item.brought);
    if (rehearsed) return rehearsed.accountId === accountId ? compared(item, rehearsed.content) : idTaken(item);
    const stored = await deps.served[name].store.find({ id: accountId, environment }, id);
    return stored && compared(item, contentOf(await readStored(deps, item.brought, stored)));
  };

  /** Stores all of them, or none. A dry run rolls back. */
  const storeTogether = async (items: readonly Item[]): Promise<readonly ImportedRow[]> => {
    const outcomes: ImportedRow[] = [];
    const storing = { ...decided, now: deps.now() };
    const ended = await transact(deps.storage, async (tx): Promise<Result<void, { readonly code: 'rehearsed' }>> => {
      for (const item of items) {
        const stored = await storeObject(deps, item.brought, storing, tx);
        outcomes.push(stored.isOk() ? created(item) : { row: item.row, ...refusedBy(stored.error) });
      }
      return rehearsal ? err({ code: 'rehearsed' }) : ok(undefined);
    });
    if (ended.isErr())
      for (const [index, { brought }] of items.entries())
        if (outcomes[index]?.outcome === 'created') rehearsal?.add(brought, deps.served[brought.name].kind.object);
    return outcomes;
  };

  /** Whether the object could be stored under another id. */
  const fitsUnderOtherId = async ({ brought: { name, record } }: Item): Promise<boolean> => {
    const insert = (tx: Tx) => deps.served[name].store.insert(tx, { ...record, id: deps.newUuid() }, [], []);
    const tried = transact(deps.storage, (tx) => insert(tx).then(() => err({ code: 'rehearsed' as const })));
    return tried.then(
      () => true,
      () => false,
    );
  };

  const storeAlone = async (item: Item): Promise<readonly ImportedRow[]> => {
    try {
      return await storeTogether([item]);
    } catch (cause) {
      const detail = wrongEvent(cause);
      if (detail !== undefined)
        return [{ row: item.row, ...refusedBy(invalidField(fieldOf(item.brought.name), detail)) }];
      // A call that was repeated, or another process, has stored it meanwhile.
      const stored = await find(item);
      if (stored) return [stored];
      if (await fitsUnderOtherId(item)) return [idTaken(item)];
      throw cause;
    }
  };

  return async (items: readonly Item[]): Promise<readonly ImportedRow[]> => {
    const known: ImportedRow[] = [];
    const left: Item[] = [];
    for (let from = 0; from < items.length; from += readsAtOnce) {
      const some = items.slice(from, from + readsAtOnce);
      const found = await Promise.all(some.map(find));
      for (const [index, item] of some.entries()) {
        const row = found[index];
        if (row) known.push(row);
        else left.push(item);
      }
    }
    if (left.length === 0) return known;
    try {
      return [...known, ...(await storeTogether(left))];
    } catch {
      // One of them cannot be stored: the others are.
      for (const item of left) known.push(...(await storeAlone(item)));
      return known;
    }
  };
};

/** What an import needs beside the commands. */
export interface ImportDeps<Tx extends object> {
  readonly commands: CommandDeps<Tx>;
  readonly accounts: AccountDirectory;
  readonly extend: RequestExtensions | undefined;
}

const assertRows = (rows: unknown): void => {
  if (typeof rows === 'object' && rows !== null && (Symbol.iterator in rows || Symbol.asyncIterator in rows)) return;
  throw new TypeError('requests.import: rows: a list, or an async iterable.');
};
const assertOneOf = (name: string, value: unknown, allowed: readonly string[]): void => {
  if (value === undefined || allowed.some((each) => each === value)) return;
  throw new TypeError(`requests.import: ${name} is ${allowed.map((each) => `'${each}'`).join(' or ')}.`);
};

/** Imports the objects of all kinds, in order and batch by batch. */
export const createImportRequests = <Tx extends object>({ commands, accounts, extend }: ImportDeps<Tx>) => {
  const environments = () => {
    const known = new Map<string, string | undefined>();
    return async (accountId: string): Promise<string | undefined> => {
      if (!known.has(accountId)) {
        const found = await accountOf(accounts, accountId);
        known.set(accountId, found.isOk() ? found.value.environment : undefined);
      }
      return known.get(accountId);
    };
  };

  const importAll = async (rows: Rows, rehearsal: Rehearsal | undefined, options: RequestImportOptions) => {
    const { events = 'none', pastDue = 'skip' } = options;
    const store = createStoring(commands, { events, pastDue, rehearsal });
    const environmentOf = environments();
    const outcomes: ImportedRow[] = [];
    let batch: Item[] = [];
    let lines = 0;
    const ids = new Set<string>();
    const flush = async (): Promise<void> => {
      outcomes.push(...(await store(batch)));
      batch = [];
      lines = 0;
      ids.clear();
    };
    for await (const group of groupLines(rows)) {
      const { name, row } = group;
      if (!name) {
        outcomes.push({ row, ...refusedBy(wrongLine(group)) });
        continue;
      }
      const { kind } = commands.served[name];
      const read = await readObject({ name, kind, extension: extend?.[name], environmentOf }, group);
      if (read.isErr()) {
        outcomes.push({ row, ...refusedBy(read.error) });
        continue;
      }
      const id = `${name} ${read.value.record.id}`;
      if (ids.has(id)) await flush();
      ids.add(id);
      batch.push({ row, brought: read.value });
      lines += 1 + group.history.length + group.transactions.length;
      if (batch.length >= maxObjects || lines >= maxLines) await flush();
    }
    await flush();
    return outcomes.toSorted((a, b) => a.row - b.row);
  };

  return (rows: Rows, options: RequestImportOptions = {}): ResultAsync<ImportReport, Unavailable> => {
    assertRows(rows);
    assertOptionNames('requests.import', options, { dryRun: true, events: true, pastDue: true });
    const { dryRun: isDryRun = false, events, pastDue } = options;
    assertOneOf('events', events, ['none', 'update']);
    assertOneOf('pastDue', pastDue, ['skip', 'give']);
    return orUnavailable(async (): Promise<Result<ImportReport, never>> => {
      const imported = await importAll(rows, isDryRun ? createRehearsal() : undefined, options);
      return ok(reportOf(imported, isDryRun));
    });
  };
};

/** Imports objects of requests. */
export type ImportRequests<X extends RequestExtensions> = (
  rows: Iterable<RequestRow<X> | RequestLine> | AsyncIterable<RequestRow<X> | RequestLine>,
  options?: RequestImportOptions,
) => ResultAsync<ImportReport, Unavailable>;
