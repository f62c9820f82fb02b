import { errAsync, ok, okAsync, type ResultAsync } from '#result';
import { checkAccountId } from '../../base/accounts/account-id.ts';
import { platformAccountId } from '../../base/audit/audit-entry.ts';
import { type ListFailure, readPage } from '../../base/pagination/cursor.ts';
import { assertListOptions, type ListOptions } from '../../base/pagination/list-options.ts';
import type { Page } from '../../base/pagination/page.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import { type Failure, failure, type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { isId } from '../../base/runtime/id.ts';
import type { HandlerDelivery, HandlerDeliveryKey, HandlerStatus, HandlerStore } from '../deliveries/handler-store.ts';
import { isHandlerName } from './handler.ts';

/**
 * Why an event was not handled again.
 *
 * - `not_found`: the handler has no delivery of this event.
 * - `already_handled`: the handler has handled it.
 * - `unfinished`: it is due, scheduled or being handled.
 * - `unavailable`: the storage failed.
 * @public
 */
export type HandleAgainFailure = Failure<'not_found' | 'already_handled' | 'unfinished'> | Unavailable;

/**
 * Reads and repairs the deliveries of the host's own handlers. Not for partners: these are of all accounts.
 * @public
 */
export interface HandlerAdmin {
  /**
   * Lists the registered handlers, with what waits for each.
   * @example
   * const handlers = await kit.handlers.list();
   * if (handlers.isOk()) for (const { name, exhausted } of handlers.value) show(name, exhausted);
   */
  list(): ResultAsync<readonly HandlerStatus[], Unavailable>;
  /**
   * Lists the deliveries of a handler whose last attempt failed, oldest event first unless `newestFirst`.
   * @throws TypeError when an option is unknown.
   */
  exhausted(handler: string, options?: ListOptions): ResultAsync<Page<HandlerDelivery>, ListFailure>;
  /** Reads the deliveries of an event to handlers, with all attempts. Empty for an unknown event. */
  ofEvent(accountId: string, eventId: string): ResultAsync<readonly HandlerDelivery[], InvalidInput | Unavailable>;
  /**
   * Makes an exhausted delivery due now, with 10 more attempts.
   * @example
   * const failed = await kit.handlers.exhausted('ledger');
   * if (failed.isOk()) for (const delivery of failed.value.items) await kit.handlers.sendAgain(delivery);
   */
  sendAgain(delivery: HandlerDeliveryKey): ResultAsync<undefined, HandleAgainFailure>;
  /**
   * Removes a handler, and deletes its waiting deliveries. Remove it from every worker first: a worker that starts with
   * it registers it again. Resolves for an unknown handler, too.
   */
  remove(handler: string): ResultAsync<undefined, InvalidInput | Unavailable>;
}

/** Number of deliveries that one call of the storage deletes. */
const batch = 1_000;

/** Events of operation that concern all accounts have the account of the platform. */
const checkAccount = (accountId: string) =>
  accountId === platformAccountId ? ok<void, InvalidInput>(undefined) : checkAccountId(accountId);

const wrongName = (): InvalidInput => invalidField('handler', 'a letter, then at most 23 of a-z, 0-9, _ and -.');

/** Creates the {@link HandlerAdmin} of a kit. */
export const createHandlerAdmin = (
  store: Pick<HandlerStore<never>, 'listHandlers' | 'listDeliveries' | 'sendAgain' | 'removeHandler'>,
  nudge: () => void,
): HandlerAdmin => ({
  list: () => callPort(() => store.listHandlers()),
  exhausted: (handler, options = {}) => {
    assertListOptions('handlers.exhausted', options, {});
    const { page = {} } = options;
    if (!isHandlerName(handler)) return errAsync(wrongName());
    const scope = ['handlers', handler, page.newestFirst === true];
    return callPort(() => readPage(scope, page, (opened) => store.listDeliveries({ handler }, opened))).andThen(
      (found) => found,
    );
  },
  ofEvent: (accountId, eventId) => {
    const acting = checkAccount(accountId);
    if (acting.isErr()) return errAsync(acting.error);
    if (!isId(eventId)) return okAsync([]);
    return callPort(async () => (await store.listDeliveries({ accountId, eventId }, {})).items);
  },
  sendAgain: ({ accountId, eventId, handler }) => {
    if (checkAccount(accountId).isErr() || !isId(eventId) || !isHandlerName(handler))
      return errAsync(failure('not_found'));
    return callPort(() => store.sendAgain({ accountId, eventId, handler })).andThen(
      (before): ResultAsync<undefined, HandleAgainFailure> => {
        if (before === undefined) return errAsync(failure('not_found'));
        if (before === 'handled') return errAsync(failure('already_handled'));
        if (before === 'waiting') return errAsync(failure('unfinished'));
        nudge();
        return okAsync(undefined);
      },
    );
  },
  remove: (handler) => {
    if (!isHandlerName(handler)) return errAsync(wrongName());
    return callPort(async () => {
      while (await store.removeHandler(handler, batch));
      return undefined;
    });
  },
});
