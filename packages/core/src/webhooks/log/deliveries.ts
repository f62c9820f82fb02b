import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from '#result';
import type { Account } from '../../base/accounts/account.ts';
import { checkAccountId } from '../../base/accounts/account-id.ts';
import type { FindParent } from '../../base/accounts/find-parent.ts';
import {
  decodeCursor,
  encodeCursor,
  type InvalidCursor,
  type ListFailure,
  readPage,
  scopeOfList,
} from '../../base/pagination/cursor.ts';
import { assertListOptions, type ListOptions } from '../../base/pagination/list-options.ts';
import type { Page } from '../../base/pagination/page.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type Failure, failure, type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { isId } from '../../base/runtime/id.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import { type ActorOptions, actorNames, hostActor, readBy } from '../../base/signals/change-options.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import { parseDeliveryId } from '../deliveries/delivery-id.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import { checkEventFilter, checkTexts, checkTimes, eventFilterNames } from '../events/event-filter.ts';
import type { FeedStore } from '../feeds/feed-store.ts';
import type {
  Attempt,
  Backlog,
  Delivery,
  DeliveryFilter,
  DeliveryLog,
  ReplayRange,
  SendAgainOutcome,
} from './delivery-log.ts';
import { type Explanation, explain } from './explain.ts';
import {
  bucketsOf,
  type EndpointStatistics,
  pulledOf,
  type StatisticsPeriod,
  statisticsOf,
  statisticsPeriods,
} from './statistics.ts';

/**
 * Why an event could not be explained.
 *
 * - `no_such_event`: the account has no such event, or it was pruned (after 30 days by default, see `retention`).
 * - `no_such_endpoint`: the account has no such endpoint, or it was deleted too long ago.
 * - `no_such_account`: neither, and `accounts.find` does not know the account: `publish` was given a wrong `accountId`.
 * - `unavailable`: the storage or the directory failed.
 * @public
 */
export type ExplainFailure = Failure<'no_such_event' | 'no_such_endpoint' | 'no_such_account'> | Unavailable;

/**
 * Why a delivery was not sent again.
 *
 * - `not_found`: the account has no such delivery.
 * - `held`: its endpoint is disabled; the delivery continues once the endpoint is enabled.
 * - `endpoint_disabled`: enable the endpoint first.
 * - `endpoint_deleted`: its endpoint was deleted.
 * - `event_dropped`: its event was pruned.
 * - `unfinished`: another delivery of the event to this endpoint is not finished.
 * - `unavailable`: the storage failed.
 * @public
 */
export type SendAgainFailure =
  | Failure<Exclude<SendAgainOutcome['kind'], 'sent' | 'unfinished'>>
  | (Failure<'unfinished'> & {
      /** The unfinished delivery of the same event to the same endpoint. */
      readonly deliveryId: string;
    })
  | Unavailable;

/**
 * What one call of {@link Deliveries.replay} or {@link Deliveries.recover} did.
 * @public
 */
export interface ReplayedBatch {
  /** Number of new deliveries; in a dry run, of those that it would create. */
  readonly deliveries: number;
  /** Pass it as `after` for the next batch. Absent after the last batch. */
  readonly next?: string;
}

/**
 * Why nothing was replayed or recovered.
 *
 * - `not_found`: the account has no such endpoint.
 * - `endpoint_disabled`: enable the endpoint first.
 * - `wrong_kind`: a pull endpoint reads again with an older cursor of `events.pull`.
 * - `invalid_input`, `invalid_cursor`: the range or its `after` is malformed.
 * - `unavailable`: the storage failed.
 * @public
 */
export type ReplayFailure =
  | Failure<'not_found' | 'endpoint_disabled' | 'wrong_kind'>
  | InvalidInput
  | InvalidCursor
  | Unavailable;

/**
 * Reads and repairs deliveries: the interface for operators. Each call names the acting account; deliveries of other
 * accounts count as absent.
 * @public
 */
