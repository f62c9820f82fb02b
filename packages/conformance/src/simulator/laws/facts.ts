import { groupBy } from '../../node-20.ts';
import type { CallName } from '../call-name.ts';
import type { Call, Trace } from '../trace.ts';
import { type EndpointVersion, readEndpointVersions } from './endpoint-versions.ts';
import { type Ledger, readLedger } from './ledger.ts';
import { readMembership, type WorkerMembership } from './membership.ts';
import { type StoreClock, storeClock } from './store-clock.ts';

/** A sorted trace, as the laws read it. */
export interface Facts {
  readonly trace: Trace;
  /** Calls with an effect, in the order of effects. */
  readonly effects: readonly Call[];
  readonly callsOf: <N extends CallName>(name: N) => readonly Call<N>[];
  readonly membership: WorkerMembership;
  readonly endpoints: ReadonlyMap<string, readonly EndpointVersion[]>;
  readonly ledger: Ledger;
  readonly store: StoreClock;
}

/** A law: returns a sentence for a violation, otherwise `undefined`. */
export interface Law {
  readonly name: string;
  readonly check: (facts: Facts) => string | undefined;
}

export const readFacts = (trace: Trace): Facts => {
  const effects = trace.calls
    .filter(({ order }) => order !== undefined)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  const byName = groupBy(effects, ({ name }) => name);
  const endpoints = readEndpointVersions(effects);
  return {
    trace,
    effects,
    // They were grouped by this name.
    callsOf: <N extends CallName>(name: N) => (byName.get(name) ?? []) as unknown as readonly Call<N>[],
    membership: readMembership(effects),
    endpoints,
    ledger: readLedger(trace, effects, endpoints),
    store: storeClock(trace),
  };
};

/** The first violation. */
export const firstWrong = <T>(
  items: Iterable<T>,
  wrong: (item: T) => string | undefined | false,
): string | undefined => {
  for (const item of items) {
    const detail = wrong(item);
    if (detail) return detail;
  }
  return undefined;
};
