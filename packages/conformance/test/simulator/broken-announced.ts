import type { DeliveryStore } from '@partnerkit/core/adapter';
import * as inTime from '../../src/simulator/laws/in-time.ts';
import * as ownership from '../../src/simulator/laws/ownership.ts';
import * as publishing from '../../src/simulator/laws/publishing.ts';
import * as timestamps from '../../src/simulator/laws/timestamps.ts';
import { breakMemory, breakSteps, replace, withDeliveries } from './break-engine.ts';
import type { BrokenEngine } from './broken-engine.ts';
import { type BrokenStore, deliveries } from './broken-store.ts';

const kind = 'announcements';
type Announced = Required<DeliveryStore>['dispatchAnnounced'];

/** A store that dispatches what was announced by its plain method, without a condition. */
const unconditional = (changed: (of: Parameters<Announced>[1]) => Parameters<Announced>[1] = (of) => of) =>
  deliveries(({ dispatch, readOutbox }) => ({
    dispatchAnnounced: async (workerId, events, notBefore) => {
      const ranges = events.map(({ event: { shard } }) => ({ shard }));
      const { events: read } = await readOutbox(ranges, 1_000, 0);
      const plans = changed(events).flatMap((plan) => {
        const event = read.find(({ id, accountId }) => id === plan.event.id && accountId === plan.event.accountId);
        return event ? [{ ...plan, event, propagates: false }] : [];
      });
      if ((await dispatch(workerId, plans, [], notBefore)) === 'fenced') return 'fenced';
      return plans.map(({ event, timestamp }) => ({
        ...event,
        timestamp,
        body: `{"timestamp":${timestamp}${event.bodyTail}`,
      }));
    },
  }));

/** A store that dispatches announced events wrongly. */
export const brokenAnnouncedStores: readonly BrokenStore[] = [
  {
    how: 'an announced event is dispatched whatever the endpoints are',
    law: publishing.eventsReachTheirEndpoints,
    kind,
    break: unconditional(),
  },
  {
    how: 'an announced event is dispatched before the last one of its object',
    law: timestamps.timestampsIncrease,
    kind,
    break: unconditional((events) => events.map((plan) => ({ ...plan, timestamp: plan.timestamp - 3_600 }))),
  },
  {
    how: 'a fenced worker dispatches announced events',
    law: ownership.noWriteAfterFence,
    kind,
    break: (storage) => ({
      ...storage,
      deliveries: {
        ...storage.deliveries,
        dispatchAnnounced: async (_workerId, ...rest) => {
          await storage.shards.join('00000000-0000-7000-8000-000000000000', 1_000_000);
          return storage.deliveries.dispatchAnnounced?.('00000000-0000-7000-8000-000000000000', ...rest) ?? [];
        },
      },
    }),
  },
];

/** An engine that dispatches announced events wrongly. */
export const brokenAnnounced: readonly BrokenEngine[] = [
  {
    how: 'after a lost answer, an announced event counts as refused (rule 6)',
    law: inTime.attemptedInTime,
    kind,
    break: breakSteps(({ dispatchAnnounced }) => ({
      dispatchAnnounced: (context) =>
        dispatchAnnounced(
          withDeliveries(context, ({ dispatchAnnounced: write }) => ({
            dispatchAnnounced: async (...args) => (await write?.(...args).catch(() => [])) ?? [],
          })),
        ),
    })),
  },
  {
    how: 'the watermark passes announced events while they are dispatched (rule 4)',
    law: ownership.watermarksAreTrue,
    kind,
    break: breakMemory(({ watermark }) => {
      replace(watermark, ({ open, close }) => ({
        open: () => {
          const batch = open();
          close(batch);
          return { ...batch, open: 1_000_000 };
        },
      }));
    }),
  },
];