export interface Deliveries<P extends EventPairs = EventPairs> {
  /**
   * Lists deliveries, oldest first unless `newestFirst`. A page of a filtered list may be short or empty and still have
   * a `next`.
   * @example
   * const failed = await kit.deliveries.list(accountId, { state: 'exhausted', page: { newestFirst: true } });
   * @throws TypeError when an option is unknown.
   */
  list(accountId: string, options?: DeliveryFilter<P> & ListOptions): ResultAsync<Page<Delivery>, ListFailure>;
  /** Lists the attempts of a delivery, in order. Empty for an unknown delivery. */
  attempts(accountId: string, deliveryId: string): ResultAsync<readonly Attempt[], Unavailable>;
  /**
   * Explains what became of an event for an endpoint. Of an event of a child account, its copy is explained. While no
   * endpoint of the account receives the event, there is no copy: `no_such_event`.
   * @example
   * const why = await kit.deliveries.explain(accountId, eventId, endpointId);
   * if (why.isOk() && why.value.kind === 'not_subscribed') show(`It received ${why.value.events.join(', ')} then.`);
   */
  explain(accountId: string, eventId: string, endpointId: string): ResultAsync<Explanation, ExplainFailure>;
  /**
   * Sends a delivery again, with the same bytes: a receiver that has processed the event drops it.
   *
   * - A waiting delivery becomes due at once.
   * - A finished delivery stays as it is; the result is the id of a new delivery.
   * - It does not wait for the breaker, and its success ends the pause. It waits for a `Retry-After` of the receiver.
   */
  sendAgain(
    accountId: string,
    deliveryId: string,
    options?: ActorOptions,
  ): ResultAsync<
    {
      /** The delivery that is due: the given one, or a new one when that was finished. */
      readonly deliveryId: string;
    },
    SendAgainFailure
  >;
  /**
   * Sends the events published in a period to an endpoint again, as its subscription selects them now.
   *
   * - Includes events that were never sent to it; skips test events and unfinished deliveries, so a repeated call is
   *   safe.
   * - Each call handles one batch: repeat with `next` as `after` until it is absent.
   * - New deliveries of the endpoint are sent first.
   */
  replay(
    accountId: string,
    endpointId: string,
    range: ActorOptions & ReplayRange,
  ): ResultAsync<ReplayedBatch, ReplayFailure>;
  /**
   * Sends what failed to an endpoint again: the events published in a period of which a delivery to it is `exhausted`
   * or `expired` and none is `delivered`. Otherwise like {@link Deliveries.replay}.
   *
   * - A repeated or simultaneous call sends no event twice.
   * - The cost grows with the failed deliveries alone.
   * @example
   * const range = { from: Date.now() - 12 * hour, to: Date.now() };
   * for (let after: string | undefined, more = true; more; more = after !== undefined) {
   *   const next = after === undefined ? {} : { after };
   *   const batch = await kit.deliveries.recover(accountId, endpointId, { ...range, ...next });
   *   if (batch.isErr()) throw new Error(batch.error.code);
   *   after = batch.value.next;
   * }
   */
  recover(
    accountId: string,
    endpointId: string,
    range: ActorOptions & ReplayRange,
  ): ResultAsync<ReplayedBatch, ReplayFailure>;
  /**
   * The figures of endpoints, at most 100, for a page that shows how they do: attempts by outcome, durations, the last
   * outcome, what waits. An endpoint that the account does not have is left out; the others are in the given order.
   *
   * - Hours and days are those of UTC; the current one is the last.
   * - Reads at most 20,000 attempts of the account, those of the newest events: see `isComplete`.
   * @example
   * const figures = await kit.deliveries.statistics(accountId, [endpointId], { period: '7d' });
   * if (figures.isOk()) show(figures.value[0]?.successRate, figures.value[0]?.total.failed.timeout);
   */
  statistics(
    accountId: string,
    endpointIds: readonly string[],
    options: {
      /** The last 24 hours by hour, or the last 7 or 30 days by day. */
      readonly period: StatisticsPeriod;
    },
  ): ResultAsync<readonly EndpointStatistics[], InvalidInput | Unavailable>;
  /** Counts the unfinished work of an account. */
  backlog(accountId: string): ResultAsync<Backlog, InvalidInput | Unavailable>;
  /**
   * Counts the unfinished work of all accounts. For your own dashboard, not for partners.
   * @example
   * const backlog = await kit.deliveries.backlogOfAll();
   * if (backlog.isOk() && (backlog.value.oldestDue ?? 0) > 5 * minute) page('Deliveries are late.');
   */
  backlogOfAll(): ResultAsync<Backlog, Unavailable>;
}

/** What {@link createDeliveries} calls. */
export interface DeliveriesDeps {
  /** Reads and changes deliveries. */
  readonly log: DeliveryLog;
  /** Reads what pull endpoints have read. */
  readonly feeds: Pick<FeedStore, 'readProgress' | 'findEntry'>;
  /** Reads an account. */
  readonly findAccount: (accountId: string) => ResultAsync<Account | undefined, Unavailable>;
  /** Finds the parent of an account. */
  readonly findParent: FindParent;
  /** Reads the health of endpoints. */
  readonly readHealth: EndpointStore['readHealth'];
  /** The id of a sealing key that does not open a value of the endpoint, if any. */
  readonly findUnopenedKeyId: (accountId: string, endpointId: string) => Promise<string | undefined>;
  readonly clock: Clock;
  /** Wakes the workers of this process. */
  readonly nudge: () => void;
  /** Receives a signal for each change. */
  readonly observe: Observer;
}

