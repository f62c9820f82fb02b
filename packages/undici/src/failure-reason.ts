import type { SendFailure } from '@partnerkit/core';

/** What errors of Node.js, of undici and of our own connector tell. */
interface SendError extends Error {
  /** Not `reason`: errors of OpenSSL have one, in their own words. */
  readonly sendFailure?: SendFailure;
  readonly code?: string;
  readonly syscall?: string;
}

/**
 * An error that says by itself which failure it is.
 * @internal
 */
export const sendError = (sendFailure: SendFailure, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { sendFailure });

const callersMistakes = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'];
const senderClosed = ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'ABORT_ERR'];

/**
 * Why there was no answer; undefined when no network is to blame but the request itself. `started`: a connection was there.
 * @internal
 */
export const failureReason = (error: SendError, started: boolean): SendFailure | undefined => {
  const { sendFailure, code = '', syscall } = error;
  if (sendFailure) return sendFailure;
  if (started || senderClosed.includes(code)) return 'reset';
  if (callersMistakes.includes(code)) return undefined;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  // Several addresses were tried, and each has its own error.
  if (syscall === 'connect' || error instanceof AggregateError) return 'connect';
  return 'tls';
};
