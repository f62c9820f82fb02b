import { expect, test } from 'vitest';
import { failureReason, sendError } from '../../src/sender/failure-reason.ts';

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

const before = { hasStarted: false, hasBytes: false };
const sent = { hasStarted: true, hasBytes: false };
const amid = { hasStarted: true, hasBytes: true };
const parser = (reason: string) =>
  Object.assign(new Error(`Response does not match the HTTP/1.1 protocol (${reason})`), { name: 'HTTPParserError' });

test.each([
  ['dns', sendError('dns', 'x'), before],
  ['forbidden_address', sendError('forbidden_address', 'x'), before],
  ['connect', coded('ECONNREFUSED', { syscall: 'connect' }), before],
  ['connect', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), before],
  ['timeout', coded('UND_ERR_CONNECT_TIMEOUT'), before],
  ['tls', coded('ECONNRESET', { syscall: 'read' }), before],
  ['tls', coded('CERT_SIGNATURE_FAILURE'), before],
  ['tls', coded('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE'), before],
  ['tls_certificate_expired', coded('CERT_HAS_EXPIRED'), before],
  ['tls_certificate_expired', coded('CERT_NOT_YET_VALID'), before],
  ['tls_certificate_name', coded('ERR_TLS_CERT_ALTNAME_INVALID', { reason: 'Host: a' }), before],
  ['tls_certificate_incomplete', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), before],
  ['tls_certificate_incomplete', coded('UNABLE_TO_GET_ISSUER_CERT'), before],
  ['tls_certificate_incomplete', coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), before],
  ['tls_certificate_self_signed', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), before],
  ['tls_certificate_untrusted', coded('SELF_SIGNED_CERT_IN_CHAIN'), before],
  ['tls_client_certificate', coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), sent],
  ['tls_client_certificate', coded('ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE'), before],
  ['tls_client_certificate', coded('ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE'), before],
  ['tls_version', coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), before],
  ['tls_version', coded('ERR_SSL_UNSUPPORTED_PROTOCOL'), before],
  ['tls_application_protocol', coded('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'), before],
  ['tls_missing', coded('ERR_SSL_WRONG_VERSION_NUMBER', { reason: 'wrong version number' }), before],
  ['tls_missing', coded('ERR_SSL_PACKET_LENGTH_TOO_LONG'), before],
  ['reset', coded('ERR_SSL_WRONG_VERSION_NUMBER'), sent],
  ['reset', coded('UND_ERR_DESTROYED'), before],
  ['reset', coded('ABORT_ERR'), before],
  ['reset', coded('UND_ERR_DESTROYED'), amid],
  ['reset', coded('ECONNRESET', { syscall: 'read' }), sent],
  ['reset', coded('UND_ERR_SOCKET'), sent],
  ['http_incomplete', coded('ECONNRESET', { syscall: 'read' }), amid],
  ['http_incomplete', coded('UND_ERR_SOCKET'), amid],
  ['http_continue', coded('UND_ERR_SOCKET', { message: 'bad response' }), amid],
  ['http_protocol_error', coded('UND_ERR_SOCKET', { message: 'bad upgrade' }), amid],
  ['http_headers_too_large', coded('UND_ERR_HEADERS_OVERFLOW'), amid],
  ['http_headers_too_large', coded('HPE_HEADER_OVERFLOW'), amid],
  ['http_invalid_length', coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), amid],
  ['http_invalid_length', coded('HPE_UNEXPECTED_CONTENT_LENGTH'), amid],
  ['http_invalid_length', coded('HPE_INVALID_TRANSFER_ENCODING'), amid],
  ['http_invalid_length', parser('Invalid character in Content-Length'), amid],
  ['http_invalid_line_end', coded('HPE_CR_EXPECTED'), amid],
  ['http_invalid_line_end', parser('Missing expected CR after response line'), amid],
  ['http_invalid_header', coded('HPE_INVALID_HEADER_TOKEN'), amid],
  ['http_invalid_header', parser('Invalid header value char'), amid],
  ['http_protocol_error', coded('HPE_INVALID_CONSTANT'), amid],
  ['http_protocol_error', parser('Expected HTTP/, RTSP/ or ICE/'), amid],
  ['http_protocol_error', parser('a reason of a later version'), amid],
  [undefined, coded('UND_ERR_INVALID_ARG'), before],
  [undefined, coded('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'), before],
] as const)('%s: %s, %o', (reason, error, progress) => {
  expect(failureReason(error, progress)).toBe(reason);
});
