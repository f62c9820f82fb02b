import type { EventPairs, SpecifiedPairs } from '@partnerkit/core';
import type { Envelope } from '@partnerkit/core/wire';
import {
  type EventTypesOf,
  type Handler,
  type Handlers,
  handlerOf,
  type Received,
  type Schemas,
  schemaOf,
} from './handlers.ts';
import type { StandardIssue, StandardSchema } from './standard-schema.ts';

/**
 * Handlers of events.
 * @public
 */
export interface Processing<S extends Schemas<P>, P extends EventPairs = SpecifiedPairs> {
  /**
   * Event types by object name of a platform with objects of its own: `{ Invoice: ['creation', 'payed'] }`. They type
   * `schemas` and `on`, and change nothing at run time. @defaultValue those of the specification
   */
  readonly catalogue?: EventTypesOf<P>;
  /** Schemas for `data` by object name, of any Standard Schema library. @defaultValue none: `data` is not validated */
  readonly schemas?: S;
  /** Handlers by object name and event type. */
  readonly on: Handlers<S, NoInfer<P>>;
  /** Handles events without a handler, unknown types included. @defaultValue they are confirmed and dropped */
  readonly otherwise?: Handler<Received<string, string, unknown>>;
}

const invalidData = Symbol.for('partnerkit.InvalidData');

/** The data of an event does not fit the schema of its object. */
class InvalidData extends Error {
  override readonly name = 'InvalidData';
  readonly [invalidData] = true;
}

/** Whether the data of an event did not fit the schema of its object. */
export const isInvalidData = (cause: unknown): boolean => invalidData in Object(cause);

const issueText = ({ message, path = [] }: StandardIssue): string =>
  ['data', ...path.map((step) => String(typeof step === 'object' ? step.key : step))].join('.').concat(': ', message);

const validated = async (schema: StandardSchema, event: Envelope): Promise<Received<string, string, unknown>> => {
  const checked = await schema['~standard'].validate(event.data);
  if (checked.issues) throw new InvalidData(checked.issues.map(issueText).join('; '));
  return { ...event, data: checked.value };
};

/** Finds the handler of an event, with the validation of its data; `undefined` when there is none. */
export const createWorkFinder =
  <S extends Schemas<P>, P extends EventPairs>({ schemas, on, otherwise }: Processing<S, P>) =>
  (event: Envelope): (() => void | Promise<void>) | undefined => {
    const handler = handlerOf(on, otherwise, event);
    if (!handler) return undefined;
    const schema = schemaOf(schemas, event.objectName);
    return schema ? async () => handler(await validated(schema, event)) : () => handler(event);
  };
