import type { DurationMs } from '../../../base/runtime/time.ts';
import { isSelected } from '../../catalogue/event-selector.ts';
import type { DeliveryStore, OwnedEndpoint } from '../../deliveries/delivery-store.ts';
import type { ParentPropagation, PropagatedEvent } from '../../deliveries/parent-propagation.ts';
import type { ParentLookups } from '../context/parent-lookups.ts';
import type { WorkerErrors } from '../context/worker-errors.ts';
import type { createAccountCursor } from '../memory/account-cursor.ts';
import { callStore, hasFailed } from './step.ts';

/** Maximum number of events per read. */
const pageSize = 500;

/** What {@link propagate} works with. */
export interface PropagateContext {
  /** The id of the session that propagates. */
  readonly workerId: string;
  /** The shards that it serves. */
  readonly served: readonly number[];
  /** The store of waiting events. */
  readonly parents: ParentPropagation;
  /** Reads endpoints of parents. */
  readonly deliveries: Pick<DeliveryStore, 'readEndpoints'>;
  readonly lookups: ParentLookups;
  readonly errors: WorkerErrors;
}

/** What became of a page of waiting events. */
export interface Propagated {
  /** Events that wait. After a failed read, one: some may wait. */
  readonly found: number;
  /** Events that wait no longer. */
  readonly propagated: number;
  /** Copies that parents can now be sent. */
  readonly copies: number;
  /** Whether the round over all accounts goes on. */
  readonly hasMore: boolean;
}

type Decided = PropagatedEvent & { readonly parentId?: string };

const takes = ({ endpoint }: OwnedEndpoint, event: PropagatedEvent): boolean =>
  endpoint.includeChildren && endpoint.state !== 'disabled' && isSelected(endpoint.events, event);

/** Adds the parent to events that an endpoint of the parent receives; the others are removed without a copy. */
const withParents = async (
  context: PropagateContext,
  events: readonly PropagatedEvent[],
  wait: DurationMs | undefined,
): Promise<readonly Decided[]> => {
  const { deliveries, lookups } = context;
  const known = await lookups.parentsOf(new Set(events.map(({ accountId }) => accountId)), wait);
  const parentIds = [...new Set(known.values())].filter((parentId) => parentId !== undefined);
  const read = await callStore(context, 'propagate', async () =>
    parentIds.length === 0 ? { endpoints: [] } : deliveries.readEndpoints(parentIds, 0),
  );
  if (hasFailed(read)) return [];
  return events.flatMap((event) => {
    if (!known.has(event.accountId)) return [];
    const parentId = known.get(event.accountId);
    const isTaken = read.endpoints.some((each) => each.endpoint.accountId === parentId && takes(each, event));
    return [parentId !== undefined && isTaken ? { ...event, parentId } : event];
  });
};

/**
 * Copies one page of events to the parents of their accounts, where the directory answers in time.
 * @param wait - Time limit for the directory. Absent: waits for every answer.
 */
export const propagate = async (
  context: PropagateContext,
  cursor: ReturnType<typeof createAccountCursor>,
  wait: DurationMs | undefined,
): Promise<Propagated> => {
  const { parents, workerId, served } = context;
  const ranges = cursor.onward(served);
  const events =
    ranges.length === 0 ? [] : await callStore(context, 'propagate', () => parents.readPropagated(ranges, pageSize));
  if (hasFailed(events)) return { found: 1, propagated: 0, copies: 0, hasMore: false };
  const hasMore = events.length >= pageSize;
  cursor.note(events, hasMore);
  const failed = { found: events.length, propagated: 0, copies: 0, hasMore };
  const decided = events.length > 0 ? await withParents(context, events, wait) : [];
  if (decided.length === 0) return failed;
  const stored = await callStore(context, 'propagate', () => parents.propagate(workerId, decided));
  if (hasFailed(stored)) return failed;
  const copies = decided.filter(({ parentId }) => parentId !== undefined).length;
  return { found: events.length, propagated: decided.length, copies, hasMore };
};
