import { versionsBetween } from './endpoint-versions.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import type { DeliveryRecord } from './ledger.ts';

/** Nothing that a law knows was pruned. */
const isYoung = ({ trace }: Facts): boolean =>
  trace.endedAt - trace.startedAt < Math.min(trace.history.retention.events, trace.history.retention.attempts) / 2;

const isOpen = ({ createdOrder, rows }: DeliveryRecord, order: number): boolean =>
  createdOrder < order && !rows.some((row) => row.state !== undefined && row.order < order);

/** @internal */
export const replaysSendAgain: Law = {
  name: 'a replay makes a delivery of each event that its endpoint takes and is not waiting for',
  check: (facts) => {
    const { callsOf, ledger, endpoints, trace, store } = facts;
    if (!isYoung(facts) || store.jumps.length > 0) return undefined;
    const replayed = new Map<string, number>();
    const wrong = firstWrong(callsOf('log.replay'), ({ args, result, order = 0, effectAt = 0 }) => {
      const [accountId, endpointId, { after }] = args;
      if (result?.kind !== 'replayed') return undefined;
      replayed.set(endpointId, (replayed.get(endpointId) ?? 0) + result.deliveries);
      const [version, ...others] = versionsBetween(endpoints.get(endpointId) ?? [], effectAt, effectAt);
      if (after !== undefined || result.next !== undefined || others.length > 0) return undefined;
      const endpoint = version?.endpoint;
      if (endpoint?.state !== 'enabled') return `endpoint ${endpointId} is not enabled, and was replayed to`;
      const expected = [...ledger.stamps.values()].filter(
        ({ event, accountId: of, order: stamped }) =>
          of === accountId &&
          stamped < order &&
          event.onlyTo === undefined &&
          endpoint.events.includes(event.type) &&
          (event.origin === undefined || endpoint.includeChildren) &&
          ![...ledger.deliveries.values()].some(
            (each) =>
              each.eventId === event.id &&
              each.endpointId === endpointId &&
              each.accountId === of &&
              isOpen(each, order),
          ),
      );
      return (
        result.deliveries !== expected.length &&
        `${result.deliveries} events were replayed to endpoint ${endpointId}, and not ${expected.length}`
      );
    });
    if (wrong) return wrong;
    return firstWrong(replayed, ([endpointId, count]) => {
      const found = trace.deliveries.filter((each) => each.endpointId === endpointId && each.id.split('.').length > 2);
      return (
        found.length < count &&
        `${count} deliveries were replayed to endpoint ${endpointId}, and ${found.length} are there`
      );
    });
  },
};
