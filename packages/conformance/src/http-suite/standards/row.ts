import type { StandardsPlatform } from './platform.ts';

/** One request, with names in angle brackets such as `<token>` for values of the platform. */
export interface RowRequest {
  /** Method and path below the base path of the partner API, or a well-known path. */
  readonly line: string;
  /** Header lines. */
  readonly headers: readonly string[];
  readonly body?: string | Uint8Array;
}

/** A response as it was received. */
export interface RowResponse {
  readonly status: number;
  /** Lower-case names; lines of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every byte after the head, as text. */
  readonly body: string;
}

/** The answer that the standard demands. */
export interface RowAnswer {
  readonly status: number;
  /** Values by name; `null`: the answer lacks the header. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  /** Empty: no content. A text, a pattern, or members of the JSON; `undefined`: the JSON lacks the member. */
  readonly body?: string | RegExp | Readonly<Record<string, unknown>>;
}

/** A request with its answer. The next one can name its `<id>`, `<etag>`, `<location>`, and addresses in metadata. */
export interface RowStep {
  readonly request: RowRequest;
  readonly answer: RowAnswer;
  readonly next?: RowStep;
}

/** What a standard says, in short. */
type Demand = { readonly must: string } | { readonly should: string } | { readonly may: string };

/** A sentence of a standard as one request. */
type StandardsRow = RowStep &
  Demand & {
    /** The section, such as `§5.1`. */
    readonly at: string;
    /** Why the platform departs from the standard. Absent: it does not. */
    readonly departs?: string;
  };

/** A sentence about many requests. */
export type StandardsLaw = Demand & {
  readonly at: string;
  readonly departs?: string;
  /** The requests and the answers, in words. */
  readonly requests: string;
  readonly answers: string;
  readonly check: (world: StandardsWorld) => Promise<void>;
};

/** The rows of one standard. */
export interface StandardsGroup {
  /** Such as `RFC 6749`. */
  readonly standard: string;
  readonly title: string;
  readonly url: string;
  readonly rows: readonly (StandardsRow | StandardsLaw)[];
}

/** Where the rows are sent. */
export interface StandardsWorld {
  readonly platform: StandardsPlatform;
  /** Sends a request, with the values of the platform in place of names. */
  send(request: RowRequest): Promise<RowResponse>;
}

/** The verb of a demand, and its sentence. */
export const demandOf = (row: Demand): readonly [level: 'MUST' | 'SHOULD' | 'MAY', rule: string] => {
  if ('must' in row) return ['MUST', row.must];
  return 'should' in row ? ['SHOULD', row.should] : ['MAY', row.may];
};

export const request = (line: string, headers: readonly string[] = [], body?: string | Uint8Array): RowRequest => ({
  line,
  headers,
  ...(body === undefined ? {} : { body }),
});

const bearer = 'Authorization: Bearer <token>';
const json = 'Content-Type: application/json';

/** A request of a partner with its access token; a body is JSON unless a header says otherwise. */
export const call = (line: string, headers: readonly string[] = [], body?: string | Uint8Array): RowRequest => {
  const hasType = headers.some((header) => /^content-type:/i.test(header));
  return request(line, [bearer, ...(body === undefined || hasType ? [] : [json]), ...headers], body);
};

/** A login whose body is a form. */
export const formLogin = (body: string, ...headers: readonly string[]): RowRequest =>
  request('POST /login', ['Content-Type: application/x-www-form-urlencoded', ...headers], body);

/** A login whose body is JSON. */
export const jsonLogin = (body: string | Uint8Array, ...headers: readonly string[]): RowRequest =>
  request('POST /login', [json, ...headers], body);

export const account = '/organisations/<account>';
export const grant = 'grant_type=client_credentials&scope=USER';
export const basic = 'Authorization: Basic <basic>';
