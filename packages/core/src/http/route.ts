/**
 * The body of a request.
 *
 * - `parsed`: the host's own parser came first. Good enough for login, refused where a signature is checked.
 * - `tooLarge`: there was more than the route's `maxBodyBytes`.
 * - `aborted`: the connection closed before the whole body had come.
 * @public
 */
export type RequestBody =
  | Uint8Array
  | { readonly parsed: unknown }
  | { readonly tooLarge: true }
  | { readonly aborted: true };

/**
 * A body of which no byte was read yet. A route reads it once it knows that the caller may send one.
 * @public
 */
export interface UnreadBody {
  /** Reads the body, at most `maxBytes` of it. Called once at most. */
  read(maxBytes: number): Promise<RequestBody>;
}

/**
 * A request without its body.
 * @public
 */
export interface RequestHead {
  readonly method: string;
  /** Raw path and query as they were sent: core decodes, because frameworks differ. */
  readonly target: string;
  /** Lower-case names; a repeated header keeps all its values. */
  readonly headers: HttpHeaders;
  /** The caller's address: the socket's, or what the adapter's `clientAddress` says. */
  readonly remoteAddress?: string | undefined;
}

/**
 * A request whose body was read.
 * @public
 */
export interface HttpRequest extends RequestHead {
  /** No bytes for GET and HEAD, whose body means nothing (RFC 9110 §9.3.1). */
  readonly body: RequestBody;
}

/**
 * A request, as an adapter hands it over: its body is read by the route.
 * @public
 */
export interface IncomingRequest extends RequestHead {
  /** No bytes for GET and HEAD, whose body means nothing (RFC 9110 §9.3.1). */
  readonly body: RequestBody | UnreadBody;
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
  /** Further paths with the same parameters and answers: `mountable` makes a route of each. @defaultValue none */
  readonly aliases?: readonly `/${string}`[];
  /** The methods that it serves, in capitals. Empty: none, whatever is asked gets `handle`'s answer. */
  readonly methods: readonly string[];
  /** More than this is not read. */
  readonly maxBodyBytes: number;
  /** Never rejects. */
  handle(request: IncomingRequest): Promise<HttpResponse>;
}

/** The only value of a header, or `undefined` when it is absent or repeated. @internal */
export const singleHeader = (headers: HttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  if (typeof value === 'string') return value;
  return value?.length === 1 ? value[0] : undefined;
};
