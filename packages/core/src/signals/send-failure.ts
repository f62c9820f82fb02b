/**
 * Why an attempt got no response.
 * @public
 */
export type SendFailure =
  /** No response headers before the deadline. */
  | 'timeout'
  /** The host name did not resolve. */
  | 'dns'
  /** The host name resolved to an address that the sender refuses. */
  | 'forbidden_address'
  /** The TCP connection failed. */
  | 'connect'
  /** The TLS handshake failed. */
  | 'tls'
  /** The connection closed before the response headers. */
  | 'reset'
  /** The worker died, or its lease expired. */
  | 'abandoned'
  /** The platform could not make the request; the signal `worker_error` names the error. */
  | 'internal'
  /** Not sent: the account of the event is no longer a child of the endpoint's account. */
  | 'out_of_reach';

/**
 * Outcome of an attempt: the HTTP status of the response, or why there was none.
 * @public
 */
export type OutcomeCode = number | SendFailure;
