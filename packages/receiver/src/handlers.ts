import type { Envelope, EpochSeconds, EventType, ObjectName } from '@partnerkit/core/receiver';
import type { SchemaOutput, StandardSchema } from './standard-schema.ts';

/** A schema for `data`, by object name. @public */
export type Schemas = { readonly [N in ObjectName]?: StandardSchema };

/**
 * An event as a handler gets it: genuine, and not processed before.
 * @public
 */
export interface Received<N extends string, T extends string, Data> {
  readonly timestamp: EpochSeconds;
  readonly objectName: N;
  readonly type: T;
  readonly data: Data;
}

/** `data` without a schema: all that is known is its `id`. @public */
export type UnknownData = Envelope['data'];

/** `data` of an object name, as its schema makes it. @public */
export type DataOf<S extends Schemas, N extends ObjectName> = S[N] extends StandardSchema
  ? SchemaOutput<S[N]>
  : UnknownData;

/** What is done with an event. When it throws or rejects, the event is sent again. @public */
export type Handler<E> = (event: E) => void | Promise<void>;

/** Handlers by object name and event type, methods of a class too; a pair outside the catalogue does not compile. @public */
export type Handlers<S extends Schemas> = {
  readonly [N in ObjectName]?: { readonly [T in EventType<N>]?: Handler<Received<N, T, DataOf<S, N>>> };
};

/** Names come from outside: `constructor` and the like are no handlers. What a class inherits is. */
const entryOf = <V>(table: Readonly<Record<string, V | undefined>> | undefined, name: string): V | undefined =>
  table && (Object.hasOwn(table, name) || !(name in Object.prototype)) ? table[name] : undefined;

/** @internal */
export const handlerOf = <S extends Schemas>(
  handlers: Handlers<S>,
  otherwise: Handler<Received<string, string, unknown>> | undefined,
  { objectName, type }: Envelope,
): Handler<Received<string, string, unknown>> | undefined => {
  const ofObject = entryOf<Readonly<Record<string, Handler<never> | undefined>>>(handlers, objectName);
  // The types of a table's entries fit their own place in it, which is where the entry was found.
  const handler = entryOf(ofObject, type) as Handler<Received<string, string, unknown>> | undefined;
  // A class has other things than handlers.
  return typeof handler === 'function' ? (event) => handler.call(ofObject, event) : otherwise;
};

/** @internal */
export const schemaOf = (schemas: Schemas | undefined, objectName: string): StandardSchema | undefined =>
  entryOf<StandardSchema>(schemas, objectName);
