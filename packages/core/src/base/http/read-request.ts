import { isBytes } from '../runtime/brand.ts';
import type { HttpRequest, IncomingRequest, RequestBody, UnreadBody } from './route.ts';

/** Whether a body is not read yet. Callers without an adapter may pass any value as a body. */
export const isUnread = (body: RequestBody | UnreadBody): body is UnreadBody =>
  typeof (body as Partial<UnreadBody> | undefined)?.read === 'function';

/**
 * Reads the body of a request, for routes that are not made by a kit. A body of more than `maxBytes` becomes
 * `tooLarge`.
 * @example
 * const logged = (route: Route): Route => ({
 *   ...route,
 *   handle: async (incoming) => {
 *     const request = await readRequest(incoming, route.maxBodyBytes);
 *     log.info({ target: request.target, body: request.body });
 *     return route.handle(request);
 *   },
 * });
 * @public
 */
export const readRequest = async (request: IncomingRequest, maxBytes: number): Promise<HttpRequest> => {
  const body = isUnread(request.body) ? await request.body.read(maxBytes) : request.body;
  // Does not trust the adapter to stop at the limit.
  const isTooLong = isBytes(body) && body.length > maxBytes;
  return { ...request, body: isTooLong ? { tooLarge: true } : body };
};
