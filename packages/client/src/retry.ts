import { isTooLarge } from './send.ts';
import type { ClientClock } from './wait.ts';

/** How requests are repeated. */
export interface RetryOptions {
  /** Sends it once. */
  readonly once: (request: Request, body: Uint8Array<ArrayBuffer>) => Promise<Response>;
  readonly clock: ClientClock;
  readonly maxAttempts: number;
  readonly maxWait: number;
}

const firstWait = 500;

/** Milliseconds that an answer asks to wait, or `undefined` when it does not say (RFC 9110 §10.2.3). */
const retryAfter = (response: Response, now: number): number | undefined => {
  const text = response.headers.get('retry-after') ?? '';
  const wait = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
};

/**
 * Sends a request. Repeats it after 429 as `Retry-After` says: it was not processed. After 503 and a lost connection it
 * may have been, so only what has one effect, however often it is sent, is repeated.
 */
export const sendWithRetry = async (
  request: Request,
  isRepeatable: boolean,
  { once, clock, maxAttempts, maxWait }: RetryOptions,
): Promise<Response> => {
  // Sending takes the body of a request away.
  const body = new Uint8Array(await request.arrayBuffer());
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= maxAttempts;
    let wait: number | undefined;
    try {
      const response = await once(request, body);
      const mayRepeat = response.status === 429 || (response.status === 503 && isRepeatable);
      if (isLast || !mayRepeat) return response;
      wait = retryAfter(response, clock.now());
      if (wait !== undefined && wait > maxWait) return response;
    } catch (cause) {
      if (isLast || request.signal.aborted || !isRepeatable || isTooLarge(cause)) throw cause;
    }
    // Many clients that were refused at once do not come back at once.
    const backoff = Math.min(maxWait, firstWait * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
    await clock.sleep(wait ?? backoff, request.signal);
  }
};
