import type { LoadedDelivery } from '../../../core/src/webhooks/worker/memory/lane.ts';
import type { Schedule } from '../../../core/src/webhooks/worker/memory/schedule.ts';

/** A schedule that serves one account, or one endpoint, as long as it has anything to send. */
export const serveOneFirst = (schedule: Schedule, of: 'accountId' | 'endpointId'): Partial<Schedule> => {
  let first: string | undefined;
  let others: LoadedDelivery[] = [];
  return {
    add: (delivery) => {
      first ??= delivery[of];
      if (delivery[of] === first) schedule.add(delivery);
      else others.push(delivery);
    },
    next: () => {
      if (schedule.ready() > 0 || others.length === 0) return schedule.next();
      const waiting = others;
      first = undefined;
      others = [];
      for (const delivery of waiting) schedule.add(delivery);
      return schedule.next();
    },
    takeReady: (lane) => {
      const taken = others.filter((delivery) => delivery.lane === lane);
      others = others.filter((delivery) => delivery.lane !== lane);
      return [...schedule.takeReady(lane), ...taken];
    },
    runnable: (limit) => Math.min(schedule.runnable(limit) + others.length, limit),
    ready: () => schedule.ready() + others.length,
  };
};
