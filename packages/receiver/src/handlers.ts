import type { EpochSeconds, EventPairs, EventType, ObjectName, SpecifiedPairs } from '@partnerkit/core';
import type { Envelope } from '@partnerkit/core/wire';
import type { SchemaOutput, StandardSchema } from './standard-schema.ts';

/** The event types of a platform, by object name. @public */
export type EventTypesOf<P extends EventPairs> = { readonly [N in keyof P]: readonly P[N][] };

/** Schemas for `data` by object name. @public */
export type Schemas<P extends EventPairs = EventPairs> = { readonly [N in ObjectName<P>]?: StandardSchema };

/**
 * A verified event, as a handler receives it.
 * @public
 */
export interface Received<N extends string, T extends string, Data> {
  /** When it happened, in seconds since 1970. */
  readonly timestamp: EpochSeconds;
  /** The kind of the object. */
  readonly objectName: N;
  /** The event type. */
  readonly type: T;
  /** The object: the output of its schema, or {@link UnknownData}. */
  readonly data: Data;
}

/** `data` without a schema; only `id` is known. @public */
export type UnknownData = Envelope['data'];

/** `data` of an object name: the output of its schema. @public */
export type DataOf<S, N extends string> = S extends { readonly [Name in N]: infer One extends StandardSchema }
  ? SchemaOutput<One>
  : UnknownData;

/**
 * Handles an event. When it throws or rejects, the event is retried. `More`: its other arguments, `[markIn]` with
 * `order: 'latest'`.
 * @public
 */
export type Handler<E, More extends readonly unknown[] = []> = (event: E, ...more: More) => void | Promise<void>;

/**
 * Handlers of an object, by event type. With the option `catalogue`, its names are all that there are (`P`). Without
 * it, an object of the specification has the event types of the specification, and another object has any. A class of
 * handlers of another object needs `catalogue`.
 * @public
 */
export type ObjectHandlers<
  S,
  N extends string,
  P extends EventPairs,
  More extends readonly unknown[] = [],
> = EventPairs extends P
  ? N extends ObjectName
    ? { readonly [T in EventType<N>]?: Handler<Received<N, T, DataOf<S, N>>, More> }
    : { readonly [type: string]: Handler<Received<N, string, DataOf<S, N>>, More> }
  : N extends keyof P
    ? { readonly [T in P[N]]?: Handler<Received<N, T, DataOf<S, N>>, More> }
    : never;

/** The names that a table of handlers can have where the table itself does not say it. @public */
export type HandlerNames<P extends EventPairs> = Partial<EventPairs extends P ? SpecifiedPairs : P>;

/**
 * Handlers by object name and event type; class methods work too. The names are those of `H`, which is inferred from
 * the table.
 * @public
 */
export type Handlers<
  S extends Schemas<P>,
  P extends EventPairs = EventPairs,
  H = HandlerNames<P>,
  More extends readonly unknown[] = [],
> = {
  readonly [N in keyof H]: ObjectHandlers<S, N & string, P, More>;
};

/**
 * Reads an entry by a name from outside. Members of `Object.prototype` do not count; members that a class inherits do.
 */
const entryOf = <V>(table: Readonly<Record<string, V | undefined>> | undefined, name: string): V | undefined =>
  table && (Object.hasOwn(table, name) || !(name in Object.prototype)) ? table[name] : undefined;

/** A handler of any event, with any other arguments. */
export type AnyHandler = Handler<Received<string, string, unknown>, unknown[]>;

export const handlerOf = (
  handlers: object,
  otherwise: AnyHandler | undefined,
  { objectName, type }: Envelope,
): AnyHandler | undefined => {
  const ofObject = entryOf(
    handlers as Readonly<Record<string, Readonly<Record<string, Handler<never> | undefined>>>>,
    objectName,
  );
  // The entry was found under the names of the event, so its type fits.
  const handler = entryOf(ofObject, type) as AnyHandler | undefined;
  // A class may have members that are not handlers.
  return typeof handler === 'function' ? (...args) => handler.apply(ofObject, args) : otherwise;
};

export const schemaOf = (schemas: Schemas<EventPairs> | undefined, objectName: string): StandardSchema | undefined =>
  entryOf<StandardSchema>(schemas, objectName);
