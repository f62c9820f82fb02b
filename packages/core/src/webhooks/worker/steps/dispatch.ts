import { type DurationMs, type EpochMs, second } from '../../../base/runtime/time.ts';
import type { AnnouncedEvent, DispatchableEvent, OutboxEvent } from '../../deliveries/delivery-store.ts';
import { type DispatchPlan, handlersOf } from '../../delivery-rules/plan-dispatch.ts';
import { isPulled } from '../../endpoints/endpoint-kind.ts';
import type { DispatchedEvent, NewEvent } from '../../events/event.ts';
import type { EndpointLane } from '../memory/lane.ts';
import type { OutboxPage } from '../memory/outbox.ts';
import type { Batch } from '../memory/watermark.ts';
import { callStore, type Did, hasFailed, nothing, type StepContext, type StepFailure } from './step.ts';

const retryEvery: DurationMs = second;

/** A page of committed events. */
export interface ReadPage extends Did {
  readonly events: readonly OutboxEvent[];
  /** The store's clock. */
  readonly now: EpochMs;
  /** What was read. */
  readonly page: OutboxPage;
}

const emptyPage: ReadPage = { did: 0, events: [], now: 0, page: { ranges: [], limit: 0, of: 'woken' } };

/**
 * Reads committed events. While memory is full, only those of accounts without deliveries: such an account takes its
 * turns although others, with receivers that hang, have filled the memory.
 * @param isFull - Reads all served shards; otherwise the last page goes on, or shards with new events are read.
 */
export const readOutbox = async (context: StepContext, isFull: boolean): Promise<ReadPage | StepFailure> => {
  const { memory, stores } = context;
  const page = nextPage(context, isFull);
  if (!page || page.ranges.length === 0) return emptyPage;
  const read = await callStore(context, 'dispatch', () =>
    stores.deliveries.readOutbox(page.ranges, page.limit, memory.accounts.knownVersion()),
  );
  if (hasFailed(read)) return read;
  memory.observe(read);
  memory.outbox.note(page, read.events);
  return { did: read.events.length, events: read.events, now: read.now, page };
};

const nextPage = ({ memory }: StepContext, isFull: boolean): OutboxPage | undefined => {
  const { outbox, shards, accounts, overflow } = memory;
  if (memory.hasRoom()) return outbox.next(shards.served(), isFull);
  if (outbox.idleIn() > 0 || !memory.hasRoomForOutcomes() || overflow.isFull()) return undefined;
  return outbox.nextIdle(shards.served(), accounts.all());
};

const planOf = <E extends DispatchableEvent>(
  { memory, rules }: StepContext,
  events: readonly E[],
  now: EpochMs,
): DispatchPlan<EndpointLane, E> =>
  rules.planDispatch({
    ...{ events, now, maxDeliveries: memory.overflow.maxDeliveries(), accepts: memory.overflow.accepts },
    hasIncludeChildren: memory.accounts.hasIncludeChildren(),
    handlers: memory.accounts.handlers(),
    lanesOf: (accountId) => memory.accounts.get(accountId)?.lanes ?? [],
  });

/** A dispatch that is being stored. */
interface Storing {
  readonly batch: Batch;
  readonly startedAt: EpochMs;
  /** By the monotonic clock. */
  readonly since: number;
}

/** Begins before the events are dispatched: the watermark stays before them. */
const begin = ({ memory, clock, now }: StepContext): Storing => ({
  batch: memory.watermark.open(),
  startedAt: clock.now(),
  since: now(),
});

/**
 * Tries again until the dispatch is stored or the session ends: after a lost answer, the same dispatch changes nothing
 * more.
 */
const store = async <R>(context: StepContext, write: () => Promise<R>): Promise<R | StepFailure> => {
  const { clock, ended } = context;
  for (;;) {
    const stored = await callStore(context, 'dispatch', write);
    if (stored !== 'unavailable') return stored;
    await clock.sleep(retryEvery, ended);
    if (ended.aborted) return stored;
  }
};

