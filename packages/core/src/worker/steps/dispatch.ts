import type { OutboxEvent } from '../../delivery-ports/delivery-store.ts';
import type { DispatchPlan } from '../../delivery-rules/plan-dispatch.ts';
import { type DurationMs, type EpochMs, second } from '../../runtime/time.ts';
import type { Observer } from '../../signals/signal.ts';
import type { EndpointLane } from '../memory/lane.ts';
import type { OutboxPage } from '../memory/outbox.ts';
import { callStore, type Did, hasFailed, type StepContext, type StepFailure } from './step.ts';

const retryEvery: DurationMs = second;

/** A page of committed events. @internal */
export interface ReadPage extends Did {
  readonly events: readonly OutboxEvent[];
  /** The store's clock. */
  readonly now: EpochMs;
}

const emptyPage: ReadPage = { did: 0, events: [], now: 0 };

/**
 * Reads committed events. While memory is full, only those of accounts without deliveries: such an account takes its
 * turns although others, with receivers that hang, have filled the memory.
 * @param isFull - Reads all served shards; otherwise the last page goes on, or shards with new events are read.
 * @internal
 */
export const readOutbox = async (context: StepContext, isFull: boolean): Promise<ReadPage | StepFailure> => {
  const { memory, stores } = context;
  const page = nextPage(context, isFull);
  if (!page || page.ranges.length === 0) return emptyPage;
  const read = await callStore(context, 'dispatch', () => stores.deliveries.readOutbox(page.ranges, page.limit));
  if (hasFailed(read)) return read;
  memory.observe(read);
  memory.outbox.note(page, read.events);
  return { did: read.events.length, events: read.events, now: read.now };
};

const nextPage = ({ memory }: StepContext, isFull: boolean): OutboxPage | undefined => {
  const { outbox, shards, accounts, overflow } = memory;
  if (memory.hasRoom()) return outbox.next(shards.served(), isFull);
  if (outbox.idleIn() > 0 || !memory.hasRoomForOutcomes() || overflow.isFull()) return undefined;
  return outbox.nextIdle(shards.served(), accounts.all());
};

const signalDispatch = (
  observe: Observer,
  plan: DispatchPlan<EndpointLane>,
  { startedAt, endedAt }: { readonly startedAt: EpochMs; readonly endedAt: EpochMs },
): void => {
  const traced = plan.events.flatMap(({ event: { accountId, id: eventId, traceContext } }) =>
    traceContext === undefined ? [] : [{ accountId, eventId, traceContext }],
  );
  const durationMs = Math.max(endedAt - startedAt, 0);
  observe({ kind: 'dispatched', events: plan.events.length, startedAt, durationMs, traced });
  for (const each of plan.ahead) observe({ kind: 'timestamp_ahead', ...each });
};

/** A stored dispatch. @internal */
export interface Dispatched extends Did {
  /** Whether events may be copied to parents. */
  readonly propagates: boolean;
}

/**
 * Gives events their timestamps and endpoints, and stores that. Their accounts are in memory. Tries again until it is
 * stored or the session ends: after a lost answer, the same dispatch changes nothing more.
 * @internal
 */
export const storeDispatch = async (context: StepContext, page: ReadPage): Promise<Dispatched | StepFailure> => {
  const { workerId, memory, stores, rules, clock, ended } = context;
  const { accounts, watermark, overflow } = memory;
  const startedAt = clock.now();
  const since = context.now();
  const batch = watermark.open();
  const plan = rules.planDispatch<EndpointLane>({
    events: page.events,
    now: page.now,
    hasIncludeChildren: accounts.hasIncludeChildren(),
    lanesOf: (accountId) => accounts.get(accountId)?.lanes ?? [],
    accepts: overflow.accepts,
  });
  for (;;) {
    const stored = await callStore(context, 'dispatch', () =>
      stores.deliveries.stamp(workerId, plan.events, plan.pending, batch.at),
    );
    if (!hasFailed(stored)) break;
    if (stored !== 'unavailable') return stored;
    await clock.sleep(retryEvery, ended);
    if (ended.aborted) return stored;
  }
  memory.dispatched(plan, batch, since);
  context.noteDispatched?.(plan.events);
  if (context.observe) signalDispatch(context.observe, plan, { startedAt, endedAt: clock.now() });
  return { did: plan.events.length, propagates: plan.events.some(({ propagates }) => propagates) };
};
