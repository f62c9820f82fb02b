import { pathSegment } from '@partnerkit/core/adapter';

/** One wrong field of an input. @internal */
export interface FieldError {
  /** JSON Pointer of the field, such as `/url`. */
  readonly pointer: string;
  /** What is expected, in English. */
  readonly detail: string;
}

/** A call that failed. @internal */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly fields: readonly FieldError[];

  /**
   * @param code - The code of the problem document. Without an answer, `offline`; for an answer without one,
   * `unexpected`.
   */
  constructor(code: string, detail: string, fields: readonly FieldError[] = []) {
    super(detail);
    this.code = code;
    this.fields = fields;
  }
}

/** @internal */
export const isApiError = (cause: unknown): cause is ApiError => Object(cause).name === 'ApiError';

/** @internal */
export const errorOf = (cause: unknown): ApiError =>
  isApiError(cause) ? cause : new ApiError('unexpected', String(cause));

/** A page of a list. @internal */
export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page. Absent: this is the last one. */
  readonly next?: string;
}

/** Values of a query string; `undefined` and the empty text are left out. @internal */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** What a call sends beside its path. @internal */
export interface CallOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** The version that the object must have. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer. */
interface Answer<T> {
  readonly body: T;
  /** The version of the object. */
  readonly etag: string | undefined;
}

/** Calls the management API. @internal */
export interface Api {
  /**
   * @param path - The segments of the path, not encoded. A segment stays one, whatever it contains.
   * @throws ApiError when the call failed; what `signal` gives when it was aborted.
   */
  call<T = void>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: readonly string[],
    options?: CallOptions,
  ): Promise<Answer<T>>;
}

/** @throws ApiError for a segment that would lead to another path: nothing has such an id. */
const encode = (segment: string): string => {
  try {
    return pathSegment(segment);
  } catch {
    throw new ApiError('not_found', 'No such id.');
  }
};

const queryString = (query: Query): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

const parse = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** Creates the calls below a base path. @internal */
export const createApi = (baseUrl: string): Api => ({
  call: async <T>(method: string, path: readonly string[], { query = {}, body, ifMatch, signal }: CallOptions = {}) => {
    const url = `${[baseUrl, ...path.map(encode)].join('/')}${queryString(query)}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        },
        // A host that redirects to its login page has ended the session.
        redirect: 'manual',
        cache: 'no-store',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      });
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ApiError('offline', 'No answer.');
    }
    if (response.type === 'opaqueredirect') throw new ApiError('not_authenticated', 'Redirected.');
    const json = parse(text);
    if (!response.ok || (text !== '' && !json)) {
      const { code, detail, errors } = json ?? {};
      const otherwise = response.status === 401 ? 'not_authenticated' : 'unexpected';
      throw new ApiError(
        typeof code === 'string' ? code : otherwise,
        typeof detail === 'string' ? detail : `HTTP ${response.status}`,
        Array.isArray(errors) ? errors : [],
      );
    }
    return { body: json as T, etag: response.headers.get('etag') ?? undefined };
  },
});

/** All items of a list, page by page. @internal */
export const readAll = async <T>(api: Api, list: string, signal: AbortSignal): Promise<readonly T[]> => {
  const all: T[] = [];
  for (let after: string | undefined, hasMore = true; hasMore; hasMore = after !== undefined) {
    const { body } = await api.call<Page<T>>('GET', [list], { query: { limit: 100, after }, signal });
    all.push(...body.items);
    after = body.next;
  }
  return all;
};
