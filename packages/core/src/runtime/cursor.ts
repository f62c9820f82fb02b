import { err, ok, type Result } from 'neverthrow';
import { sha256 } from '../crypto/sha256.ts';
import type { Page, PageRequest, StoredPage } from './page.ts';

/** `after` is no `next` of this list: of another account, of another filter, or of nothing at all. @public */
export interface InvalidCursor {
  readonly code: 'invalid_cursor';
}

/** What a list is of: its name, its account, and whatever else decides which rows are in it. @internal */
export type ListScope = readonly unknown[];

/** A checksum against mistakes, not against forgery: a store reads inside the account alone, and answers what it cannot read. */
const tagOf = (scope: ListScope, place: string): string => sha256(JSON.stringify([...scope, place])).slice(0, 12);

/** The page as a store is asked for it: a cursor that belongs to another list is refused before that. @internal */
export const openPage = (scope: ListScope, { after, ...rest }: PageRequest): Result<PageRequest, InvalidCursor> => {
  if (after === undefined) return ok(rest);
  const [tag, place] = typeof after === 'string' ? [after.slice(0, 12), after.slice(13)] : [];
  return place !== undefined && after[12] === '.' && tag === tagOf(scope, place)
    ? ok({ ...rest, after: place })
    : err({ code: 'invalid_cursor' });
};

/** The page as it is handed out: its cursor belongs to this list. @internal */
export const closePage = <T>(scope: ListScope, { next, ...page }: Page<T>): Page<T> =>
  next === undefined ? page : { ...page, next: `${tagOf(scope, next)}.${next}` };

/** Reads a page: the one way of every list, from its cursor to the store and back. Rejects when the store does. @internal */
export const readPage = async <T>(
  scope: ListScope,
  page: PageRequest,
  read: (page: PageRequest) => Promise<StoredPage<T>>,
): Promise<Result<Page<T>, InvalidCursor>> => {
  const opened = openPage(scope, page);
  if (opened.isErr()) return err(opened.error);
  const { invalidCursor, ...found } = await read(opened.value);
  return invalidCursor ? err({ code: 'invalid_cursor' }) : ok(closePage(scope, found));
};
