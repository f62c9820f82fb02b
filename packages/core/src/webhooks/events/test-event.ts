import type { z } from 'zod';
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from '#result';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { unknownName } from '../../base/runtime/did-you-mean.ts';
import { type Failure, failure } from '../../base/runtime/failure.ts';
import { isId, newId } from '../../base/runtime/id.ts';
import type { Random } from '../../base/runtime/random.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import type { ObjectDefinition, PayloadSchema } from '../catalogue/define-object.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import { invalidEvent } from './invalid-event.ts';
import type { EventFailure, Publishable, RawEvent } from './prepare.ts';

/**
 * A test event: any pair of the kit's objects, with data that fits its schema. The id is generated.
 * @public
 */
export type TestEventInput<D extends ObjectDefinition> =
  D extends ObjectDefinition<infer N, infer S, infer T>
    ? {
        /** The kind of the object. */
        readonly objectName: N;
        /** The event type. */
        readonly type: T;
        /** The object, as the schema's input, without its `id`. What the type does not send may be absent. */
        readonly data: Omit<z.input<S & PayloadSchema>, 'id'>;
      }
    : never;

/** Why a test event was not sent. @public */
export type TestEventFailure =
  | EventFailure
  /** The account has no such endpoint; another account may have it. */
  | Failure<'not_found'>
  /** The endpoint is not enabled. */
  | Failure<'endpoint_disabled'>
  | Unavailable;

/** Checks a test event from untyped code and adds its `data.id`: `test_` and a UUID. */
export const testEvent = (
  accountId: string,
  input: { readonly objectName: string; readonly type: string; readonly data: unknown },
  clock: Clock,
  random: Random,
): Result<RawEvent, EventFailure> => {
  const invalid = (path: readonly string[], detail: string) => err(invalidEvent({ path, detail }));
  if (typeof input !== 'object' || input === null) return invalid([], 'an object with objectName, type and data.');
  const unknown = unknownName('field', input, ['objectName', 'type', 'data']);
  if (unknown !== undefined) return invalid([], unknown);
  const { objectName, type, data } = input;
  if (typeof data !== 'object' || data === null) return invalid(['data'], 'an object.');
  return ok({ accountId, objectName, type, data: { ...data, id: `test_${newId(clock, random)}` } });
};

/**
 * Data with a sample in place of each absent field that an event type does not send; `undefined` when none is known.
 */
export type FillUnsent = (data: object, definition: ObjectDefinition, type: string) => object | undefined;

/** A test event that was refused, with samples of the fields that its type does not send. */
export const completeTestEvent = (
  { definitions }: Publishable,
  fillUnsent: FillUnsent,
  { objectName, type, data, ...event }: RawEvent,
): RawEvent | undefined => {
  const definition = definitions.get(objectName);
  const complete = definition && fillUnsent(data as object, definition, type);
  return complete && { ...event, objectName, type, data: complete };
};

/** Whether the endpoint can receive a test event. */
export const findTestable = (
  endpoints: EndpointStore,
  accountId: string,
  endpointId: string,
): ResultAsync<void, TestEventFailure> =>
  callPort(async () =>
    isIdentifier(accountId) && isId(endpointId) ? endpoints.findEndpoint(accountId, endpointId) : undefined,
  ).andThen((endpoint): ResultAsync<void, TestEventFailure> => {
    if (endpoint?.accountId !== accountId) return errAsync(failure('not_found'));
    return endpoint.state === 'enabled' ? okAsync(undefined) : errAsync(failure('endpoint_disabled'));
  });
