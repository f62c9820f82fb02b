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
  /** No object of this account has the id. */
  | { readonly code: 'not_found' }
  | { readonly code: 'invalid_input'; readonly errors: readonly [WrongField, ...WrongField[]] }
  /** It is not what its version was said to be. */
  | { readonly code: 'version_mismatch' }
  /** Another command came first: read it again. */
  | { readonly code: 'changed_meanwhile' }
  | {
      readonly code:
        | 'wrong_state'
        | 'already_done'
        | 'not_checked_in'
        | 'open_cash_outs'
        | 'exceeds_deposit'
        | 'too_many_cash_outs';
      readonly detail: string;
    };

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
