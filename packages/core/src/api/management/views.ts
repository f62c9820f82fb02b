import { z } from 'zod';
import { documentation } from '#documentation';
import type { ClientView } from '../../access/clients/client.ts';
import { type EpochMs, toSeconds } from '../../base/runtime/time.ts';
import type { EventPairs } from '../../webhooks/catalogue/pairs.ts';
import type { EndpointView } from '../../webhooks/endpoints/endpoint.ts';
import type { EndpointHealth } from '../../webhooks/endpoints/endpoint-store.ts';
import type { DispatchedEvent, ListedEvent, NewEvent } from '../../webhooks/events/event.ts';
import type { Delivery } from '../../webhooks/log/delivery-log.ts';
import type { EndpointStatistics } from '../../webhooks/log/statistics.ts';
import type { OperationAnswer } from '../operations/operation.ts';
import { lastAttemptSchema, viewAttempt } from './explanation.ts';

/** Seconds since 1970, as in every response (specification §6.4). */
const seconds = z.int().min(0).register(documentation, { description: 'Seconds since 1970-01-01T00:00:00Z.' });
/** A description belongs to one schema: each id is a schema of its own. */
const id = () => z.string();

/** An optional time as a field; absent when there is none. */
const at = <K extends string>(name: K, time: EpochMs | undefined): Partial<Record<K, number>> =>
  time === undefined ? {} : ({ [name]: toSeconds(time) } as Record<K, number>);

/** The header of an answer with a version. @internal */
export const etag = { ETag: 'The version, for `If-Match`.' };

/** An answer about a new object. @internal */
export const created = (answer: OperationAnswer): OperationAnswer => ({
  ...answer,
  headers: { ...answer.headers, Location: 'The path of the new object.' },
});

/** A page of a list. @internal */
export const pageOfSchema = (item: z.ZodType) =>
  z.strictObject({
    items: z.array(item),
    next: z
      .string()
      .optional()
      .register(documentation, { description: 'Cursor of the next page, for `after`. Absent on the last page.' }),
  });

/** @internal */
export const apiKeySchema = z
  .strictObject({
    id: id().register(documentation, { description: 'The `client_id`.' }),
    name: z.string(),
    createdAt: seconds,
    disabled: z.boolean().register(documentation, { description: 'Its logins and tokens are refused.' }),
    lastRefusal: z
      .strictObject({
        at: seconds,
        reason: z.enum([
          'malformed_secret',
          'wrong_secret',
          'expired_secret',
          'revoked_secret',
          'disabled',
          'account_not_allowed',
          'too_many_logins',
        ]),
      })
      .optional()
      .register(documentation, {
        description: 'The last login that was refused, to the minute. Anyone who knows the id can cause one.',
      }),
    secrets: z.array(
      z.strictObject({
        id: id().register(documentation, { description: 'Public part of the secret.' }),
        label: z.string().optional(),
        createdAt: seconds,
        expiresAt: seconds.optional(),
        revoked: z.boolean(),
        lastUsedAt: seconds.optional().register(documentation, { description: 'Last login, to the minute.' }),
      }),
    ),
  })
  .register(documentation, { name: 'ApiKey', description: 'An API key: an OAuth 2.0 client with its secrets.' });

/** @internal */
export const viewApiKey = ({ id: keyId, name, createdAt, disabled, lastRefusal, secrets }: ClientView) => ({
  id: keyId,
  name,
  createdAt: toSeconds(createdAt),
  disabled,
  ...(lastRefusal ? { lastRefusal: { at: toSeconds(lastRefusal.at), reason: lastRefusal.reason } } : {}),
  secrets: secrets.map(({ createdAt: made, expiresAt, lastUsedAt, ...secret }) => ({
    ...secret,
    createdAt: toSeconds(made),
    ...at('expiresAt', expiresAt),
    ...at('lastUsedAt', lastUsedAt),
  })),
});

/** @internal */
export const newApiKeySchema = z
  .strictObject({
    key: apiKeySchema,
    secretId: id(),
    secret: z
      .string()
      .register(documentation, { description: 'The `client_secret`. It is shown once: only its digest is stored.' }),
  })
  .register(documentation, { name: 'NewApiKey', description: 'An API key with a new secret.' });

