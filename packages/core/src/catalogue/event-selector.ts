import { catalogue, type EventType, eventTypes, type ObjectName, objectNames } from './catalogue.ts';

/**
 * What an endpoint selects: an event type, of every object that has it; or one pair of the catalogue, as
 * `RequestSecurityDeposit.creation`.
 * @public
 */
export type EventSelector = EventType | { [N in ObjectName]: `${N}.${EventType<N>}` }[ObjectName];

/** All event types and all pairs of the catalogue: what an endpoint may select. @public */
export const eventSelectors: readonly EventSelector[] = [
  ...eventTypes,
  ...objectNames.flatMap((objectName) =>
    // A pair of the table, which the compiler cannot follow through the loop.
    catalogue[objectName].map((type) => `${objectName}.${type}` as EventSelector),
  ),
];

/** Whether an event is among those that an endpoint selects. @internal */
export const isSelected = (
  selectors: readonly string[],
  { objectName, type }: { readonly objectName: ObjectName; readonly type: EventType },
): boolean => selectors.includes(type) || selectors.includes(`${objectName}.${type}`);
