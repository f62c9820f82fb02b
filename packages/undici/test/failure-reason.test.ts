import { expect, test } from 'vitest';
import { failureReason, sendError } from '../src/failure-reason.ts';

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

test.each([
  ['dns', sendError('dns', 'x'), false],
  ['forbidden_address', sendError('forbidden_address', 'x'), false],
  ['connect', coded('ECONNREFUSED', { syscall: 'connect' }), false],
  ['connect', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), false],
  ['timeout', coded('UND_ERR_CONNECT_TIMEOUT'), false],
  ['tls', coded('CERT_HAS_EXPIRED'), false],
  ['tls', coded('ECONNRESET', { syscall: 'read' }), false],
  ['tls', coded('ERR_SSL_WRONG_VERSION_NUMBER', { reason: 'wrong version number' }), false],
  ['reset', coded('UND_ERR_DESTROYED'), false],
  ['reset', coded('ABORT_ERR'), false],
  ['reset', coded('ECONNRESET', { syscall: 'read' }), true],
  ['reset', coded('UND_ERR_SOCKET'), true],
  [undefined, coded('UND_ERR_INVALID_ARG'), false],
  [undefined, coded('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'), false],
] as const)('%s: %s, started: %s', (reason, error, started) => {
  expect(failureReason(error, started)).toBe(reason);
});
