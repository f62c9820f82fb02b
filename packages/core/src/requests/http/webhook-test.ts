import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import type { RouteFailure } from '../../api/operations/failure.ts';
import type { AccountOperation } from '../../api/operations/operation.ts';
import { jsonResponse } from '../../api/operations/problem.ts';
import { refused } from '../../api/operations/refused.ts';
import { described } from '../../base/fields/field.ts';
import type { HttpResponse, Route } from '../../base/http/route.ts';
import type { ObjectName } from '../../webhooks/catalogue/specification.ts';
import { specifiedCatalogue } from '../../webhooks/catalogue/specified-catalogue.ts';
import { values } from '../fields/fields.ts';
import type { RequestsKit } from '../options/requests-options.ts';
import { wrongField } from '../record/refusal.ts';
import { refusalOf } from './refused.ts';

const example = {
  name: 'Test',
  status: 'in_progress',
  currency: 'EUR',
  recipient: { email: 'guest@example.com' },
  createdAt: 1_798_761_600,
  updatedAt: 1_798_761_600,
};

/** The data of test events, by object. */
const examples: Readonly<Record<ObjectName, object>> = {
  ModelRequestPayment: { ...example, status: 'active', amount: 100 },
  ModelRequestSecurityDeposit: { ...example, status: 'active', depositAmount: 300 },
  RequestPayment: { ...example, status: 'pending', amount: 100 },
  RequestSecurityDeposit: { ...example, depositAmount: 300, cashOuts: [] },
};

const { objectNames, typesOf } = specifiedCatalogue;
/** An event of one object. */
const eventOf = (objectName: ObjectName) => {
  const types = typesOf(objectName);
  return z.strictObject({
    objectName: z.literal(objectName),
    type: described(z.enum(types as [string], `one of ${types.join(', ')}.`), 'An event type of the object.'),
    endpointId: described(values.name.input, 'The webhook endpoint. Default: each enabled one.').optional(),
  });
};
const testInput = z
  .discriminatedUnion('objectName', objectNames.map(eventOf) as [ReturnType<typeof eventOf>], {
    error: ({ code }) => (code === 'invalid_union' ? `one of ${objectNames.join(', ')}.` : undefined),
  })
  .register(documentation, { example: { objectName: 'RequestPayment', type: 'payed' } });

const maxBodyBytes = 4 * 1_024;

const operation: AccountOperation<undefined, typeof testInput> = {
  operationId: 'sendTestWebhook',
  summary: 'Sends a test event to the webhook endpoints, in a test environment',
  tag: 'Webhooks',
  body: testInput,
  answers: {
    202: {
      description: 'The test events.',
      schema: z
        .object({ events: z.array(z.object({ endpointId: z.string(), eventId: z.string() })) })
        .register(documentation, {
          example: { events: [{ endpointId: 'endpoint_1', eventId: 'event_1' }] },
        }),
    },
  },
  refuses: ['endpoint_disabled', 'invalid_event'],
};

const noEndpoint = refusalOf(wrongField('/endpointId', 'no endpoint of this account.'));
const disabled = refused('endpoint_disabled', 'This endpoint is disabled: enable it first.');
const otherData = refused('invalid_event', 'The platform publishes other data for this object.', {
  errors: [{ pointer: '/objectName', detail: 'an object whose example the platform can publish.' }],
});
/** Whether the endpoint, not the event, caused the failure. */
const isGone = (failure: RouteFailure): boolean => failure === noEndpoint || failure === disabled;

/**
 * `POST …/webhooks/test`: sends a test event to one endpoint of the account, or to each enabled one (at most 100).
 * Served only in test environments.
 */
export const webhookTestRoute = <Tx extends object>(
  { accountRoute, endpoints, events }: Pick<RequestsKit<Tx>, 'accountRoute' | 'endpoints' | 'events'>,
  testEnvironments: readonly string[],
): Route => {
  const enabled = async (accountId: string): Promise<Result<readonly string[], RouteFailure>> => {
    const listed = await endpoints.list(accountId, { page: { limit: 100 } });
    if (listed.isOk()) return ok(listed.value.items.filter(({ state }) => state === 'enabled').map(({ id }) => id));
    return err(listed.error.code === 'unavailable' ? listed.error : { code: 'not_found' });
  };

  const send = async (
    accountId: string,
    endpointId: string,
    { objectName, type }: z.output<typeof testInput>,
  ): Promise<Result<{ readonly endpointId: string; readonly eventId: string }, RouteFailure>> => {
    // The pair was checked, and the data is an example of the published data.
    const data = { ...examples[objectName], organisationId: accountId };
    const event = { objectName, type, data } as Parameters<typeof events.sendTest>[2];
    const sent = await events.sendTest(accountId, endpointId, event);
    if (sent.isOk()) return ok({ endpointId, eventId: sent.value.eventId });
    const { error } = sent;
    switch (error.code) {
      case 'unavailable':
        return err(error);
      case 'not_found':
        return err(noEndpoint);
      case 'endpoint_disabled':
        return err(disabled);
      default:
        return err(error.code === 'invalid_event' ? otherData : refused(error.code, error.message));
    }
  };

  return accountRoute(
    'POST',
    '/organisations/:organisationId/webhooks/test',
    async ({ account }, _request, _params, { body }): Promise<HttpResponse | RouteFailure> => {
      const { endpointId } = body;
      const found = endpointId === undefined ? await enabled(account.id) : ok([endpointId]);
      if (found.isErr()) return found.error;
      const events = [];
      for (const each of found.value) {
        const sent = await send(account.id, each, body);
        // An endpoint may have been disabled or deleted since the list was read.
        if (sent.isErr() && (endpointId !== undefined || !isGone(sent.error))) return sent.error;
        if (sent.isOk()) events.push(sent.value);
      }
      return jsonResponse(202, { events });
    },
    { right: 'events:write', maxBodyBytes, environments: testEnvironments, operation },
  );
};
