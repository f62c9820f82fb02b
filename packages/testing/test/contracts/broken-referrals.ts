import type { ClaimedDelivery, Endpoint, Referral, StampedEvent, Taken } from '@partnerkit/core';
import type { StorageFixture } from '../../src/index.ts';
import { breakPort, type Double, meanwhile } from './doubles.ts';

const onEndpoints = breakPort('endpoints');
const onEvents = breakPort('events');
const onLog = breakPort('log');
const onQueue = breakPort('queue');
const onReferrals = breakPort('referrals');

const insertedAs = (how: string, breaks: Double<StorageFixture>['breaks'], change: (endpoint: Endpoint) => Endpoint) =>
  onEndpoints(how, breaks, ({ insertEndpoint }) => ({
    insertEndpoint: (endpoint, most) => insertEndpoint(change(endpoint), most),
  }));

/** Copies that are listed otherwise than they are. */
const listedAs = (
  how: string,
  breaks: Double<StorageFixture>['breaks'],
  change: (copy: StampedEvent) => Partial<StampedEvent>,
) =>
  onEvents(how, breaks, ({ listEvents }) => ({
    listEvents: async (accountId, request) => {
      const page = await listEvents(accountId, request);
      return {
        ...page,
        items: page.items.map((event) =>
          'body' in event && event.origin !== undefined ? { ...event, ...change(event) } : event,
        ),
      };
    },
  }));

const withoutParent = ({ parentId: _parent, ...referral }: Referral): Referral => referral;
const withoutOrigin = <T extends Taken>(taken: T): T => ({
  ...taken,
  claimed: taken.claimed.map(
    ({ event: { origin: _origin, ...event }, ...claim }): ClaimedDelivery => ({ ...claim, event }),
  ),
});

/** Storages that refer events to the wrong parents, or lose, change and misplace copies. */
export const brokenReferrals: readonly Double<StorageFixture>[] = [
  insertedAs(
    'every endpoint takes the events of children',
    [
      'nothing waits for parents while no endpoint takes the events of children',
      'there is no copy where no endpoint of the parent takes it',
      'a copy goes to the endpoints that take the events of children, and to no other',
      'a replay has the copies for an endpoint that takes the events of children, and for no other',
      'a copy is explained to the parent, and what waits for one is named by its account',
    ],
    (endpoint) => ({ ...endpoint, includeChildren: true }),
  ),
  insertedAs(
    'an endpoint receives nothing unless it takes the events of children',
    ['the account’s own events go to all of its endpoints, as before'],
    (endpoint) => (endpoint.includeChildren ? endpoint : { ...endpoint, state: 'disabled' }),
  ),
  onEvents(
    'a test event is an event like any other',
    ['while one does, the events of all accounts wait, but for test events and copies'],
    ({ append }) => ({
      append: (tx, events) =>
        append(
          tx,
          events.map(({ onlyTo: _onlyTo, ...event }) => event),
        ),
    }),
  ),
  onReferrals(
    'accounts are listed backwards',
    ['accounts that wait are listed in the order of their ids, each once, however many events they have'],
    ({ listReferring }) => ({ listReferring: async (...asked) => (await listReferring(...asked)).toReversed() }),
  ),
  listedAs(
    'a copy looks as if it had happened to the parent',
    ['a copy is its event under the parent: id, object, bytes and trace; the child’s stays as it was'],
    () => ({ origin: 'acc_ours' }),
  ),
  listedAs(
    'a copy has bytes of its own',
    ['copies have the bytes of their events, though their seconds run ahead of the clock'],
    ({ body }) => ({ body: body.replace(/\d+/, '1735689600') }),
  ),
  listedAs(
    'a copy has the second of its event, whoever has that',
    ['where the parent has used a second of the object, the copy has a later one'],
    ({ occurredAt = 0 }) => ({ timestamp: Math.floor(occurredAt / 1_000) }),
  ),
  listedAs(
    'the youngest is copied first',
    ['the copies of one object come in the order of its events, however many there are'],
    ({ timestamp }) => ({ timestamp: -timestamp }),
  ),
  onReferrals(
    'the events of an account without a parent wait for one',
    ['the events of an account without a parent wait no more'],
    ({ refer }) => ({ refer: (referrals) => refer(referrals.filter(({ parentId }) => parentId !== undefined)) }),
  ),
  onReferrals('there is one parent for all', ['each account is referred to its own parent'], ({ refer }) => ({
    refer: (referrals) =>
      refer(referrals.map((each) => (each.parentId === undefined ? each : { ...each, parentId: 'acc_ours' }))),
  })),
  onReferrals(
    'an answer is good for all that waits',
    ['an answer decides nothing that came after its question'],
    ({ listReferring, refer }) => ({
      refer: async (referrals) => {
        const now = new Map((await listReferring(100)).map(({ accountId, upTo }) => [accountId, upTo]));
        return refer(referrals.map((each) => ({ ...each, upTo: now.get(each.accountId) ?? each.upTo })));
      },
    }),
  ),
  onReferrals(
    'who asks takes it away',
    ['what was referred is not referred again, and what was only asked for still waits'],
    ({ listReferring, refer }) => ({
      listReferring: async (...asked) => {
        const page = await listReferring(...asked);
        await refer(page);
        return page;
      },
    }),
  ),
  onReferrals(
    'who comes while another refers finds nobody to refer to',
    ['whoever comes at once, each event has one copy'],
    ({ refer }) => {
      let busy = false;
      return {
        refer: async (referrals) => {
          if (busy) return refer(referrals.map(withoutParent));
          busy = true;
          await meanwhile();
          busy = false;
          return refer(referrals);
        },
      };
    },
  ),
  onQueue('what waits for a parent is pruned', ['what waits for a parent is not pruned'], ({ prune }, { storage }) => ({
    prune: async (limits) => {
      await storage.referrals.refer(await storage.referrals.listReferring(100));
      return prune(limits);
    },
  })),
  onQueue(
    'nobody is told of an origin',
    ['a copy comes with its origin to whoever dispatches, and claims'],
    (real) => ({
      dispatch: async (want) => withoutOrigin(await real.dispatch(want)),
      claim: async (want) => withoutOrigin(await real.claim(want)),
    }),
  ),
  onQueue(
    'what may not be sent counts as exhausted',
    ['a copy that may not be sent any more expires: that counts as no attempt, and blames nobody'],
    ({ settle }) => ({
      settle: (settlements) =>
        settle(settlements.map((each) => (each.next === 'out_of_reach' ? { ...each, next: 'exhausted' } : each))),
    }),
  ),
  onLog(
    'what was delivered is not sent again',
    ['a copy is sent again like any event'],
    ({ sendAgain, listAttempts }) => ({
      sendAgain: async (accountId, deliveryId) =>
        (await listAttempts(accountId, deliveryId)).length > 0
          ? { kind: 'event_dropped' }
          : sendAgain(accountId, deliveryId),
    }),
  ),
];
