import { isSelected } from '../catalogue/event-selector.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { NewEvent } from '../events/event.ts';
import type { DeliveryLog } from '../log/delivery-log.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Wakes } from '../shards/wakes.ts';
import { type DeliveryFacts, deliveriesOf } from './delivery-facts.ts';
import { isPublishedIn } from './event-store.ts';
import { compareNumber, readPage } from './pages.ts';
import type { DispatchedRow } from './rows.ts';
import { addReplay, unfinishedDelivery } from './send-again.ts';
import type { MemoryState } from './store-state.ts';
import { isDispatched, type Tables } from './tables.ts';

/** Maximum number of events per call. */
const batch = 100;

const isReceived = (event: NewEvent, { events, includeChildren }: Endpoint): boolean =>
  event.onlyTo === undefined && isSelected(events, event) && (event.origin === undefined || includeChildren);

/** Whether a delivery of the event to the endpoint failed and none was delivered. */
const hasFailed = (event: DispatchedRow, endpointId: string, facts: DeliveryFacts): boolean => {
  const states = deliveriesOf(event)
    .filter((each) => each.endpointId === endpointId)
    .map((each) => facts.of(each).state);
  return !states.includes('delivered') && states.some((state) => state === 'exhausted' || state === 'expired');
};

/** Replays one batch of events. @internal */
export const replayEvents =
  (
    { findAccount }: Tables,
    {
      facts,
      state,
      wakes,
      clock,
    }: {
      readonly facts: DeliveryFacts;
      readonly state: MemoryState;
      readonly wakes: Wakes;
      readonly clock: Clock;
    },
  ): DeliveryLog['replay'] =>
  async (accountId, endpointId, { after, onlyFailed = false, ...range }) => {
    const account = findAccount(accountId);
    const endpoint = account?.endpoints.get(endpointId)?.endpoint;
    if (!account || !endpoint) return { kind: 'not_found' };
    if (endpoint.state !== 'enabled') return { kind: 'endpoint_disabled' };
    const { items, invalidCursor, ...rest } = readPage(
      {
        rows: account.events.values(),
        fits: (row) =>
          !row.isDropped &&
          isDispatched(row) &&
          isPublishedIn(row.event, range) &&
          (!onlyFailed || hasFailed(row, endpointId, facts)),
        cursorOf: ({ position }) => String(position),
        compare: compareNumber(({ position }) => position),
      },
      { limit: batch, ...(after === undefined ? {} : { after }) },
    );
    if (invalidCursor) return { kind: 'invalid_cursor' };
    const since = clock.now();
    let deliveries = 0;
    for (const row of items) {
      if (!isDispatched(row) || !isReceived(row.event, endpoint)) continue;
      if (unfinishedDelivery(row, endpointId, facts)) continue;
      addReplay(row, endpointId, { state: 'queued', dueAt: Number.POSITIVE_INFINITY, isUrgent: false, since });
      deliveries++;
    }
    if (deliveries > 0) {
      state.raise(account.shard.shard, 0);
      wakes.wakeEvents([account.shard.shard]);
    }
    return { kind: 'replayed', deliveries, ...rest };
  };
