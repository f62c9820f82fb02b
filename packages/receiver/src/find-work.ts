import type { EventPairs } from '@partnerkit/core';
import type { Envelope } from '@partnerkit/core/wire';
import {
  type EventTypesOf,
  type Handler,
  type HandlerNames,
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
export interface Processing<S extends Schemas<P>, P extends EventPairs = EventPairs, H = HandlerNames<P>> {
  /**
   * Event types by object name: `{ Invoice: ['creation', 'payed'] }`. With them, a handler or a schema of another name
   * does not compile; they change nothing at run time. @defaultValue none: only the event types of the specification's
   * objects are checked
   */
  readonly catalogue?: EventTypesOf<P>;
  /** Schemas for `data` by object name, of any Standard Schema library. @defaultValue none: `data` is not validated */
  readonly schemas?: S;
  /** Handlers by object name and event type. */
  // `H` is unknown where a call gives its type arguments, and infers none.
  readonly on: Handlers<S, NoInfer<P>, H> & (unknown extends H ? Handlers<S, NoInfer<P>> : unknown);
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
  <S extends Schemas<P>, P extends EventPairs, H>({ schemas, on, otherwise }: Processing<S, P, H>) =>
  (event: Envelope): (() => void | Promise<void>) | undefined => {
    const handler = handlerOf(on, otherwise, event);
    if (!handler) return undefined;
    const schema = schemaOf(schemas, event.objectName);
    return schema ? async () => handler(await validated(schema, event)) : () => handler(event);
  };
