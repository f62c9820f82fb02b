import type { IncomingHttpHeaders } from 'node:http';
import type { DurationMs } from '@partnerkit/core';
import type { SendFailure, SendOutcome } from '@partnerkit/core/adapter';
import type { Dispatcher } from 'undici';
import { atEndOfTurn } from './end-of-turn.ts';
import { failureReason } from './failure-reason.ts';
import type { Timeouts } from './timeouts.ts';

/** Limits of reading the body of a response, in milliseconds and bytes. */
const bodyTime: DurationMs = 2_000;
const bodyBytes = 4_096;

/**
 * Maximum size of all informational responses (1xx) together, in characters; the limit of Node.js for the headers of
 * one response. Without a limit, they could occupy the parser until the deadline.
 */
const maxInformationalSize = 16_384;

/** Made once: an error with its stack costs more than the rest of a response. */
const enough = new Error('Enough.');

/** The size of an informational response: its status line and its headers, with their separators. */
const sizeOf = (headers: IncomingHttpHeaders): number =>
  Object.entries(headers).reduce((size, [name, value = '']) => size + name.length + String(value).length + 4, 16);

const firstOf = (value: string | readonly string[] | undefined) => (typeof value === 'object' ? value[0] : value);

const textOf = (chunks: readonly Buffer[]): string =>
  chunks.length === 0
    ? ''
    : // `stream` drops a character that the limit cuts in two.
      new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bodyBytes), { stream: true });

/** A client that carries one request at a time. */
export interface Carrier {
  /** Starts the request. A second call, after the request failed, opens a new connection for it. */
  dispatch(handler: Dispatcher.DispatchHandler): void;
  /** Bytes of responses that the connection of the request has received, of earlier requests too. */
  bytesRead(): number;
  /** The first error of that connection. The client may report a later one. */
  socketError(): Error | undefined;
  /** Called when the client is done with the request: at the end of the response, or when it failed. */
  release(): void;
}

export interface ExchangeOptions {
  /** Time until the response headers, in milliseconds. */
  readonly deadline: DurationMs;
  readonly timeouts: Timeouts;
  readonly carrier: Carrier;
  /** Aborts when the sender is closed. */
  readonly signal: AbortSignal;
}

/**
 * One request and its response, from `dispatch` to the outcome, with one timeout at a time: the deadline, then that of
 * the body. A server may close an idle connection at the moment in which the next request is written to it (RFC 9112
 * §9.3.1): if it closes a reused connection before a byte of the response, the request is sent once more, on a new one.
 * Rejects when the request itself is wrong.
 */
export const exchange = ({ deadline, timeouts, carrier, signal }: ExchangeOptions): Promise<SendOutcome> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    const chunks: Buffer[] = [];
    let size = 0;
    let informationalSize = 0;
    let answer: Omit<SendOutcome & { kind: 'answered' }, 'body'> | undefined;
    let request: Dispatcher.DispatchController | undefined;
    let isOver = false;

    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      timeouts.clear(timeout);
      settle();
      // Destroys the socket; does nothing when the response is complete.
      request?.abort(enough);
    };
    const fail = (reason: SendFailure) =>
      end(() => resolve({ kind: 'failed', reason, durationMs: Math.round(elapsed()) }));
    const finish = () => {
      const status = answer;
      if (status) end(() => resolve({ ...status, body: textOf(chunks) }));
      else fail('http_protocol_error');
    };
    let timeout = timeouts.set(deadline, () => fail('timeout'));

    const start = (): void => {
      let hasStarted = false;
      let hasEnded = false;
      /** Bytes of earlier responses on the connection. */
      let earlierBytes = 0;

      carrier.dispatch({
        onRequestStart: (controller) => {
          request = controller;
          hasStarted = true;
          earlierBytes = carrier.bytesRead();
          // The connection was made after the deadline: nothing is written.
          if (isOver) controller.abort(enough);
          // A busy event loop may connect before its timers run.
          else if (elapsed() >= deadline) fail('timeout');
        },
        onResponseStart: (_, status, headers) => {
          // llhttp lets it pass.
          if (status < 100) return fail('http_protocol_error');
          if (status < 200) {
            informationalSize += sizeOf(headers);
            if (informationalSize > maxInformationalSize) fail('http_headers_too_large');
            return;
          }
          timeouts.clear(timeout);
          timeout = timeouts.set(bodyTime, finish);
          const retryAfter = firstOf(headers['retry-after']);
          const durationMs = Math.round(elapsed());
          answer = { kind: 'answered', status, durationMs, ...(retryAfter === undefined ? {} : { retryAfter }) };
        },
        onResponseData: (_, chunk) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > bodyBytes) finish();
        },
        // A server may close its socket right after the response. Released earlier, the next request would be lost.
        onResponseEnd: () => {
          hasEnded = true;
          atEndOfTurn(() => {
            carrier.release();
            finish();
          });
        },
        onResponseError: (_, error) => {
          // node:https reports the error, then the end of the socket.
          if (hasEnded) return;
          hasEnded = true;
          const hasBytes = hasStarted && carrier.bytesRead() > earlierBytes;
          const reason = failureReason(carrier.socketError() ?? error, { hasStarted, hasBytes });
          // A new connection has no earlier bytes, so nothing is sent a third time.
          if (reason === 'reset' && earlierBytes > 0 && !isOver && !signal.aborted) {
            request = undefined;
            return atEndOfTurn(() => (isOver ? carrier.release() : start()));
          }
          carrier.release();
          if (answer) return finish();
          if (reason) fail(reason);
          else end(() => reject(error));
        },
      });
    };
    start();
  });
