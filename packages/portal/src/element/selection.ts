/** The events that an endpoint can select, by object. @internal */
export interface CatalogueObject {
  readonly objectName: string;
  readonly events: readonly { readonly type: string; readonly description?: string | undefined }[];
}

/** @internal */
export const pairOf = (objectName: string, type: string): string => `${objectName}.${type}`;

const pairsOf = ({ objectName, events }: CatalogueObject): readonly string[] =>
  events.map(({ type }) => pairOf(objectName, type));

/** The pairs that selectors choose. A selector is an event type of any object, or a pair. @internal */
export const pairsSelected = (objects: readonly CatalogueObject[], selectors: readonly string[]): Set<string> => {
  const chosen = new Set(selectors);
  return new Set(
    objects.flatMap(({ objectName, events }) =>
      events
        .filter(({ type }) => chosen.has(type) || chosen.has(pairOf(objectName, type)))
        .map(({ type }) => pairOf(objectName, type)),
    ),
  );
};

/**
 * The selectors of pairs. A type that was selected for all objects stays so while all its pairs are chosen. Selectors
 * that the catalogue does not list are kept.
 * @internal
 */
export const selectorsOf = (
  objects: readonly CatalogueObject[],
  pairs: ReadonlySet<string>,
  former: readonly string[] = [],
): readonly string[] => {
  const all = objects.flatMap(({ objectName, events }) =>
    events.map(({ type }) => ({ type, pair: pairOf(objectName, type) })),
  );
  const listed = new Set(all.flatMap(({ type, pair }) => [type, pair]));
  const whole = new Set(
    former.filter((type) => {
      const ofType = all.filter((each) => each.type === type);
      return ofType.length > 0 && ofType.every(({ pair }) => pairs.has(pair));
    }),
  );
  return [
    ...whole,
    ...all.filter(({ type, pair }) => pairs.has(pair) && !whole.has(type)).map(({ pair }) => pair),
    ...former.filter((selector) => !listed.has(selector)),
  ];
};

/** Whether all, some or none of the pairs of an object are chosen. @internal */
export const shareOf = (object: CatalogueObject, pairs: ReadonlySet<string>): 'all' | 'some' | 'none' => {
  const chosen = pairsOf(object).filter((pair) => pairs.has(pair)).length;
  if (chosen === 0) return 'none';
  return chosen === object.events.length ? 'all' : 'some';
};
