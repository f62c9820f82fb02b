/**
 * Event types by object name, as a type: `{ Invoice: 'creation' | 'payed' }`.
 * @public
 */
export type EventPairs = Readonly<Record<string, string>>;

/**
 * What a catalogue says about an event type of an object, for readers of the documentation. It never changes a webhook.
 * @public
 */
export interface EventTypeInfo {
  /** What happened, as one sentence. @defaultValue none */
  readonly description?: string;
  /** Version of the payload, a whole number from 1. @defaultValue 1 */
  readonly version?: number;
}

/**
 * The objects of a catalogue: the event types of each as a list, or as an object with a description of each type.
 * @public
 */
export type CatalogueInput = Readonly<Record<string, readonly string[] | Readonly<Record<string, EventTypeInfo>>>>;

/**
 * The event types by object name of a {@link CatalogueInput}.
 * @public
 */
export type PairsOf<I extends CatalogueInput> = {
  readonly [N in keyof I & string]: I[N] extends readonly (infer T extends string)[] ? T : keyof I[N] & string;
};

/** What a catalogue says about each type of each object. */
export type DescribedObjects = Readonly<Record<string, Readonly<Record<string, EventTypeInfo>>>>;

/** The pairs of any catalogue, for checks at run time. */
export interface PairTable {
  readonly objectNames: readonly string[];
  has(objectName: string, type: string): boolean;
  typesOf(objectName: string): readonly string[];
}
