import { type HealthChange, maxCounted } from '../../../base/signals/health-change.ts';
import type { SettleOutcome } from '../../deliveries/delivery-store.ts';
import { type EndpointLane, readyCount } from '../memory/lane.ts';
import { callStore, type Did, hasFailed, type StepContext, type StepFailure } from './step.ts';

const signal = (
  { observe }: StepContext,
  changes: readonly (readonly [EndpointLane, HealthChange])[],
  settled: SettleOutcome,
): void => {
  for (const [index, [lane, change]] of changes.entries()) {
    const { isDisabled = false, pending = 0 } = settled.transitions[index] ?? {};
    if (change.kind === 'endpoint_disabled' && !isDisabled) continue;
    const { accountId, id: endpointId } = lane.endpoint;
    const unfinished = Math.min(pending + readyCount(lane) + lane.inFlight, maxCounted);
    observe?.({ ...change, accountId, endpointId, unfinished });
  }
};

/**
 * Stores a batch of outcomes. After a failure, the same batch is stored by the next call; a repeated write changes
 * nothing more.
 */
export const settle = async (context: StepContext): Promise<Did | StepFailure> => {
  const { workerId, memory, stores } = context;
  const { entries, changes, settlement } = memory.unsettled.batch();
  const settled = await callStore(context, 'settle', () =>
    stores.deliveries.settle(workerId, settlement, memory.accounts.knownVersion()),
  );
  if (hasFailed(settled)) return settled;
  memory.settled(true);
  memory.observe(settled);
  signal(context, changes, settled);
  return { did: entries.length };
};
