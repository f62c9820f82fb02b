/**
 * Who gave a command or made a change.
 * @public
 */
export type Actor =
  /** A client of a partner, over HTTP. */
  | {
      readonly type: 'client';
      /** The id of the client. */
      readonly id: string;
    }
  /** A person in the host's web interface. */
  | {
      readonly type: 'user';
      /** The host's id of the person. */
      readonly id: string;
    }
  /** The host, in process. */
  | {
      readonly type: 'host';
      /** The host's name of its user or job. */
      readonly id?: string;
    }
  /** A rule, triggered by another command or by time. */
  | {
      readonly type: 'rule';
      /** The command that triggered the rule; of one that time triggers, its name, such as `guaranteeExpired`. */
      readonly command: string;
    };

/** The kinds of objects in `onCommand`, `newId` and signals. @public */
export type ObjectKind =
  | 'RequestPayment'
  | 'RequestSecurityDeposit'
  | 'ModelRequestPayment'
  | 'ModelRequestSecurityDeposit'
  | 'CashOut';
