import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import { checkAccountId } from '../accounts/account-id.ts';
import type { FindParent } from '../accounts/find-parent.ts';
import type { NewEvent, StampedEvent } from '../events/event.ts';
import type { EventFilter, EventStore } from '../events/event-store.ts';
import { closePage, type InvalidCursor, type ListScope, openPage, readPage } from '../runtime/cursor.ts';
import { isId } from '../runtime/id.ts';
import type { Page, PageRequest, StoredPage } from '../runtime/page.ts';
import { isIdentifier } from '../runtime/text.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import { parseDeliveryId } from './delivery-id.ts';
import type {
  Attempt,
  Backlog,
  Delivery,
  DeliveryFilter,
  DeliveryLog,
  ReplayRange,
  SentAgain,
} from './delivery-log.ts';
import { type Explanation, explain } from './explain.ts';

/**
 * What was asked for makes no sense; `detail` says what it must be.
 * @public
 */
export interface InvalidInput {
  readonly code: 'invalid_input';
  readonly detail: string;
}

/** Why a list could not be read. @public */
export type ListFailure = InvalidCursor | InvalidInput | Unavailable;

/**
 * Why an event's way to an endpoint could not be explained. Both codes also answer for what belongs to other accounts, and for what
 * is gone: events are kept 30 days unless `retention` says otherwise.
 * @public
 */
export type ExplainFailure = { readonly code: 'no_such_event' | 'no_such_endpoint' } | Unavailable;

/**
 * Why a delivery was not sent again. `not_found` also answers for those of other accounts. What is `held` goes on once its endpoint is
 * enabled; `endpoint_disabled` asks for that first.
 * @public
 */
export type SendAgainFailure =
  | { readonly code: Exclude<SentAgain['kind'], 'sent' | 'unfinished'> }
  | {
      readonly code: 'unfinished';
      /** The delivery of the same event to the same endpoint that is under way. */
      readonly deliveryId: string;
    }
  | Unavailable;

/**
 * Why nothing was replayed. `not_found` also answers for the endpoints of other accounts.
 * @public
 */
export type ReplayFailure =
  | { readonly code: 'not_found' | 'endpoint_disabled' }
  | InvalidInput
  | InvalidCursor
  | Unavailable;

/**
 * What whoever is on call does with deliveries: looks, and mends. Each call names the acting account; what belongs to other accounts is
 * answered like what is not there.
 * @public
 */
export interface Deliveries {
  /** Events, oldest first unless `newestFirst`. A page of a filtered list may hold fewer than it may, and have a `next`. */
  listEvents(
    accountId: string,
    filter?: EventFilter,
    page?: PageRequest,
  ): ResultAsync<Page<NewEvent | StampedEvent>, ListFailure>;
  /**
   * Deliveries, oldest first unless `newestFirst`. A page of a filtered list may hold fewer than it may, and have a `next`.
   * @example
   * const failed = await kit.deliveries.list(accountId, { state: 'exhausted' }, { newestFirst: true });
   */
  list(accountId: string, filter?: DeliveryFilter, page?: PageRequest): ResultAsync<Page<Delivery>, ListFailure>;
  /** The attempts of a delivery, in order; none of one that is not there. */
  listAttempts(accountId: string, deliveryId: string): ResultAsync<readonly Attempt[], Unavailable>;
  /**
   * Why an event did not reach an endpoint, or that it did. Of a child's event it is the copy that is explained: while there is none, because no
   * endpoint of the account took it, the account has no such event.
   * @example
   * const why = await kit.deliveries.explain(accountId, eventId, endpointId);
   * if (why.isOk() && why.value.kind === 'not_subscribed') tell(`It took ${why.value.events.join(', ')} then.`);
   */
  explain(accountId: string, eventId: string, endpointId: string): ResultAsync<Explanation, ExplainFailure>;
  /**
   * Sends a delivery again: the same bytes, so a receiver that has processed it drops it. One that waits is due at once. One that is
   * finished stays as it was; resolves to the id of the new one.
   */
  sendAgain(accountId: string, deliveryId: string): ResultAsync<{ readonly deliveryId: string }, SendAgainFailure>;
  /**
   * Sends the events that were published in a time (milliseconds; `from` inclusive, `to` exclusive) to an endpoint, as it selects them now,
   * whether they were sent to it before or not: a batch at each call, to be called with `next` until there is none. What is under way is
   * passed by, so it may be begun again at any time. The same endpoint's new deliveries go first.
   */
  replay(
    accountId: string,
    endpointId: string,
    range: ReplayRange,
  ): ResultAsync<{ readonly deliveries: number; readonly next?: string }, ReplayFailure>;
  /** What of an account is not finished. */
  backlog(accountId: string): ResultAsync<Backlog, InvalidInput | Unavailable>;
  /**
   * What of all accounts is not finished: for a dashboard of the host's own, never for a partner.
   * @example
   * const backlog = await kit.deliveries.backlogOfAll();
   * if (backlog.isOk() && (backlog.value.oldestDue ?? 0) > 5 * minute) page('Deliveries are late.');
   */
  backlogOfAll(): ResultAsync<Backlog, Unavailable>;
}

/** @internal */
export interface DeliveriesDeps {
  readonly log: DeliveryLog;
  readonly findParent: FindParent;
  readonly events: Pick<EventStore<never>, 'listEvents'>;
  /** Wakes this process's workers. */
  readonly nudge: () => void;
}