/** Maximum number of endpoints in one read of statistics. */
const maxCountedEndpoints = 100;

const states: readonly Delivery['state'][] = ['waiting', 'held', 'delivered', 'exhausted', 'expired'];

const checkRange = ({ from, to }: ReplayRange): Result<undefined, InvalidInput> =>
  checkTimes({ from, to }).andThen(() => (to < from ? err(invalidField('to', 'not before from.')) : ok(undefined)));

const filterNames: Readonly<Record<keyof DeliveryFilter, true>> = {
  ...eventFilterNames,
  endpointId: true,
  eventId: true,
  state: true,
};

const checkFilter = (filter: DeliveryFilter<EventPairs>): Result<undefined, InvalidInput> => {
  const { state, endpointId, eventId } = filter;
  return checkTexts({ endpointId, eventId })
    .andThen(() => checkEventFilter(filter))
    .andThen(() =>
      state === undefined || states.includes(state)
        ? ok(undefined)
        : err(invalidField('state', `one of ${states.join(', ')}.`)),
    );
};

/** Whether the platform could not make the last attempt, and the delivery is not finished otherwise. */
const hasFailedInside = (explained: Explanation): boolean =>
  'last' in explained && explained.last?.kind === 'failed' && explained.last.reason === 'internal';

/** Creates the {@link Deliveries} of a kit. */
export const createDeliveries = ({
  log,
  feeds,
  findAccount,
  findParent,
  readHealth,
  findUnopenedKeyId,
  clock,
  nudge,
  observe,
}: DeliveriesDeps): Deliveries<EventPairs> => {
  /** An event without delivery may be in the feed of the endpoint. */
  const explainPulled = (
    accountId: string,
    eventId: string,
    endpointId: string,
  ): ResultAsync<Explanation, Unavailable> =>
    callPort(async () => {
      const number = await feeds.findEntry(accountId, endpointId, eventId);
      if (number === undefined) return { kind: 'forgotten' };
      const [progress] = await feeds.readProgress([{ accountId, endpointId }]);
      return { kind: (progress?.asked?.number ?? 0) >= number ? 'pulled' : 'not_pulled_yet' };
    });
  /** A delivery waits, or its endpoint is paused: perhaps because the host pauses sending. */
  const explainPause = (
    accountId: string,
    endpointId: string,
    found: Extract<Explanation, { readonly kind: 'waiting' | 'paused' }>,
  ): ResultAsync<Explanation, Unavailable> =>
    callPort(() => readHealth(accountId, [endpointId])).map(([health]) => {
      if (health?.sendingPausedSince === undefined) return found;
      const { deliveryId, attempts, last } = found;
      const since = health.sendingPausedSince;
      return { deliveryId, attempts, ...(last ? { last } : {}), kind: 'sending_paused', since };
    });
  const repeat =
    (call: 'replay' | 'recover'): Deliveries['replay'] =>
    (accountId, endpointId, range) => {
      assertOptionNames(`deliveries.${call}`, range, {
        from: true,
        to: true,
        after: true,
        isDryRun: true,
        ...actorNames,
      });
      const { from, to, after, isDryRun = false, actor = hostActor } = range;
      const acting = checkAccountId(accountId);
      if (acting.isErr()) return errAsync(acting.error);
      const times = checkRange({ from, to });
      if (times.isErr()) return errAsync(times.error);
      if (!isId(endpointId)) return errAsync(failure('not_found'));
      const scope = [call, accountId, endpointId, from, to];
      const selection = { from, to, isDryRun, onlyFailed: call === 'recover' };
      return decodeCursor(scope, after === undefined ? {} : { after })
        .asyncAndThen((opened) => callPort(() => log.replay(accountId, endpointId, { ...selection, ...opened })))
        .andThen((replayed): ResultAsync<ReplayedBatch, ReplayFailure> => {
          if (replayed.kind !== 'replayed') return errAsync(failure(replayed.kind));
          const { deliveries, next } = replayed;
          if (deliveries > 0 && !isDryRun) nudge();
          const change = call === 'recover' ? 'failed_replayed' : 'replayed';
          if (!isDryRun) observe({ kind: 'endpoint', change, accountId, endpointId, by: actor });
          const { items: _none, ...rest } = encodeCursor(scope, { items: [], ...(next === undefined ? {} : { next }) });
          return okAsync({ deliveries, ...rest });
        });
    };
  return {
    list: (accountId, options = {}) => {
      assertListOptions('deliveries.list', options, filterNames);
      const { page = {}, ...filter } = options;
      return checkAccountId(accountId)
        .andThen(() => checkFilter(filter))
        .asyncAndThen(() =>
          callPort(() =>
            readPage(scopeOfList('deliveries', accountId, filter, page), page, (opened) =>
              log.listDeliveries(accountId, filter, opened),
            ),
          ),
        )
        .andThen((found) => found);
    },
    attempts: (accountId, deliveryId) =>
      callPort(async () => {
        const key = isIdentifier(accountId) ? parseDeliveryId(accountId, deliveryId) : undefined;
        return key ? log.listAttempts(key) : [];
      }),
    explain: (accountId, eventId, endpointId) => {
      if (!isIdentifier(accountId) || !isId(eventId)) return errAsync(failure('no_such_event'));
      if (!isId(endpointId)) return errAsync(failure('no_such_endpoint'));
      const explained = callPort(() => log.readExplainSnapshot(accountId, eventId, endpointId))
        .andThen((snapshot) => {
          const { event, endpoint, propagating } = snapshot;
          if (event || !endpoint || propagating === undefined) return explain(snapshot, endpointId);
          // Another account's event: only its parent may learn that it exists.
          return findParent(propagating).andThen((parentId) =>
            parentId === accountId ? ok<Explanation>({ kind: 'not_propagated_yet' }) : explain(snapshot, endpointId),
          );
        })
        .andThen((found): ResultAsync<Explanation, ExplainFailure> => {
          if (found.kind === 'forgotten') return explainPulled(accountId, eventId, endpointId);
          if (found.kind === 'waiting' || found.kind === 'paused') return explainPause(accountId, endpointId, found);
          return okAsync(found);
        })
        .andThen((found): ResultAsync<Explanation, ExplainFailure> => {
          if (!hasFailedInside(found)) return okAsync(found);
          return callPort(() => findUnopenedKeyId(accountId, endpointId)).map((unopenedKeyId) =>
            unopenedKeyId === undefined ? found : { ...found, unopenedKeyId },
          );
        });
      return explained.orElse((missing) =>
        missing.code === 'unavailable'
          ? errAsync(missing)
          : findAccount(accountId).andThen((account) => err(account ? missing : failure('no_such_account'))),
      );
    },
    sendAgain: (accountId, deliveryId, options = {}) => {
      const { actor } = readBy('deliveries.sendAgain', options);
      const key = isIdentifier(accountId) ? parseDeliveryId(accountId, deliveryId) : undefined;
      if (!key) return errAsync(failure('not_found'));
      return callPort(() => log.sendAgain(key)).andThen((sent) => {
        if (sent.kind === 'unfinished')
          return errAsync({ ...failure(sent.kind), deliveryId: sent.deliveryId } satisfies SendAgainFailure);
        if (sent.kind !== 'sent') return errAsync(failure(sent.kind) satisfies SendAgainFailure);
        nudge();
        observe({ kind: 'delivery_sent_again', accountId, deliveryId: sent.deliveryId, by: actor });
        return okAsync({ deliveryId: sent.deliveryId });
      });
    },
    replay: repeat('replay'),
    recover: repeat('recover'),
    statistics: (accountId, endpointIds, options) => {
      assertOptionNames('deliveries.statistics', options, { period: true });
      const { period } = options;
      const acting = checkAccountId(accountId);
      if (acting.isErr()) return errAsync(acting.error);
      if (!Array.isArray(endpointIds) || endpointIds.length > maxCountedEndpoints)
        return errAsync(invalidField('endpointIds', `a list of at most ${maxCountedEndpoints} ids.`));
      if (!statisticsPeriods.includes(period))
        return errAsync(invalidField('period', `one of ${statisticsPeriods.join(', ')}.`));
      const ids = [...new Set(endpointIds.filter(isId))];
      if (ids.length === 0) return okAsync([]);
      const of = bucketsOf(period, clock.now());
      return callPort(async () => {
        const [{ endpoints, isComplete }, health, progress] = [
          await log.readStatistics(accountId, ids, of),
          await readHealth(accountId, ids),
          await feeds.readProgress(ids.map((endpointId) => ({ accountId, endpointId }))),
        ];
        const pulled = (id: string) => pulledOf(progress.find(({ endpointId }) => endpointId === id));
        const pausedUntil = (id: string) => health.find(({ endpointId }) => endpointId === id)?.pausedUntil;
        return ids.flatMap((id) => {
          const stored = endpoints.find(({ endpointId }) => endpointId === id);
          return stored ? [{ ...statisticsOf(stored, of, pausedUntil(id)), ...pulled(id), isComplete }] : [];
        });
      });
    },
    backlog: (accountId) => checkAccountId(accountId).asyncAndThen(() => callPort(() => log.countBacklog(accountId))),
    backlogOfAll: () => callPort(() => log.countBacklog()),
  };
};
