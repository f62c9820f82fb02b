import type { AnnouncedEvent } from '../../deliveries/delivery-store.ts';

/** Maximum number of announced events in memory: beyond, reading a page is cheaper. */
const maxAnnounced = 8;
/** Number of dispatches that are remembered: a store may announce an event while it is dispatched, and again later. */
const maxDispatched = 1_024;

/** Events that the store announced: at most one of each account. */
export interface Announcements {
  /** Takes announced events. Returns the shards to read instead, because it has no room for them. */
  add(events: readonly AnnouncedEvent[]): readonly number[];
  /** Takes them out. */
  take(): readonly AnnouncedEvent[];
  /** These events were dispatched: later announcements of them are ignored. */
  dispatched(events: Iterable<{ readonly id: string; readonly accountId: string }>): void;
}

const keyOf = ({ id, accountId }: { readonly id: string; readonly accountId: string }): string => `${id} ${accountId}`;

export const createAnnouncements = (): Announcements => {
  const announced = new Map<string, AnnouncedEvent>();
  /** In order of dispatch. */
  const dispatched = new Set<string>();

  const add = (event: AnnouncedEvent): boolean => {
    if (dispatched.has(keyOf(event))) return true;
    const known = announced.get(event.accountId);
    if (known) return known.id === event.id;
    if (announced.size >= maxAnnounced) return false;
    announced.set(event.accountId, event);
    return true;
  };

  return {
    add: (events) => events.filter((event) => !add(event)).map(({ shard }) => shard),
    take: () => {
      const taken = [...announced.values()];
      announced.clear();
      return taken;
    },
    dispatched: (events) => {
      for (const event of events) {
        dispatched.add(keyOf(event));
        if (announced.get(event.accountId)?.id === event.id) announced.delete(event.accountId);
        if (dispatched.size <= maxDispatched) continue;
        for (const oldest of dispatched) {
          dispatched.delete(oldest);
          break;
        }
      }
    },
  };
};
