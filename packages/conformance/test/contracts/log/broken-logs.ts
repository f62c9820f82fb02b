import type { DeliveryFilter, EventPairs } from '@partnerkit/core';
import type { StoredStatistics } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { breakPort, type Double, meanwhile } from '../support/doubles.ts';

const broken = breakPort('log');
type Breaks = Double<StorageFixture>['breaks'];

const filtered = 'deliveries match every given filter, with any page size';
const again = 'a finished delivery does not change, and a new one of the same event is due';

const filtering = (
  how: string,
  breaks: Breaks,
  change: (filter: DeliveryFilter<EventPairs>) => DeliveryFilter<EventPairs>,
) =>
  broken(how, breaks, ({ listDeliveries }) => ({
    listDeliveries: (accountId, filter, page) => listDeliveries(accountId, change(filter), page),
  }));

const eachOutcome: Breaks = ['each outcome of an attempt is counted as one kind, an expiry as none'];

/** A store that counts the work of endpoints wrongly. */
const misfigured = (how: string, breaks: Breaks, change: (figures: StoredStatistics) => StoredStatistics) =>
  broken(how, breaks, ({ readStatistics }) => ({
    readStatistics: async (...of) => {
      const { endpoints, ...rest } = await readStatistics(...of);
      return { ...rest, endpoints: endpoints.map(change) };
    },
  }));

