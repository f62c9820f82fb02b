/**
 * Routes and requests without a framework, for authors of framework adapters.
 * @module core/http
 */
export { mountRoutes, routeFinder } from './http/mount-routes.ts';
export { nodeBody } from './http/node-body.ts';
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
export type { Code } from './operations/codes.ts';
export type { AccountOperation, OperationAnswer, OperationInput, Read, Refused } from './operations/operation.ts';
export { problemResponse } from './operations/problem.ts';
