import type { z } from 'zod';
import { isTypeError } from '../../base/runtime/brand.ts';
import { isZod4, zod4Remedy } from '../../base/runtime/zod4.ts';
import type { LeafPath } from './leaf-path.ts';
import type { EventPairs, PairTable } from './pairs.ts';
import { type Selection, selectLeaves } from './projection.ts';
import { shapeOf } from './schema-shape.ts';
import type { EventType, ObjectName } from './specification.ts';
import { wrongObjectName, wrongPair } from './wrong-pair.ts';

/** Schema of an object kind. `id` is required: it is part of the deduplication key (specification §6.5). @public */
export type PayloadSchema = z.ZodType<{
  /** The id of the object. */
  readonly id: string;
}>;

/**
 * An object kind whose events the host publishes. Made by `defineObject`, or by the method of a catalogue.
 * @public
 */
export interface ObjectDefinition<
  N extends string = string,
  S extends PayloadSchema = PayloadSchema,
  T extends string = N extends ObjectName ? EventType<N> : string,
> {
  /** The object name of its events. */
  readonly objectName: N;
  /** The types of its events, as in its catalogue. */
  readonly eventTypes: readonly T[];
  /** Schema of the object. */
  readonly schema: S;
  /** The fields that each event type sends, compiled. @internal */
  readonly selections: ReadonlyMap<string, Selection>;
}

/**
 * The definitions that a catalogue can make.
 * @public
 */
export type DefinitionOf<P extends EventPairs> = {
  [N in ObjectName<P>]: ObjectDefinition<N, PayloadSchema, P[N]>;
}[ObjectName<P>];

/**
 * Options of `defineObject`, for an object with the event types `T`.
 * @public
 */
export interface ObjectShape<T extends string, S extends PayloadSchema, G extends string> {
  /** Schema of the object; synchronous. */
  readonly schema: S;
  /** Serialization groups: paths of leaves by group name. */
  readonly groups: Readonly<Record<G, readonly LeafPath<z.output<S>>[]>>;
  /** The groups that each event type sends; `default` applies to every type that is not listed. */
  readonly events: {
    /** The groups of every event type that is not listed. */
    readonly default: readonly NoInfer<G>[];
  } & {
    readonly [Type in T]?: readonly NoInfer<G>[];
  };
}

/**
 * Compiles the definition of an object of a catalogue.
 * @throws TypeError that names the object, event type, group or path that does not exist.
 */
export const compileObject = <N extends string, S extends PayloadSchema, G extends string, T extends string>(
  table: PairTable,
  objectName: N,
  { schema, groups, events }: ObjectShape<T, S, G>,
): ObjectDefinition<N, S, T> => {
  const named: Readonly<Record<string, readonly string[]>> = groups;
  const carried: Readonly<Record<string, readonly string[] | undefined>> = events;
  const types = Object.keys(carried).filter((type) => type !== 'default');
  const wrong =
    wrongObjectName(table, objectName) ??
    types.map((type) => wrongPair(table, objectName, type)).find((each) => each !== undefined);
  if (wrong !== undefined) throw new TypeError(`defineObject: ${wrong}`);
  if (!carried['default']) throw new TypeError(`${objectName}: events.default is missing.`);

  if (!isZod4(schema)) throw new TypeError(`${objectName}: schema ${zod4Remedy}`);
  const shape = shapeOf(schema);
  const leavesOf = (group: string): readonly string[] => {
    if (!Object.hasOwn(named, group)) throw new TypeError(`${objectName} has no group "${group}".`);
    return named[group] as readonly string[];
  };
  const compile = (where: string, paths: readonly string[]): Selection => {
    try {
      return selectLeaves(shape, paths);
    } catch (cause) {
      throw isTypeError(cause) ? new TypeError(`${objectName}, ${where}: ${cause.message}`) : cause;
    }
  };
  // Also checks groups that no event type sends yet.
  for (const [group, paths] of Object.entries(named)) compile(`group "${group}"`, paths);
  const eventTypes = table.typesOf(objectName) as readonly T[];
  const selections = new Map(
    eventTypes.map(
      (type) =>
        [type, compile(`event "${type}"`, (carried[type] ?? carried['default'] ?? []).flatMap(leavesOf))] as const,
    ),
  );
  return { objectName, eventTypes, schema, selections };
};
