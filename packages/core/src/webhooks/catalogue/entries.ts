import { present } from '../../base/fields/present.ts';
import type { Deprecation } from '../../base/http/deprecation.ts';
import type { EventPairs, EventTypeInfo } from './pairs.ts';
import type { ObjectName } from './specification.ts';

/**
 * An event type of an object, with what the documentation says about it.
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
    /** That endpoints should no longer select it. Absent: it may be selected. */
    readonly deprecated?: Deprecation;
  };
}[ObjectName<P>];

/** The entries of an object. */
export const entriesOf = (
  objectName: string,
  types: Iterable<readonly [type: string, info: EventTypeInfo]>,
): readonly CatalogueEntry[] =>
  Array.from(types, ([type, { description, version = 1, deprecated }]) => ({
    ...{ objectName, type, version },
    ...present({ description, deprecated }),
  }));
