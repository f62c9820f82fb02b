import type { EventType, ObjectName } from '../../webhooks/catalogue/specification.ts';
import type { NewEvent } from '../../webhooks/events/event.ts';
import type { PublishWith } from '../../webhooks/events/publish.ts';
import type { Published } from '../../webhooks/events/published.ts';
import type { RequestStore } from '../stores/stores.ts';

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

/**
 * Publishes the events of a command in `tx`, together with its first write. A store with `storesEvents` is given them
 * by its write; any other write comes first. Resolves to `false` when the write lost a race; nothing is published then.
 */
export type PublishWithWrite<Tx extends object> = (
  events: readonly CommandEvent[],
  tx: Tx,
  store: Pick<RequestStore<Tx, never>, 'storesEvents'>,
  write: (events: readonly NewEvent[]) => Promise<boolean>,
) => Promise<boolean>;

/** A host that wraps `publishMany` sees every event: the write is given none then. */
export const publishingOf =
  <Tx extends object>(
    events: { readonly publishMany: PublishCommandEvents<Tx> },
    own: { readonly publishMany: unknown; readonly publishWith: PublishWith },
  ): PublishWithWrite<Tx> =>
  async (published, tx, { storesEvents }, write) => {
    if (storesEvents && events.publishMany === own.publishMany) return own.publishWith(published, write);
    if (!(await write([]))) return false;
    await events.publishMany(published, { tx });
    return true;
  };
