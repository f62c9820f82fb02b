import { err, ok, type Result } from '#result';
import type { AccountCaller } from '../../api/management/shared-operations.ts';
import type { CodedFailure, HttpFailure } from '../../api/operations/failure.ts';
import type { Answer, Answered, KeyOperation } from '../../api/operations/operation.ts';
import { pageSchema } from '../../api/operations/page-schema.ts';
import { pageOf, pageQuery } from '../../api/operations/query.ts';
import { type ListChildren, maxListedChildren, readChildren } from '../../base/accounts/list-children.ts';
import type { InvalidCursor } from '../../base/pagination/cursor.ts';
import type { Page } from '../../base/pagination/page.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import type { ServedKind } from '../commands/effects.ts';
import { findObject, listHistory, listObjects } from '../commands/read-objects.ts';
import { viewHistoryEntry } from '../fields/history.ts';
import type { AccountRef } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import { findIn, maxBodyBytes, type Place, pathsOf, rightAt } from './place.ts';
import { listQuery, listQueryOf } from './read-query.ts';
import { refusalOf } from './refused.ts';
import { historyEntry, spaced, tagOf, viewIn, withArticle } from './words.ts';

/** What the reads call. */
export interface ReadDeps<Tx extends object> {
  /** The deposits, to which cash-outs belong. */
  readonly deposits: ServedKind<Tx>;
  /** Lists the children of an account. `undefined`: the directory lists none. */
  readonly listChildren: ListChildren | undefined;
}

/** Answers a read: a refusal is a value, a rejection comes from the infrastructure. */
export const read = (
  call: () => Promise<Result<Answer, CommandRefusal | InvalidCursor | TooManyChildren>>,
): Answered<Answer> =>
  callPort(call).andThen((found) =>
    found.mapErr((refusal): HttpFailure => (refusal.code === 'invalid_query' ? refusal : refusalOf(refusal))),
  );

export type TooManyChildren = CodedFailure & { readonly code: 'invalid_query' };
const tooManyChildren: TooManyChildren = {
  code: 'invalid_query',
  errors: [
    {
      ...{ parameter: 'includeChildren' },
      detail: `the account has more than ${maxListedChildren} children; list each one by its path.`,
    },
  ],
};

/** The filter for the children that a caller can access. Those of a child are out of reach. */
export const childrenOf = async (
  { account, isOwn, children: only }: AccountCaller,
  listChildren: ListChildren | undefined,
): Promise<Result<{ readonly children: readonly AccountRef[] }, TooManyChildren>> => {
  if (!listChildren || !isOwn) return ok({ children: [] });
  const children = await readChildren(listChildren, account, only);
  return children ? ok({ children }) : err(tooManyChildren);
};

export const shownPage = <T>({ items, ...rest }: Page<T>, show: (item: T) => object): Answer => ({
  body: { ...rest, items: items.map(show) },
});

/** The operation that reads one object. */
const findOperation = <Tx extends object>(place: Place<Tx>): KeyOperation<AccountCaller, undefined, undefined> => ({
  method: 'GET',
  right: rightAt(place, 'read'),
  maxBodyBytes,
  path: pathsOf(place).one,
  operationId: `get${place.name}`,
  summary: `Reads ${withArticle(place.name)}`,
  tag: tagOf(place.name),
  conditional: true,
  answers: {
    200: { description: `The ${spaced(place.name)}.`, schema: viewIn(place) },
  },
  handle: ({ caller: { account }, params }) =>
    read(async () => {
      const found = await findIn(place, account, params);
      return found.map((record) => ({ body: place.of.kind.show(record), version: record.version }));
    }),
});

/** The operation that lists objects. */
const listOperation = <Tx extends object>(
  place: Place<Tx>,
  { deposits, listChildren }: ReadDeps<Tx>,
): KeyOperation<AccountCaller, ReturnType<typeof listQueryOf>, undefined> => ({
  method: 'GET',
  right: rightAt(place, 'read'),
  maxBodyBytes,
  path: pathsOf(place).collection,
  operationId: `list${place.name}s`,
  summary: `Lists ${spaced(place.name)}s`,
  tag: tagOf(place.name),
  query: listQueryOf(place, listChildren !== undefined),
  answers: { 200: { description: 'A page of the list.', schema: pageSchema(viewIn(place)) } },
  refuses: ['invalid_cursor'],
  handle: ({ caller, params, query }) =>
    read(async () => {
      const { account } = caller;
      const { of, parent } = place;
      const { page: pageRequest, filter, includeChildren } = listQuery(query);
      const children = includeChildren ? await childrenOf(caller, listChildren) : ok({});
      if (children.isErr()) return err(children.error);
      const id = parent && (params[parent.field] ?? '');
      const found = id === undefined ? ok(undefined) : await findObject(deposits, account, id);
      if (found.isErr()) return err(found.error);
      const within = { ...children.value, ...(parent ? { [parent.field]: id } : {}) };
      const listed = await listObjects(of, account, pageRequest, { ...filter, ...within });
      return listed.map((items) => shownPage(items, (each) => of.kind.show(each)));
    }),
});

/** The operation that lists the history of an object. */
const historyOperation = <Tx extends object>(
  place: Place<Tx>,
): KeyOperation<AccountCaller, ReturnType<typeof pageQuery>, undefined> => ({
  method: 'GET',
  right: rightAt(place, 'read'),
  maxBodyBytes,
  path: `${pathsOf(place).one}/events`,
  operationId: `list${place.name}Events`,
  summary: `Lists the history of ${withArticle(place.name)}`,
  tag: tagOf(place.name),
  query: pageQuery(),
  answers: { 200: { description: 'A page of the history.', schema: pageSchema(historyEntry) } },
  refuses: ['invalid_cursor'],
  handle: ({ caller: { account }, params, query }) =>
    read(async () => {
      const found = place.parent ? await findIn(place, account, params) : ok(undefined);
      if (found.isErr()) return err(found.error);
      const listed = await listHistory(place.of, account, params['id'] ?? '', pageOf(query));
      return listed.map((entries) => shownPage(entries, viewHistoryEntry));
    }),
});

/** The operations that read the objects of a place. */
export const readOperations = <Tx extends object>(
  place: Place<Tx>,
  deps: ReadDeps<Tx>,
): readonly KeyOperation<AccountCaller>[] =>
  [findOperation(place), listOperation(place, deps), historyOperation(place)] as readonly KeyOperation<AccountCaller>[];
