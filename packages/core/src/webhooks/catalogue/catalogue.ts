import { compileObject, type ObjectDefinition, type ObjectShape, type PayloadSchema } from './define-object.ts';
import type { EventSelector } from './event-selector.ts';
import type { CatalogueInput, DescribedObjects, EventPairs, PairsOf, PairTable } from './pairs.ts';
import { readCatalogue } from './read-catalogue.ts';
import type { ObjectName } from './specification.ts';

/**
 * An event type of an object, with what the catalogue says about it.
 * @public
 */
export type CatalogueEntry<P extends EventPairs = EventPairs> = {
  [N in ObjectName<P>]: {
    readonly objectName: N;
    /** The event type. */
    readonly type: P[N];
    /** What happened, as one sentence. */
    readonly description?: string;
    /** Version of the payload. */
    readonly version: number;
  };
}[ObjectName<P>];

/**
 * The objects that a platform publishes events of, and the event types of each. Made by {@link defineCatalogue}.
 * @public
 */
export interface Catalogue<P extends EventPairs = EventPairs> {
  readonly objectNames: readonly ObjectName<P>[];
  /** The event types of all objects, each once. */
  readonly eventTypes: readonly P[ObjectName<P>][];
  /** What an endpoint can select: every event type, then every pair. */
  readonly eventSelectors: readonly EventSelector<P>[];
  /** Every pair, with its description and version. */
  readonly entries: readonly CatalogueEntry<P>[];
  /** Whether the catalogue contains this pair. */
  has(objectName: string, type: string): boolean;
  /** The event types of an object. Empty when the catalogue has no such object. */
  typesOf<N extends ObjectName<P>>(objectName: N): readonly P[N][];
  /**
   * Defines an object kind of this catalogue, as `defineObject` does for the specification's.
   * @example
   * const catalogue = defineCatalogue({ Invoice: ['creation', 'payed'] });
   * const invoice = catalogue.defineObject('Invoice', {
   *   schema: z.object({ id: z.string(), total: z.number(), payer: z.email() }),
   *   groups: { summary: ['total'], payer: ['payer'] },
   *   events: { default: ['summary'], payed: ['summary', 'payer'] },
   * });
   * @throws TypeError that names the object, event type, group or path that does not exist.
   */
  defineObject<N extends ObjectName<P>, S extends PayloadSchema, G extends string>(
    objectName: N,
    shape: ObjectShape<P[N], S, G>,
  ): ObjectDefinition<N, S, P[N]>;
}

/** Makes a catalogue from the types of each object, which are valid. */
export const createCatalogue = <P extends EventPairs>(described: DescribedObjects): Catalogue<P> => {
  const types = new Map(Object.entries(described).map(([objectName, infos]) => [objectName, Object.keys(infos)]));
  const entries: readonly CatalogueEntry[] = Object.entries(described).flatMap(([objectName, infos]) =>
    Object.entries(infos).map(([type, { description, version = 1 }]) => ({
      objectName,
      type,
      ...(description === undefined ? {} : { description }),
      version,
    })),
  );
  const eventTypes = [...new Set(entries.map(({ type }) => type))];
  const table: PairTable = {
    objectNames: [...types.keys()],
    has: (objectName, type) => types.get(objectName)?.includes(type) ?? false,
    typesOf: (objectName) => types.get(objectName) ?? [],
  };
  const catalogue: Catalogue = {
    ...table,
    eventTypes,
    eventSelectors: [...eventTypes, ...entries.map(({ objectName, type }) => `${objectName}.${type}` as const)],
    entries,
    defineObject: (objectName, shape) => compileObject(table, objectName, shape),
  };
  // The compiler does not see that each name comes from the input.
  return catalogue as unknown as Catalogue<P>;
};

/**
 * Defines a catalogue: the objects of a platform, and the event types of each. Pass it to `createPartnerkit`; pairs
 * outside it do not compile, and are refused at run time.
 *
 * A name is a letter, then at most 63 letters, digits and `_`. An event type is neither `default` nor an object name.
 * @example
 * const catalogue = defineCatalogue({
 *   Invoice: ['creation', 'payed'],
 *   Customer: { creation: { description: 'A customer was created.', version: 2 }, removal: {} },
 * });
 * const invoice = catalogue.defineObject('Invoice', {
 *   schema: z.object({ id: z.string(), total: z.number() }),
 *   groups: { all: ['total'] },
 *   events: { default: ['all'] },
 * });
 * const kit = createPartnerkit({ ...options, catalogue, objects: [invoice] });
 * @throws TypeError that names the wrong object or event type and the remedy.
 * @public
 */
export const defineCatalogue = <const I extends CatalogueInput>(input: I): Catalogue<PairsOf<I>> =>
  createCatalogue(readCatalogue(input));
