import type { SaidPage } from './puller.ts';

/** The program of a partner keeps what it made of the events of an account, and its cursor, in one place. */
export interface PulledAccount {
  readonly accountId: string;
  readonly endpointId: string;
  /** The bodies in the order in which they were handled. */
  readonly bodies: readonly string[];
}

/** The database of a partner: it outlives the processes that read for it. */
export interface PartnerLedger {
  readonly accounts: readonly PulledAccount[];
  /** The place of each endpoint: where its next page begins. */
  readonly places: () => readonly SaidPage['place'][];
  /** Stores a page and its cursor, unless another process has moved on. Returns where to go on. */
  readonly take: (page: SaidPage) => SaidPage['place'];
}

export const createLedger = (endpoints: readonly { accountId: string; id: string }[]): PartnerLedger => {
  const accounts = endpoints.map(({ accountId, id }) => ({ accountId, endpointId: id, bodies: [] as string[] }));
  const cursors = new Map<string, string | undefined>(endpoints.map(({ id }) => [id, undefined]));
  const placeOf = ({ accountId, endpointId }: { readonly accountId: string; readonly endpointId: string }) => {
    const after = cursors.get(endpointId);
    return { accountId, endpointId, ...(after === undefined ? {} : { after }) };
  };
  return {
    accounts,
    places: () => accounts.map(placeOf),
    take: ({ place, bodies, next }) => {
      const account = accounts.find(({ endpointId }) => endpointId === place.endpointId);
      if (account && cursors.get(place.endpointId) === place.after) {
        account.bodies.push(...bodies);
        cursors.set(place.endpointId, next);
      }
      return placeOf(place);
    },
  };
};
