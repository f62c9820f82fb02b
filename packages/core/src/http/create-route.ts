import { ok, type Result, type ResultAsync } from 'neverthrow';
import type { HttpFailure } from './failure.ts';
import type { Operation } from './operation.ts';
import { pathsMatcher } from './path.ts';
import { readRequest } from './read-request.ts';
import type { createRefusal } from './refusal.ts';
import type { HttpRequest, HttpResponse, RequestHead, Route } from './route.ts';

/** Handles a request whose path and method match. Its body is read when `read` is called. */
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
  readonly operations?: readonly Operation[];
  readonly handle: Handle;
}

/** The parameters of a path without any. */
const none = ok<Readonly<Record<string, string>>, HttpFailure>({});

/**
 * Makes routes that never reject: it answers wrong paths, wrong methods and failures.
 * @internal
 */
export const createRouteFactory =
  (refuse: ReturnType<typeof createRefusal>) =>
  ({ path, aliases = [], methods, maxBodyBytes, operations = [], handle }: RouteShape): Route => {
    const match = path.endsWith('/*') ? undefined : pathsMatcher(path, aliases);
    return {
      path,
      aliases,
      methods,
      maxBodyBytes,
      operations,
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