const states: readonly Delivery['state'][] = ['waiting', 'held', 'delivered', 'exhausted', 'expired'];
const badTimes: InvalidInput = { code: 'invalid_input', detail: 'from, to: milliseconds since 1970, whole numbers.' };
const isTime = (at: number): boolean => Number.isSafeInteger(at) && at >= 0;

/** What comes from a screen of the host may be anything: also what no database takes for text. */
const checkFilter = (filter: DeliveryFilter): Result<undefined, InvalidInput> => {
  const { state, from = 0, to = 0, objectName, objectId, type, endpointId, eventId } = filter;
  const texts = { objectName, objectId, type, endpointId, eventId };
  const wrong = Object.entries(texts).find(([, text]) => text !== undefined && !isIdentifier(text));
  if (wrong) return err({ code: 'invalid_input', detail: `${wrong[0]}: 1 to 256 bytes, without control characters.` });
  if (state !== undefined && !states.includes(state))
    return err({ code: 'invalid_input', detail: `state: one of ${states.join(', ')}.` });
  return isTime(from) && isTime(to) ? ok(undefined) : err(badTimes);
};

/** The order of the filter's fields is no part of it. */
const scopeOf = (list: string, accountId: string, filter: DeliveryFilter, page: PageRequest): ListScope => [
  list,
  accountId,
  page.newestFirst === true,
  Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
];

/** @internal */
export const createDeliveries = ({ log, events, findParent, nudge }: DeliveriesDeps): Deliveries => {
  const readList = <T>(
    list: string,
    accountId: string,
    filter: DeliveryFilter,
    page: PageRequest,
    read: (page: PageRequest) => Promise<StoredPage<T>>,
  ): ResultAsync<Page<T>, ListFailure> =>
    checkAccountId(accountId)
      .andThen(() => checkFilter(filter))
      .asyncAndThen(() => ask(() => readPage(scopeOf(list, accountId, filter, page), page, read)))
      .andThen((found) => found);

  return {
    listEvents: (accountId, filter = {}, page = {}) =>
      readList('events', accountId, filter, page, (opened) => events.listEvents(accountId, opened, filter)).map(
        ({ items, ...rest }) => ({ ...rest, items: items.filter((event) => event.accountId === accountId) }),
      ),
    list: (accountId, filter = {}, page = {}) =>
      readList('deliveries', accountId, filter, page, (opened) => log.listDeliveries(accountId, filter, opened)),
    listAttempts: (accountId, deliveryId) =>
      ask(async () => {
        const key = isIdentifier(accountId) ? parseDeliveryId(accountId, deliveryId) : undefined;
        return key ? log.listAttempts(key) : [];
      }),
    explain: (accountId, eventId, endpointId) => {
      if (!isIdentifier(accountId) || !isId(eventId)) return errAsync({ code: 'no_such_event' });
      if (!isId(endpointId)) return errAsync({ code: 'no_such_endpoint' });
      return ask(() => log.readExplainSnapshot(accountId, eventId, endpointId)).andThen((snapshot) => {
        const { event, endpoint, propagating } = snapshot;
        if (event || !endpoint || propagating === undefined) return explain(snapshot, endpointId);
        // Another account's event: whether it is there is told to nobody but its parent.
        return findParent(propagating).andThen((parentId) =>
          parentId === accountId ? ok<Explanation>({ kind: 'not_propagated_yet' }) : explain(snapshot, endpointId),
        );
      });
    },
    sendAgain: (accountId, deliveryId) => {
      const key = isIdentifier(accountId) ? parseDeliveryId(accountId, deliveryId) : undefined;
      if (!key) return errAsync({ code: 'not_found' });
      return ask(() => log.sendAgain(key)).andThen((sent) => {
        if (sent.kind === 'unfinished')
          return errAsync({ code: sent.kind, deliveryId: sent.deliveryId } satisfies SendAgainFailure);
        if (sent.kind !== 'sent') return errAsync({ code: sent.kind } satisfies SendAgainFailure);
        nudge();
        return okAsync({ deliveryId: sent.deliveryId });
      });
    },
    replay: (accountId, endpointId, { from, to, after }) => {
      const acting = checkAccountId(accountId);
      if (acting.isErr()) return errAsync(acting.error);
      if (!isTime(from) || !isTime(to)) return errAsync(badTimes);
      if (!isId(endpointId)) return errAsync({ code: 'not_found' });
      const scope = ['replay', accountId, endpointId, from, to];
      return openPage(scope, after === undefined ? {} : { after })
        .asyncAndThen((opened) => ask(() => log.replay(accountId, endpointId, { from, to, ...opened })))
        .andThen((replayed): ResultAsync<{ readonly deliveries: number; readonly next?: string }, ReplayFailure> => {
          if (replayed.kind !== 'replayed') return errAsync({ code: replayed.kind });
          const { deliveries, next } = replayed;
          if (deliveries > 0) nudge();
          const { items: _none, ...rest } = closePage(scope, { items: [], ...(next === undefined ? {} : { next }) });
          return okAsync({ deliveries, ...rest });
        });
    },
    backlog: (accountId) => checkAccountId(accountId).asyncAndThen(() => ask(() => log.countBacklog(accountId))),
    backlogOfAll: () => ask(() => log.countBacklog()),
  };
};
