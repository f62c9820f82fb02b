import type { Envelope } from '@partnerkit/core/receiver';
import { type Handler, type Handlers, handlerOf, type Received, type Schemas, schemaOf } from './handlers.ts';
import type { StandardIssue, StandardSchema } from './standard-schema.ts';

/**
 * What is done with events.
 * @public
 */
export interface Processing<S extends Schemas> {
  /** Schemas for `data`, of any library that speaks Standard Schema. */
  readonly schemas?: S;
  readonly on: Handlers<S>;
  /** Whatever has no handler, types of the future included. Without it they are confirmed and dropped. */
  readonly otherwise?: Handler<Received<string, string, unknown>>;
}

/** The data of an event does not fit the schema of its object. @internal */
export class InvalidData extends Error {
  override readonly name = 'InvalidData';
}

const tellIssue = ({ message, path = [] }: StandardIssue): string =>
  ['data', ...path.map((step) => String(typeof step === 'object' ? step.key : step))].join('.').concat(': ', message);

const validated = async (schema: StandardSchema, event: Envelope): Promise<Received<string, string, unknown>> => {
  const checked = await schema['~standard'].validate(event.data);
  if (checked.issues) throw new InvalidData(checked.issues.map(tellIssue).join('; '));
  return { ...event, data: checked.value };
};

/**
 * Finds what there is to do with an event: nothing, where it has no handler.
 * @internal
 */
export const workFinder =
  <S extends Schemas>({ schemas, on, otherwise }: Processing<S>) =>
  (event: Envelope): (() => void | Promise<void>) | undefined => {
    const handler = handlerOf(on, otherwise, event);
    if (!handler) return undefined;
    const schema = schemaOf(schemas, event.objectName);
    return schema ? async () => handler(await validated(schema, event)) : () => handler(event);
  };
