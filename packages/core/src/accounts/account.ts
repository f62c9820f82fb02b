/**
 * An organisation of the host, in one environment (specification §1, §2.1).
 * @public
 */
export interface Account {
  /** Opaque: a UUID in one platform, a short prefixed text in another. At most 256 bytes. */
  readonly id: string;
  readonly name: string;
  /** An open set; `active` is shown. */
  readonly status: string;
  /** `dev` and `prod` are shown. A client reaches no other one, unless `environmentReach` lets it. */
  readonly environment: string;
  /** The account that this one is a child of. */
  readonly parentId?: string;
}

/**
 * Port: the host's organisations. Asked at every request, so that reach is never frozen into a token; never asked by
 * `publish`.
 * @public
 */
export interface AccountDirectory {
  /** The account whose id is exactly `accountId`, or `undefined`. */
  find(accountId: string): Promise<Account | undefined>;
}
