import type { EventDispatch, HandlerStatus } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { breakPort, clocks, type Double, meanwhile, sharing } from '../support/doubles.ts';

const broken = breakPort('handlers');
const onDispatch = breakPort('deliveries');
const onLog = breakPort('log');

type Breaks = Double<StorageFixture>['breaks'];

const raises = 'a new handler, and other events of one, raise the version of every shard; the same again raises none';
const each = 'an event has one delivery for each of its handlers; a handler that is not registered gets none';
const claimed = 'a claimed delivery has its event, and cannot be claimed before its pause has passed';
const exhausts = 'after as many claims as pauses, one that is due becomes exhausted';
const current = 'a claim that is no longer current settles nothing';
const many = 'of many claims settled in one call, each ends by itself: those that are no longer current are named';
const joined = 'a settlement takes effect with its transaction';
const never = 'a handled delivery is never claimed again';
const lists = 'exhausted deliveries are listed in pages, and sent again; no others are';
const past = 'since: a new handler gets the past events that it selects, each once, in bounded calls';
const removed = 'a removed handler gets nothing more, and its waiting deliveries go in bounded calls';
const turns = 'accounts take turns';
const oldest = 'of one account, the longest due comes first';
const listed = clocks('handlers are listed with what waits, and when a worker last had them');
const retried = clocks('a failed delivery is due after its retry, and has a log');

const dispatching = (how: string, breaks: Breaks, change: (event: EventDispatch) => EventDispatch) =>
  onDispatch(how, breaks, ({ dispatch }) => ({
    dispatch: (workerId, events, ...rest) => dispatch(workerId, events.map(change), ...rest),
  }));

const stating = (how: string, breaks: Breaks, change: (status: HandlerStatus) => HandlerStatus) =>
  broken(how, breaks, ({ listHandlers }) => ({ listHandlers: async () => (await listHandlers()).map(change) }));

