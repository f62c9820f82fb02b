import { brand, hasBrand } from '../../base/runtime/brand.ts';

/** Their answers need a header (RFC 9110 §15.5), which a rejection does not have. */
const withHeader: readonly number[] = [401, 405, 407, 426];

/**
 * Thrown by `onCommand` to refuse a command: the transaction rolls back, and the partner receives this problem.
 * @example
 * throw new CommandRejection({ code: 'limit_reached', detail: 'The account has reached its monthly limit.' });
 * @throws TypeError when the code, the detail or the status is malformed.
 * @public
 */
export class CommandRejection extends Error {
  override readonly name = 'CommandRejection';
  /** Stable code for programs: 1 to 64 characters of `a-z 0-9 _`. */
  readonly code: string;
  /** Explanation for people. Partners see it. */
  readonly detail: string;
  /** HTTP status, 400 to 499 without 401, 405, 407 and 426. */
  readonly status: number;

  /** Takes the problem that the partner receives. */
  constructor({
    code,
    detail,
    status = 409,
  }: {
    /** 1 to 64 characters of `a-z 0-9 _`. */
    readonly code: string;
    /** Explanation for people. Partners see it. */
    readonly detail: string;
    /** 400 to 499, without 401, 405, 407 and 426, whose answers need a header. @defaultValue 409 */
    readonly status?: number;
  }) {
    if (typeof code !== 'string' || !/^[a-z0-9_]{1,64}$/.test(code))
      throw new TypeError('code: 1 to 64 of a-z, 0-9 and _.');
    if (typeof detail !== 'string') throw new TypeError('detail: a text.');
    if (!Number.isInteger(status) || status < 400 || status > 499 || withHeader.includes(status))
      throw new TypeError(`status: from 400 to 499, without ${withHeader.join(', ')}.`);
    super(detail);
    this.code = code;
    this.detail = detail;
    this.status = status;
    brand(this, 'CommandRejection');
  }
}

export const isCommandRejection = (cause: unknown): cause is CommandRejection => hasBrand(cause, 'CommandRejection');
