import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, okAsync, type ResultAsync } from '#result';
import { sha256 } from '../../base/crypto/sha256.ts';
import { described } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { failure } from '../../base/runtime/failure.ts';
import { once } from '../../base/runtime/once.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import type { EventPairs } from '../../webhooks/catalogue/pairs.ts';
import type { EndpointView } from '../../webhooks/endpoints/endpoint.ts';
import type { EndpointReader } from '../../webhooks/endpoints/endpoint-input.ts';
import type { EndpointFailure, EndpointUpdate, NewWebhookSecret } from '../../webhooks/endpoints/endpoints.ts';
import { statisticsPeriods } from '../../webhooks/log/statistics.ts';
import type { Answer } from '../operations/operation.ts';
import { listSchema, pageSchema } from '../operations/page-schema.ts';
import { pageOf, pageQuery } from '../operations/query.ts';
import { etag } from '../operations/request-headers.ts';
import { endpointViews, statistics, withHealth } from './endpoint-views.ts';
import { secondsField } from './keys.ts';
import { type KeyRow, keyRow, type ManagedCalls } from './operation.ts';
import { created as createdAnswer } from './views.ts';
import { webhookEventOperations } from './webhook-events.ts';

/** How endpoints are read and seen: as `kit.endpoints` reads them. */
export type EndpointInputs = Pick<EndpointReader, 'fields' | 'schemas'>;

const statisticsQuery = once(() =>
  z.strictObject({
    period: z
      .enum(statisticsPeriods, `one of ${statisticsPeriods.join(', ')}.`)
      .optional()
      .register(documentation, {
        description: 'The last 24 hours by hour, or the last 7 or 30 days by day. Default: `24h`.',
      }),
  }),
);

/** An endpoint; with its new secret, if the answer shows one. */
type WithSecret = Pick<NewWebhookSecret<EventPairs>, 'endpoint'> & Partial<NewWebhookSecret<EventPairs>>;

/** The changes of an endpoint without input. */
type PlainChange = 'enable' | 'resume' | 'disable' | 'cancelSecret';

/** What their summaries do not say. */
const rulesOfChanges: Partial<Readonly<Record<PlainChange, string>>> = {
  enable: 'They keep their schedule. Events that were published while you had it disabled are not sent: replay them.',
};

