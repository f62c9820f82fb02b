import type { DisabledBy, Endpoint } from '../endpoints/endpoint.ts';
import type { EndpointSnapshot } from '../log/explain-snapshot.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EpochMs } from '../runtime/time.ts';

/** The configuration of an endpoint during a period. */
interface Standing extends Pick<Endpoint, 'accountId' | 'state' | 'events' | 'includeChildren'> {
  readonly by: DisabledBy;
  readonly since: EpochMs;
  readonly from: number;
  /** Whether it is the first configuration. */
  readonly first: boolean;
  until: EpochMs;
  to: number;
}

/**
 * Past configurations of endpoints. Moments are numbered, so that changes within one millisecond are ordered.
 * @internal
 */
export interface EndpointHistory {
  /** A new moment, later than all others. */
  moment(): number;
  /** Records the current configuration, if it differs. */
  note(endpoint: Endpoint, by?: DisabledBy): void;
  /** Records the deletion. */
  end(endpointId: string): void;
  /** Whether the account has or had the endpoint. */
  knows(accountId: string, endpointId: string): boolean;
  /** The configuration at a moment. */
  at(endpointId: string, moment: number): EndpointSnapshot;
  disabledBy(endpointId: string): DisabledBy | undefined;
  /** When the endpoint was deleted, if known. */
  endedAt(endpointId: string): EpochMs | undefined;
  /** Deletes periods that ended by then. */
  prune(endedBy: EpochMs): void;
}

/** Creates the history. @internal */
export const endpointHistory = (clock: Clock): EndpointHistory => {
  const known = new Map<string, Standing[]>();
  let moments = 0;

  const end = (standing: Standing | undefined, at: EpochMs, moment: number): void => {
    if (standing) [standing.until, standing.to] = [at, moment];
  };

  return {
    moment: () => moments++,
    note: (
      { id, accountId, state, disabledBy: host, events, includeChildren },
      disabledBy = state === 'disabled' ? (host ?? 'partner') : 'failing',
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
