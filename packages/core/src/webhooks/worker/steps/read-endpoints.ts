import type { ShardRange } from '../../deliveries/delivery-store.ts';
import { pageSize } from '../memory/outbox.ts';
import { callStore, type Did, hasFailed, nothing, type StepContext, type StepFailure } from './step.ts';

/** Maximum number of accounts per read of endpoints: those of a page of events. */
const maxAccounts = pageSize;
/** Maximum number of ranges per search for accounts with queued deliveries. */
const maxRanges = 32;

const readPage = async (context: StepContext, accountIds: readonly string[]): Promise<StepFailure | undefined> => {
  const { memory, stores } = context;
  const writes = memory.queues.writes();
  const read = await callStore(context, 'read', () =>
    stores.deliveries.readEndpoints(accountIds, memory.accounts.knownVersion()),
  );
  if (hasFailed(read)) return read;
  memory.learn(accountIds, read, writes === memory.queues.writes());
  return undefined;
};

/** Finds accounts with queued deliveries in shards that were taken over or changed: one page. */
const findQueued = async (
  context: StepContext,
  ranges: readonly ShardRange[],
): Promise<readonly string[] | StepFailure> => {
  const { memory, stores } = context;
  if (ranges.length === 0) return [];
  const limit = Math.ceil(maxAccounts / ranges.length);
  const found = await callStore(context, 'read', () => stores.deliveries.readQueuedAccounts(ranges, limit));
  if (hasFailed(found)) return found;
  memory.accounts.expect(found.rest);
  return found.accountIds;
};

/**
 * Reads the endpoints of these accounts that are not known, of accounts with deliveries that are stale, and of a page
 * of those with queued deliveries in shards that changed. Resolves to the number of accounts of that page.
 */
export const readEndpoints = async (context: StepContext, accountIds: Iterable<string>): Promise<Did | StepFailure> => {
  const { accounts, shards } = context.memory;
  const served = new Set(shards.served());
  const ranges = accounts.takeExpected(maxRanges).filter(({ shard }) => served.has(shard));
  const queued = await findQueued(context, ranges);
  if (hasFailed(queued)) {
    accounts.expect(ranges);
    return queued;
  }
  const wanted = new Set([...accounts.stale(), ...queued]);
  for (const accountId of accountIds) {
    const account = accounts.get(accountId);
    if (!account || account.isStale) wanted.add(accountId);
  }
  const all = [...wanted];
  for (let from = 0; from < all.length; from += maxAccounts) {
    const failure = await readPage(context, all.slice(from, from + maxAccounts));
    if (failure === undefined) continue;
    accounts.expect(ranges);
    return failure;
  }
  return ranges.length > 0 ? { did: queued.length } : nothing;
};
