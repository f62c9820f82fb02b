import type { Auditor } from '../../../base/audit/auditor.ts';
import type { DurationMs, EpochMs } from '../../../base/runtime/time.ts';
import type { DeliveryKey } from '../../deliveries/delivery-id.ts';
import type { OwnedEndpoint, PendingDelivery, Settlement, StoreState } from '../../deliveries/delivery-store.ts';
import type { SendOutcome } from '../../deliveries/sender.ts';
import { type BreakerPolicy, isBlameless, isHalfOpen, pausedUntil } from '../../delivery-rules/breaker.ts';
import type { NextStep } from '../../delivery-rules/next-step.ts';
import type { ReadyEvent } from '../../delivery-rules/plan-dispatch.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ShardWake } from '../../shards/shard-store.ts';
import type { Rules } from '../context/rules.ts';
import type { WorkerOptions } from '../context/worker-options.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type Announcements, createAnnouncements } from './announcements.ts';
import { createFlights, type Flight, type Flights } from './flights.ts';
import { type EndpointLane, isEnabled, type LoadedDelivery, type LoadedEvent, type Pace } from './lane.ts';
import { createOutbox, type Outbox, pageSize } from './outbox.ts';
import { createOverflow, type Overflow } from './overflow.ts';
import { createQueues, type Queues } from './queues.ts';
import { createSchedule, type Schedule } from './schedule.ts';
import { createShards, type Shards } from './shards.ts';
import { createUnsettled, type Unsettled } from './unsettled.ts';
import { type Batch, createWatermark, type Watermark } from './watermark.ts';

/** What {@link createMemory} takes. */
export interface MemoryDeps {
  readonly rules: Rules;
  readonly options: Required<WorkerOptions>;
  /** Whether the share of shards is all free ones. */
  readonly takesAll: boolean;
  /** Duration of the lease. */
  readonly lease: DurationMs;
  /** Maximum duration of an attempt. */
  readonly deadline: DurationMs;
  /** What the breaker does. */
  readonly breaker: BreakerPolicy;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Makes entries of the audit trail. */
  readonly auditor: Pick<Auditor, 'entry'>;
}

/**
 * All that a session knows. Its parts hold the mutable state, each field in one of them; its own methods are the
 * changes that concern several parts.
 */
export interface Memory {
  readonly accounts: Accounts;
  readonly announcements: Announcements;
  readonly flights: Flights;
  readonly outbox: Outbox;
  readonly overflow: Overflow;
  readonly queues: Queues;
  readonly schedule: Schedule;
  readonly shards: Shards;
  readonly unsettled: Unsettled;
  readonly watermark: Watermark;
  /** Whether it has capacity for more deliveries. */
  hasRoom(): boolean;
  /** Whether outcomes may wait to be stored. */
  hasRoomForOutcomes(): boolean;
  /** Whether nothing is in flight, unstored or ready to send. */
  isIdle(): boolean;
  /** Whether outcomes were dropped: their shards must not be released. */
  hasDropped(): boolean;
  /** Events were committed. */
  wake(wake: Extract<ShardWake, { readonly kind: 'events' }>): void;
  /** The state of the store. */
  observe(state: StoreState): void;
  /** What was read of endpoints. `isExact`: nothing was queued meanwhile. */
  learn(
    accountIds: readonly string[],
    read: StoreState & { readonly endpoints: readonly OwnedEndpoint[] },
    isExact: boolean,
  ): void;
  /** The dispatch of a batch is stored: its deliveries may be sent. `since`: when it was planned. */
  dispatched(
    plan: {
      readonly events: readonly { readonly event: NewEvent }[];
      readonly ready: readonly ReadyEvent<EndpointLane, NewEvent & { readonly shard: number }>[];
      readonly queued: readonly EndpointLane[];
    },
    batch: Batch,
    since: number,
  ): void;
  /** A pending delivery that was read. Returns `undefined` when its endpoint is unknown. */
  load(delivery: PendingDelivery, stored: 'scheduled' | 'queued'): LoadedDelivery | undefined;
  /** Takes a delivery that was read, into memory or to the store's queue. */
  keep(delivery: LoadedDelivery): void;
  /** The keys of pending deliveries in memory, or of those of some endpoints. */
  pendingKeys(of?: ReadonlyMap<EndpointLane, unknown>): readonly DeliveryKey[];
  /** A scheduled delivery whose endpoint is unknown is queued: it expires with the next pruning. */
  queueKey(key: Settlement['queued'][number]): void;
  /** Takes the next delivery that may be sent; `undefined` for none. */
  take(startedAt: () => EpochMs): Flight | undefined;
  /** An attempt ended. */
  complete(flight: Flight, outcome: SendOutcome, next: NextStep): void;
  /** The batch of outcomes is stored, or dropped. */
  settled(isStored: boolean): void;
  /** The acquired shards are recovered. */
  serve(): void;
  /** Stops serving `count` shards; their deliveries that wait in memory are dropped. */
  leave(count: number): void;
  /** Does what time alone makes necessary. */
  tidy(): void;
}

