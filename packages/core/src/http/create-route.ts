import { ok, type Result, type ResultAsync } from 'neverthrow';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { type ErrorListener, errorName, type Observer } from '../signals/signal.ts';
import { failureResponse, type HttpFailure } from './failure.ts';
import { pathsMatcher } from './path.ts';
import { readRequest } from './read-request.ts';
import type { HttpRequest, HttpResponse, RequestHead, Route } from './route.ts';

/** What a route does with a request whose path and method fit. Its body stays unread until `read` is called. */
type Handle = (
  request: RequestHead,
  params: Readonly<Record<string, string>>,
  read: () => Promise<HttpRequest>,
) => ResultAsync<HttpResponse, HttpFailure> | Promise<Result<HttpResponse, HttpFailure>>;

/** @internal */
export interface RouteShape {
  readonly path: `/${string}`;
  readonly aliases?: readonly `/${string}`[];
  readonly methods: readonly string[];
  readonly maxBodyBytes: number;
  readonly handle: Handle;
}

/** @internal */
export interface RouteDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  readonly tellError: ErrorListener;
}

/** What a path without parameters holds. */
const none = ok<Readonly<Record<string, string>>, HttpFailure>({});

/**
 * Makes routes that never reject: path, method and failures are answered here. Problem documents come with an `x-request-id`, and
 * what operators must know of is signalled under the same id.
 * @internal
 */
export const routeMaker =
  ({ clock, random, observe, tellError }: RouteDeps) =>
  ({ path, aliases = [], methods, maxBodyBytes, handle }: RouteShape): Route => {
    const match = path.endsWith('/*') ? undefined : pathsMatcher(path, aliases);
    const refuse = (failure: HttpFailure): HttpResponse => {
      const response = failureResponse(failure);
      const problem = response.headers['content-type'] === 'application/problem+json';
      if (!problem && response.status < 500) return response;
      const requestId = newId(clock, random);
      if (response.status >= 500) {
        const cause = 'cause' in failure ? failure.cause : undefined;
        observe({ kind: 'request_failed', requestId, status: response.status, error: errorName(cause) });
        tellError(cause, { requestId });
      }
      return { ...response, headers: { ...response.headers, 'x-request-id': requestId } };
    };
    return {
      path,
      aliases,
      methods,
      maxBodyBytes,
      handle: async (request) => {
        try {
          const params = match?.(request.target) ?? none;
          if (params.isErr()) return refuse(params.error);
          if (methods.length > 0 && !methods.includes(request.method))
            return refuse({ code: 'method_not_allowed', allow: methods });
          const answered = await handle(request, params.value, () => readRequest(request, maxBodyBytes));
          return answered.isOk() ? answered.value : refuse(answered.error);
        } catch (cause) {
          return refuse({ code: 'internal', cause });
        }
      },
    };
  };
