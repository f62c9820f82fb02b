import type { EventType, ObjectName } from '../../webhooks/catalogue/specification.ts';
import type { Published } from '../../webhooks/events/published.ts';

/** Any pair of the specification. Definitions of the host accept the same data, which types do not express. */
export type SpecifiedEvent<More> = {
  readonly [N in ObjectName]: More & { readonly objectName: N; readonly type: EventType<N>; readonly data: never };
}[ObjectName];

/** What a command publishes for an account. */
export type CommandEvent = SpecifiedEvent<{ readonly accountId: string }>;

/** Publishes the events of a command. */
export type PublishCommandEvents<Tx extends object> = (
  events: readonly CommandEvent[],
  options: {
    /** The transaction of the command. */
    readonly tx: Tx | 'new';
  },
) => Promise<readonly Published[]>;
