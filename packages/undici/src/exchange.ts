import type { IncomingHttpHeaders } from 'node:http';
import type { DurationMs, SendFailure, SendOutcome } from '@partnerkit/core';
import type { Dispatcher } from 'undici';
import { atEndOfTurn } from './end-of-turn.ts';
import { failureReason } from './failure-reason.ts';
import type { Timeouts } from './timeouts.ts';

/** How long, and how much, of an answer's body is read. */
const bodyTime: DurationMs = 2_000;
const bodyBytes = 4_096;

/** Informational answers (1xx) before the answer itself, and the characters of their headers: more is `reset`. */
const maxInformational = 8;
const maxInformationalSize = 16_384;

/** Made once: an error with its stack costs more than the rest of an answer. */
const enough = new Error('Enough.');

const sizeOf = (headers: IncomingHttpHeaders): number =>
  Object.entries(headers).reduce((size, [name, value = '']) => size + name.length + String(value).length, 0);

const firstOf = (value: string | readonly string[] | undefined) => (typeof value === 'object' ? value[0] : value);

const textOf = (chunks: readonly Buffer[]): string =>
  chunks.length === 0
    ? ''
    : // `stream` leaves out a character that the limit cut in two.
      new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bodyBytes), { stream: true });

/** @internal */
export interface ExchangeOptions {
  readonly deadline: DurationMs;
  readonly timeouts: Timeouts;
  dispatch(handler: Dispatcher.DispatchHandler): void;
  /** Called when the client is done with the request: at the end of its answer, or when it failed. */
  readonly onDone?: () => void;
}

/**
 * One request and its answer, from `dispatch` to the outcome, with one timeout: first the deadline, then the body's time.
 * Rejects when the request itself is wrong.
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
      // Destroys the socket; does nothing when the answer is complete.
      request?.abort(enough);
    };
    const fail = (reason: SendFailure) => end(() => resolve({ kind: 'failed', reason, took: Math.round(elapsed()) }));
    const finish = () => end(() => answer && resolve({ ...answer, body: textOf(chunks) }));
    let timeout = timeouts.set(deadline, () => fail('timeout'));

    dispatch({
      onRequestStart: (controller) => {
        request = controller;
        // The connection came after the deadline: nothing was written yet, and nothing will be.
        if (isOver) controller.abort(enough);
        // A busy event loop connects before it looks at its timers.
        else if (elapsed() >= deadline) fail('timeout');
      },
      onResponseStart: (_, status, headers) => {
        if (status < 200) {
          informational += 1;
          informationalSize += sizeOf(headers);
          // Without a limit the parser would be kept busy until the deadline.
          if (informational > maxInformational || informationalSize > maxInformationalSize) fail('reset');
          return;
        }
        timeouts.clear(timeout);
        timeout = timeouts.set(bodyTime, finish);
        const retryAfter = firstOf(headers['retry-after']);
        const took = Math.round(elapsed());
        answer = { kind: 'answered', status, took, ...(retryAfter === undefined ? {} : { retryAfter }) };
      },
      onResponseData: (_, chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > bodyBytes) finish();
      },
      // Not earlier: a server may close its socket right behind the answer, and the next request would be lost with it.
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
