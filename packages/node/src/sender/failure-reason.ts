import type { SendFailure } from '@partnerkit/core/adapter';

/** An error of Node.js, of undici or of our connector. */
interface SendError extends Error {
  /** Not `reason`, because errors of OpenSSL have that member. */
  readonly sendFailure?: SendFailure;
  readonly code?: string;
  readonly syscall?: string;
  /** Of an AggregateError: one error for each address. */
  readonly errors?: readonly Error[];
}

/** An error with its failure. */
export const sendError = (sendFailure: SendFailure, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { sendFailure });

const requestErrors = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'];
const senderClosed = ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'ABORT_ERR'];

type Rule = readonly [reason: SendFailure, pattern: RegExp];

/** By the code: of OpenSSL's verification, of Node.js, or of an alert (RFC 8446 §6). */
const tlsRules: readonly Rule[] = [
  ['tls_certificate_expired', /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/],
  ['tls_certificate_name', /^ERR_TLS_CERT_ALTNAME_INVALID$/],
  ['tls_certificate_self_signed', /^DEPTH_ZERO_SELF_SIGNED_CERT$/],
  ['tls_certificate_untrusted', /^(SELF_SIGNED_CERT_IN_CHAIN|CERT_UNTRUSTED)$/],
  ['tls_certificate_incomplete', /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?)$/],
  ['tls_client_certificate', /_ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/],
  ['tls_version', /^ERR_SSL_(.+_ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW)$/],
  ['tls_application_protocol', /_ALERT_NO_APPLICATION_PROTOCOL$/],
  ['tls_missing', /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL)$/],
];

/**
 * By the code or the message: both clients parse with llhttp, and undici has its reason only in the message. The last
 * rule is any other error of the parser.
 */
const httpRules: readonly Rule[] = [
  ['http_headers_too_large', /HEADERS?_OVERFLOW/],
  ['http_invalid_length', /Content-Length|Transfer-Encoding|_CONTENT_LENGTH|_TRANSFER_ENCODING/i],
  ['http_invalid_line_end', /Missing expected (CR|LF)|_(CR|LF)_EXPECTED/],
  ['http_invalid_header', /header|INVALID_HEADER_TOKEN/i],
  // undici refuses an unasked 100 so. It says it of no other response to a request.
  ['http_continue', /^UND_ERR_SOCKET bad response$/],
  ['http_protocol_error', /^HPE_|^UND_ERR_SOCKET bad upgrade$|HTTP\/1\.1 protocol/],
];

const find = (rules: readonly Rule[], text: string): SendFailure | undefined =>
  rules.find(([, pattern]) => pattern.test(text))?.[0];

const isParserError = ({ name, code = '', message }: SendError): boolean =>
  name === 'HTTPParserError' ||
  /^HPE_|^UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$/.test(code) ||
  (code === 'UND_ERR_SOCKET' && message.startsWith('bad '));

/** How far a request came. */
export interface Progress {
  /** A connection existed. */
  readonly hasStarted: boolean;
  /** Bytes of a response arrived. */
  readonly hasBytes: boolean;
}

/** Why there was no response; `undefined` when the request itself was wrong. */
export const failureReason = (error: SendError, { hasStarted, hasBytes }: Progress): SendFailure | undefined => {
  const { sendFailure, code = '', syscall, message } = error;
  if (sendFailure) return sendFailure;
  if (hasStarted && isParserError(error)) return find(httpRules, `${code} ${message}`.trim()) ?? 'http_protocol_error';
  const tls = find(tlsRules, code);
  // The receiver refuses a missing client certificate after the handshake of TLS 1.3.
  if (tls && (!hasStarted || tls === 'tls_client_certificate')) return tls;
  if (senderClosed.includes(code)) return 'reset';
  if (hasStarted) return hasBytes ? 'http_incomplete' : 'reset';
  if (requestErrors.includes(code)) return undefined;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  return syscall === 'connect' || error.errors ? 'connect' : 'tls';
};
