import type { CommandRejection } from './command-rejection.ts';

/**
 * One wrong field of an input.
 * @public
 */
export interface WrongField {
  /** Where it is (RFC 6901): `/recipient/email`. Empty: the whole input. */
  readonly pointer: string;
  /** What it must be; never its value. */
  readonly detail: string;
}

/**
 * Why a command was refused. Nothing of it was stored.
 * @public
 */
export type Refusal =
  /** No object of this account has the id. HTTP 404. */
  | { readonly code: 'not_found' }
  /** Fields are wrong. HTTP 400. */
  | { readonly code: 'invalid_input'; readonly errors: readonly [WrongField, ...WrongField[]] }
  /** The object has another version than the command is meant for. HTTP 412. */
  | { readonly code: 'version_mismatch' }
  /** Another command came first: read the object again. HTTP 409. */
  | { readonly code: 'changed_meanwhile' }
  /** A state or a rule refuses it. HTTP 409. */
  | {
      readonly code:
        | 'wrong_state'
        | 'already_done'
        | 'not_checked_in'
        | 'open_cash_outs'
        | 'no_dispute'
        | 'exceeds_deposit'
        | 'exceeds_payment'
        | 'too_many_cash_outs'
        | 'reference_taken';
      readonly detail: string;
    }
  /** `onCommand` rejected it. HTTP status of the rejection. */
  | { readonly code: 'rejected'; readonly rejection: CommandRejection };

/** The refusal of several fields for one reason: the first of them, or the whole input when there is none. @internal */
export const wrongFields = ([first, ...more]: readonly string[], detail: string): Refusal => ({
  code: 'invalid_input',
  errors: [
    { pointer: first === undefined ? '' : `/${first}`, detail },
    ...more.map((field) => ({ pointer: `/${field}`, detail })),
  ],
});

/** The refusal of one field. @internal */
export const wrongField = (pointer: string, detail: string): Refusal => ({
  code: 'invalid_input',
  errors: [{ pointer, detail }],
});
