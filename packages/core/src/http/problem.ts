import type { HttpResponse } from './route.ts';

/** A JSON response with the headers of every response. @internal */
export const jsonResponse = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  423: 'Locked',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/**
 * A problem document (RFC 9457): `title`, `status`, a stable `code`, and `detail` with the remedy.
 * @internal
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
    { title: titles[status] ?? 'Error', status, code, detail, ...members },
    { ...headers, 'content-type': 'application/problem+json' },
  );
