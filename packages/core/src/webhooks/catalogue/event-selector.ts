import type { EventPairs } from './pairs.ts';
import type { ObjectName } from './specification.ts';

/**
 * Selects events for an endpoint: an event type of any object, or one pair of the catalogue, such as
 * `RequestSecurityDeposit.creation`.
 * @public
 */
export type EventSelector<P extends EventPairs = EventPairs> = {
  [N in ObjectName<P>]: P[N] | `${N}.${P[N]}`;
}[ObjectName<P>];

/** Whether an endpoint selects an event. */
export const isSelected = (
  selectors: readonly string[],
  { objectName, type }: { readonly objectName: string; readonly type: string },
): boolean => selectors.includes(type) || selectors.includes(`${objectName}.${type}`);
