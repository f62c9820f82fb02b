import type { z } from 'zod';
import { catalogue, type EventType, type ObjectName } from './catalogue.ts';
import type { LeafPath } from './leaf-path.ts';
import { type Selection, selectLeaves } from './projection.ts';
import { shapeOf } from './schema-shape.ts';
import { wrongObjectName, wrongPair } from './wrong-pair.ts';

/** The payload of one object kind. `id` is required: it is part of the deduplication key (specification §6.5). @public */
export type PayloadSchema = z.ZodType<{ readonly id: string }>;

/**
 * An object kind that the host publishes events of. Made by {@link defineObject}.
 * @public
 */
export interface ObjectDefinition<N extends ObjectName = ObjectName, S extends PayloadSchema = PayloadSchema> {
  readonly objectName: N;
  readonly schema: S;
  /** What each event type lets out, compiled. @internal */
  readonly selections: ReadonlyMap<EventType, Selection>;
}

/**
 * What {@link defineObject} takes.
 * @public
 */
export interface ObjectShape<N extends ObjectName, S extends PayloadSchema, G extends string> {
  readonly schema: S;
  /** Leaves by group name. */
  readonly groups: Readonly<Record<G, readonly LeafPath<z.output<S>>[]>>;
  /** The groups that each event type carries; `default` serves every type that is not listed. */
  readonly events: { readonly default: readonly NoInfer<G>[] } & {
    readonly [T in EventType<N>]?: readonly NoInfer<G>[];
  };
}

/**
 * Declares an object kind: its schema, its serialization groups, and the groups that each event type carries
 * (specification §2.3). Only leaves can be named, so a field that the schema gains later never leaves by accident; `id`
 * always leaves.
 * @example
 * const payment = defineObject('RequestPayment', {
 *   schema: z.object({ id: z.string(), status: z.string(), recipient: z.object({ email: z.email(), iban: z.string() }) }),
 *   groups: { summary: ['status'], payer: ['recipient.email'] },
 *   events: { default: ['summary'], payed: ['summary', 'payer'] },
 * });
 * @throws TypeError that names the object, event type, group or path which does not exist.
 * @public
 */
export const defineObject = <N extends ObjectName, S extends PayloadSchema, G extends string>(
  objectName: N,
  { schema, groups, events }: ObjectShape<N, S, G>,
): ObjectDefinition<N, S> => {
  const named: Readonly<Record<string, readonly string[]>> = groups;
  const carried: Readonly<Record<string, readonly string[] | undefined>> = events;
  const types = Object.keys(carried).filter((type) => type !== 'default');
  const wrong =
    wrongObjectName(objectName) ?? types.map((type) => wrongPair(objectName, type)).find((each) => each !== undefined);
  if (wrong !== undefined) throw new TypeError(`defineObject: ${wrong}`);
  if (!carried['default']) throw new TypeError(`${objectName}: events.default is missing.`);

  const shape = shapeOf(schema);
  const leavesOf = (group: string): readonly string[] => {
    if (!Object.hasOwn(named, group)) throw new TypeError(`${objectName} has no group "${group}".`);
    return named[group] as readonly string[];
  };
  const compile = (where: string, paths: readonly string[]): Selection => {
    try {
      return selectLeaves(shape, paths);
    } catch (cause) {
      throw cause instanceof TypeError ? new TypeError(`${objectName}, ${where}: ${cause.message}`) : cause;
    }
  };
  // Groups that no event type carries yet are checked as well.
  for (const [group, paths] of Object.entries(named)) compile(`group "${group}"`, paths);
  const selections = new Map(
    catalogue[objectName].map(
      (type) =>
        [type, compile(`event "${type}"`, (carried[type] ?? carried['default'] ?? []).flatMap(leavesOf))] as const,
    ),
  );
  return { objectName, schema, selections };
};
