/**
 * A POST as the receiver got it.
 * @public
 */
export interface ReceivedPost {
  /** HTTP method. */
  readonly method: string;
  /** Path, with the query. */
  readonly path: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Body, decoded as UTF-8. */
  readonly body: string;
}

/**
 * The response of a receiver to a POST: it responds, stays silent, cuts the connection, or never ends the body.
 * @public
 */
export type ReceiverAct =
  | 'silence'
  | 'cut'
  | {
      /** HTTP status. */
      readonly status: number;
      /** Header names in lower case. */
      readonly headers?: Readonly<Record<string, string>>;
      /** Text of the body. @defaultValue empty */
      readonly body?: string;
      /** Whether the body never ends after `body`. @defaultValue false */
      readonly endless?: boolean;
    };
