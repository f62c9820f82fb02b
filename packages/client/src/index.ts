/**
 * The partner's client of the API.
 * @module client
 */

export type { components, paths, webhooks } from '#partner-api';
export { PartnerApiError, type Problem, type ProblemDetail, unwrap } from './client-error.ts';
export { createPartnerClient, type PartnerClient, type PartnerClientOptions } from './create-client.ts';
export type { EventsOptions, PulledEvent } from './events.ts';
export { fillPath } from './fill-path.ts';
export type { CursorStore, FollowOptions } from './follow.ts';
export type { Items, ListItem, ListPath } from './pages.ts';
export type { ClientRequest, ClientResponse } from './send.ts';
export type { ClientClock } from './wait.ts';
export type { WebhookPayload } from './webhook-payload.ts';