/** Stores that lose deliveries to handlers, or finish them twice. */
export const brokenHandlers: readonly Double<StorageFixture>[] = [
  dispatching('no event has a delivery to a handler', [each], ({ handlers: _none, ...event }) => event),
  dispatching('an event has one delivery only', [each], (event) => ({
    ...event,
    handlers: (event.handlers ?? []).slice(0, 1),
  })),
  dispatching(
    'an event has the deliveries of an endpoint, too',
    ['nothing that partners read tells of handlers'],
    (event) => ({ ...event, endpointIds: (event.handlers ?? []).map(() => '00000000-0000-7000-8000-000000000000') }),
  ),
  onDispatch('workers are told of no handlers', [raises], ({ readOutbox }) => ({
    readOutbox: async (...args) => {
      const { handlers: _none, ...read } = await readOutbox(...args);
      return read;
    },
  })),
  broken('the same handler registers with other events each time', [raises], ({ register }) => ({
    register: (handlers, limit) =>
      register(
        handlers.map((one) => (one.events ? one : { ...one, events: ['creation'] })),
        limit,
      ),
  })),
  broken('a claim is not stored', [claimed], ({ claim }) => {
    const known = new Map<string, Awaited<ReturnType<typeof claim>>>();
    return {
      claim: async (handler, limit, ...rest) => {
        const found = known.get(handler) ?? (await claim(handler, limit, ...rest));
        known.set(handler, found);
        return found;
      },
    };
  }),
  broken(
    'one claim is given to all that ask at once',
    ['of simultaneous claims, exactly one gets a delivery'],
    ({ claim }) => ({
      claim: sharing(claim),
    }),
  ),
  broken(
    'a claim takes one more than was asked for',
    ['at most as many are claimed as asked for, none for 0'],
    ({ claim }) => ({
      claim: (handler, limit, ...rest) => claim(handler, limit + 1, ...rest),
    }),
  ),
  broken('a pause is a day longer', [claimed], ({ claim }) => ({
    claim: (handler, limit, pauses, after) =>
      claim(
        handler,
        limit,
        pauses.map((pause) => 2 * pause),
        after,
      ),
  })),
  broken('a delivery can be claimed for ever', [exhausts], ({ claim }) => ({
    claim: (handler, limit, pauses, after) => claim(handler, limit, [...pauses, ...pauses, ...pauses], after),
  })),
  broken('the account whose turn came last is forgotten', [turns], ({ claim }) => ({
    claim: (handler, limit, pauses) => claim(handler, limit, pauses),
  })),
  broken('what was claimed comes in the opposite order', [turns, oldest], ({ claim }) => ({
    claim: async (...args) => (await claim(...args)).toReversed(),
  })),
  broken('a settlement says that it settled, whatever it did', [current, many], ({ settle }) => ({
    settle: async (settlements, tx) => {
      await settle(settlements, tx);
      return settlements.map(() => true);
    },
  })),
  broken('only the first of many claims is settled', [many], ({ settle }) => ({
    settle: async (settlements, tx) => {
      const settled = await settle(settlements.slice(0, 1), tx);
      return [...settled, ...settlements.slice(1).map(() => true)];
    },
  })),
  broken('of many claims, all are settled or none', [many], ({ settle }) => ({
    settle: async (settlements, tx) => {
      const settled = await settle(settlements, tx);
      return settled.map(() => settled.every(Boolean));
    },
  })),
  broken('of many claims, the answers have another order', [many], ({ settle }) => ({
    settle: async (settlements, tx) => (await settle(settlements, tx)).toSorted(),
  })),
  broken('a settlement is stored beside its transaction', [joined], ({ settle }) => ({
    settle: (settlements) => settle(settlements),
  })),
  broken(
    'a transaction settles whatever another one has done',
    [current, 'of two transactions, one settles a delivery'],
    ({ settle }) => ({
      settle: async (settlements, tx) => {
        const settled = await settle(settlements, tx).catch(() => settlements.map(() => true));
        return settled.map((each) => each || tx !== undefined);
      },
    }),
  ),
  broken('what was handled is retried', [never], ({ settle }) => ({
    settle: (settlements, tx) =>
      settle(
        settlements.map((each) =>
          each.outcome === 'handled' ? { ...each, outcome: 'failed' as const, retryIn: 0 } : each,
        ),
        tx,
      ),
  })),
  broken('a retry comes at once', [...retried], ({ settle }) => ({
    settle: (settlements, tx) =>
      settle(
        settlements.map((each) => (each.retryIn === undefined ? each : { ...each, retryIn: 0 })),
        tx,
      ),
  })),
  broken(
    'a claim waits for the transactions that are open',
    ['an open transaction that has settled a delivery delays no claim'],
    ({ claim, settle }) => {
      let isOpen = false;
      return {
        settle: (settlements, tx) => {
          isOpen ||= tx !== undefined;
          return settle(settlements, tx);
        },
        claim: async (...args) => {
          for (let turn = 0; isOpen && turn < 20_000; turn++) await meanwhile();
          return claim(...args);
        },
      };
    },
  ),
  broken('the list ignores its cursor', [lists], ({ listDeliveries }) => ({
    listDeliveries: async (of, { after, ...page }) => {
      const { next: _next, ...read } = await listDeliveries(of, page);
      return after === 'no id' ? { ...read, invalidCursor: true } : read;
    },
  })),
  broken('whatever is asked for is sent again', [lists], () => ({ sendAgain: async () => 'exhausted' as const })),
  broken('a new handler gets no past events', [past], ({ register }) => ({
    register: (handlers, limit) =>
      register(
        handlers.map(({ since: _since, ...rest }) => rest),
        limit,
      ),
  })),
  broken('a removed handler keeps its deliveries', [removed], () => ({ removeHandler: async () => false })),
  onLog(
    'events are pruned whatever waits for handlers',
    ['an event with an unfinished delivery is not pruned; a finished delivery goes with it'],
    () => ({ prune: async () => ({ expired: [], hasMore: false }) }),
  ),
  stating('nothing waits', [...listed], (status) => ({ ...status, waiting: 0 })),
  stating('a handler was seen when it was registered', [...listed], (status) => ({
    ...status,
    seenAt: status.registeredAt,
  })),
];
