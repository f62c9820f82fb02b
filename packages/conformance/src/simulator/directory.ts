import type { AccountDirectory, EpochMs } from '@partnerkit/core';
import type { Prng } from './prng.ts';
import type { Process } from './process.ts';

/**
 * The accounts of the host, as one process reads them. The second is a child of the first until the given time. A
 * lookup may fail or never end.
 */
export const simulatedDirectory = (
  { accountIds, childUntil }: { readonly accountIds: readonly string[]; readonly childUntil: EpochMs | undefined },
  process: Process,
  { now, prng, faults }: { readonly now: () => EpochMs; readonly prng: Prng; readonly faults: () => number },
): AccountDirectory => ({
  find: async (id) => {
    await process.step();
    if (prng.chance(faults() / 4)) return new Promise(() => undefined);
    if (prng.chance(faults())) throw new Error('The directory is down.');
    if (!accountIds.includes(id)) return undefined;
    const account = { id, name: id, status: 'active', environment: 'dev' };
    const [parentId, childId] = accountIds;
    const isChild = id === childId && childUntil !== undefined && now() < childUntil;
    return isChild && parentId !== undefined ? { ...account, parentId } : account;
  },
});
