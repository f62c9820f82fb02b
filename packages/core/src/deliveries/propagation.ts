import type { FindParent } from '../accounts/find-parent.ts';
import { isSelected } from '../catalogue/event-selector.ts';
import { createBell } from '../runtime/bell.ts';
import { createCache } from '../runtime/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import { createAccountCursor } from './account-cursor.ts';
import type { DeliveryStore, OwnedEndpoint } from './delivery-store.ts';
import type { ParentPropagation, PropagatedEvent } from './parent-propagation.ts';
import type { WorkerErrors } from './worker-errors.ts';

/** How many events are read at once. */
const batchSize = 500;
/** A directory that has not answered by then is not waited for: its answer counts in a later round. */
const patience: DurationMs = second / 10;
/** An account whose parent could not be found out is looked at again after this time. */
const retryAfter: DurationMs = 5 * second;
/** Something waits, and could not be propagated. */
const soon: DurationMs = second;

/** The worker that propagates: its id, and the shards that it serves. */
interface Propagator {
  readonly id: string;
  served(): readonly number[];
}

/** @internal */
export interface PropagationDeps {
  readonly parents: ParentPropagation;
  readonly deliveries: Pick<DeliveryStore, 'readEndpoints'>;
  readonly findParent: FindParent;
  readonly clock: Clock;
  readonly errors: WorkerErrors;
  readonly worker: () => Propagator | undefined;
  /** How often it looks for what other workers left behind. */
  readonly every: DurationMs;
  /** There are new events to dispatch. */
  readonly onCopied: () => void;
}

/** Copies events to the parents of their accounts, beside the deliveries: a directory that is slow delays none of them. @internal */
export interface Propagation {
  /** Something new waits. */
  wake(): void;
  /** Propagates all that can be propagated. Resolves to how many copies that made. */
  once(): Promise<number>;
  /** Propagates what comes. Resolves when it is stopped. */
  run(): Promise<void>;
  stop(): void;
}

/** What one look over all events that wait has brought. */
interface Round {
  readonly found: number;
  readonly propagated: number;
  readonly copies: number;
}

const takes = ({ endpoint }: OwnedEndpoint, event: PropagatedEvent): boolean =>
  endpoint.includeChildren && endpoint.state !== 'disabled' && isSelected(endpoint.events, event);

/** @internal */
export const createPropagation = (deps: PropagationDeps): Propagation => {
  const { parents, deliveries, findParent, clock, errors, worker, every, onCopied } = deps;
  let bell = createBell(clock);
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

  /** Those whose parents are known by then. What is known later is remembered for a moment, and wakes. */
  const parentsOf = async (
    accountIds: ReadonlySet<string>,
    wait: DurationMs | undefined,
  ): Promise<ReadonlyMap<string, string | undefined>> => {
    const found = new Map<string, string | undefined>();
    const all = createBell(clock);
    let isLate = false;
    const asked = [...accountIds].map(async (accountId) => {
      await lookUp(accountId, (parentId) => {
        if (!isLate) found.set(accountId, parentId);
      });
      if (isLate) bell.ring();
    });
    void Promise.all(asked).then(all.ring);
    await all.wait(wait);
    isLate = true;
    return found;
  };

  /** What is copied to which parent: those that no endpoint of the parent takes are copied to nobody. */
  const withParents = async (
    events: readonly PropagatedEvent[],
    wait: DurationMs | undefined,
  ): Promise<readonly (PropagatedEvent & { readonly parentId?: string })[] | undefined> => {
    const known = await parentsOf(new Set(events.map(({ accountId }) => accountId)), wait);
    const parentIds = [...new Set(known.values())].filter((parentId) => parentId !== undefined);
    const read = await errors.orElse(
      'propagate',
      ask(async () => (parentIds.length === 0 ? { endpoints: [] } : deliveries.readEndpoints(parentIds, []))),
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
      ask(() => parents.propagate(id, decided)),
      undefined,
    );
    if (stored !== 'stored') return { propagated: 0, copies: 0 };
    return { propagated: decided.length, copies: decided.filter(({ parentId }) => parentId !== undefined).length };
  };

  /** Once over all events that wait, as long as it `goesOn`. */
  const round = async (wait: DurationMs | undefined, goesOn: () => boolean): Promise<Round> => {
    const cursor = createAccountCursor();
    const sum = { found: 0, propagated: 0, copies: 0 };
    for (;;) {
      const own = worker();
      const ranges = own ? cursor.onward(own.served()) : [];
      if (!own || ranges.length === 0) return sum;
      const events = await errors.orElse(
        'propagate',
        ask(() => parents.readPropagated(ranges, batchSize)),
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
    wake: () => bell.ring(),
    once: async () => {
      for (let made = 0; ; ) {
        const { propagated, copies } = await round(undefined, () => true);
        made += copies;
        if (propagated === 0) return made;
      }
    },
    run: async () => {
      bell = createBell(clock);
      isStopped = false;
      while (!isStopped) {
        const { found, propagated } = await round(patience, () => !isStopped);
        if (propagated === 0 && !isStopped) await bell.wait(found > 0 ? soon : every);
      }
    },
    stop: () => {
      isStopped = true;
      bell.ring();
    },
  };
};
