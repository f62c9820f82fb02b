import { operationsObject } from '../../base/audit/audit-entry.ts';
import type { ObjectDefinition, PayloadSchema } from './define-object.ts';
import type { CatalogueEntry } from './entries.ts';
import type { EventSelector } from './event-selector.ts';
import type { EventPairs, PairTable } from './pairs.ts';
import type { ObjectName } from './specification.ts';

/**
 * The events that a platform publishes: those of the kit's `objects`.
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
  typesOf(objectName: ObjectName<P>): readonly P[ObjectName<P>][];
}

/**
 * The event types by object name of definitions: `PairsOf<typeof booking>` is `{ Booking: 'confirmed' | 'cancelled' }`.
 * @public
 */
export type PairsOf<D extends ObjectDefinition> = {
  readonly [Each in D as Each['objectName']]: Each extends ObjectDefinition<string, PayloadSchema, infer T> ? T : never;
};

/** Makes a catalogue from entries, which are valid; those of an object follow each other. */
export const createCatalogue = <P extends EventPairs>(entries: readonly CatalogueEntry[]): Catalogue<P> => {
  const types = new Map<string, string[]>();
  for (const { objectName, type } of entries) types.set(objectName, [...(types.get(objectName) ?? []), type]);
  const table: PairTable = {
    objectNames: [...types.keys()],
    has: (objectName, type) => types.get(objectName)?.includes(type) ?? false,
    typesOf: (objectName) => types.get(objectName) ?? [],
  };
  const eventTypes = [...new Set(entries.map(({ type }) => type))];
  const eventSelectors = [...eventTypes, ...entries.map(({ objectName, type }) => `${objectName}.${type}` as const)];
  const catalogue: Catalogue = { ...table, eventTypes, eventSelectors, entries };
  // The compiler does not see that each name comes from the entries.
  return catalogue as unknown as Catalogue<P>;
};

/**
 * The catalogue of a kit: the events of its objects.
 * @throws TypeError when an object is defined twice or has the name of events of operation, or an event type has the
 *   name of an object.
 */
export const catalogueOf = (objects: readonly ObjectDefinition[]): Catalogue => {
  const catalogue = createCatalogue(objects.flatMap(({ entries }) => entries));
  const names = objects.map(({ objectName }) => objectName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new TypeError(`createPartnerkit: the option objects has ${twice} twice: remove one of the definitions.`);
  if (names.includes(operationsObject))
    throw new TypeError(
      `createPartnerkit: the option objects has ${operationsObject}, the name of events of operation: rename the object.`,
    );
  const named = catalogue.entries.find(({ type }) => names.includes(type));
  if (named)
    throw new TypeError(
      `createPartnerkit: ${named.objectName} has the event type "${named.type}", which is also the name of an object, ` +
        'so no endpoint could select it: rename the type.',
    );
  return catalogue;
};
