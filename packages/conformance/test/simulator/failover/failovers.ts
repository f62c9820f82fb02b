import type { EpochMs } from '@partnerkit/core';
import { type Clock, rowStorage, type Storage } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import { historyKinds } from '../../../src/simulator/arbitraries/kinds.ts';
import type { History } from '../../../src/simulator/history.ts';
import { selects } from '../../../src/simulator/laws/selects.ts';
import { endpointAt } from '../../../src/simulator/network.ts';
import { type SimulateOptions, simulate } from '../../../src/simulator/simulate.ts';
import type { Trace } from '../../../src/simulator/trace.ts';
import { rowsWithStandby } from './rows-with-standby.ts';

type Method = (...values: readonly unknown[]) => Promise<unknown>;

/** The primary dies after a call of a worker, and the last commits are lost. */
export interface Failover {
  readonly call: keyof typeof methods;
  /** The number of the call, from 1. */
  readonly after: number;
  /** The number of lost commits. */
  readonly lost: number;
}

/** The methods that change what a worker knows. */
const methods = {
  acquire: 'shards',
  recover: 'deliveries',
  release: 'shards',
  leave: 'shards',
  heartbeat: 'shards',
  dispatch: 'deliveries',
  settle: 'deliveries',
} as const;
const names = Object.keys(methods) as (keyof typeof methods)[];

/** A storage that fails over as told; `onFailover` gets the time of its clock. */
const withFailovers =
  (failovers: readonly Failover[], onFailover: (at: EpochMs) => void) =>
  (clock: Clock): Storage<object> => {
    const rows = rowsWithStandby(clock);
    const storage = rowStorage(rows) as Storage<object>;
    const counts = new Map<string, number>();
    let before: number | undefined;
    const counted =
      (name: string, method: Method): Method =>
      async (...args) => {
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        // What the host set up is not lost.
        before ??= rows.commits();
        const value = await method(...args);
        const due = failovers.find((each) => each.call === name && each.after === count);
        if (!due) return value;
        onFailover(clock.now());
        await rows.failOver(Math.max(rows.commits() - due.lost, before));
        return value;
      };
    const counting = <P extends object>(port: P): P =>
      Object.fromEntries(
        Object.entries(port).map(([name, method]) => [
          name,
          Object.hasOwn(methods, name) ? counted(name, method) : method,
        ]),
      ) as P;
    return { ...storage, shards: counting(storage.shards), deliveries: counting(storage.deliveries) };
  };

const failover: fc.Arbitrary<Failover> = fc.record({
  call: fc.constantFrom(...names),
  after: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 40 })),
  lost: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 60 })),
});

/** Histories without an end of a process: whatever a worker knows wrongly, no restart mends it. */
const withoutRestarts = (history: History): History => ({
  ...history,
  family: undefined,
  acts: [],
  storeJumps: [],
  // The first machine stays; others may join and leave.
  machineEvents: history.machineEvents.filter(
    ({ kind, machine }) => kind === 'start' || kind === 'pause' || (kind === 'stop' && machine > 1),
  ),
  faults: history.faults.filter(({ kind }) => !kind.startsWith('crash')),
  // A few failures, after which the next attempts are due within seconds.
  endpoints: history.endpoints.map((endpoint) => ({
    ...endpoint,
    answers: endpoint.answers
      .map((answer) => ('status' in answer ? { status: answer.status === 410 ? 500 : answer.status } : answer))
      .slice(0, 2),
    afterwards: { status: 200 },
  })),
});

/** Histories in which the primary dies once or twice. */
export const failoverHistories = fc.record({
  history: fc.oneof(historyKinds.minutes, historyKinds.moves, historyKinds.floods).map(withoutRestarts),
  failovers: fc.array(failover, { minLength: 1, maxLength: 2 }),
});

/** What is wrong with a storage or an engine. */
export interface Fault extends Pick<SimulateOptions<object>, 'createKit'> {
  readonly storage?: (storage: Storage<object>) => Storage<object>;
}

/**
 * Simulates a history with failovers.
 * @returns `undefined` if the first worker was restarted over days without work, or if a failover came when it was
 * stopping at the end: then no worker was left to deliver.
 */
export const simulateFailovers = async (
  { history, failovers }: { readonly history: History; readonly failovers: readonly Failover[] },
  { createKit, storage: change = (storage) => storage }: Fault = {},
): Promise<Trace | undefined> => {
  let last = Number.NEGATIVE_INFINITY;
  const open = withFailovers(failovers, (at) => {
    last = at - history.storeAhead;
  });
  const trace = await simulate(history, {
    storage: (clock) => change(open(clock)),
    ...(createKit ? { createKit } : {}),
  });
  const [first, ...restarted] = trace.lives.filter(({ machine }) => machine === 1);
  return restarted.length === 0 && last < (first?.stopRequestedAt ?? trace.endedAt) ? trace : undefined;
};

const numberIn = (body: string): number => JSON.parse(body).data.n;

/**
 * What is stored at the end, and has not reached an endpoint that selects it. The log may lack an attempt that
 * succeeded, so the state of a delivery shows nothing.
 */
export const undelivered = ({ history, events, posts, published, accountIds }: Trace): readonly string[] => {
  const numbers = new Map(published.map(({ eventId, n }) => [eventId, n]));
  const received = new Set(
    posts.flatMap(({ body, url, outcome }) =>
      outcome?.kind === 'answered' && outcome.status < 300 ? [`${numberIn(body)} ${endpointAt(url)}`] : [],
    ),
  );
  return events.flatMap((event) =>
    history.endpoints.flatMap((endpoint, index) => {
      const isSelected =
        accountIds[endpoint.account % accountIds.length] === event.accountId && selects(endpoint, event);
      const isReceived = received.has(`${numbers.get(event.id)} ${index}`);
      return isSelected && !isReceived ? [`${event.id} to endpoint ${index}`] : [];
    }),
  );
};
