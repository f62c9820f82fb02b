import { catalogue, type EventType, type ObjectName, objectNames } from '@partnerkit/core';
import fc from 'fast-check';

/**
 * An object name, and an event type that it may have.
 * @public
 */
export interface EventPair {
  readonly objectName: ObjectName;
  readonly type: EventType;
}

const pairs: readonly EventPair[] = objectNames.flatMap((objectName) =>
  catalogue[objectName].map((type) => ({ objectName, type })),
);

/**
 * Pairs of the catalogue, each as likely as the next; with `objectName` or `type` given, those that have it.
 * @example
 * fc.assert(fc.property(eventPairArbitrary(), ({ objectName, type }) => isEventPair(objectName, type)));
 * @throws TypeError when no pair has both.
 * @public
 */
export const eventPairArbitrary = ({ objectName, type }: Partial<EventPair> = {}): fc.Arbitrary<EventPair> => {
  const wanted = pairs.filter(
    (pair) => pair.objectName === (objectName ?? pair.objectName) && pair.type === (type ?? pair.type),
  );
  if (wanted.length === 0) throw new TypeError(`The catalogue has no ${objectName ?? 'object'} with "${type}".`);
  return fc.constantFrom(...wanted);
};
