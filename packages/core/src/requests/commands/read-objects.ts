import { err, ok, type Result } from '#result';
import { type InvalidCursor, readPage } from '../../base/pagination/cursor.ts';
import type { Page, PageRequest } from '../../base/pagination/page.ts';
import { type Failure, failure } from '../../base/runtime/failure.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import type { RequestHistoryEntry } from '../fields/history.ts';
import { type AccountRef, assertAccount, type StoredRequest } from '../record/record.ts';
import type { RequestFilter } from '../stores/stores.ts';
import type { ServedKind } from './effects.ts';

/** Returns a record only when it has the requested account and id: a store of the host is not trusted. */
const owned = (
  found: StoredRequest | undefined,
  account: AccountRef,
  id: string,
): Result<StoredRequest, Failure<'not_found'>> =>
  found?.id === id && found.accountId === account.id && found.environment === account.environment
    ? ok(found)
    : err(failure('not_found'));

/** Finds an object. A malformed id is not looked up, because a store of the host may fail on it. */
export const findObject = async <Tx extends object>(
  { store }: ServedKind<Tx>,
  account: AccountRef,
  id: string,
  tx?: Tx,
): Promise<Result<StoredRequest, Failure<'not_found'>>> =>
  isIdentifier(id) ? owned(await store.find(assertAccount(account), id, tx), account, id) : err(failure('not_found'));

/** {@link findObject}, and locks what it finds until `tx` ends. */
export const lockObject = async <Tx extends object>(
  { store }: ServedKind<Tx>,
  account: AccountRef,
  id: string,
  tx: Tx,
): Promise<Result<StoredRequest, Failure<'not_found'>>> =>
  isIdentifier(id) ? owned(await store.lock(tx, assertAccount(account), id), account, id) : err(failure('not_found'));

/** A cursor is valid only for the same account, environment, filter and order. */
const scopeOf = (object: string, account: AccountRef, { newestFirst = false }: PageRequest, filter: RequestFilter) => [
  object,
  account.id,
  account.environment,
  newestFirst,
  filter.statuses?.join(),
  filter.reference,
  filter.recipientEmail,
  filter.templateId,
  filter.depositId,
  filter.createdFrom,
  filter.createdTo,
  filter.updatedFrom,
  filter.updatedTo,
  // Children may come and go between two pages.
  filter.children !== undefined,
];

/** Lists committed objects. */
export const listObjects = async <Tx extends object>(
  { kind, store }: ServedKind<Tx>,
  account: AccountRef,
  page: PageRequest,
  filter: RequestFilter,
): Promise<Result<Page<StoredRequest>, InvalidCursor>> => {
  assertAccount(account);
  const { statuses = [], reference, recipientEmail, templateId, depositId } = filter;
  const texts = [...statuses, reference, recipientEmail, templateId, depositId];
  // No stored object has such a text: skip the read.
  if (texts.some((text) => text !== undefined && !isIdentifier(text))) return ok({ items: [] });
  const scope = scopeOf(kind.object, account, page, filter);
  const read = await readPage(scope, page, (opened) => store.list(account, opened, filter));
  const accounts = [account, ...(filter.children ?? [])];
  return read.map(({ items, ...rest }) => ({
    ...rest,
    items: items.filter((each) => accounts.some((of) => owned(each, of, each.id).isOk())),
  }));
};

/** Lists the committed history of an object. */
export const listHistory = async <Tx extends object>(
  of: ServedKind<Tx>,
  account: AccountRef,
  id: string,
  page: PageRequest,
): Promise<Result<Page<RequestHistoryEntry>, Failure<'not_found'> | InvalidCursor>> => {
  const found = await findObject(of, account, id);
  if (found.isErr()) return err(found.error);
  const scope = [`${of.kind.object} history`, account.id, account.environment, page.newestFirst ?? false, id];
  return readPage(scope, page, (opened) => of.store.listHistory(account, id, opened));
};