/** The dispatch is stored: its deliveries may be sent. */
const finish = (
  { memory, clock, noteDispatched, observe }: StepContext,
  plan: Omit<DispatchPlan<EndpointLane, NewEvent & { readonly shard: number; readonly storedAt: EpochMs }>, 'pending'>,
  { batch, startedAt, since }: Storing,
): Did => {
  const { events, ahead } = plan;
  memory.dispatched(plan, batch, since);
  noteDispatched?.(events);
  if (!observe) return { did: events.length };
  const traced = events.flatMap(({ event: { accountId, id: eventId, traceContext } }) =>
    traceContext === undefined ? [] : [{ accountId, eventId, traceContext }],
  );
  const durationMs = Math.max(clock.now() - startedAt, 0);
  observe({ kind: 'dispatched', events: events.length, startedAt, durationMs, traced });
  for (const each of ahead) observe({ kind: 'timestamp_ahead', ...each });
  return { did: events.length };
};

/** A stored dispatch. */
export interface Dispatched extends Did {
  /** Whether events may be copied to parents. */
  readonly propagates: boolean;
}

/**
 * Gives the first events of a page their timestamps and endpoints, as many as memory may take, and stores that. Their
 * accounts are in memory.
 */
export const storeDispatch = async (
  context: StepContext,
  { events, now, page }: ReadPage,
): Promise<Dispatched | StepFailure> => {
  const { workerId, memory, stores } = context;
  const storing = begin(context);
  const plan = planOf(context, events, now);
  if (plan.events.length < events.length)
    memory.outbox.cut(
      page,
      plan.events.map(({ event }) => event),
    );
  const stored = await store(context, () =>
    stores.deliveries.dispatch(workerId, plan.events, plan.pending, storing.batch.at),
  );
  if (hasFailed(stored)) return stored;
  if (plan.events.some(({ handlers }) => handlers)) context.wakeHandlers();
  return { ...finish(context, plan, storing), propagates: plan.events.some(({ propagates }) => propagates) };
};

const keyOf = ({ id, accountId }: Pick<NewEvent, 'id' | 'accountId'>): string => `${id} ${accountId}`;

/** The part of a plan whose events the store dispatched, with all that it has of them. */
const storedPart = (plan: DispatchPlan<EndpointLane, AnnouncedEvent>, stored: readonly DispatchedEvent[]) => {
  const found = new Map(stored.map((event) => [keyOf(event), event]));
  const whole = <T extends { readonly event: AnnouncedEvent }>(each: T) => {
    const event = found.get(keyOf(each.event));
    return event ? [{ ...each, event: { ...each.event, ...event } }] : [];
  };
  return { ...plan, events: plan.events.flatMap(whole), ready: plan.ready.flatMap(whole) };
};

/** Those that can be planned without a read: no entry of a feed, and no delivery to a handler, is made of them. */
const plannable = (
  { memory: { accounts, shards, hasRoom } }: StepContext,
  announced: readonly AnnouncedEvent[],
): readonly AnnouncedEvent[] => {
  if (accounts.hasIncludeChildren() || !hasRoom()) return [];
  const served = new Set(shards.served());
  return announced.filter((event) => {
    const account = accounts.get(event.accountId);
    if (!served.has(event.shard) || account?.isStale !== false) return false;
    const isPulledToo = account.lanes.some(({ endpoint }) => isPulled(endpoint));
    return !isPulledToo && handlersOf(accounts.handlers(), event).length === 0;
  });
};

/**
 * Dispatches announced events in one call of the store. Those that the store refuses, and those that memory does not
 * accept, are left to `readOutbox`.
 */
export const dispatchAnnounced = async (context: StepContext): Promise<Did | StepFailure> => {
  const { workerId, memory, stores } = context;
  const announced = memory.announcements.take();
  if (announced.length === 0) return nothing;
  const readInstead = (events: readonly AnnouncedEvent[]): void => memory.outbox.wake(events.map(({ shard }) => shard));
  const plan = planOf(context, plannable(context, announced), Math.max(...announced.map(({ storedAt }) => storedAt)));
  const { dispatchAnnounced: write } = stores.deliveries;
  if (!write || plan.events.length === 0 || plan.pending.length > 0) {
    readInstead(announced);
    return nothing;
  }
  const dispatches = plan.events.map(({ event, timestamp, endpointIds }) => ({
    ...{ event, timestamp, endpointIds },
    endpointVersion: memory.accounts.get(event.accountId)?.version ?? 0,
  }));
  const storing = begin(context);
  const stored = await store(context, () => write(workerId, dispatches, storing.batch.at));
  if (hasFailed(stored)) return stored;
  const own = storedPart(plan, stored);
  const isStored = new Set(own.events.map(({ event }) => keyOf(event)));
  readInstead(announced.filter((event) => !isStored.has(keyOf(event))));
  return finish(context, own, storing);
};
