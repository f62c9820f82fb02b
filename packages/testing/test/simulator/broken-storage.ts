import {
  type ClaimedDelivery,
  type ClaimRequest,
  type Clock,
  envelopeText,
  type Random,
  type Settlement,
  type Storage,
} from '@partnerkit/core';
import { memoryStorage } from '@partnerkit/core/memory';

type Memory = ReturnType<typeof memoryStorage>;
type Break = (storage: Memory) => Memory;

const withQueue =
  (change: (queue: Memory['queue']) => Partial<Memory['queue']>): Break =>
  (storage) => ({ ...storage, queue: { ...storage.queue, ...change(storage.queue) } });

const onClaims = (
  queue: Memory['queue'],
  change: (claimed: readonly ClaimedDelivery[], want: ClaimRequest) => readonly ClaimedDelivery[],
) => ({
  dispatch: async (want: ClaimRequest) => {
    const dispatched = await queue.dispatch(want);
    return { ...dispatched, claimed: change(dispatched.claimed, want) };
  },
  claim: async (want: ClaimRequest) => {
    const taken = await queue.claim(want);
    return { ...taken, claimed: change(taken.claimed, want) };
  },
});

const onSettle = (queue: Memory['queue'], change: (settlement: Settlement) => Settlement | undefined) => ({
  settle: (settlements: readonly Settlement[]) =>
    queue.settle(settlements.map(change).filter((settlement) => settlement !== undefined)),
});

