import type { EventType, ObjectName } from '@partnerkit/core';
import fc from 'fast-check';
import { hostObjects } from '../scripted/host-objects.ts';

/**
 * An object name of the specification, and an event type that it can have.
 * @public
 */
export interface EventPair {
  readonly objectName: ObjectName;
  /** An event type of the object. */
  readonly type: EventType;
}

const pairs = hostObjects.flatMap(({ objectName, eventTypes }) =>
  (eventTypes as readonly EventType[]).map((type): EventPair => ({ objectName, type })),
);

/**
 * Pairs of the specification with equal probability; `objectName` or `type` restricts them.
 * @example
 * const { kit } = await scriptedHost();
 * fc.assert(fc.property(eventPairArbitrary(), ({ objectName, type }) => kit.catalogue.has(objectName, type)));
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
  if (wanted.length === 0) throw new TypeError(`The specification has no ${objectName ?? 'object'} with "${type}".`);
  return fc.constantFrom(...wanted);
};
