/**
 * Routes, requests and their documentation, without a framework: for hosts with routes of their own, and for authors of
 * framework adapters.
 * @module core/http
 */
export { matchesIfNoneMatch } from './http/entity-tag.ts';
export { mountRoutes, routeFinder } from './http/mount-routes.ts';
export { nodeBody } from './http/node-body.ts';
export { pathSegment } from './http/path-segment.ts';
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
export type { OpenApiDocument, OpenApiOptions } from './operations/document.ts';
export type { RouteFailure, RouteRefusal } from './operations/failure.ts';
export type { JsonSchema } from './operations/json-schema.ts';
export type { AccountOperation, OperationAnswer, OperationInput, Read, Refused } from './operations/operation.ts';
export { problemResponse } from './operations/problem.ts';
export type { AccountHandler, AccountRouteOptions } from './partner/account-route.ts';
export type { Authenticate, InactiveChildren, RefusedRequest } from './partner/caller.ts';
