import { ok } from 'node:assert';
import type { Delivery, Endpoint, PruneLimits, Storage } from '@partnerkit/core';
import { day } from '@partnerkit/core';
import { endpoint, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { answered, deliveriesOf, dispatchAll, events, publish, want } from './world.ts';

/** What is kept, where a case does not say otherwise. @internal */
export const limits: PruneLimits = { held: 14 * day, events: 30 * day, attempts: 30 * day, most: 1_000 };

/** Prunes until there is no more to prune, and adds up what expired. @internal */
export const pruneAll = async ({ queue }: Storage<object>, change: Partial<PruneLimits> = {}) => {
  const expired = new Map<string, number>();
  for (let more = true; more; ) {
    const pruned = await queue.prune({ ...limits, ...change });
    for (const { endpointId, deliveries } of pruned.expired)
      expired.set(endpointId, (expired.get(endpointId) ?? 0) + deliveries);
    more = pruned.more;
  }
  return [...expired];
};

/** @internal */
export const statesOf = async (storage: Storage<object>, accountId: string): Promise<readonly Delivery['state'][]> =>
  (await deliveriesOf(storage, accountId)).map(({ state }) => state);

/** @internal */
export const setState = async (
  { endpoints }: Storage<object>,
  { accountId, id }: Endpoint,
  state: Endpoint['state'],
) => {
  const stored = await endpoints.findEndpoint(accountId, id);
  ok(stored && (await endpoints.replaceEndpoint({ ...stored, state })));
};

/** An endpoint of each account, with so many deliveries that wait. @internal */
export const world = async ({ storage }: StorageFixture, waiting: number) => {
  const [own, other] = [endpoint(), endpoint({ accountId: theirs })];
  for (const each of [own, other]) {
    await storage.endpoints.insertEndpoint(each, 20);
    await publish(storage, events(waiting, { accountId: each.accountId }));
  }
  await dispatchAll(storage);
  return { own, other };
};

/** Settles all that is due of one account. @internal */
export const settleAll = async (
  { queue }: Storage<object>,
  accountId: string,
  next: 'delivered' | 'exhausted' | { readonly retryIn: number },
) => {
  const { claimed } = await queue.claim(want());
  const [mine, others] = [true, false].map((are) =>
    claimed.filter((each) => (each.event.accountId === accountId) === are),
  );
  await queue.settle(
    (mine ?? []).map((claim) => ({ ...claim, outcome: answered(next === 'delivered' ? 200 : 500), next })),
  );
  await queue.release(others ?? []);
};
