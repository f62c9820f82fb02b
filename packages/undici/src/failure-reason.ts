import type { SendFailure } from '@partnerkit/core/ports';

/** An error of Node.js, of undici or of our connector. */
interface SendError extends Error {
  /** Not `reason`, because errors of OpenSSL have that member. */
  readonly sendFailure?: SendFailure;
  readonly code?: string;
  readonly syscall?: string;
}

/**
 * An error with its failure.
 * @internal
 */
export const sendError = (sendFailure: SendFailure, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { sendFailure });

const requestErrors = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'];
const senderClosed = ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'ABORT_ERR'];

/**
 * Why there was no response; `undefined` when the request itself was wrong. `started`: a connection existed.
 * @internal
 */
export const failureReason = (error: SendError, started: boolean): SendFailure | undefined => {
  const { sendFailure, code = '', syscall } = error;
  if (sendFailure) return sendFailure;
  if (started || senderClosed.includes(code)) return 'reset';
  if (requestErrors.includes(code)) return undefined;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  // An AggregateError has one error for each address.
  if (syscall === 'connect' || 'errors' in error) return 'connect';
  return 'tls';
};
