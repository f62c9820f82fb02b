import type { HttpResponse } from '../../base/http/route.ts';
import { titleOf } from './codes.ts';

/** A JSON response with the headers of every response. */
export const jsonResponse = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/**
 * A problem document (RFC 9457): `title`, `status`, a stable `code`, and `detail` with the remedy.
 * Its type is `application/problem+json`; it is stored by no cache.
 * @example
 * const response = problemResponse(409, 'sold_out', 'Choose another date.');
 * @public
 */
export const problemResponse = (
  status: number,
  code: string,
  detail: string,
  {
    headers = {},
    members = {},
  }: {
    /** Further headers with lower-case names. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** Further members of the document. */
    readonly members?: object;
  } = {},
): HttpResponse =>
  jsonResponse(
    status,
    { title: titleOf(status), status, code, detail, ...members },
    { ...headers, 'content-type': 'application/problem+json' },
  );