/** @internal */
export const healthSchema = z
  .strictObject({
    status: z.enum(['delivering', 'failing', 'paused', 'disabled']),
    failures: z.int().min(0).register(documentation, { description: 'Failed attempts since the last success.' }),
    failingSince: seconds.optional(),
    pausedUntil: seconds.optional().register(documentation, {
      description: 'Until then, nothing but test events and deliveries sent again is sent.',
    }),
    disabledBy: z.enum(['partner', 'host', 'failing', 'gone']).optional(),
    disabledSince: seconds.optional(),
  })
  .register(documentation, { name: 'EndpointHealth', description: 'Whether deliveries of an endpoint succeed.' });

/** @internal */
export const endpointSchema = z
  .strictObject({
    id: id(),
    url: z.string(),
    events: z.array(z.string()),
    state: z.enum(['enabled', 'disabled', 'disabled_by_breaker']),
    label: z.string().optional(),
    standardWebhooks: z.boolean(),
    profile: z.string().optional().register(documentation, { description: 'How its requests look. Absent: as usual.' }),
    includeChildren: z.boolean(),
    deliveryHeaderName: z.string().optional(),
    createdAt: seconds,
    rotating: z.boolean().register(documentation, { description: 'A next secret is prepared and not active yet.' }),
    activateNextAt: seconds.optional(),
    health: healthSchema,
  })
  .register(documentation, { name: 'Endpoint', description: 'A webhook endpoint.' });

const statusOf = (health: EndpointHealth | undefined): z.output<typeof healthSchema>['status'] => {
  if (health === undefined) return 'delivering';
  if (health.disabledBy !== undefined) return 'disabled';
  return health.pausedUntil === undefined ? 'failing' : 'paused';
};

/** @internal */
export const viewEndpointWith = (endpoint: EndpointView<EventPairs>, health: EndpointHealth | undefined) => {
  const { accountId: _account, version: _version, reference: _ofHost, createdAt, activateNextAt, ...view } = endpoint;
  return {
    ...view,
    createdAt: toSeconds(createdAt),
    ...at('activateNextAt', activateNextAt),
    health: {
      status: statusOf(health),
      failures: health?.failures ?? 0,
      ...at('failingSince', health?.failingSince),
      ...at('pausedUntil', health?.pausedUntil),
      ...(health?.disabledBy === undefined ? {} : { disabledBy: health.disabledBy }),
      ...at('disabledSince', health?.disabledSince),
    },
  };
};

/** @internal */
export const newWebhookSecretSchema = z
  .strictObject({
    endpoint: endpointSchema,
    secret: z
      .string()
      .register(documentation, { description: 'The webhook secret. It is shown once: only its ciphertext is stored.' }),
  })
  .register(documentation, { name: 'NewWebhookSecret', description: 'An endpoint with a new webhook secret.' });

const listedEvent = {
  id: id(),
  objectName: z.string(),
  objectId: z.string(),
  type: z.string(),
  occurredAt: seconds.optional(),
  isTest: z.boolean(),
  childAccountId: z.string().optional().register(documentation, { description: 'The child account of the event.' }),
  timestamp: seconds
    .optional()
    .register(documentation, { description: 'The timestamp of the envelope. Absent: not dispatched yet.' }),
};

/** @internal */
export const listedEventSchema = z
  .strictObject(listedEvent)
  .register(documentation, { name: 'ListedEvent', description: 'A published event, without its body.' });

/** @internal */
export const eventSchema = z
  .strictObject({
    ...listedEvent,
    body: z
      .string()
      .optional()
      .register(documentation, { description: 'The body that is signed and sent. Absent: not dispatched yet.' }),
  })
  .register(documentation, { name: 'Event', description: 'A published event.' });

/** @internal */
export const viewListedEvent = (event: ListedEvent) => ({
  id: event.id,
  objectName: event.objectName,
  objectId: event.objectId,
  type: event.type,
  ...at('occurredAt', event.occurredAt),
  isTest: event.onlyTo !== undefined,
  ...(event.origin === undefined ? {} : { childAccountId: event.origin }),
  ...(event.timestamp === undefined ? {} : { timestamp: event.timestamp }),
});

/** @internal */
export const viewEvent = (event: NewEvent | DispatchedEvent) => ({
  ...viewListedEvent(event),
  ...('body' in event ? { body: event.body } : {}),
});

