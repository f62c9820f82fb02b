import { z } from 'zod';
import { pageOf, pageParameters, secondsParameter, textParameter } from '../http/query.ts';
import { failure } from '../runtime/failure.ts';
import { attemptSchema, explanationSchema, viewAttempt, viewExplanation } from './explanation.ts';
import { type ManagementOperation, operation } from './operation.ts';
import {
  backlogSchema,
  deliverySchema,
  eventSchema,
  listedEventSchema,
  pageOfSchema,
  viewDelivery,
  viewEvent,
  viewListedEvent,
} from './views.ts';

const textRule = '1 to 256 bytes of text without control characters.';
const eventFilter = {
  objectName: textParameter(textRule),
  objectId: textParameter(textRule),
  type: textParameter(textRule),
  from: secondsParameter,
  to: secondsParameter,
};
const states = ['waiting', 'held', 'delivered', 'exhausted', 'expired'] as const;

/** The operations on events and deliveries. @internal */
export const deliveryOperations: readonly ManagementOperation[] = [
  operation({
    method: 'GET',
    path: '/events',
    part: 'deliveries',
    operationId: 'listEvents',
    summary: 'Lists the events of the account, without their bodies',
    description: 'A page of a filtered list may be short or empty and still have a `next`.',
    status: 200,
    query: z.strictObject({ ...pageParameters, ...eventFilter }),
    answer: pageOfSchema(listedEventSchema),
    codes: ['invalid_cursor'],
    handle: ({ managed, accountId, query: { limit, after, order, ...filter } }) =>
      managed.events
        .list(accountId, { ...(filter as object), page: pageOf({ limit, after, order }) })
        .map(({ items, ...page }) => ({ body: { items: items.map(viewListedEvent), ...page } })),
  }),
  operation({
    method: 'GET',
    path: '/events/:eventId',
    part: 'deliveries',
    operationId: 'getEvent',
    summary: 'Reads an event, with the body that is signed and sent',
    status: 200,
    answer: eventSchema,
    codes: ['not_found'],
    handle: ({ managed, accountId, params }) =>
      managed.events.find(accountId, params['eventId'] ?? '').map((event) => ({ body: viewEvent(event) })),
  }),
  operation({
    method: 'GET',
    path: '/events/:eventId/explanations/:endpointId',
    part: 'deliveries',
    operationId: 'explainEvent',
    summary: 'Explains what became of an event for a webhook endpoint',
    status: 200,
    answer: explanationSchema,
    codes: ['no_such_event', 'no_such_endpoint'],
    handle: ({ managed, accountId, params }) =>
      managed.deliveries
        .explain(accountId, params['eventId'] ?? '', params['endpointId'] ?? '')
        // The account of a session that the directory no longer knows.
        .mapErr((refusal) => (refusal.code === 'no_such_account' ? failure('no_such_event') : refusal))
        .map((explanation) => ({ body: viewExplanation(explanation) })),
  }),
  operation({
    method: 'GET',
    path: '/deliveries',
    part: 'deliveries',
    operationId: 'listDeliveries',
    summary: 'Lists the deliveries of the account',
    description: 'A page of a filtered list may be short or empty and still have a `next`.',
    status: 200,
    query: z.strictObject({
      ...pageParameters,
      ...eventFilter,
      endpointId: textParameter(textRule),
      eventId: textParameter(textRule),
      state: z.enum(states, `one of ${states.join(', ')}.`).optional(),
    }),
    answer: pageOfSchema(deliverySchema),
    codes: ['invalid_cursor'],
    handle: ({ managed, accountId, query: { limit, after, order, ...filter } }) =>
      managed.deliveries
        .list(accountId, { ...(filter as object), page: pageOf({ limit, after, order }) })
        .map(({ items, ...page }) => ({ body: { items: items.map(viewDelivery), ...page } })),
  }),
  operation({
    method: 'GET',
    path: '/deliveries/:deliveryId/attempts',
    part: 'deliveries',
    operationId: 'listAttempts',
    summary: 'Lists the attempts of a delivery; none for an unknown one',
    status: 200,
    answer: z.strictObject({ items: z.array(attemptSchema) }),
    codes: [],
    handle: ({ managed, accountId, params }) =>
      managed.deliveries
        .attempts(accountId, params['deliveryId'] ?? '')
        .map((attempts) => ({ body: { items: attempts.map(viewAttempt) } })),
  }),
  operation({
    method: 'POST',
    path: '/deliveries/:deliveryId/send-again',
    part: 'deliveries',
    operationId: 'sendDeliveryAgain',
    summary: 'Sends a delivery again, with the same bytes',
    description: 'A waiting delivery becomes due at once. For a finished one, the answer names a new delivery.',
    status: 202,
    answer: z.strictObject({ deliveryId: z.string() }),
    codes: ['not_found', 'held', 'endpoint_disabled', 'endpoint_deleted', 'event_dropped', 'unfinished'],
    handle: ({ managed, accountId, params }) =>
      managed.deliveries.sendAgain(accountId, params['deliveryId'] ?? '').map((body) => ({ body })),
  }),
  operation({
    method: 'GET',
    path: '/backlog',
    part: 'deliveries',
    operationId: 'getBacklog',
    summary: 'Counts the unfinished work of the account',
    status: 200,
    answer: backlogSchema,
    codes: [],
    handle: ({ managed, accountId }) =>
      managed.deliveries.backlog(accountId).map(({ oldestDue, ...counts }) => ({
        body: { ...counts, ...(oldestDue === undefined ? {} : { oldestDueMs: oldestDue }) },
      })),
  }),
];