/** Creates the memory of a session. */
export const createMemory = (deps: MemoryDeps): Memory => {
  const { rules, options, takesAll, lease, deadline, breaker, now } = deps;
  const { concurrency, perEndpoint, perAccount, pollEvery } = options;
  /** The next page is read while so many can be sent: reading and storing it takes about 20 ms. */
  const lowReady = Math.max(512, 2 * concurrency);
  /**
   * Deliveries of one endpoint in memory: more than a page that is read at the last moment adds to those that can be
   * sent, or a backlog that is sent at full speed would be written to the store's queue and read again. Twice as many,
   * because pages are read on before its first attempt has ended.
   */
  const maxReadyOfEndpoint = 2 * (lowReady + pageSize);
  const maxUnsettled = Math.max(256, 8 * concurrency);
  const { availableCapacity } = rules;

  const accounts = createAccounts(now);
  const announcements = createAnnouncements();
  const flights = createFlights(now, deadline);
  const outbox = createOutbox(now, pollEvery);
  const queues = createQueues();
  const schedule = createSchedule({ concurrency, perEndpoint, perAccount, now, availableCapacity });
  const shards = createShards({ takesAll, lease, now });
  const unsettled = createUnsettled(now, deps.auditor);
  const watermark = createWatermark();
  const overflow = createOverflow({ schedule, queues, unsettled, shards, now, maxReadyOfEndpoint });
  /** Pending deliveries in memory or not yet stored, with their keys. */
  const pending = new Map<LoadedDelivery, DeliveryKey>();
  let hasDropped = false;

  const forget = (delivery: LoadedDelivery): void => {
    pending.delete(delivery);
    if (delivery.batch) watermark.close(delivery.batch);
  };

  const observe = (state: StoreState): void => {
    watermark.observe(state.now);
    accounts.observe(state);
  };

  const hasRoomForOutcomes = (): boolean => unsettled.count() < maxUnsettled;

  /** Also while its shard is being left: the next owner reads the stored health. */
  const updateHealth = ({ lane, event }: LoadedDelivery, outcome: SendOutcome, next: NextStep): void => {
    if (lane.endpoint.state !== 'enabled') return;
    const before = lane.health;
    const { id: eventId, objectName, type } = event.event;
    const ended = { event: { objectName, type, eventId }, outcome, next, now: now() };
    const { health, change } = rules.updateHealth(before, ended, breaker);
    const isDisabled = change?.kind === 'endpoint_disabled';
    accounts.setHealth(lane, health, isDisabled);
    if (health !== before || change) unsettled.addHealth(lane, change);
    if (isDisabled || isHalfOpen(health) || (health && pausedUntil(health) > now())) overflow.close(lane);
  };

  /** How the receiver ends attempts. One that is given up has taken as long as one that timed out. */
  const paceAfter = (lane: EndpointLane, outcome: SendOutcome): Pace => {
    if (outcome.kind === 'answered') return 'prompt';
    if (outcome.reason === 'timeout' || outcome.durationMs >= deadline) return 'hanging';
    return isBlameless(outcome) ? lane.pace : 'prompt';
  };

  return {
    ...{ accounts, announcements, flights, outbox, overflow, queues, schedule, shards, unsettled, watermark },
    hasRoom: () => schedule.runnable(lowReady) < lowReady && hasRoomForOutcomes(),
    hasRoomForOutcomes,
    isIdle: () => schedule.inFlight() === 0 && unsettled.count() === 0 && schedule.runnable(1) === 0,
    hasDropped: () => hasDropped,
    wake: ({ shards: woken, announced }) => outbox.wake(announced ? announcements.add(announced) : woken),
    observe,
    learn: (accountIds, read, isExact) => {
      observe(read);
      const learned = accounts.learn(accountIds, read, read.endpoints);
      for (const { lane, hasQueued } of learned) queues.learn(lane, hasQueued, isExact);
      for (const { lane } of learned) if (!isEnabled(lane)) overflow.close(lane);
      for (const { lane } of learned) if (!lane.isGone) overflow.open(lane);
    },
    dispatched: ({ events, ready, queued }, batch, since) => {
      announcements.dispatched(events.map(({ event }) => event));
      for (const { event, timestamp, lanes } of ready) {
        const shared: LoadedEvent = { event, timestamp, body: undefined, otherBodies: undefined };
        for (const lane of lanes) {
          watermark.hold(batch);
          overflow.add({
            shard: event.shard,
            accountId: event.accountId,
            eventId: event.id,
            endpointId: lane.endpoint.id,
            replay: 0,
            lane,
            event: shared,
            attempts: 0,
            logged: 0,
            wasAbandoned: false,
            isUrgent: event.onlyTo !== undefined,
            stored: 'fresh',
            batch,
            since,
          });
        }
      }
      for (const lane of queued) queues.note(lane);
      watermark.close(batch);
    },
    load: (delivery, stored) => {
      const { shard, accountId, eventId, endpointId, replay, event } = delivery;
      const { attempts, logged, wasAbandoned, isUrgent } = delivery;
      const lane = accounts.laneOf(accountId, endpointId);
      return (
        lane && {
          ...{ shard, accountId, eventId, endpointId, replay, attempts, logged, wasAbandoned, isUrgent, lane, stored },
          event: { event, timestamp: event.timestamp, body: event.body, otherBodies: undefined },
          batch: undefined,
          since: now(),
        }
      );
    },
    keep: (delivery) => {
      const { accountId, eventId, endpointId, replay } = delivery;
      pending.set(delivery, { accountId, eventId, endpointId, replay });
      overflow.add(delivery);
    },
    pendingKeys: (of) =>
      of ? [...pending].flatMap(([{ lane }, key]) => (of.has(lane) ? [key] : [])) : [...pending.values()],
    queueKey: (key) => {
      shards.use(key.shard);
      unsettled.addKey(key);
    },
    take: (startedAt) => {
      const delivery = schedule.next();
      if (!delivery) return undefined;
      shards.use(delivery.shard);
      return flights.start(delivery, startedAt());
    },
    complete: ({ delivery }, outcome, next) => {
      const { lane } = delivery;
      updateHealth(delivery, outcome, next);
      schedule.complete(lane, paceAfter(lane, outcome));
      if (next.kind === 'gone') queues.writing(lane);
      unsettled.add({ delivery, attempted: { outcome, next } });
    },
    settled: (isStored) => {
      const { entries, keys } = unsettled.batch();
      unsettled.clear(isStored);
      hasDropped ||= !isStored;
      for (const { delivery, attempted } of entries) {
        if (!attempted || attempted.next.kind === 'gone') queues.written(delivery.lane);
        // A dropped outcome keeps its shard and holds the watermark: behind it, no successor would find the delivery.
        if (!isStored) continue;
        shards.unuse(delivery.shard);
        forget(delivery);
      }
      for (const { shard } of keys) shards.unuse(shard);
    },
    serve: () => {
      const acquired = shards.acquired();
      // Nothing is dispatched before the last owner's watermark.
      for (const shard of acquired) watermark.observe(shard.watermark);
      shards.serve();
      accounts.expect(acquired.map(({ shard }) => ({ shard })));
    },
    leave: (count) => {
      const left = shards.leave(count);
      for (const lane of accounts.drop(left)) for (const delivery of schedule.takeReady(lane)) forget(delivery);
    },
    tidy: () => {
      if (overflow.sweep(accounts.all())) accounts.trim();
      overflow.reopen();
    },
  };
};
