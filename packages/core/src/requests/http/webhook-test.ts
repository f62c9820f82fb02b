import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { catalogue, type ObjectName, objectNames } from '../../catalogue/catalogue.ts';
import type { ObjectDefinition } from '../../catalogue/define-object.ts';
import type { RouteFailure } from '../../http/failure.ts';
import { jsonResponse } from '../../http/problem.ts';
import type { HttpResponse, Route } from '../../http/route.ts';
import type { Partnerkit } from '../../partnerkit.ts';
import { fields } from '../fields.ts';
import { readInput } from '../read-input.ts';
import { wrongField } from '../refusal.ts';
import { readJson } from './read-request.ts';
import { failureOf, refused } from './refused.ts';

const example = {
  name: 'Test',
  status: 'in_progress',
  currency: 'EUR',
  recipient: { email: 'guest@example.com' },
  createdAt: 1_798_761_600,
  updatedAt: 1_798_761_600,
};

/** What test events show, by object. */
const examples: Readonly<Record<ObjectName, object>> = {
  ModelRequestPayment: { ...example, status: 'active', amount: 100 },
  ModelRequestSecurityDeposit: { ...example, status: 'active', depositAmount: 300 },
  RequestPayment: { ...example, status: 'pending', amount: 100 },
  RequestSecurityDeposit: { ...example, depositAmount: 300, cashOuts: [] },
};

const testInput = z.strictObject({
  objectName: z.enum(objectNames as [ObjectName, ...ObjectName[]], `one of ${objectNames.join(', ')}.`),
  type: z.string('an event type of the object.'),
  endpointId: fields.reference.optional(),
});

const maxBodyBytes = 4 * 1_024;

const noEndpoint = failureOf(wrongField('/endpointId', 'no endpoint of this account.'));
const disabled = refused(409, 'endpoint_disabled', 'This endpoint is disabled: enable it first.');
/** Whether the endpoint, and not the event, was the reason. */
const isGone = (failure: RouteFailure): boolean => failure === noEndpoint || failure === disabled;

/**
 * `POST …/webhooks/test`: sends a test event to one endpoint of the account, or to each that is enabled. Only in test environments.
 * @internal
 */
export const webhookTestRoute = <Tx extends object>(
  { accountRoute, endpoints, events }: Pick<Partnerkit<Tx, ObjectDefinition>, 'accountRoute' | 'endpoints' | 'events'>,
  testEnvironments: readonly string[],
): Route => {
  const enabled = async (accountId: string): Promise<Result<readonly string[], RouteFailure>> => {
    const listed = await endpoints.list(accountId, { limit: 100 });
    if (listed.isOk()) return ok(listed.value.items.filter(({ state }) => state === 'enabled').map(({ id }) => id));
    return err(listed.error.code === 'unavailable' ? listed.error : { code: 'not_found' });
  };

  const send = async (
    accountId: string,
    endpointId: string,
    { objectName, type }: z.output<typeof testInput>,
  ): Promise<Result<{ readonly endpointId: string; readonly eventId: string }, RouteFailure>> => {
    // The pair was checked, and the data is an example of what the routes publish.
    const event = { objectName, type, data: examples[objectName] } as never;
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
        return err(refused(409, error.code, 'The platform publishes other data for this object.'));
    }
  };

  return accountRoute(
    'POST',
    '/organisations/:organisationId/webhooks/test',
    async ({ account }, request): Promise<HttpResponse | RouteFailure> => {
      const body = readJson(request);
      if (body.isErr()) return body.error;
      const input = readInput(testInput, body.value.value);
      if (input.isErr()) return failureOf(input.error);
      const { objectName, type, endpointId } = input.value;
      const types: readonly string[] = catalogue[objectName];
      if (!types.includes(type)) return failureOf(wrongField('/type', `one of ${types.join(', ')}.`));
      const found = endpointId === undefined ? await enabled(account.id) : ok([endpointId]);
      if (found.isErr()) return found.error;
      const events = [];
      for (const each of found.value) {
        const sent = await send(account.id, each, input.value);
        // An endpoint may have been disabled or deleted since they were listed.
        if (sent.isErr() && (endpointId !== undefined || !isGone(sent.error))) return sent.error;
        if (sent.isOk()) events.push(sent.value);
      }
      return jsonResponse(202, { events });
    },
    { maxBodyBytes, environments: testEnvironments },
  );
};
