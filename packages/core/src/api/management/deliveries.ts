import { z } from 'zod';
import { documentation } from '#documentation';
import { failure } from '../../base/runtime/failure.ts';
import { once } from '../../base/runtime/once.ts';
import { listSchema, pageSchema } from '../operations/page-schema.ts';
import { pageOf, pageParameters, secondsParameter, textParameter } from '../operations/query.ts';
import { attempt, explanation } from './explanation.ts';
import { type KeyRow, keyRow } from './operation.ts';
import { backlog, delivery, deliveryStates, event, listedEvent } from './views.ts';

const textRule = '1 to 256 bytes of text without control characters.';
const eventFilter = once(() => ({
  objectName: textParameter(textRule, 'Of objects with this name.'),
  objectId: textParameter(textRule, 'Of the object with this id.'),
  type: textParameter(textRule, 'Of this event type.'),
  from: secondsParameter('Published at this second or later.'),
  to: secondsParameter('Published before this second.'),
}));

/** The operations on events and deliveries. */
export const deliveryOperations = (): readonly KeyRow[] => [
  keyRow({
    method: 'GET',
    path: '/events',
    part: 'deliveries',
    right: 'events:read',
    operationId: 'listEvents',
    summary: 'Lists the events of the account, without their bodies',
    description: 'A page of a filtered list may be short or empty and still have a `next`.',
    query: z.strictObject({ ...pageParameters(), ...eventFilter() }),
    answers: { 200: { description: 'A page of the list.', schema: pageSchema(listedEvent().schema) } },
    refuses: ['invalid_cursor'],
    handle: ({ managed, accountId, query: { limit, after, order, ...filter } }) =>
      managed.events
        .list(accountId, { ...(filter as object), page: pageOf({ limit, after, order }) })
        .map(({ items, ...page }) => ({ body: { items: items.map(listedEvent().show), ...page } })),
  }),
  keyRow({
    method: 'GET',
    path: '/events/:eventId',
    part: 'deliveries',
    right: 'events:read',
    operationId: 'getEvent',
    summary: 'Reads an event, with the body that is signed and sent',
    answers: { 200: { description: 'The event.', schema: event().schema } },
    handle: ({ managed, accountId, params }) =>
      managed.events.find(accountId, params['eventId'] ?? '').map((found) => ({ body: event().show(found) })),
  }),
  keyRow({
    method: 'GET',
    path: '/events/:eventId/explanations/:endpointId',
    part: 'deliveries',
    right: 'events:read',
    operationId: 'explainEvent',
    summary: 'Explains what became of an event for a webhook endpoint',
    answers: { 200: { description: 'The explanation.', schema: explanation().schema } },
    refuses: ['no_such_event', 'no_such_endpoint'],
    handle: ({ managed, accountId, params }) =>
      managed.deliveries
        .explain(accountId, params['eventId'] ?? '', params['endpointId'] ?? '')
        // The account of a session that the directory no longer knows.
        .mapErr((refusal) =>
          'cause' in refusal ? refusal : failure(refusal.code === 'no_such_account' ? 'no_such_event' : refusal.code),
        )
        .map((found) => ({ body: explanation().show(found) })),
  }),
  keyRow({
    method: 'GET',
    path: '/deliveries',
    part: 'deliveries',
    right: 'webhooks:read',
    operationId: 'listDeliveries',
    summary: 'Lists the deliveries of the account',
    description: 'A page of a filtered list may be short or empty and still have a `next`.',
    query: z.strictObject({
      ...pageParameters(),
      ...eventFilter(),
      endpointId: textParameter(textRule, 'To this webhook endpoint.'),
      eventId: textParameter(textRule, 'Of this event.'),
      state: z
        .enum(deliveryStates, `one of ${deliveryStates.join(', ')}.`)
        .optional()
        .register(documentation, { description: 'In this state.' }),
    }),
    answers: { 200: { description: 'A page of the list.', schema: pageSchema(delivery().schema) } },
    refuses: ['invalid_cursor'],
    handle: ({ managed, accountId, query: { limit, after, order, ...filter } }) =>
      managed.deliveries
        .list(accountId, { ...(filter as object), page: pageOf({ limit, after, order }) })
        .map(({ items, ...page }) => ({ body: { items: items.map(delivery().show), ...page } })),
  }),
  keyRow({
    method: 'GET',
    path: '/deliveries/:deliveryId/attempts',
    part: 'deliveries',
    right: 'webhooks:read',
    operationId: 'listAttempts',
    summary: 'Lists the attempts of a delivery; none for an unknown one',
    answers: {
      200: { description: 'The attempts, oldest first.', schema: listSchema(attempt().schema) },
    },
    handle: ({ managed, accountId, params }) =>
      managed.deliveries
        .attempts(accountId, params['deliveryId'] ?? '')
        .map((attempts) => ({ body: { items: attempts.map(attempt().show) } })),
  }),
  keyRow({
    method: 'POST',
    path: '/deliveries/:deliveryId/send-again',
    part: 'deliveries',
    right: 'events:write',
    operationId: 'sendDeliveryAgain',
    summary: 'Sends a delivery again, with the same bytes',
    description: 'A waiting delivery becomes due at once. For a finished one, the answer names a new delivery.',
    answers: {
      202: {
        description: 'The delivery that is due.',
        schema: z.strictObject({ deliveryId: z.string().register(documentation, { example: 'delivery_1' }) }),
      },
    },
    refuses: ['held', 'endpoint_disabled', 'endpoint_deleted', 'event_dropped', 'unfinished'],
    handle: ({ managed, accountId, params: { deliveryId = '' }, by }) =>
      managed.deliveries.sendAgain(accountId, deliveryId, by).map((body) => ({ body })),
  }),
  keyRow({
    method: 'GET',
    path: '/backlog',
    part: 'deliveries',
    right: 'webhooks:read',
    operationId: 'getBacklog',
    summary: 'Counts the unfinished work of the account',
    answers: { 200: { description: 'The counts.', schema: backlog().schema } },
    handle: ({ managed, accountId }) =>
      managed.deliveries.backlog(accountId).map((found) => ({ body: backlog().show(found) })),
  }),
];
