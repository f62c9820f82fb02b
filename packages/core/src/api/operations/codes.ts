import { requiredScope } from '../../base/accounts/rights.ts';

/** The titles of statuses: the phrases of the registry (RFC 9457 §4.2.1). */
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export const titleOf = (status: number): string => titles[status] ?? 'Error';

/** `NotFound`: the name of a status. */
export const nounOf = (status: number): string => titles[status]?.replaceAll(' ', '') ?? `Status${status}`;

/** What a code answers. */
export interface CodeInfo {
  /** HTTP status. */
  readonly status: number;
  /** What to do. Absent: the failure says it. */
  readonly detail?: string;
  /** Headers of every answer with the code. `null`: the failure has the value. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The wrong field, where it is always the same. */
  readonly errors?: SingleErrors;
}

/** What is wrong with a request, each error with its place: `pointer` in the body, or `parameter` of the query. */
export type SingleErrors = readonly {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}[];

/** The challenge of a bearer token. */
const bearer = (error: string) => ({ 'www-authenticate': `Bearer realm="partner"${error}` });
/** The challenge of a scope that the token lacks (RFC 6750 §3). */
export const challengeOf = (scope: string) => bearer(`, error="insufficient_scope", scope="${scope}"`);
const again = { 'retry-after': '5' };
const undecided = 'Nothing was decided; try again shortly.';
/** A rule of the domain, which says itself what to do. */
const conflict = { status: 409 };

const table = {
  // What the route itself answers.
  bad_request: { status: 400 },
  invalid_cursor: {
    status: 400,
    detail: 'after is no next of this list.',
    errors: [{ parameter: 'after', detail: 'no next of this list.' }],
  },
  invalid_event: { status: 400, detail: 'Something in the event is wrong; errors says where.' },
  invalid_input: { status: 400, detail: 'Something in the body is wrong; errors says where.' },
  invalid_query: { status: 400, detail: 'Something in the query is wrong; errors says where.' },
  not_found: { status: 404, detail: 'There is nothing here that this client may access.' },
  method_not_allowed: {
    status: 405,
    detail: 'This path does not take that method; Allow names those it takes.',
    headers: { allow: null },
  },
  version_mismatch: {
    status: 412,
    detail: 'The object has another version than If-Match or If-None-Match allows; read it again.',
  },
  too_large: { status: 413, detail: 'The body is larger than this path takes.' },
  unsupported_media_type: { status: 415 },
  too_many_requests: { status: 429, headers: { 'retry-after': null } },
  internal: { status: 500, detail: 'The platform failed on this request.' },
  unavailable: { status: 503, detail: undecided, headers: again },

  // Access tokens (RFC 6750 §3). Without credentials, the challenge has no error.
  missing_token: {
    status: 401,
    detail: 'Send the access token as "Authorization: Bearer <token>".',
    headers: bearer(''),
  },
  invalid_token: {
    status: 401,
    detail: 'The access token is wrong, expired or revoked; log in again.',
    headers: bearer(', error="invalid_token"'),
  },
  insufficient_scope: {
    status: 403,
    detail: `The access token needs the scope ${requiredScope}.`,
    headers: challengeOf(requiredScope),
  },
  address_not_allowed: { status: 403, detail: 'This API key may not be used from the address of this request.' },
  account_not_active: { status: 403, detail: 'This account may not use the interface.' },

  // The login (RFC 6749 §5.2). A request with several tokens is an `invalid_request`, too.
  invalid_request: { status: 400 },
  unsupported_grant_type: { status: 400, detail: 'grant_type must be client_credentials.' },
  invalid_scope: { status: 400, detail: `scope must be ${requiredScope}, or rights such as requests:read.` },
  invalid_client: {
    status: 401,
    detail: 'Unknown client, wrong secret, or a client that may not log in.',
    headers: { 'www-authenticate': 'Basic realm="partner"' },
  },
  too_many_attempts: {
    status: 429,
    detail: 'Too many failed logins; wait as Retry-After says.',
    headers: { 'retry-after': null },
  },
  temporarily_unavailable: { status: 503, detail: undecided, headers: again },

  // Sessions of the management API.
  cross_site: { status: 403, detail: 'Only a page of the platform itself may change this.' },
  not_authenticated: {
    status: 401,
    detail: 'Log in to the platform first.',
    // RFC 9110 §15.5.2 demands a challenge; the host's session has no scheme of its own.
    headers: { 'www-authenticate': 'Session realm="partner management"' },
  },
  forbidden: { status: 403 },

  // Rules of the domain.
  changed_meanwhile: { ...conflict, detail: 'Another command came first; read the object again.' },
  no_such_endpoint: { status: 404 },
  no_such_event: { status: 404 },
  version_required: { status: 428 },
  // draft-ietf-httpapi-idempotency-key-header §2.7.
  idempotency_conflict: { status: 422 },
  already_done: conflict,
  amount_mismatch: conflict,
  delivery_header_needed: conflict,
  endpoint_deleted: conflict,
  endpoint_disabled: conflict,
  event_dropped: conflict,
  exceeds_authorised: conflict,
  exceeds_cash_out: conflict,
  exceeds_collected: conflict,
  exceeds_deposit: conflict,
  exceeds_payment: conflict,
  exceeds_secured: conflict,
  held: conflict,
  no_dispute: conflict,
  claim_ended: conflict,
  cursor_ahead: conflict,
  cursor_expired: { status: 410 },
  no_next_secret: conflict,
  not_checked_in: conflict,
  object_too_large: conflict,
  money_booked: conflict,
  open_cash_outs: conflict,
  reference_taken: conflict,
  too_many_cash_outs: conflict,
  too_many_endpoints: conflict,
  too_many_secrets: conflict,
  unfinished: conflict,
  wrong_kind: conflict,
  wrong_state: conflict,
} satisfies Readonly<Record<string, CodeInfo>>;

/**
 * A code of the library, which has its HTTP status: that of the reference, such as `version_mismatch` (412).
 * @public
 */
export type Code = keyof typeof table;

/** Every code with what it answers: the one table. @internal */
export const codes: Readonly<Record<Code, CodeInfo>> = table;
