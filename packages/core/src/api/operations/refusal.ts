import type { HttpResponse } from '../../base/http/route.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { newId } from '../../base/runtime/id.ts';
import type { Random } from '../../base/runtime/random.ts';
import { errorName } from '../../base/signals/error-name.ts';
import type { ErrorListener, Observer } from '../../base/signals/listener.ts';
import { type FailureFormat, failureResponse, type HttpFailure } from './failure.ts';

export interface RefusalDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  readonly reportError: ErrorListener;
}

/**
 * Answers failures. Problem documents have an `x-request-id`; failures with status 500 and above are signalled with it.
 */
export const createRefusal =
  ({ clock, random, observe, reportError }: RefusalDeps) =>
  (failure: HttpFailure, format?: FailureFormat): HttpResponse => {
    const response = failureResponse(failure, format);
    const isProblem = response.headers['content-type'] === 'application/problem+json';
    if (!isProblem && response.status < 500) return response;
    const requestId = newId(clock, random);
    if (response.status >= 500) {
      const cause = 'cause' in failure ? failure.cause : undefined;
      observe({ kind: 'request_failed', requestId, status: response.status, error: errorName(cause) });
      reportError(cause, { requestId });
    }
    return { ...response, headers: { ...response.headers, 'x-request-id': requestId } };
  };

export type Refuse = ReturnType<typeof createRefusal>;