/** Storages that each break one law, by the law that must find it. */
export const broken: readonly { readonly law: string; readonly how: string; readonly break: Break }[] = [
  {
    law: 'nothing is sent to an account that does not reach the account of the event',
    how: 'nobody is told to which child an event happened',
    break: withQueue((queue) =>
      onClaims(queue, (claimed) =>
        claimed.map(({ event: { origin: _origin, ...event }, ...claim }) => ({ ...claim, event })),
      ),
    ),
  },
  {
    law: 'what happens to a child goes to its parent, once',
    how: 'now and then a parent is forgotten',
    break: (storage) => {
      let times = 0;
      const refer: Memory['referrals']['refer'] = (referrals) =>
        storage.referrals.refer(
          ++times % 2 === 0 ? referrals : referrals.map(({ parentId: _forgotten, ...referral }) => referral),
        );
      return { ...storage, referrals: { ...storage.referrals, refer } };
    },
  },
  {
    law: 'no delivery is under two living leases',
    how: 'a second worker is given what the first one holds',
    break: withQueue((queue) => {
      let last: ClaimedDelivery | undefined;
      return onClaims(queue, (claimed, { limit }) => {
        const again = claimed.length === 0 && last && limit > 0 ? [last] : claimed;
        last = claimed[0];
        return again;
      });
    }),
  },
  {
    law: 'no delivery is under two living leases',
    how: 'leases last a tenth of what was asked for',
    break: withQueue((queue) => ({
      dispatch: (want) => queue.dispatch({ ...want, lease: want.lease / 10 }),
      claim: (want) => queue.claim({ ...want, lease: want.lease / 10 }),
    })),
  },
  {
    law: 'only what was committed is sent',
    how: 'a rollback commits',
    break: (storage) => ({
      ...storage,
      transaction: async (work) => {
        const ended = await storage.transaction((tx) =>
          work(tx).then(
            (value) => ({ value }),
            (cause: unknown) => ({ cause }),
          ),
        );
        if ('cause' in ended) throw ended.cause;
        return ended.value;
      },
    }),
  },
  {
    law: 'only what was committed is sent',
    how: 'a commit is forgotten',
    break: (storage) => ({
      ...storage,
      events: {
        ...storage.events,
        append: async (_tx, events) => events.map(() => ({ kind: 'stored' })),
      },
    }),
  },
  {
    law: 'no two events of one object share a timestamp',
    how: 'the stamp does not look at the last second of the object',
    break: (storage) => ({
      ...storage,
      events: {
        ...storage.events,
        append: (tx, events) =>
          storage.events.append(
            tx,
            events.map((event) => ({ ...event, objectId: event.id })),
          ),
      },
    }),
  },
  {
    law: 'every attempt sends the same bytes',
    how: 'each attempt is stamped anew',
    break: withQueue((queue) =>
      onClaims(queue, (claimed) =>
        claimed.map((delivery) => {
          const timestamp = delivery.event.timestamp + delivery.attempt - 1;
          return {
            ...delivery,
            event: { ...delivery.event, timestamp, body: envelopeText(timestamp, delivery.event.rest) },
          };
        }),
      ),
    ),
  },
  {
    law: 'no attempt is early',
    how: 'retries come in half the time',
    break: withQueue((queue) =>
      onSettle(queue, (settlement) =>
        typeof settlement.next === 'object'
          ? { ...settlement, next: { retryIn: settlement.next.retryIn / 2 } }
          : settlement,
      ),
    ),
  },
  {
    law: 'every started attempt is in the log, and each outcome once',
    how: 'deliveries are logged, failures are released instead',
    break: withQueue((queue) => ({
      settle: async (settlements) => {
        await queue.release(settlements.filter(({ next }) => typeof next === 'object'));
        return queue.settle(settlements.filter(({ next }) => typeof next === 'string'));
      },
    })),
  },
  {
    law: 'every started attempt is in the log, and each outcome once',
    how: 'what is settled again is logged again',
    break: (storage) => {
      const again = new Map<string, Settlement>();
      return {
        ...storage,
        queue: {
          ...storage.queue,
          settle: async (settlements) => {
            for (const settlement of settlements) again.set(settlement.deliveryId, settlement);
            return storage.queue.settle(settlements);
          },
        },
        log: {
          ...storage.log,
          listAttempts: async (accountId, deliveryId) => {
            const attempts = await storage.log.listAttempts(accountId, deliveryId);
            const doubled = again.get(deliveryId);
            return doubled ? [...attempts, { ...doubled.outcome, at: 0 }] : attempts;
          },
        },
      };
    },
  },
  {
    law: 'no attempt is early',
    how: 'an abandoned attempt is repeated at once',
    break: withQueue((queue) => ({
      dispatch: (want) => queue.dispatch({ ...want, schedule: want.schedule.map(() => 0) }),
      claim: (want) => queue.claim({ ...want, schedule: want.schedule.map(() => 0) }),
    })),
  },
  {
    law: 'what is done is not attempted again',
    how: 'what was delivered is put back in line',
    break: withQueue((queue) =>
      onSettle(queue, (settlement) =>
        settlement.next === 'delivered' ? { ...settlement, next: { retryIn: 1_000 } } : settlement,
      ),
    ),
  },
  {
    law: 'attempts are counted',
    how: 'each attempt is the first',
    break: withQueue((queue) => onClaims(queue, (claimed) => claimed.map((delivery) => ({ ...delivery, attempt: 1 })))),
  },
  {
    law: 'an event that was committed is delivered, exhausted, held or expired',
    how: 'an endpoint is forgotten at dispatch',
    break: (storage) => ({
      ...storage,
      log: {
        ...storage.log,
        listDeliveries: async (accountId, filter, page) => {
          const { items, ...rest } = await storage.log.listDeliveries(accountId, filter, page);
          return { ...rest, items: filter.state ? items : items.slice(1) };
        },
      },
    }),
  },
  {
    law: 'an idempotency key makes one event',
    how: 'a key is never found again',
    break: (storage) => ({
      ...storage,
      events: {
        ...storage.events,
        append: (tx, events) =>
          storage.events.append(
            tx,
            events.map((event, index) =>
              event.idempotencyKey === undefined
                ? event
                : { ...event, idempotencyKey: `${event.idempotencyKey} ${event.id} ${index}` },
            ),
          ),
        listEvents: async (accountId, page) => {
          const { items, ...rest } = await storage.events.listEvents(accountId, page);
          return {
            ...rest,
            items: items.map((event) =>
              event.idempotencyKey === undefined
                ? event
                : { ...event, idempotencyKey: event.idempotencyKey.split(' ')[0] as string },
            ),
          };
        },
      },
    }),
  },
  {
    law: 'a paused endpoint is left alone, and a half-open one probed by one attempt at a time',
    how: 'no failure is the endpoint’s',
    break: withQueue((queue) =>
      onSettle(queue, (settlement) =>
        typeof settlement.next === 'object' || settlement.next === 'exhausted'
          ? { ...settlement, outcome: { kind: 'failed', reason: 'internal', took: 0 } }
          : settlement,
      ),
    ),
  },
  {
    law: 'a paused endpoint is left alone, and a half-open one probed by one attempt at a time',
    how: 'no receiver is listened to that asks to be left alone',
    break: withQueue((queue) => onSettle(queue, ({ pauseFor: _ignored, ...settlement }) => settlement)),
  },
  {
    law: 'endpoints turn as the breaker has it, and each turn is told once',
    how: 'turns are told to nobody',
    break: withQueue((queue) => ({
      settle: async (settlements) => {
        await queue.settle(settlements);
        return [];
      },
    })),
  },
  {
    law: 'endpoints turn as the breaker has it, and each turn is told once',
    how: 'turns are told twice',
    break: withQueue((queue) => ({
      settle: async (settlements) => {
        const turns = await queue.settle(settlements);
        return [...turns, ...turns];
      },
    })),
  },
  {
    law: 'what is held expires in time, and is counted',
    how: 'what is held expires in half the time',
    break: withQueue((queue) => ({ prune: (limits) => queue.prune({ ...limits, held: limits.held / 2 }) })),
  },
  {
    law: 'what is held expires in time, and is counted',
    how: 'nobody is told of what expired',
    break: withQueue((queue) => ({ prune: async (limits) => ({ ...(await queue.prune(limits)), expired: [] }) })),
  },
  {
    law: 'no worker holds more of an account than its share',
    how: 'the share of an account is ignored',
    break: withQueue((queue) => ({
      dispatch: (want) => queue.dispatch({ ...want, perAccount: 100 }),
      claim: (want) => queue.claim({ ...want, perAccount: 100 }),
    })),
  },
];

/** Memory storage with one thing wrong. */
export const brokenStorage =
  (change: Break) =>
  (clock: Clock, random: Random): Storage<never> =>
    change(memoryStorage({ clock, random })) as unknown as Storage<never>;
