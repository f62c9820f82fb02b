import type { z } from 'zod';
import { isTypeError } from '../../base/runtime/brand.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { isZod4, zod4Remedy } from '../../base/runtime/zod4.ts';
import { type CatalogueEntry, entriesOf } from './entries.ts';
import type { LeafPath } from './leaf-path.ts';
import type { EventTypeInfo } from './pairs.ts';
import { type Selection, selectLeaves } from './projection.ts';
import { type EventTexts, readEventTypes } from './read-event-types.ts';
import { shapeOf } from './schema-shape.ts';
import type { EventType, ObjectName } from './specification.ts';

/** Schema of an object kind. `id` is required: it is part of the deduplication key (specification §6.5). @public */
export type PayloadSchema = z.ZodType<{
  /** The id of the object. */
  readonly id: string;
}>;

/**
 * An object kind whose events the host publishes. Made by `defineObject`.
 * @public
 */
export interface ObjectDefinition<
  N extends string = string,
  S extends PayloadSchema = PayloadSchema,
  T extends string = N extends ObjectName ? EventType<N> : string,
> {
  /** The object name of its events. */
  readonly objectName: N;
  /** The types of its events. */
  readonly eventTypes: readonly T[];
  /** The types of its events, with what the documentation says about each. */
  readonly entries: readonly CatalogueEntry[];
  /** Schema of the object. */
  readonly schema: S;
  /** The fields that each event type sends, compiled. @internal */
  readonly selections: ReadonlyMap<string, Selection>;
}

/**
 * What an event type sends: a list of texts, `true` for those of `events.default`, or an object with a description.
 * @public
 */
export type EventContent<Text extends string, Kind extends EventTexts, HasDefault extends boolean> =
  | readonly Text[]
  | (HasDefault extends true ? true : never)
  | (EventTypeInfo &
      (HasDefault extends true ? { readonly [K in Kind]?: readonly Text[] } : Record<Kind, readonly Text[]>));

/**
 * Options of `defineObject`: `G` are the names of the groups, `T` those of the event types and `default`.
 * @public
 */
export interface ObjectShape<S extends PayloadSchema, G extends string, T extends string> {
  /** Schema of the object; synchronous. */
  readonly schema: S;
  /**
   * Serialization groups (specification §2.3): paths of leaves by group name. With them, the texts of `events` are
   * names of groups. @defaultValue none: the texts of `events` are paths of leaves
   */
  readonly groups?: Readonly<Record<G, readonly LeafPath<z.output<S>>[]>>;
  /**
   * What each event type sends, beside `id`. `default` is what a type sends that is `true` or only described. For an
   * object of the specification it is also what each type sends that is not listed.
   */
  readonly events: {
    readonly [Type in T]: Type extends 'default'
      ? readonly TextOf<S, G>[]
      : EventContent<TextOf<S, G>, [G] extends [never] ? 'fields' : 'groups', 'default' extends T ? true : false>;
  };
}

/** What the texts of `events` can be. */
type TextOf<S extends PayloadSchema, G extends string> = [G] extends [never] ? LeafPath<z.output<S>> : NoInfer<G>;

/** The names that `events` can have. */
type TypeNames<N extends string> = N extends ObjectName ? EventType<N> | 'default' : string;

/** The event types of an object whose `events` have the names `T`. */
type TypesOf<N extends string, T extends string> = N extends ObjectName
  ? 'default' extends T
    ? EventType<N>
    : EventType<N> & T
  : Exclude<T, 'default'>;

/**
 * Defines an object kind: its schema, its event types, and the fields that each of them sends. Only leaves can be
 * named, so a field that is added to the schema is not sent by accident. `id` is always sent.
 *
 * A name is a letter, then at most 63 letters, digits and `_`. An event type has no name of an object. The objects of
 * the specification (§6.2 to §6.4) have its event types, and no others.
 * @example
 * const booking = defineObject('Booking', {
 *   schema: z.object({ id: z.string(), status: z.string(), iban: z.string() }),
 *   events: { confirmed: ['status'], cancelled: ['status'] }, // no IBAN
 * });
 * @example
 * const payment = defineObject('RequestPayment', {
 *   schema: z.object({ id: z.string(), status: z.string(), recipient: z.object({ email: z.email() }) }),
 *   groups: { summary: ['status'], payer: ['recipient.email'] },
 *   events: { default: ['summary'], payed: ['summary', 'payer'] },
 * });
 * @throws TypeError that names the object, event type, group or path that is wrong, and the remedy.
 * @public
 */
export const defineObject = <
  const N extends string,
  S extends PayloadSchema,
  T extends TypeNames<N>,
  G extends string = never,
>(
  objectName: N,
  shape: ObjectShape<S, G, T>,
): ObjectDefinition<N, S, TypesOf<N, T>> => {
  const { schema, groups, events } = shape;
  const { fallback = [], types } = readEventTypes(objectName, events, groups ? 'groups' : 'fields');

  if (!isZod4(schema)) throw new TypeError(`defineObject: ${objectName}: schema ${zod4Remedy}`);
  const leaves = shapeOf(schema);
  const compile = (where: string, paths: readonly string[]): Selection => {
    try {
      return selectLeaves(leaves, paths);
    } catch (cause) {
      throw isTypeError(cause) ? new TypeError(`defineObject: ${objectName}, ${where}: ${cause.message}`) : cause;
    }
  };
  if (groups !== undefined && !isObject(groups))
    throw new TypeError(`defineObject: ${objectName}: groups must be an object with a list of fields for each group.`);
  const named: Readonly<Record<string, readonly string[]>> = groups ?? {};
  const pathsOf = (texts: readonly string[]): readonly string[] =>
    groups === undefined
      ? texts
      : texts.flatMap((group) => {
          if (!Object.hasOwn(named, group)) throw new TypeError(`defineObject: ${objectName} has no group "${group}".`);
          return named[group] as readonly string[];
        });
  // Also checks groups and a default that no event type sends yet.
  for (const [group, paths] of Object.entries(named)) compile(`group "${group}"`, paths);
  compile('event "default"', pathsOf(fallback));
  const selections = new Map(
    Array.from(types, ([type, { texts }]) => [type, compile(`event "${type}"`, pathsOf(texts))] as const),
  );
  const entries = entriesOf(
    objectName,
    Array.from(types, ([type, { info }]) => [type, info] as const),
  );
  // The names of `events` were read, so these are the types of the object.
  return { objectName, eventTypes: [...types.keys()] as TypesOf<N, T>[], entries, schema, selections };
};
