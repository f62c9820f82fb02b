import type { DeliveryFact, DeliveryFacts, DeliveryFilter, DeliveryLog } from '@partnerkit/core';
import type { StorageFixture } from '../../src/index.ts';
import { attemptedAtRelease } from './broken-settlements.ts';
import { breakPort, type Double } from './doubles.ts';

const broken = breakPort('log');
type Facts = (facts: DeliveryFacts) => DeliveryFacts;

const mistold =
  (tell: Facts) =>
  ({ findFacts }: DeliveryLog): Partial<DeliveryLog> => ({
    findFacts: async (...of) => tell(await findFacts(...of)),
  });

const ofDeliveries = (tell: (fact: DeliveryFact) => DeliveryFact | undefined) =>
  mistold((facts) => ({
    ...facts,
    deliveries: facts.deliveries.map(tell).filter((fact) => fact !== undefined),
  }));

const history = (seed: number): string =>
  `whatever happens to endpoints and deliveries, each event is explained: history ${seed}`;

const withoutDispatch: Facts = ({ event, ...facts }) => ({
  ...facts,
  ...(event ? { event: { type: event.type } } : {}),
});

const assumed: Facts = ({ event, ...facts }) =>
  event?.dispatched?.endpoint.kind === 'forgotten'
    ? {
        ...facts,
        event: {
          ...event,
          dispatched: {
            at: 0,
            endpoint: { kind: 'there', state: 'enabled', events: [], includeChildren: false, since: 0 },
          },
        },
      }
    : { ...facts, ...(event ? { event } : {}) };

const filtering =
  (change: (filter: DeliveryFilter) => DeliveryFilter) =>
  ({ listDeliveries }: DeliveryLog): Partial<DeliveryLog> => ({
    listDeliveries: (accountId, filter, page) => listDeliveries(accountId, change(filter), page),
  });

const again = 'a finished delivery is sent again as a new one: same event, same bytes, same endpoint';

