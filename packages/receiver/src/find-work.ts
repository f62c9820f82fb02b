import type { EventPairs } from '@partnerkit/core';
import type { Envelope } from '@partnerkit/core/wire';
import {
  type AnyHandler,
  type EventTypesOf,
  type Handler,
  type HandlerNames,
  type Handlers,
  handlerOf,
  type Received,
  type Schemas,
  schemaOf,
} from './handlers.ts';
import { type EventOrder, type MarkArguments, type Marker, runMarked } from './latest.ts';
import type { StandardIssue, StandardSchema } from './standard-schema.ts';

/**
 * Handlers of events.
 * @public
 */
export interface Processing<
  S extends Schemas<P>,
  P extends EventPairs = EventPairs,
  H = HandlerNames<P>,
  O extends EventOrder = undefined,
  Tx extends object = object,
> {
  /**
   * `'latest'` drops an event that is older than the newest processed one of its `objectName` and `data.id`: it is
   * confirmed and never handled, so a handler of `payed` misses a payment whose later event came first.
   *
   * - Each handler calls its second argument, {@link MarkIn}, in its own transaction, which decides. A handler of `on`
   *   that succeeds without it counts as failed.
   * - The timestamp of the newest is stored as long as the keys, 35 days after that event was processed (`dedup`).
   * @defaultValue none: each event is processed
   */
  readonly order?: O;
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
  readonly on: Handlers<S, NoInfer<P>, H, MarkArguments<O, Tx>> &
    (unknown extends H ? Handlers<S, NoInfer<P>, HandlerNames<P>, MarkArguments<O, Tx>> : unknown);
  /** Handles events without a handler, unknown types included. @defaultValue they are confirmed and dropped */
  readonly otherwise?: Handler<Received<string, string, unknown>, MarkArguments<O, Tx>>;
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

/** {@link Processing}, whatever its types. */
interface AnyProcessing {
  readonly schemas?: Schemas;
  readonly on: object;
  readonly otherwise?: object;
}

/** Finds the handler of an event, with the validation of its data; `undefined` when there is none. */
export const createWorkFinder =
  ({ schemas, on, otherwise }: AnyProcessing, marker?: Marker) =>
  (event: Envelope): (() => void | Promise<void>) | undefined => {
    const handler = handlerOf(on, otherwise as AnyHandler | undefined, event);
    if (!handler) return undefined;
    const markIn = marker?.(event);
    const run: AnyHandler = !markIn
      ? handler
      : handler === otherwise
        ? (given) => handler(given, markIn)
        : (given) => runMarked((own) => handler(given, own), markIn);
    const schema = schemaOf(schemas, event.objectName);
    return schema ? async () => run(await validated(schema, event)) : () => run(event);
  };
