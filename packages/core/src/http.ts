/**
 * Routes and requests without a framework, for authors of framework adapters.
 * @module core/http
 */
export { mountRoutes, routeFinder } from './http/mount-routes.ts';
export { nodeBody } from './http/node-body.ts';
export type { AccountOperation, Operation, OperationResponse } from './http/operation.ts';
export { problemResponse } from './http/problem.ts';
export { readRequest } from './http/read-request.ts';
export { repeatedHeaders } from './http/repeated-headers.ts';
export type {
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  IncomingRequest,
  RequestBody,
  RequestHead,
  Route,
  UnreadBody,
} from './http/route.ts';
export { type ByteStream, unreadBody } from './http/unread-body.ts';
