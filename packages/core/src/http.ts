/**
 * Routes, requests and their documentation, without a framework: for hosts with routes of their own, and for authors of
 * framework adapters.
 * @module core/http
 */

export type { Code } from './api/operations/codes.ts';
export type { OpenApiDocument, OpenApiOptions } from './api/operations/document.ts';
export type { RouteFailure, RouteRefusal } from './api/operations/failure.ts';
export type { JsonSchema } from './api/operations/json-schema.ts';
export type { AccountOperation, OperationAnswer, OperationInput, Read, Refused } from './api/operations/operation.ts';
export { problemResponse } from './api/operations/problem.ts';
export type { AccountHandler, AccountRouteOptions } from './api/partner/account-route.ts';
export type { Authenticate, InactiveChildren, RefusedRequest } from './api/partner/caller.ts';
export { matchesIfNoneMatch } from './base/http/entity-tag.ts';
export { mountRoutes, routeFinder } from './base/http/mount-routes.ts';
export { nodeBody } from './base/http/node-body.ts';
export { pathSegment } from './base/http/path-segment.ts';
export { readRequest } from './base/http/read-request.ts';
export { repeatedHeaders } from './base/http/repeated-headers.ts';
export type {
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  IncomingRequest,
  RequestBody,
  RequestHead,
  Route,
  UnreadBody,
} from './base/http/route.ts';
export { type ByteStream, unreadBody } from './base/http/unread-body.ts';
