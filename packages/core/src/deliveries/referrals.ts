/**
 * An account that has events which may be of interest to its parent.
 * @public
 */
export interface Referring {
  readonly accountId: string;
  /** Up to here its events wait now: those that come later are not meant. The store's own text. */
  readonly upTo: string;
}

/**
 * What became of the question whose child an account is.
 * @public
 */
export interface Referral extends Referring {
  /** Absent: nobody's. */
  readonly parentId?: string;
}

/**
 * What was referred.
 * @public
 */
export interface Referred {
  /** So many events wait no more. */
  readonly events: number;
  /** So many copies were made of them. */
  readonly copies: number;
}

/**
 * Port: events on their way to the endpoints of a parent. While any endpoint takes the events of children (`includeChildren`, whosever it
 * is and unless its partner disabled it), a dispatch notes each of its events here, in its own transaction and in their order; but no
 * test event, no replay, and no copy (`origin`): an event goes up one step. Who the parent is only the host knows, so it is asked
 * between the two calls, and no transaction waits for it. Events that wait here are not pruned.
 * @public
 */
export interface Referrals {
  /** Up to `most` accounts whose events wait, in the order of their ids, after `after`: a bounded look, however many events wait. */
  listReferring(most: number, after?: string): Promise<readonly Referring[]>;
  /**
   * Takes away what waits of each account, oldest first and up to `upTo`, a bounded number at each call. Of each event of a type that
   * an endpoint of the parent takes with `includeChildren`, and that its partner did not disable, a copy is appended to the parent's events,
   * in the same act and in the same order: one that was not dispatched yet, with the same id, object, type, `rest` and trace
   * context, `origin`, and the second that was stamped as `occurredAt`. Alone, as `dispatch` is: of N racers one makes it.
   */
  refer(referrals: readonly Referral[]): Promise<Referred>;
}
