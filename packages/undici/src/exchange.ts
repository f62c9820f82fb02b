import type { IncomingHttpHeaders } from 'node:http';
import type { SendFailure, SendOutcome } from '@partnerkit/core/ports';
import type { DurationMs } from '@partnerkit/core/time';
import type { Dispatcher } from 'undici';
import { atEndOfTurn } from './end-of-turn.ts';
import { failureReason } from './failure-reason.ts';
import type { Timeouts } from './timeouts.ts';

/** Limits of reading the body of a response, in milliseconds and bytes. */
const bodyTime: DurationMs = 2_000;
const bodyBytes = 4_096;

/**
 * Maximum number of informational responses (1xx), and of characters in their headers; beyond, the outcome is `reset`.
 */
const maxInformational = 8;
const maxInformationalSize = 16_384;

/** Made once: an error with its stack costs more than the rest of a response. */
const enough = new Error('Enough.');

const sizeOf = (headers: IncomingHttpHeaders): number =>
  Object.entries(headers).reduce((size, [name, value = '']) => size + name.length + String(value).length, 0);

const firstOf = (value: string | readonly string[] | undefined) => (typeof value === 'object' ? value[0] : value);

const textOf = (chunks: readonly Buffer[]): string =>
  chunks.length === 0
    ? ''
    : // `stream` drops a character that the limit cuts in two.
      new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bodyBytes), { stream: true });

/** @internal */
export interface ExchangeOptions {
  /** Time until the response headers, in milliseconds. */
  readonly deadline: DurationMs;
  readonly timeouts: Timeouts;
  dispatch(handler: Dispatcher.DispatchHandler): void;
  /** Called when the client is done with the request: at the end of the response, or when it failed. */
  readonly onDone?: () => void;
}

/**
 * One request and its response, from `dispatch` to the outcome, with one timeout at a time: the deadline, then that of
 * the body. Rejects when the request itself is wrong.
 * @internal
 */
export const exchange = ({ deadline, timeouts, dispatch, onDone }: ExchangeOptions): Promise<SendOutcome> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    const chunks: Buffer[] = [];
    let size = 0;
    let informational = 0;
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
    const finish = () => end(() => answer && resolve({ ...answer, body: textOf(chunks) }));
    let timeout = timeouts.set(deadline, () => fail('timeout'));

    dispatch({
      onRequestStart: (controller) => {
        request = controller;
        // The connection was made after the deadline: nothing is written.
        if (isOver) controller.abort(enough);
        // A busy event loop may connect before its timers run.
        else if (elapsed() >= deadline) fail('timeout');
      },
      onResponseStart: (_, status, headers) => {
        if (status < 200) {
          informational += 1;
          informationalSize += sizeOf(headers);
          // Without a limit, they could occupy the parser until the deadline.
          if (informational > maxInformational || informationalSize > maxInformationalSize) fail('reset');
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
      onResponseEnd: () =>
        atEndOfTurn(() => {
          onDone?.();
          finish();
        }),
      onResponseError: (_, error) => {
        onDone?.();
        if (answer) return finish();
        const reason = failureReason(error, request !== undefined);
        if (reason) fail(reason);
        else end(() => reject(error));
      },
    });
  });
