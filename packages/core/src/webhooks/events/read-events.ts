import { errAsync, okAsync } from '#result';
import { checkAccountId } from '../../base/accounts/account-id.ts';
import { readPage, scopeOfList } from '../../base/pagination/cursor.ts';
import { assertListOptions } from '../../base/pagination/list-options.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import { failure } from '../../base/runtime/failure.ts';
import { isId } from '../../base/runtime/id.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import type { ObjectDefinition } from '../catalogue/define-object.ts';
import { checkEventFilter, eventFilterNames } from './event-filter.ts';
import type { EventStore } from './event-store.ts';
import type { Events } from './publish.ts';

/** Reads events. */
export const createEventReader = (
  store: Pick<EventStore<never>, 'listEvents' | 'findEvent'>,
): Pick<Events<object, ObjectDefinition>, 'list' | 'find'> => ({
  list: (accountId, options = {}) => {
    assertListOptions('events.list', options, eventFilterNames);
    const { page = {}, ...filter } = options;
    return checkAccountId(accountId)
      .andThen(() => checkEventFilter(filter))
      .asyncAndThen(() =>
        callPort(() =>
          readPage(scopeOfList('events', accountId, filter, page), page, (opened) =>
            store.listEvents(accountId, opened, filter),
          ),
        ),
      )
      .andThen((found) => found)
      .map(({ items, ...rest }) => ({ ...rest, items: items.filter((event) => event.accountId === accountId) }));
  },
  find: (accountId, eventId) =>
    callPort(async () =>
      isIdentifier(accountId) && isId(eventId) ? store.findEvent(accountId, eventId) : undefined,
    ).andThen((event) =>
      event?.accountId === accountId && event.id === eventId ? okAsync(event) : errAsync(failure('not_found')),
    ),
});
