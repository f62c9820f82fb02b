import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { z } from 'zod';
import type { EventType } from '../catalogue/catalogue.ts';
import type { ObjectDefinition, PayloadSchema } from '../catalogue/define-object.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { unknownName } from '../runtime/did-you-mean.ts';
import { isId, newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { isIdentifier } from '../runtime/text.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import type { EventFailure, RawEvent } from './prepare.ts';

/**
 * A test event: any pair of the catalogue, with data that its schema takes, but for the id, which is made.
 * @public
 */
export type TestEventInput<D extends ObjectDefinition> =
  D extends ObjectDefinition<infer N, infer S>
    ? {
        readonly objectName: N;
        readonly type: EventType<N>;
        readonly data: Omit<z.input<S & PayloadSchema>, 'id'>;
      }
    : never;

/** Why a test event was not sent. `not_found` also answers for the endpoints of other accounts. @public */
export type TestEventFailure = EventFailure | { readonly code: 'not_found' | 'endpoint_disabled' } | Unavailable;

/** A test event as untyped code may hand it over, made ready: its `data.id` is `test_` and a UUID. @internal */
export const testEvent = (
  accountId: string,
  input: { readonly objectName: string; readonly type: string; readonly data: unknown },
  clock: Clock,
  random: Random,
): Result<RawEvent, EventFailure> => {
  const invalid = (detail: string) => err({ code: 'invalid_event' as const, detail });
  if (typeof input !== 'object' || input === null) return invalid('event: an object with objectName, type and data.');
  const unknown = unknownName('field', input, ['objectName', 'type', 'data']);
  if (unknown !== undefined) return invalid(`event: ${unknown}`);
  const { objectName, type, data } = input;
  if (typeof data !== 'object' || data === null) return invalid('data: an object.');
  return ok({ accountId, objectName, type, data: { ...data, id: `test_${newId(clock, random)}` } });
};

/** Whether a test event may be sent to it. @internal */
export const findTestable = (
  endpoints: EndpointStore,
  accountId: string,
  endpointId: string,
): ResultAsync<void, TestEventFailure> =>
  ask(async () =>
    isIdentifier(accountId) && isId(endpointId) ? endpoints.findEndpoint(accountId, endpointId) : undefined,
  ).andThen((endpoint): ResultAsync<void, TestEventFailure> => {
    if (endpoint?.accountId !== accountId) return errAsync({ code: 'not_found' });
    return endpoint.state === 'enabled' ? okAsync(undefined) : errAsync({ code: 'endpoint_disabled' });
  });
