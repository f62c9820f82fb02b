import type { HttpResponse } from './route.ts';

/** JSON with the headers that every answer of ours carries. @internal */
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
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/**
 * A problem document (RFC 9457): `title`, `status`, a stable `code`, and a `detail` that says what to do.
 * @internal
 */
export const problemResponse = (
  status: number,
  code: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
  more: object = {},
): HttpResponse =>
  jsonResponse(
    status,
    { title: titles[status] ?? 'Error', status, code, detail, ...more },
    { ...headers, 'content-type': 'application/problem+json' },
  );
