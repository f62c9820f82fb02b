import type { Referral, Referrals } from '../deliveries/referrals.ts';
import type { StampedEvent } from '../events/event.ts';
import { second } from '../runtime/time.ts';
import type { MemoryEndpoints } from './endpoints.ts';
import { eventKey, type MemoryEvents } from './events.ts';

interface Waiting {
  readonly event: StampedEvent;
  readonly place: number;
}

/** What dispatch, pruning and explanations share with the public port. @internal */
export interface MemoryReferrals extends Referrals {
  note(event: StampedEvent): void;
  /** What waits, as `eventKey` names it. */
  keys(): Iterable<string>;
  /** The account whose event of this id waits. */
  accountOf(eventId: string): string | undefined;
}

/** So many events are referred at once: a short act. */
const batch = 500;

/** @internal */
export const memoryReferrals = (events: MemoryEvents, endpoints: MemoryEndpoints): MemoryReferrals => {
  const waiting = new Map<string, Waiting[]>();
  let places = 0;

  const all = function* (): Iterable<StampedEvent> {
    for (const rows of waiting.values()) for (const { event } of rows) yield event;
  };

  const takeAway = ({ accountId, upTo }: Referral, most: number): readonly StampedEvent[] => {
    const rows = waiting.get(accountId) ?? [];
    const due = rows.filter(({ place }) => place <= Number(upTo)).slice(0, most);
    const left = rows.slice(due.length);
    if (left.length > 0) waiting.set(accountId, left);
    else waiting.delete(accountId);
    return due.map(({ event }) => event);
  };

  const isWanted = ({ type }: StampedEvent, parentId: string): boolean =>
    endpoints
      .ofAccount(parentId)
      .some(({ includeChildren, state, events }) => includeChildren && state !== 'disabled' && events.includes(type));

  const copyOf = ({ body: _body, idempotencyKey: _key, timestamp, ...event }: StampedEvent, parentId: string) => ({
    ...event,
    accountId: parentId,
    occurredAt: timestamp * second,
    origin: event.accountId,
  });

  return {
    note: (event) => {
      const rows = waiting.get(event.accountId) ?? [];
      rows.push({ event, place: places++ });
      waiting.set(event.accountId, rows);
    },
    keys: function* () {
      for (const event of all()) yield eventKey(event);
    },
    accountOf: (eventId) => [...all()].find(({ id }) => id === eventId)?.accountId,
    listReferring: async (most, after = '') =>
      [...waiting]
        .filter(([accountId]) => accountId > after)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, most)
        .map(([accountId, rows]) => ({ accountId, upTo: String(rows.at(-1)?.place) })),
    refer: async (referrals) => {
      let [taken, made] = [0, 0];
      for (const referral of referrals) {
        const { parentId } = referral;
        const due = takeAway(referral, batch - taken);
        taken += due.length;
        if (parentId === undefined) continue;
        const wanted = due.filter((event) => isWanted(event, parentId)).map((event) => copyOf(event, parentId));
        events.appendCopies(wanted);
        made += wanted.length;
      }
      return { events: taken, copies: made };
    },
  };
};
