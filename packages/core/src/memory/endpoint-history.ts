import type { DisabledBy, EndpointThen } from '../deliveries/explain.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EpochMs } from '../runtime/time.ts';

/** How an endpoint stood for a while. */
interface Standing extends Pick<Endpoint, 'accountId' | 'state' | 'events' | 'includeChildren'> {
  readonly by: DisabledBy;
  readonly since: EpochMs;
  readonly from: number;
  /** It is how the endpoint began. */
  readonly first: boolean;
  until: EpochMs;
  to: number;
}

/** What was known of endpoints. Moments count, so that what happens within one millisecond has an order. @internal */
export interface EndpointHistory {
  /** The present one: later than all before. */
  moment(): number;
  /** Notes how it stands from now on, if that differs. */
  note(endpoint: Endpoint, by?: DisabledBy): void;
  end(endpointId: string): void;
  knows(accountId: string, endpointId: string): boolean;
  at(endpointId: string, moment: number): EndpointThen;
  disabledBy(endpointId: string): DisabledBy | undefined;
  /** When it was deleted, as far as that is known. */
  endedAt(endpointId: string): EpochMs | undefined;
  /** Forgets what ended by then. */
  prune(endedBy: EpochMs): void;
}

/** @internal */
export const endpointHistory = (clock: Clock): EndpointHistory => {
  const known = new Map<string, Standing[]>();
  let moments = 0;

  const end = (standing: Standing | undefined, at: EpochMs, moment: number): void => {
    if (standing) [standing.until, standing.to] = [at, moment];
  };

  return {
    moment: () => moments++,
    note: (
      { id, accountId, state, events, includeChildren },
      disabledBy = state === 'disabled' ? 'partner' : 'failing',
    ) => {
      const standings = known.get(id) ?? [];
      const last = standings.at(-1);
      const sameState = last?.state === state;
      const sameChoice = String(last?.events) === String(events) && last?.includeChildren === includeChildren;
      if (sameState && sameChoice) return;
      const [since, from] = [clock.now(), moments++];
      end(last, since, from);
      const first = standings.length === 0;
      const forEver = { until: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
      known.set(id, [
        ...standings,
        {
          accountId,
          state,
          events,
          includeChildren,
          by: sameState ? last.by : disabledBy,
          since,
          from,
          first,
          ...forEver,
        },
      ]);
    },
    end: (endpointId) => end(known.get(endpointId)?.at(-1), clock.now(), moments++),
    knows: (accountId, endpointId) => known.get(endpointId)?.[0]?.accountId === accountId,
    at: (endpointId, moment) => {
      const standings = known.get(endpointId) ?? [];
      const then = standings.find(({ from, to }) => from <= moment && moment < to);
      if (then) {
        const { state, events, includeChildren, since } = then;
        return { kind: 'there', state, events, includeChildren, since };
      }
      const [first, last] = [standings[0], standings.at(-1)];
      if (first?.first && moment < first.from) return { kind: 'created_later', at: first.since };
      if (last && moment >= last.to) return { kind: 'deleted_before', at: last.until };
      return { kind: 'forgotten' };
    },
    disabledBy: (endpointId) => {
      const last = known.get(endpointId)?.at(-1);
      return last && last.until === Number.POSITIVE_INFINITY && last.state !== 'enabled' ? last.by : undefined;
    },
    endedAt: (endpointId) => {
      const until = known.get(endpointId)?.at(-1)?.until;
      return until === Number.POSITIVE_INFINITY ? undefined : until;
    },
    prune: (endedBy) => {
      for (const [id, standings] of known) {
        const left = standings.filter(({ until }) => until > endedBy);
        if (left.length === 0) known.delete(id);
        else if (left.length < standings.length) known.set(id, left);
      }
    },
  };
};
