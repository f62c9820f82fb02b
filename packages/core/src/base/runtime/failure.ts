/**
 * An expected failure: `code` is stable, for `switch`; `message` is for logs and people.
 * @public
 */
export interface Failure<C extends string = string> {
  /** Stable code, for programs. */
  readonly code: C;
  /** The problem and its remedy. It quotes no secret and no value of the input. */
  readonly message: string;
}

const messages = {
  already_handled: 'The handler has handled this event.',
  cursor_ahead: 'The storage lost the event of this cursor: continue after resumeAfter.',
  cursor_expired: 'Events after this cursor are older than the retention: continue after resumeAfter.',
  delivery_header_needed:
    'The URL moves to another origin: name the API key again, or pass deliveryHeader: null for none.',
  changed_meanwhile: 'Another change came first: read the object again, and repeat.',
  endpoint_disabled: 'The endpoint is disabled: enable it first.',
  event_dropped: 'The event is older than the retention: its body is deleted.',
  endpoint_deleted: 'The endpoint is deleted.',
  held: 'The delivery is held: it continues when its endpoint is enabled.',
  invalid_cursor: 'after is no next of this list.',
  missing_signature: 'The request carries no signature.',
  no_next_secret: 'The endpoint has no next secret: prepare one first.',
  no_such_account: 'accounts.find knows no account of this id: compare it with the accountId of publish.',
  no_such_endpoint: 'The account has no such endpoint.',
  no_such_event: 'The account has no such event, or it is older than the retention.',
  not_found: 'Nothing with this id belongs to the account.',
  too_many_endpoints: 'The account has as many endpoints as maxEndpoints allows: delete one first.',
  too_many_secrets: 'The client has 5 active secrets: revoke one first.',
  unfinished: 'A delivery of this event to this endpoint is under way already.',
  version_mismatch: 'The object has another version than the command is meant for: read it again.',
  wrong_kind: 'The call is for endpoints of the other kind: push endpoints are sent events, pull endpoints are read.',
  wrong_signature: 'The signature does not match the body and the secret.',
} as const;

/** A failure with the message of its code. */
export const failure = <C extends keyof typeof messages>(code: C): Failure<C> => ({ code, message: messages[code] });

/**
 * One wrong field of an input.
 * @public
 */
export interface WrongField {
  /** JSON Pointer of the field (RFC 6901), such as `/recipient/email`. Empty: the whole input. */
  readonly pointer: string;
  /** The rule that the field breaks; its value is not quoted. */
  readonly detail: string;
}

/**
 * Fields of an input are wrong. HTTP 400; nothing was stored.
 * @public
 */
export interface InvalidInput extends Failure<'invalid_input'> {
  /** Every wrong field, at most 32. `message` contains all of them in one line. */
  readonly errors: readonly [WrongField, ...WrongField[]];
}

const lineOf = ({ pointer, detail }: WrongField): string =>
  `${pointer.slice(1).replaceAll('/', '.') || 'input'}: ${detail}`;

export const invalidInput = (first: WrongField, ...more: readonly WrongField[]): InvalidInput => ({
  code: 'invalid_input',
  message: [first, ...more].map(lineOf).join(' '),
  errors: [first, ...more],
});

/** The refusal of one field. */
export const invalidField = (field: string, detail: string): InvalidInput =>
  invalidInput({ pointer: field === '' ? '' : `/${field}`, detail });
