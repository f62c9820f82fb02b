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
  /** The TLS handshake failed for another reason than these. */
  | 'tls'
  /** The certificate of the receiver has expired, or is not valid yet. */
  | 'tls_certificate_expired'
  /** The certificate is for another host name. */
  | 'tls_certificate_name'
  /** The receiver sent a certificate without its issuer, which the sender does not know: an intermediate is missing. */
  | 'tls_certificate_incomplete'
  /** The certificate was issued by itself. */
  | 'tls_certificate_self_signed'
  /** The chain of certificates is complete, but the sender does not trust its root. */
  | 'tls_certificate_untrusted'
  /** The receiver requires a client certificate. */
  | 'tls_client_certificate'
  /** The receiver speaks no TLS from 1.2 on. */
  | 'tls_version'
  /** The receiver does not speak HTTP/1.1, only another protocol such as HTTP/2 (ALPN). */
  | 'tls_application_protocol'
  /** What listens at the port does not speak TLS. */
  | 'tls_missing'
  /** The connection closed before a byte of the response. */
  | 'reset'
  /** The connection closed within the response headers. */
  | 'http_incomplete'
  /** A header of the response has a forbidden name or value. */
  | 'http_invalid_header'
  /** The response has two lengths: `Content-Length` twice, or with `Transfer-Encoding`; or one that is no number. */
  | 'http_invalid_length'
  /** A line of the response headers does not end with CR LF. */
  | 'http_invalid_line_end'
  /** The response headers exceed 16 KiB. */
  | 'http_headers_too_large'
  /** The receiver answered 100 (Continue), which the client refuses. The next attempt is sent by another client. */
  | 'http_continue'
  /** The response is not HTTP/1.1. */
  | 'http_protocol_error'
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

/**
 * Kind of each failure: its field in `FailureCounts`.
 * @public
 */
export const failureKinds = {
  timeout: 'timeout',
  dns: 'connection',
  forbidden_address: 'connection',
  connect: 'connection',
  tls: 'tls',
  tls_certificate_expired: 'tls',
  tls_certificate_name: 'tls',
  tls_certificate_incomplete: 'tls',
  tls_certificate_self_signed: 'tls',
  tls_certificate_untrusted: 'tls',
  tls_client_certificate: 'tls',
  tls_version: 'tls',
  tls_application_protocol: 'tls',
  tls_missing: 'tls',
  reset: 'connection',
  http_incomplete: 'connection',
  http_invalid_header: 'connection',
  http_invalid_length: 'connection',
  http_invalid_line_end: 'connection',
  http_headers_too_large: 'connection',
  http_continue: 'connection',
  http_protocol_error: 'connection',
  abandoned: 'platform',
  internal: 'platform',
  out_of_reach: 'platform',
} as const satisfies Readonly<Record<SendFailure, 'timeout' | 'connection' | 'tls' | 'platform'>>;

/** All reasons why an attempt has no response. */
export const sendFailures = Object.keys(failureKinds) as [SendFailure, ...SendFailure[]];