/** @internal */
export const deliverySchema = z
  .strictObject({
    id: id(),
    eventId: id(),
    endpointId: id(),
    state: z.enum(['waiting', 'held', 'delivered', 'exhausted', 'expired']),
    attempts: z.int().min(0).register(documentation, { description: 'Attempts that count towards exhaustion.' }),
    event: z
      .strictObject({
        objectName: z.string(),
        objectId: z.string(),
        type: z.string(),
        timestamp: seconds,
        isTest: z.boolean(),
      })
      .optional()
      .register(documentation, { description: 'What the event is about. Absent: it was pruned.' }),
  })
  .register(documentation, { name: 'Delivery', description: 'One event for one endpoint.' });

/** @internal */
export const viewDelivery = ({ id: deliveryId, eventId, endpointId, state, attempts, event }: Delivery) => ({
  id: deliveryId,
  eventId,
  endpointId,
  state,
  attempts,
  ...(event === undefined ? {} : { event }),
});

const count = () => z.int().min(0);
const outcomeCounts = {
  delivered: count().register(documentation, { description: 'Attempts that were answered with a 2xx status.' }),
  failed: z
    .strictObject({
      clientError: count().register(documentation, { description: 'Answered with 400 to 499.' }),
      serverError: count().register(documentation, { description: 'Answered with 500 to 599.' }),
      otherStatus: count().register(documentation, {
        description: 'Answered with another status, such as a redirect.',
      }),
      timeout: count().register(documentation, { description: 'Not answered in time.' }),
      connection: count().register(documentation, { description: 'No connection, or one that closed.' }),
      tls: count().register(documentation, { description: 'The TLS handshake failed.' }),
      platform: count().register(documentation, { description: 'Not sent, or the outcome was lost.' }),
    })
    .register(documentation, { name: 'FailureCounts', description: 'Failed attempts by kind.' }),
};
const boundedCount = count().register(documentation, { description: 'At most 10,000, which means "at least".' });
const durationMs = () => z.number().min(0);

/** @internal */
export const statisticsSchema = z
  .strictObject({
    endpointId: id(),
    buckets: z.array(z.strictObject({ at: seconds, ...outcomeCounts })).register(documentation, {
      description: 'Every hour or day of UTC of the period, oldest first; the last is the current one.',
    }),
    total: z.strictObject(outcomeCounts),
    successRate: z.number().min(0).max(1).optional().register(documentation, {
      description: 'The part of the attempts that were delivered. Absent: there were none.',
    }),
    durations: z
      .strictObject({
        medianMs: durationMs().register(documentation, { description: 'Half of the answers took this long or less.' }),
        p90Ms: durationMs().register(documentation, { description: 'The slowest tenth took at least as long.' }),
      })
      .optional()
      .register(documentation, { description: 'How long answers took. Absent: there were none.' }),
    last: lastAttemptSchema.optional(),
    waiting: boundedCount,
    held: boundedCount,
    nextAttemptAt: seconds.optional().register(documentation, { description: 'Absent: nothing waits.' }),
    isComplete: z.boolean().register(documentation, {
      description: 'Whether all attempts were counted. `false`: only those of the newest events of the account.',
    }),
  })
  .register(documentation, { name: 'EndpointStatistics', description: 'The figures of a webhook endpoint.' });

/** @internal */
export const viewStatistics = ({ buckets, last, nextAttemptAt, ...rest }: EndpointStatistics) => ({
  ...rest,
  buckets: buckets.map(({ at: start, ...counts }) => ({ at: toSeconds(start), ...counts })),
  ...(last === undefined ? {} : { last: viewAttempt(last) }),
  ...at('nextAttemptAt', nextAttemptAt),
});

/** @internal */
export const backlogSchema = z
  .strictObject({
    undispatched: z.int().min(0),
    waiting: z.int().min(0),
    held: z.int().min(0),
    oldestDueMs: z
      .number()
      .min(0)
      .optional()
      .register(documentation, { description: 'Age of the oldest due delivery in milliseconds.' }),
  })
  .register(documentation, {
    name: 'Backlog',
    description: 'Unfinished work. Counts stop at 10,000, which then means "at least".',
  });
