import type { PageRequest, StoredPage } from '../pagination/page.ts';

/**
 * An organisation of the host, in one environment (specification §1, §2.1).
 * @public
 */
export interface Account {
  /** Opaque text of at most 256 bytes, such as a UUID or a short prefixed text. */
  readonly id: string;
  /** Name, as the route `me` returns it. */
  readonly name: string;
  /** An open set; by default, `active` accounts can use the API. */
  readonly status: string;
  /**
   * An open set, such as `dev` and `prod`. A client accesses accounts of its own environment, unless
   * `api.environmentReach` is `all`.
   */
  readonly environment: string;
  /** The parent account. Absent: the account has none. */
  readonly parentId?: string;
}

/**
 * Port: the host's organisations. Read at every request, so that a change of reach applies to existing tokens.
 * `publish` does not read it.
 * @public
 */
export interface AccountDirectory {
  /**
   * Finds the account with exactly this id, or `undefined`.
   *
   * - Partners may send any text of 1 to 256 bytes without control characters.
   * - Fails only when the directory fails.
   * - May return an account that is in memory as a value: the request is then answered in the same turn.
   */
  find(accountId: string): Promise<Account | undefined> | Account | undefined;
  /**
   * Lists the direct children of an account, for `GET …/children` and for lists with `includeChildren`. Without it,
   * both are absent.
   *
   * - Each child once, in an order that stays. `after` of the page is the `next` of an earlier one.
   * - An `after` that it did not make resolves to `invalidCursor`.
   */
  listChildren?(accountId: string, page: PageRequest): Promise<StoredPage<Account>>;
}