/** Logs that list, send again or replay wrongly. */
export const brokenLogs: readonly Double<StorageFixture>[] = [
  broken(
    'every attempt counts',
    ['each delivery is listed with its event, its state and its counted attempts'],
    ({ listDeliveries, listAttempts }) => ({
      listDeliveries: async (accountId, filter, request) => {
        const { items, ...rest } = await listDeliveries(accountId, filter, request);
        const counted = items.map(async (each) => {
          const key = { accountId, eventId: each.eventId, endpointId: each.endpointId, replay: 0 };
          return each.state === 'delivered' ? { ...each, attempts: (await listAttempts(key)).length } : each;
        });
        return { ...rest, items: await Promise.all(counted) };
      },
    }),
  ),
  broken(
    'a delivery is listed without its event',
    ['each delivery is listed with its event, its state and its counted attempts'],
    ({ listDeliveries }) => ({
      listDeliveries: async (accountId, filter, request) => {
        const { items, ...rest } = await listDeliveries(accountId, filter, request);
        return { ...rest, items: items.map(({ event: _event, ...each }) => each) };
      },
    }),
  ),
  broken(
    'what nobody logged waits for ever',
    ['an unsettled delivery is waiting, while its shard is not marked as settled'],
    ({ listDeliveries }) => {
      const seen = new Map<string, Awaited<ReturnType<typeof listDeliveries>>>();
      return {
        listDeliveries: async (accountId, filter, request) => {
          const page = await listDeliveries(accountId, filter, request);
          const text = JSON.stringify([accountId, filter, request]);
          if (page.items.length > 0) seen.set(text, page);
          return seen.get(text) ?? page;
        },
      };
    },
  ),
  filtering('the filter knows no states', [filtered], ({ state: _state, ...filter }) => filter),
  filtering('the filter knows no endpoints', [filtered], ({ endpointId: _id, ...filter }) => filter),
  filtering('the filter knows no objects', [filtered], ({ objectId: _objectId, ...filter }) => filter),
  filtering(
    'the filter knows no time',
    ['deliveries are filtered by the time of dispatch of their event'],
    ({ from: _from, ...filter }) => filter,
  ),
  broken(
    'attempts are read without a check of the account',
    ['only the account of a delivery reads its attempts'],
    (log) => ({
      listAttempts: (key) => log.listAttempts({ ...key, accountId: 'acc_ours' }),
    }),
  ),
  broken('an invalid cursor restarts the list', ['an invalid cursor is reported'], ({ listDeliveries }) => ({
    listDeliveries: (accountId, filter, { after, ...page }) =>
      listDeliveries(accountId, filter, after !== undefined && /\d/.test(after) ? { ...page, after } : page),
  })),

  broken(
    'the old delivery is sent again',
    [again, 'while a new delivery is unfinished, sending the old one again returns the new one'],
    () => ({
      sendAgain: async ({ eventId, endpointId }) => ({ kind: 'sent', deliveryId: `${eventId}.${endpointId}` }),
    }),
  ),
  broken('nothing is ever sent again', ['a waiting delivery is due now and urgent, with its own id'], () => ({
    sendAgain: async () => ({ kind: 'not_found' }),
  })),
  broken(
    'a delivery is found after its event was pruned',
    ['a delivery of a pruned event is not sent again'],
    ({ sendAgain }) => ({
      sendAgain: async (key) => {
        const outcome = await sendAgain(key);
        return outcome.kind === 'not_found' ? { kind: 'event_dropped' } : outcome;
      },
    }),
  ),
  broken('a delivery is sent again without a check of its account', ['a refusal changes nothing'], ({ sendAgain }) => ({
    sendAgain: (key) => sendAgain({ ...key, accountId: 'acc_ours' }),
  })),
  broken(
    'the check for an unfinished delivery and the insert are not atomic',
    ['exactly one of many simultaneous calls creates the new delivery'],
    ({ sendAgain }) => ({
      sendAgain: async (key) => {
        await meanwhile();
        const sent = await sendAgain(key);
        return sent.kind === 'unfinished' ? { ...sent, kind: 'sent' } : sent;
      },
    }),
  ),
  broken(
    'a replay goes first',
    ['a replay queues the events that the endpoint receives now, sent before or not, behind all others'],
    ({ replay, listDeliveries, sendAgain }) => ({
      replay: async (accountId, endpointId, range) => {
        const replayed = await replay(accountId, endpointId, range);
        const { items } = await listDeliveries(accountId, { endpointId, state: 'waiting' }, {});
        for (const { eventId } of items) await sendAgain({ accountId, eventId, endpointId, replay: 1 });
        return replayed;
      },
    }),
  ),
  broken(
    'the last event of a batch is the first of the next',
    ['an event that is delivered between two batches of a replay is not replayed twice'],
    ({ replay }) => ({
      replay: async (accountId, endpointId, range) => {
        const replayed = await replay(accountId, endpointId, range);
        if (replayed.kind !== 'replayed' || range.after === undefined) return replayed;
        return { ...replayed, deliveries: replayed.deliveries + 1 };
      },
    }),
  ),
  broken(
    'a replay creates nothing',
    [
      'a replay counts as a change of its endpoint, and wakes workers',
      'an event with an unfinished delivery is skipped, so simultaneous replays create each delivery once',
      'a long replay comes in batches, oldest first, each event once',
      'a replayed delivery counts as waiting, and is never due',
    ],
    () => ({ replay: async () => ({ kind: 'replayed', deliveries: 0 }) }),
  ),
  broken(
    'a replay knows types, and no pairs',
    ['a replay queues the events that the endpoint selects: a type of every object, a pair of one'],
    ({ replay }, { storage: { endpoints } }) => ({
      replay: async (accountId, endpointId, range) => {
        const found = await endpoints.findEndpoint(accountId, endpointId);
        const hasPairs = found?.events.some((selector) => selector.includes('.'));
        return hasPairs ? { kind: 'replayed', deliveries: 0 } : replay(accountId, endpointId, range);
      },
    }),
  ),
  broken(
    'a replay ignores the account and the selected events',
    [
      'a replay includes its start and excludes its end',
      'nothing is replayed to a disabled, deleted or foreign endpoint',
    ],
    ({ replay }) => ({
      replay: async (_accountId, endpointId, range) => {
        const replayed = await replay('acc_ours', endpointId, { ...range, from: 0, to: 2 ** 48 - 1 });
        return replayed.kind === 'replayed' ? replayed : { kind: 'replayed', deliveries: 0 };
      },
    }),
  ),
  broken(
    'a replay of failed events sends all',
    [
      'a replay of failed events sends what was exhausted or expired and never delivered, behind all others',
      'simultaneous replays of failed events create each delivery once, in batches',
    ],
    ({ replay }) => ({
      replay: (accountId, endpointId, { onlyFailed: _all, ...range }) => replay(accountId, endpointId, range),
    }),
  ),
  broken(
    'a replay of failed events ignores the period',
    ['a replay of failed events sends those of the period that the endpoint selects now'],
    ({ replay }) => ({
      replay: (accountId, endpointId, range) =>
        replay(accountId, endpointId, range.onlyFailed ? { ...range, from: 0, to: 2 ** 48 - 1 } : range),
    }),
  ),
  broken(
    'a failed event that was pruned counts as replayed',
    ['a failed event that was pruned is not replayed'],
    ({ replay }, { storage: { events } }) => ({
      replay: async (accountId, endpointId, range) => {
        const { items } = await events.listEvents(accountId, { limit: 1 });
        return items.length > 0 ? replay(accountId, endpointId, range) : { kind: 'replayed', deliveries: 1 };
      },
    }),
  ),
  broken(
    'the attempts of all times are counted',
    ['the attempts of an endpoint are counted by hour or day and by outcome, for its own account only'],
    ({ readStatistics }) => ({
      readStatistics: (accountId, ids, { width }) => readStatistics(accountId, ids, { from: 0, width }),
    }),
  ),
  misfigured('a status of 4xx counts as one of the server', eachOutcome, ({ buckets, ...rest }) => ({
    ...rest,
    buckets: buckets.map(({ failed, ...bucket }) => ({
      ...bucket,
      failed: { ...failed, clientError: 0, serverError: failed.serverError + failed.clientError },
    })),
  })),
  misfigured(
    'the slowest tenth is the mean',
    ['the durations of answers are those that half and nine of ten do not exceed'],
    ({ durations, ...rest }) => ({
      ...rest,
      ...(durations ? { durations: { ...durations, p90Ms: durations.medianMs } } : {}),
    }),
  ),
  misfigured(
    'the last attempt has no body',
    ['the last attempt of an endpoint has its delivery, time and body, whatever the period'],
    ({ last, ...rest }) => ({ ...rest, ...(last?.kind === 'answered' ? { last: { ...last, body: '' } } : {}) }),
  ),
  misfigured(
    'what is held counts as waiting',
    ['waiting and held deliveries of an endpoint are counted, with the time when the first is due'],
    ({ held, waiting, ...rest }) => ({ ...rest, held: 0, waiting: waiting + held }),
  ),
];
