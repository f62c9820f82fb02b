import type { ResultAsync } from 'neverthrow';
import type { Clock } from '../runtime/clock.ts';
import type { Failure } from '../runtime/failure.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { type ErrorListener, errorName, type Observer } from '../signals/signal.ts';
import type { Caller } from './caller.ts';
import { failureResponse, type HttpFailure } from './failure.ts';
import type { HttpResponse, RequestHead } from './route.ts';

/**
 * A request that partnerkit does not admit. `code` is that of the problem document.
 * @public
 */
export interface RefusedRequest extends Failure {
  /** What an account route answers. Send it unchanged. */
  readonly response: HttpResponse;
}

/**
 * Authenticates a request to an account. The path of the request is not read: `organisationId` names the account.
 * @public
 */
export type Authenticate = (request: RequestHead, organisationId: string) => ResultAsync<Caller, RefusedRequest>;

/** @internal */
export interface RefusalDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  readonly reportError: ErrorListener;
}

/**
 * Answers failures. Problem documents have an `x-request-id`; failures with status 500 and above are signalled with it.
 * @internal
 */
export const createRefusal =
  ({ clock, random, observe, reportError }: RefusalDeps) =>
  (failure: HttpFailure): HttpResponse => {
    const response = failureResponse(failure);
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
