/**
 * The body of a request: its bytes, or why there are none.
 * @public
 */
export type RequestBody =
  | Uint8Array
  | {
      /** What a parser of the host made of it. Login accepts it; routes that check a signature refuse it. */
      readonly parsed: unknown;
    }
  | {
      /** It exceeds the route's `maxBodyBytes`. */
      readonly tooLarge: true;
    }
  | {
      /** The connection closed before the whole body arrived. */
      readonly aborted: true;
    };

/**
 * A body that is not read yet. A route reads it after it has authenticated the caller.
 * @public
 */
export interface UnreadBody {
  /** Reads the body, at most `maxBytes`. A route calls it at most once. */
  read(maxBytes: number): Promise<RequestBody>;
}

/**
 * A request without its body.
 * @public
 */
export interface RequestHead {
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Raw path and query, as sent. Core decodes them, because frameworks differ. */
  readonly target: string;
  /** Headers by lower-case name; a repeated header has all its values. */
  readonly headers: HttpHeaders;
  /** Address of the caller: that of the socket, or the result of the adapter's `clientAddress`. */
  readonly remoteAddress?: string | undefined;
  /**
   * Whether the connection has closed, so that nobody reads the response. Work that takes long ends early then.
   * @defaultValue unknown: it is open
   */
  readonly isClosed?: () => boolean;
}

/**
 * A request with its body.
 * @public
 */
export interface HttpRequest extends RequestHead {
  /** Empty for GET and HEAD, whose body has no meaning (RFC 9110 §9.3.1). */
  readonly body: RequestBody;
}

/**
 * A request from an adapter. The route reads its body.
 * @public
 */
export interface IncomingRequest extends RequestHead {
  /** Empty for GET and HEAD, whose body has no meaning (RFC 9110 §9.3.1). */
  readonly body: RequestBody | UnreadBody;
}

/** Header values by lower-case name. @public */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A response. Adapters write it unchanged.
 * @public
 */
export interface HttpResponse {
  /** HTTP status, 200 to 599. */
  readonly status: number;
  /** Headers by lower-case name, without those of the connection. `content-length` is added by `mountRoutes`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; empty for none. */
  readonly body: string;
}

/**
 * What a kit says of a route in its OpenAPI document.
 * @public
 */
export interface RouteOperation {
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Unique name, in camel case. */
  readonly operationId: string;
}

/**
 * A path with its handler. Adapters pass a list of routes through `mountRoutes` and register each for every method.
 * @public
 */
export interface Route {
  /**
   * Absolute path. A segment `:name` is a parameter; a last segment `*` matches every path that no other route matches.
   */
  readonly path: `/${string}`;
  /** Further paths with the same parameters and responses; `mountRoutes` makes a route of each. @defaultValue none */
  readonly aliases?: readonly `/${string}`[];
  /** The methods that it serves, in capitals. Empty: `handle` answers every method. */
  readonly methods: readonly string[];
  /** Maximum size of the body in bytes. */
  readonly maxBodyBytes: number;
  /** What the kit describes it by, for the OpenAPI document. @defaultValue none: the document leaves the route out */
  readonly operation?: RouteOperation;
  /** Handles a request. Never rejects. */
  handle(request: IncomingRequest): Promise<HttpResponse>;
}

/** The value of a header; `undefined` when it is absent or repeated. */
export const singleHeader = (headers: HttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  if (typeof value === 'string') return value;
  return value?.length === 1 ? value[0] : undefined;
};
