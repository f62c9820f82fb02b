import { compareBytes } from '../../../base/runtime/byte-order.ts';
import type { ShardRange } from '../../deliveries/delivery-store.ts';

/** The ranges without these accounts. */
export const rangesWithout = (
  ranges: readonly ShardRange[],
  accounts: readonly { readonly shard: number; readonly accountId: string }[],
): readonly ShardRange[] => {
  const byShard = new Map<number, string[]>();
  for (const { shard, accountId } of accounts) {
    const known = byShard.get(shard);
    if (known) known.push(accountId);
    else byShard.set(shard, [accountId]);
  }
  return ranges.flatMap((range) => {
    const { shard, after, before } = range;
    const within = (byShard.get(shard) ?? [])
      .filter((accountId) => after === undefined || compareBytes(accountId, after) > 0)
      .filter((accountId) => before === undefined || compareBytes(accountId, before) < 0)
      .toSorted(compareBytes);
    const parts: ShardRange[] = [];
    let rest = range;
    for (const accountId of within) {
      parts.push({ ...rest, before: accountId });
      rest = { ...range, after: accountId };
    }
    return [...parts, rest];
  });
};