/** Logs that explain wrongly, list wrongly, or send again what they should not. */
export const brokenMending: readonly Double<StorageFixture>[] = [
  broken('who stands in line has been there for ever', [history(1), history(3), history(4)], mistold(withoutDispatch)),
  breakPort('events')(
    'a test event is for everybody',
    ['a test event reaches the one endpoint that it is for, whatever that takes, and no other'],
    ({ append }) => ({
      append: (tx, events) =>
        append(
          tx,
          events.map(({ onlyTo: _onlyTo, ...event }) => event),
        ),
    }),
  ),
  broken(
    'finished deliveries are not looked for',
    [history(5), history(6)],
    ofDeliveries((fact) => (['delivered', 'exhausted', 'expired'].includes(fact.state) ? undefined : fact)),
  ),
  broken(
    'whoever names ids is told',
    ['what belongs to another account is explained like what is not there'],
    ({ findFacts }) => ({ findFacts: (_accountId, ...ids) => findFacts('acc_ours', ...ids) }),
  ),
  broken(
    'what is due is told by the clock of the host',
    ['each explanation says when, by the clock of the store'],
    ofDeliveries((fact) => (fact.state === 'waiting' ? { ...fact, dueAt: 0 } : fact)),
  ),
  broken(
    'pauses are not told',
    ['what waits for a paused endpoint is paused, and says until when'],
    mistold(({ endpoint, ...facts }) => ({ ...facts, ...(endpoint ? { endpoint: {} } : {}) })),
  ),
  broken(
    'whatever expired is said to have been deleted',
    ['what was held for too long says so, and what expired with its endpoint too'],
    ofDeliveries((fact) => (fact.state === 'expired' ? { ...fact, why: 'endpoint_deleted' } : fact)),
  ),
  broken(
    'what is forgotten is made up',
    ['what the history of an endpoint no longer holds is forgotten, not guessed'],
    mistold(assumed),
  ),
  broken(
    'an event that was dropped is told of',
    ['an event that was dropped is no longer there'],
    mistold((facts) => ({ event: { type: 'payed' }, ...facts })),
  ),
  broken(
    'the filter knows no objects',
    ['deliveries are filtered by event, object, type and state, in whatever pages'],
    filtering(({ objectId: _objectId, ...filter }) => filter),
  ),
  broken(
    'the filter knows no time',
    ['deliveries are filtered by when their event was dispatched'],
    filtering(({ from: _from, ...filter }) => filter),
  ),
  breakPort('events')(
    'the filter knows no types',
    ['events are filtered by object, type and time, in whatever pages'],
    ({ listEvents }) => ({
      listEvents: (accountId, page, { type: _type, ...filter } = {}) => listEvents(accountId, page, filter),
    }),
  ),
  broken(
    'a bad cursor begins anew',
    ['a cursor that is none is answered as such, by every list'],
    ({ listDeliveries }) => ({
      listDeliveries: (accountId, filter, { after, ...page }) =>
        listDeliveries(accountId, filter, after !== undefined && /\d/.test(after) ? { ...page, after } : page),
    }),
  ),
  broken(
    'whatever is sent again is the old delivery',
    [again, 'of many who wish it at once, exactly one has it sent again'],
    () => ({
      sendAgain: async (_accountId, deliveryId) => ({ kind: 'sent', deliveryId }),
    }),
  ),
  broken(
    'nothing is ever sent again',
    [
      'one that waits for a retry is due at once',
      'one that is held or being attempted is left alone',
      'nothing is sent again to an endpoint that is disabled or deleted',
      'nothing is sent again whose event was dropped',
      'while it is sent again, a second wish names the delivery that is under way',
    ],
    () => ({ sendAgain: async () => ({ kind: 'not_found' }) }),
  ),
  broken(
    'a replay is made by whoever asks, of everything, again and again',
    [
      'a replay begins and ends when it should, and knows nothing of what was not dispatched',
      'nothing is replayed to an endpoint that is disabled, deleted, or of another account',
    ],
    ({ replay }) => ({
      replay: async (_accountId, endpointId, range) => {
        const replayed = await replay('acc_ours', endpointId, { ...range, from: 0, to: 2 ** 48 - 1 });
        return replayed.kind === 'replayed' ? replayed : { kind: 'replayed', deliveries: 0 };
      },
    }),
  ),
  broken(
    'a replay makes nothing',
    [
      'a replay sends what the endpoint takes now, sent to it before or not, with the same bytes',
      'what is under way is passed by, so a replay may be begun again',
      'a long replay comes in batches, each event once',
      'of many who replay at once each event is sent by one',
      'what is replayed waits, is held and released like the rest, and still comes last',
      'what is replayed and sent again by itself waits for nothing',
    ],
    () => ({ replay: async () => ({ kind: 'replayed', deliveries: 0 }) }),
  ),
  broken(
    'what is replayed goes first',
    ['what is new goes before what is replayed, by claim and by dispatch'],
    ({ replay, listDeliveries, sendAgain }) => ({
      replay: async (accountId, endpointId, range) => {
        const replayed = await replay(accountId, endpointId, range);
        const { items } = await listDeliveries(accountId, { endpointId, state: 'waiting' }, {});
        for (const { id } of items) await sendAgain(accountId, id);
        return replayed;
      },
    }),
  ),
  breakPort('queue')(
    'what is given back was an attempt',
    ['what is replayed and given back was not attempted, and still comes last'],
    attemptedAtRelease,
  ),
  broken(
    'the backlog is that of everybody',
    ['the backlog counts what is not finished, of one account and of all'],
    ({ countBacklog }) => ({ countBacklog: () => countBacklog() }),
  ),
  broken(
    'nothing is ever due',
    ['the oldest delivery that is due says for how long it has been'],
    ({ countBacklog }) => ({
      countBacklog: async (accountId) => {
        const { oldestDue: _oldest, ...counted } = await countBacklog(accountId);
        return counted;
      },
    }),
  ),
  broken('all is counted', ['counting ends at some number'], ({ countBacklog }) => ({
    countBacklog: async (accountId) => {
      const counted = await countBacklog(accountId);
      return { ...counted, undispatched: counted.undispatched + (counted.undispatched < 10_000 ? 0 : 1) };
    },
  })),
  broken(
    'whoever knows a delivery has it sent again',
    ['another account sends nothing again, and learns nothing'],
    ({ sendAgain }) => ({ sendAgain: (_accountId, deliveryId) => sendAgain('acc_ours', deliveryId) }),
  ),
];
