import type { FindParent } from '../accounts/find-parent.ts';
import { isSelected } from '../catalogue/event-selector.ts';
import type { DeliveryStore, OwnedEndpoint } from '../delivery-ports/delivery-store.ts';
import type { ParentPropagation, PropagatedEvent } from '../delivery-ports/parent-propagation.ts';
import { createCache } from '../runtime/cache.ts';
import { callPort } from '../runtime/call-port.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import { createWakeSignal } from '../runtime/wake-signal.ts';
import { createAccountCursor } from './account-cursor.ts';
import type { WorkerErrors } from './worker-errors.ts';

/** Maximum number of events per read. */
const batchSize = 500;
/** Timeout of a round's directory calls; a later result counts in a later round. */
const lookupTimeout: DurationMs = second / 10;
/** Delay after a failed directory call for an account. */
const retryAfter: DurationMs = 5 * second;
/** Delay when events wait and none was propagated. */
const soon: DurationMs = second;

/** The session that propagates. */
interface Propagator {
  readonly id: string;
  served(): readonly number[];
}

/** What {@link createPropagation} calls. @internal */
export interface PropagationDeps {
  /** The store of waiting events. */
  readonly parents: ParentPropagation;
  /** Reads endpoints of parents. */
  readonly deliveries: Pick<DeliveryStore, 'readEndpoints'>;
  /** Finds the parent of an account. */
  readonly findParent: FindParent;
  /** Source of time. */
  readonly clock: Clock;
  /** Receives failures. */
  readonly errors: WorkerErrors;
  /** The current session, if any. */
  readonly worker: () => Propagator | undefined;
  /** Interval of looking for events that other workers left. */
  readonly every: DurationMs;
  /** New events can be dispatched. */
  readonly onCopied: () => void;
}

/**
 * Copies events to the parents of their accounts. Runs beside the deliveries: a slow directory delays none of them.
 * @internal
 */
export interface Propagation {
  /** New events wait. */
  wake(): void;
  /** Propagates until nothing more can be propagated. Resolves to the number of copies. */
  once(): Promise<number>;
  /** Propagates events as they come. Resolves when stopped. */
  run(): Promise<void>;
  /** Stops `run`. */
  stop(): void;
}

/** The result of one pass over all waiting events. */
interface Round {
  readonly found: number;
  readonly propagated: number;
  readonly copies: number;
}

const takes = ({ endpoint }: OwnedEndpoint, event: PropagatedEvent): boolean =>
  endpoint.includeChildren && endpoint.state !== 'disabled' && isSelected(endpoint.events, event);

/** Creates the propagation of a worker. @internal */
export const createPropagation = (deps: PropagationDeps): Propagation => {
  const { parents, deliveries, findParent, clock, errors, worker, every, onCopied } = deps;
  let wakeSignal = createWakeSignal(clock);
  let isStopped = true;
  const notBefore = createCache<EpochMs>(5_000);
  const asking = new Set<string>();

  const lookUp = async (accountId: string, onFound: (parentId: string | undefined) => void): Promise<void> => {
    if (asking.has(accountId) || (notBefore.get(accountId) ?? 0) > clock.now()) return;
    asking.add(accountId);
    await findParent(accountId).match(onFound, ({ cause }) => {
      notBefore.set(accountId, clock.now() + retryAfter);
      errors.note('propagate', cause);
    });
    asking.delete(accountId);
  };

  /** The parents found within `wait`. A later result is cached for a moment and wakes the next round. */
  const parentsOf = async (
    accountIds: ReadonlySet<string>,
    wait: DurationMs | undefined,
  ): Promise<ReadonlyMap<string, string | undefined>> => {
    const found = new Map<string, string | undefined>();
    const all = createWakeSignal(clock);
    let isLate = false;
    const asked = [...accountIds].map(async (accountId) => {
      await lookUp(accountId, (parentId) => {
        if (!isLate) found.set(accountId, parentId);
      });
      if (isLate) wakeSignal.wake();
    });
    void Promise.all(asked).then(all.wake);
    await all.wait(wait);
    isLate = true;
    return found;
  };

  /** Adds the parent to events that an endpoint of the parent receives; the others are removed without a copy. */
  const withParents = async (
    events: readonly PropagatedEvent[],
    wait: DurationMs | undefined,
  ): Promise<readonly (PropagatedEvent & { readonly parentId?: string })[] | undefined> => {
    const known = await parentsOf(new Set(events.map(({ accountId }) => accountId)), wait);
    const parentIds = [...new Set(known.values())].filter((parentId) => parentId !== undefined);
    const read = await errors.orElse(
      'propagate',
      callPort(async () => (parentIds.length === 0 ? { endpoints: [] } : deliveries.readEndpoints(parentIds, []))),
      undefined,
    );
    return (
      read &&
      events.flatMap((event) => {
        if (!known.has(event.accountId)) return [];
        const parentId = known.get(event.accountId);
        const isTaken = read.endpoints.some((each) => each.endpoint.accountId === parentId && takes(each, event));
        return [parentId !== undefined && isTaken ? { ...event, parentId } : event];
      })
    );
  };

  const propagate = async (
    { id }: Propagator,
    events: readonly PropagatedEvent[],
    wait: DurationMs | undefined,
  ): Promise<Omit<Round, 'found'>> => {
    const decided = await withParents(events, wait);
    if (!decided || decided.length === 0) return { propagated: 0, copies: 0 };
    const stored = await errors.orElse(
      'propagate',
      callPort(() => parents.propagate(id, decided)),
      undefined,
    );
    if (stored !== 'stored') return { propagated: 0, copies: 0 };
    return { propagated: decided.length, copies: decided.filter(({ parentId }) => parentId !== undefined).length };
  };

  /** One pass over all waiting events, while `goesOn`. */
  const round = async (wait: DurationMs | undefined, goesOn: () => boolean): Promise<Round> => {
    const cursor = createAccountCursor();
    const sum = { found: 0, propagated: 0, copies: 0 };
    for (;;) {
      const own = worker();
      const ranges = own ? cursor.onward(own.served()) : [];
      if (!own || ranges.length === 0) return sum;
      const events = await errors.orElse(
        'propagate',
        callPort(() => parents.readPropagated(ranges, batchSize)),
        [],
      );
      const { propagated, copies } =
        events.length > 0 ? await propagate(own, events, wait) : { propagated: 0, copies: 0 };
      if (copies > 0) onCopied();
      sum.found += events.length;
      sum.propagated += propagated;
      sum.copies += copies;
      const isFull = events.length >= batchSize;
      cursor.note(events, isFull);
      if (!isFull || !goesOn()) return sum;
    }
  };

  return {
    wake: () => wakeSignal.wake(),
    once: async () => {
      for (let made = 0; ; ) {
        const { propagated, copies } = await round(undefined, () => true);
        made += copies;
        if (propagated === 0) return made;
      }
    },
    run: async () => {
      wakeSignal = createWakeSignal(clock);
      isStopped = false;
      while (!isStopped) {
        const { found, propagated } = await round(lookupTimeout, () => !isStopped);
        if (propagated === 0 && !isStopped) await wakeSignal.wait(found > 0 ? soon : every);
      }
    },
    stop: () => {
      isStopped = true;
      wakeSignal.wake();
    },
  };
};
