import type { Evidence } from './laws.ts';

/** What was published for one endpoint or for all, and what became of it. */
export interface Totals {
  dispatched: number;
  replayed: number;
  delivered: number;
  exhausted: number;
  expired: number;
  held: number;
}

/** By endpoint: what was dispatched is delivered, exhausted, expired or held. */
export const countTotals = ({ events, log, pending, endpoints }: Evidence): ReadonlyMap<string, Totals> => {
  const totals = new Map(
    endpoints.map(({ id }): [string, Totals] => [
      id,
      { dispatched: 0, replayed: 0, delivered: 0, exhausted: 0, expired: 0, held: 0 },
    ]),
  );
  const count = (endpointId: string, what: keyof Totals): void => {
    const own = totals.get(endpointId);
    if (own) own[what]++;
  };
  for (const { endpointIds } of events) for (const endpointId of endpointIds) count(endpointId, 'dispatched');
  for (const { endpointId, number, replay, state } of log) {
    if (replay > 0 && number === 1) count(endpointId, 'replayed');
    if (state !== null) count(endpointId, state as 'delivered');
  }
  for (const { endpointId, replay } of pending) {
    count(endpointId, 'held');
    if (replay > 0) count(endpointId, 'replayed');
  }
  return totals;
};

export const isBalanced = (totals: Totals | undefined): boolean =>
  totals !== undefined &&
  totals.dispatched + totals.replayed === totals.delivered + totals.exhausted + totals.expired + totals.held;

export const sumOf = (all: readonly Totals[]): Totals => {
  const total = (what: keyof Totals): number => all.reduce((sum, each) => sum + each[what], 0);
  return {
    dispatched: total('dispatched'),
    replayed: total('replayed'),
    delivered: total('delivered'),
    exhausted: total('exhausted'),
    expired: total('expired'),
    held: total('held'),
  };
};
