import type { EpochMs } from '../runtime/time.ts';
import type { Observer } from '../signals/signal.ts';
import type { DispatchPlan } from './plan-dispatch.ts';

/** Signals dispatched events. @internal */
export const dispatchSignals = (observe: Observer, plan: DispatchPlan, startedAt: EpochMs, now: EpochMs): void => {
  const traced = plan.events.flatMap(({ event: { accountId, id: eventId, traceContext } }) =>
    traceContext === undefined ? [] : [{ accountId, eventId, traceContext }],
  );
  observe({
    kind: 'dispatched',
    events: plan.events.length,
    startedAt,
    durationMs: Math.max(now - startedAt, 0),
    traced,
  });
  for (const each of plan.ahead) observe({ kind: 'timestamp_ahead', ...each });
};
