/**
 * The body of a request, as an adapter hands it over.
 *
 * `parsed` when the host's own parser came first: good enough for login, refused where a signature is checked.
 * `tooLarge` when there was more than the route's `maxBodyBytes`.
 * @public
 */
export type RequestBody = Uint8Array | { readonly parsed: unknown } | { readonly tooLarge: true };

/**
 * A request, as an adapter hands it over.
 * @public
 */
export interface HttpRequest {
  readonly method: string;
  /** Raw path and query as they were sent: core decodes, because frameworks differ. */
  readonly target: string;
  /** Lower-case names; a repeated header keeps all its values. */
  readonly headers: HttpHeaders;
  /** No bytes for GET and HEAD, whose body means nothing (RFC 9110 §9.3.1). */
  readonly body: RequestBody;
  /** The caller's address: the socket's, or what the adapter's `clientAddress` says. */
  readonly remoteAddress?: string | undefined;
}

/** Header values by lower-case name. @public */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * An answer, to be written as it is.
 * @public
 */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names, and none that is about the connection (`connection`, `transfer-encoding`, …). The length is counted. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * One path. Adapters take a list of them through `mountable`, then register each for every method.
 * @public
 */
export interface Route {
  /** Absolute. A segment `:name` is a parameter; a last segment `*` matches whatever no other route does. */
  readonly path: `/${string}`;
  /** The methods that it serves, in capitals. Empty: none, whatever is asked gets `handle`'s answer. */
  readonly methods: readonly string[];
  /** More than this is not read. */
  readonly maxBodyBytes: number;
  /** Never rejects. */
  handle(request: HttpRequest): Promise<HttpResponse>;
}

/** The only value of a header, or `undefined` when it is absent or repeated. @internal */
export const singleHeader = (headers: HttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  if (typeof value === 'string') return value;
  return value?.length === 1 ? value[0] : undefined;
};
