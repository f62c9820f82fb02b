import { ok } from 'node:assert';
import type {
  Dispatched,
  Endpoint,
  NewEvent,
  Referral,
  Referred,
  Referring,
  StampedEvent,
  Storage,
} from '@partnerkit/core';
import { allPages } from './pages.ts';
import { endpoint, event, ours } from './records.ts';
import { dispatchAll, publish } from './world.ts';

/** A child of ours, as far as a case says so: a store does not know. @internal */
export const child = 'acc_child';

/** An event of the child. @internal */
export const childEvent = (change: Partial<NewEvent> = {}): NewEvent => event({ accountId: child, ...change });

/** Stores an endpoint of ours that takes the events of children, unless told otherwise. @internal */
export const including = async ({ endpoints }: Storage<object>, change: Partial<Endpoint> = {}): Promise<Endpoint> => {
  const made = endpoint({ includeChildren: true, ...change });
  ok(await endpoints.insertEndpoint(made, 100));
  return made;
};

/** Commits and dispatches events; leases nothing. @internal */
export const deliver = async (
  storage: Storage<object>,
  published: readonly NewEvent[],
): Promise<readonly Dispatched[]> => {
  await publish(storage, published);
  return dispatchAll(storage);
};

/** All that wait, a few at a time. @internal */
export const allReferring = async ({ referrals }: Storage<object>, most = 2): Promise<readonly Referring[]> => {
  const all: Referring[] = [];
  for (let page: readonly Referring[] = []; ; ) {
    page = await referrals.listReferring(most, page.at(-1)?.accountId);
    all.push(...page);
    if (page.length < most) return all;
  }
};

/** @internal */
export const accountsThatRefer = async (storage: Storage<object>): Promise<readonly string[]> =>
  (await allReferring(storage)).map(({ accountId }) => accountId);

/** What waits now of accounts, with the parents that they have: none, for those that are not told of. @internal */
export const withParents = async (
  storage: Storage<object>,
  parents: Readonly<Record<string, string>> = { [child]: ours },
): Promise<readonly Referral[]> =>
  (await allReferring(storage)).map((each) => {
    const parentId = parents[each.accountId];
    return parentId === undefined ? each : { ...each, parentId };
  });

/** Refers all that waits. @internal */
export const referAll = async (
  storage: Storage<object>,
  parents?: Readonly<Record<string, string>>,
): Promise<Referred> => {
  let [events, copies] = [0, 0];
  for (;;) {
    const referred = await storage.referrals.refer(await withParents(storage, parents));
    if (referred.events === 0) return { events, copies };
    events += referred.events;
    copies += referred.copies;
  }
};

/** @internal */
export const stampedOf = async ({ events }: Storage<object>, accountId: string): Promise<readonly StampedEvent[]> =>
  (await allPages((page) => events.listEvents(accountId, page))).map((found) => {
    ok('timestamp' in found, 'every event is stamped');
    return found;
  });
