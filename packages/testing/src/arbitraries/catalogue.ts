import { catalogue, type EventType, type ObjectName } from '@partnerkit/core';
import fc from 'fast-check';

/**
 * An object name, and an event type that it can have.
 * @public
 */
export interface EventPair {
  readonly objectName: ObjectName;
  /** An event type of the object. */
  readonly type: EventType;
}

const pairs: readonly EventPair[] = catalogue.entries.map(({ objectName, type }) => ({ objectName, type }));

/**
 * Pairs of the catalogue with equal probability; `objectName` or `type` restricts them.
 * @example
 * fc.assert(fc.property(eventPairArbitrary(), ({ objectName, type }) => catalogue.has(objectName, type)));
 * @throws TypeError when no pair has both.
 * @public
 */
export const eventPairArbitrary = ({
  objectName,
  type,
}: {
  readonly objectName?: string;
  readonly type?: string;
} = {}): fc.Arbitrary<EventPair> => {
  const wanted = pairs.filter(
    (pair) => pair.objectName === (objectName ?? pair.objectName) && pair.type === (type ?? pair.type),
  );
  if (wanted.length === 0) throw new TypeError(`The catalogue has no ${objectName ?? 'object'} with "${type}".`);
  return fc.constantFrom(...wanted);
};