/** The operations on webhook endpoints (specification §6.1). */
export const webhookOperations = (
  { fields, schemas }: EndpointInputs,
  objects: readonly ObjectDefinition[],
): readonly KeyRow[] => {
  const views = endpointViews(fields());

  /** Endpoints with their health, which changes without a new version. */
  const viewAll = (
    { endpoints }: ManagedCalls,
    accountId: string,
    found: readonly EndpointView<EventPairs>[],
  ): ResultAsync<readonly Answer[], EndpointFailure> =>
    endpoints
      .health(
        accountId,
        found.map(({ id }) => id),
      )
      .map((all) => {
        const health = new Map(all.map((each) => [each.endpointId, each]));
        return found.map((endpoint) => {
          const { id, version } = endpoint;
          const own = health.get(id);
          const variant = own && sha256(JSON.stringify(own)).slice(0, 16);
          return { body: views.endpoint.show(withHealth(endpoint, own)), version, ...present({ variant }) };
        });
      });

  const shown =
    (managed: ManagedCalls, accountId: string) =>
    (endpoint: EndpointView<EventPairs>): ResultAsync<Answer, EndpointFailure> =>
      viewAll(managed, accountId, [endpoint]).map(([view]) => ({ ...view }));

  const withSecret =
    (managed: ManagedCalls, accountId: string) =>
    ({ endpoint, secret }: WithSecret): ResultAsync<Answer, EndpointFailure> =>
      viewAll(managed, accountId, [endpoint]).map(([view]) => ({
        ...view,
        body: { endpoint: view?.body, ...present({ secret }) },
      }));

  const one = { description: 'The webhook endpoint, with its health.', schema: views.endpoint.schema, headers: etag };
  const oneWithSecret = {
    description: 'The webhook endpoint, with the new secret.',
    schema: views.withSecret.schema,
    headers: etag,
  };
  const changed = {
    part: 'webhooks',
    conditional: true,
    answers: { 200: one },
    refuses: ['changed_meanwhile'],
  } as const;

  /** A change without input. */
  const change = (path: `/${string}`, name: PlainChange, operationId: string, summary: string): KeyRow =>
    keyRow({
      ...changed,
      method: 'POST',
      path: `/endpoints/:endpointId${path}`,
      right: 'webhooks:write',
      operationId,
      summary,
      ...present({ description: rulesOfChanges[name] }),
      refuses: path.endsWith('cancel') ? [...changed.refuses, 'no_next_secret'] : changed.refuses,
      handle: ({ managed, accountId, params: { endpointId = '' }, by }) =>
        managed.endpoints[name](accountId, endpointId, by).andThen(shown(managed, accountId)),
    });

  return [
    keyRow({
      method: 'GET',
      path: '/endpoints',
      part: 'webhooks',
      right: 'webhooks:read',
      operationId: 'listEndpoints',
      summary: 'Lists the webhook endpoints of the account, with their health',
      query: pageQuery(),
      answers: { 200: { description: 'A page of the list.', schema: pageSchema(views.endpoint.schema) } },
      refuses: ['invalid_cursor'],
      handle: ({ managed, accountId, query }) =>
        managed.endpoints.list(accountId, { page: pageOf(query) }).andThen(({ items, ...page }) =>
          viewAll(managed, accountId, items).map((all) => ({
            body: { items: all.map(({ body }) => body), ...page },
          })),
        ),
    }),
    keyRow({
      method: 'POST',
      path: '/endpoints',
      part: 'webhooks',
      right: 'webhooks:write',
      operationId: 'createEndpoint',
      summary: 'Creates a webhook endpoint; its secret is shown once',
      limit: 'endpointsPerAccount',
      description:
        'A repeated request with the same `Idempotency-Key` returns the endpoint as it was made, for 24 hours, without ' +
        'the secret. If the first answer was lost, prepare and activate another secret.',
      body: schemas().created,
      readsBodyItself: true,
      idempotent: true,
      answers: { 201: createdAnswer({ ...oneWithSecret, schema: views.created.schema }) },
      refuses: ['too_many_endpoints'],
      // The calls check the bodies of endpoints and of test events themselves.
      handle: ({ managed, accountId, body, by: { actor, requestId }, idempotencyKey: key }) =>
        managed
          .createEndpoint(accountId, body, { actor, requestId, key })
          .andThen((made) =>
            withSecret(managed, accountId)(made).map((answer) => ({ ...answer, createdId: made.endpoint.id })),
          ),
    }),
    keyRow({
      method: 'POST',
      path: '/endpoints/check',
      part: 'webhooks',
      right: 'webhooks:read',
      operationId: 'checkEndpoint',
      summary: 'Checks fields of a webhook endpoint by the rules of its creation; stores nothing',
      description: 'It takes the fields that can change, so no `kind`.',
      body: schemas().changed,
      answers: { 204: { description: 'The fields are valid.' } },
      handle: () => okAsync({}),
    }),
    keyRow({
      method: 'GET',
      path: '/endpoints/:endpointId',
      part: 'webhooks',
      right: 'webhooks:read',
      operationId: 'getEndpoint',
      conditional: true,
      summary: 'Reads a webhook endpoint, with its health',
      answers: { 200: one },
      handle: ({ managed, accountId, params }) =>
        managed.endpoints.find(accountId, params['endpointId'] ?? '').andThen(shown(managed, accountId)),
    }),
    keyRow({
      ...changed,
      method: 'PATCH',
      path: '/endpoints/:endpointId',
      right: 'webhooks:write',
      operationId: 'updateEndpoint',
      summary: 'Changes a webhook endpoint (RFC 7396)',
      body: schemas().changed,
      readsBodyItself: true,
      refuses: [...changed.refuses, 'delivery_header_needed'],
      handle: ({ managed, accountId, params: { endpointId = '' }, body, by }) =>
        managed.endpoints
          .update(accountId, endpointId, body as EndpointUpdate<EventPairs>, by)
          .andThen(shown(managed, accountId)),
    }),
    keyRow({
      method: 'DELETE',
      path: '/endpoints/:endpointId',
      part: 'webhooks',
      right: 'webhooks:write',
      operationId: 'deleteEndpoint',
      summary: 'Deletes a webhook endpoint; its unfinished deliveries expire',
      conditional: true,
      answers: { 204: { description: 'The webhook endpoint is deleted.' } },
      handle: ({ managed, accountId, params: { endpointId = '' }, by }) =>
        managed.endpoints.delete(accountId, endpointId, by).map(() => ({})),
    }),
    keyRow({
      method: 'GET',
      path: '/statistics',
      part: 'deliveries',
      right: 'webhooks:read',
      operationId: 'listStatistics',
      summary: 'Reads the figures of all webhook endpoints of the account',
      query: statisticsQuery(),
      answers: {
        200: { description: 'The figures.', schema: listSchema(statistics().schema) },
      },
      handle: ({ managed: { deliveries, endpoints }, accountId, query: { period = '24h' } }) =>
        endpoints
          .list(accountId, { page: { limit: 100 } })
          .andThen(({ items }) =>
            deliveries.statistics(
              accountId,
              items.map(({ id }) => id),
              { period },
            ),
          )
          .map((found) => ({ body: { items: found.map(statistics().show) } })),
    }),
    keyRow({
      method: 'GET',
      path: '/endpoints/:endpointId/statistics',
      part: 'deliveries',
      right: 'webhooks:read',
      operationId: 'getEndpointStatistics',
      summary: 'Reads the figures of a webhook endpoint: outcomes, durations, what waits',
      query: statisticsQuery(),
      answers: { 200: { description: 'The figures.', schema: statistics().schema } },
      handle: ({ managed, accountId, params, query: { period = '24h' } }) =>
        managed.deliveries
          .statistics(accountId, [params['endpointId'] ?? ''], { period })
          .andThen(([found]) => (found ? ok({ body: statistics().show(found) }) : err(failure('not_found')))),
    }),
    change('/enable', 'enable', 'enableEndpoint', 'Enables a webhook endpoint; held deliveries continue'),
    change('/resume', 'resume', 'resumeEndpoint', 'Ends a pause of a webhook endpoint; deliveries continue'),
    change('/disable', 'disable', 'disableEndpoint', 'Disables a webhook endpoint; its deliveries are held'),
    keyRow({
      ...changed,
      method: 'POST',
      path: '/endpoints/:endpointId/secret/prepare',
      right: 'webhooks:write',
      operationId: 'prepareEndpointSecret',
      summary: 'Prepares the next webhook secret, shown once',
      description:
        'The present secret goes on signing until the next one is activated. A second one that is prepared replaces ' +
        'the first.',
      answers: { 200: oneWithSecret },
      refuses: [...changed.refuses, 'wrong_kind'],
      handle: ({ managed, accountId, params: { endpointId = '' }, by }) =>
        managed.endpoints.prepareSecret(accountId, endpointId, by).andThen(withSecret(managed, accountId)),
    }),
    keyRow({
      ...changed,
      method: 'POST',
      path: '/endpoints/:endpointId/secret/activate',
      right: 'webhooks:write',
      operationId: 'activateEndpointSecret',
      summary: 'Activates the next webhook secret: from then on, it alone signs',
      body: z
        .strictObject({
          at: described(
            secondsField(),
            'When it begins to sign. Seconds since 1970-01-01T00:00:00Z. A past time means now. Default: now.',
          ).optional(),
        })
        .optional(),
      description: 'Waiting deliveries are signed anew at each attempt.',
      refuses: [...changed.refuses, 'no_next_secret'],
      handle: ({ managed, accountId, params: { endpointId = '' }, body, by }) =>
        managed.endpoints
          .activateSecret(accountId, endpointId, { ...by, at: body?.at })
          .andThen(shown(managed, accountId)),
    }),
    change('/secret/cancel', 'cancelSecret', 'cancelEndpointSecret', 'Drops the next webhook secret'),
    ...webhookEventOperations(objects),
  ];
};
