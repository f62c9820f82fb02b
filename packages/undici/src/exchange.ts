import type { IncomingHttpHeaders } from 'node:http';
import type { DurationMs, SendOutcome } from '@partnerkit/core';
import type { Dispatcher } from 'undici';
import { failureReason } from './failure-reason.ts';

/** How long, and how much, of an answer's body is read. */
const bodyTime: DurationMs = 2_000;
const bodyBytes = 4_096;

/** Informational answers (1xx) before the answer itself, and the characters of their headers: more is `reset`. */
const maxInformational = 8;
const maxInformationalSize = 16_384;

/** Made once: an error with its stack for each answer costs more than the rest of the answer. */
const enough = new Error('Enough.');

const sizeOf = (headers: IncomingHttpHeaders): number =>
  Object.entries(headers).reduce((size, [name, value = '']) => size + name.length + String(value).length, 0);

const textOf = (chunks: readonly Buffer[]): string =>
  chunks.length === 0
    ? ''
    : // `stream` leaves out a character that the limit cut in two.
      new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bodyBytes), { stream: true });

/**
 * One request and its answer, from `dispatch` to the outcome, with one timer: first the deadline, then the body's time.
 * Rejects when the request itself is wrong.
 * @internal
 */
export const exchange = (
  deadline: DurationMs,
  dispatch: (handler: Dispatcher.DispatchHandler) => void,
): Promise<SendOutcome> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const took = () => Math.round(performance.now() - startedAt);
    const chunks: Buffer[] = [];
    let size = 0;
    let informational = 0;
    let informationalSize = 0;
    let answer: Omit<SendOutcome & { kind: 'answered' }, 'body'> | undefined;
    let request: Dispatcher.DispatchController | undefined;
    let over = false;

    const end = (settle: () => void) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      settle();
      // Destroys the socket; does nothing when the answer is complete.
      request?.abort(enough);
    };
    const fail = (reason: (SendOutcome & { kind: 'failed' })['reason']) =>
      end(() => resolve({ kind: 'failed', reason, took: took() }));
    const finish = () => end(() => answer && resolve({ ...answer, body: textOf(chunks) }));
    let timer = setTimeout(fail, deadline, 'timeout');

    dispatch({
      onRequestStart: (controller) => {
        request = controller;
        // The connection came after the deadline: nothing was written yet, and nothing will be.
        if (over) controller.abort(new Error('Too late.'));
      },
      onResponseStart: (_, status, headers) => {
        if (status < 200) {
          informational += 1;
          informationalSize += sizeOf(headers);
          // Without a limit the parser would be kept busy until the deadline.
          if (informational > maxInformational || informationalSize > maxInformationalSize) fail('reset');
          return;
        }
        clearTimeout(timer);
        timer = setTimeout(finish, bodyTime);
        const [retryAfter] = [headers['retry-after']].flat();
        answer = { kind: 'answered', status, took: took(), ...(retryAfter === undefined ? {} : { retryAfter }) };
      },
      onResponseData: (_, chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > bodyBytes) finish();
      },
      // undici frees the socket in the next turn of the event loop: not earlier, lest a sequence of sends needs two.
      onResponseEnd: () => queueMicrotask(() => setImmediate(finish)),
      onResponseError: (_, error) => {
        if (answer) return finish();
        const reason = failureReason(error, request !== undefined);
        if (reason) fail(reason);
        else end(() => reject(error));
      },
    });
  });
