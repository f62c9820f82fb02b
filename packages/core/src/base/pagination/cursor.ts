import { err, ok, type Result } from '#result';
import { sha256 } from '../crypto/sha256.ts';
import type { Unavailable } from '../runtime/call-port.ts';
import { type Failure, failure, type InvalidInput } from '../runtime/failure.ts';
import type { Page, PageRequest, StoredPage } from './page.ts';

/**
 * Why a list could not be read: `invalid_cursor`, `invalid_input`, or `unavailable` when the storage failed.
 * @public
 */
export type ListFailure = InvalidCursor | InvalidInput | Unavailable;

/**
 * `after` is not a `next` of this list, but of another account or filter, or made up. Start without `after`.
 * @public
 */
export type InvalidCursor = Failure<'invalid_cursor'>;

/** Identifies a list: its name, its account and its filters. */
export type ListScope = readonly unknown[];

/**
 * A checksum against mistakes. Forgery is harmless: a store reads inside the account only and reports invalid cursors.
 */
const tagOf = (scope: ListScope, place: string): string => sha256(JSON.stringify([...scope, place])).slice(0, 12);

/** The scope of a filtered list of an account. The order of the filter's fields does not count. */
export const scopeOfList = (list: string, accountId: string, filter: object, page: PageRequest): ListScope => [
  list,
  accountId,
  page.newestFirst === true,
  Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
];

/** Turns a cursor of the API into that of the store; refuses one of another list. */
export const decodeCursor = (scope: ListScope, { after, ...rest }: PageRequest): Result<PageRequest, InvalidCursor> => {
  if (after === undefined) return ok(rest);
  const [tag, place] = typeof after === 'string' ? [after.slice(0, 12), after.slice(13)] : [];
  return place !== undefined && after[12] === '.' && tag === tagOf(scope, place)
    ? ok({ ...rest, after: place })
    : err(failure('invalid_cursor'));
};

/** Binds the cursor of the store to its list. */
export const encodeCursor = <T>(scope: ListScope, { next, ...page }: Page<T>): Page<T> =>
  next === undefined ? page : { ...page, next: `${tagOf(scope, next)}.${next}` };

/** Reads a page of a list. Rejects when the store rejects. */
export const readPage = async <T>(
  scope: ListScope,
  page: PageRequest,
  read: (page: PageRequest) => Promise<StoredPage<T>>,
): Promise<Result<Page<T>, InvalidCursor>> => {
  const opened = decodeCursor(scope, page);
  if (opened.isErr()) return err(opened.error);
  const { invalidCursor, ...found } = await read(opened.value);
  return invalidCursor ? err(failure('invalid_cursor')) : ok(encodeCursor(scope, found));
};
