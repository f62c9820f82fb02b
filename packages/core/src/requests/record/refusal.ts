import { type Failure, type InvalidInput, invalidInput } from '../../base/runtime/failure.ts';
import type { CommandRejection } from './command-rejection.ts';

/**
 * Why a command was refused. A refused command stores nothing.
 * @public
 */
export type CommandRefusal =
  /** No object of this account and environment has the id. HTTP 404. */
  | Failure<'not_found'>
  /** Fields of the input are wrong; `errors` names each, at most 32. HTTP 400. */
  | InvalidInput
  /** The object has another version than the command is meant for. HTTP 412. */
  | Failure<'version_mismatch'>
  /** The command names no version, and `accept` no amount either: the offer may have changed. HTTP 428. */
  | Failure<'version_required'>
  /** Another command committed first: read the object again. HTTP 409. */
  | Failure<'changed_meanwhile'>
  /**
   * A state or a rule refuses the command. HTTP 409.
   *
   * - `wrong_state`: the state of the object, or of its deposit, does not allow the command.
   * - `already_done`: it was done before: this inspection, or nothing is left to collect or to refund.
   * - `not_checked_in`: the entry inspection was not done before the exit inspection.
   * - `open_cash_outs`: the deposit cannot finish while a cash-out is open.
   * - `no_dispute`: the recipient disputes no cash-out of the deposit.
   * - `exceeds_deposit`: cash-outs that are not cancelled or failed would exceed the deposit.
   * - `claim_ended`: `claimUntil` of the deposit has passed.
   * - `amount_mismatch`: the cash-out has another amount than `accept` names.
   * - `money_booked`: money is booked for it, so it cannot be cancelled, change its currency, or have a lower amount.
   * - `exceeds_payment`: the refunds would exceed what was charged and captured.
   * - `exceeds_authorised`: more would be secured than was authorised.
   * - `exceeds_secured`: captures and releases would exceed what is secured.
   * - `exceeds_cash_out`: more would be collected than the amount of the cash-out.
   * - `exceeds_collected`: the refunds would exceed what was collected for the cash-out.
   * - `too_many_cash_outs`: the deposit has 50 cash-outs already.
   * - `object_too_large`: `create` or `change` would store more than 128 KiB of JSON, 80 KiB for a deposit, or 48 KiB
   *   for a cash-out; cash-outs, transactions and evidence do not count.
   * - `reference_taken`: another object of the kind and account has the reference (`uniqueReferences`).
   */
  | Failure<
      | 'wrong_state'
      | 'already_done'
      | 'not_checked_in'
      | 'open_cash_outs'
      | 'no_dispute'
      | 'exceeds_deposit'
      | 'claim_ended'
      | 'amount_mismatch'
      | 'money_booked'
      | 'exceeds_payment'
      | 'exceeds_authorised'
      | 'exceeds_secured'
      | 'exceeds_cash_out'
      | 'exceeds_collected'
      | 'too_many_cash_outs'
      | 'object_too_large'
      | 'reference_taken'
    >
  /** `onCommand` rejected it: HTTP status, code and detail are those of the rejection. */
  | (Failure<'rejected'> & {
      /** What `onCommand` threw. */
      readonly rejection: CommandRejection;
    });

/** Refuses several fields for one reason; without fields, the whole input. */
export const wrongFields = ([first, ...more]: readonly string[], detail: string): CommandRefusal =>
  invalidInput(
    { pointer: first === undefined ? '' : `/${first}`, detail },
    ...more.map((field) => ({ pointer: `/${field}`, detail })),
  );

/** Refuses one field. */
export const wrongField = (pointer: string, detail: string): CommandRefusal => invalidInput({ pointer, detail });
