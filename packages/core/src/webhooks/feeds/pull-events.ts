import { errAsync, ok, okAsync, type Result, ResultAsync } from '#result';
import type { FindParent } from '../../base/accounts/find-parent.ts';
import type { InvalidCursor } from '../../base/pagination/cursor.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type Failure, failure, type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { isId } from '../../base/runtime/id.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { isIdentifier, utf8Length } from '../../base/runtime/text.ts';
import { type EpochSeconds, minute, toSeconds } from '../../base/runtime/time.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isPulled } from '../endpoints/endpoint-kind.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import { bodyIn } from '../envelope/other-texts.ts';
import type { DispatchedEvent } from '../events/event.ts';
import { messageIdOf } from '../signature/signature-scheme.ts';
import { type CheckedProfile, profileOf, type WireProfiles } from '../signature/wire-profile.ts';
import { advance, type Checkpoints, judgeCursor, oldestOf, readFeedCursor, writeFeedCursor } from './feed-cursor.ts';
import type { FeedPart, FeedPlace, FeedStore } from './feed-store.ts';

/**
 * An event that a pull endpoint receives.
 * @public
 */
export interface PulledEvent {
  /** Its id for this endpoint, the same each time: what `webhook-id` is for a push endpoint. Deduplicate by it. */
  readonly id: string;
  /** Its `timestamp` (specification §2.3), in seconds since 1970. */
  readonly timestamp: EpochSeconds;
  /** The further headers of the endpoint's profile, in lower case. Nothing is signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body: the same bytes as a push endpoint with this profile would receive. */
  readonly body: string;
}

/**
 * A page of the events of a pull endpoint, in the order of dispatch.
 * @public
 */
export interface PulledPage {
  /** The events; at most 1 MiB of them, at least one if there is one. */
  readonly items: readonly PulledEvent[];
  /** Opaque cursor after these events, for `after`: also of an empty page. */
  readonly next: string;
  /** Whether there are more events now. */
  readonly hasMore: boolean;
}

/**
 * Which events to read.
 * @public
 */
export interface PullOptions {
  /**
   * The `next` of the page before: a program stores it with what it made of the events.
   * @defaultValue the oldest event
   */
  readonly after?: string | undefined;
  /** Maximum number of events, 1 to 100. @defaultValue 50 */
  readonly limit?: number | undefined;
}

/**
 * Why events were not read.
 *
 * - `not_found`: the account has no such endpoint.
 * - `wrong_kind`: events are sent to this endpoint.
 * - `endpoint_disabled`: enable the endpoint first.
 * - `cursor_expired`: events after the cursor are older than the retention. `resumeAfter` is before the oldest event.
 * - `cursor_ahead`: the storage lost the event of the cursor, as after a failover to a standby that lacked it.
 *   `resumeAfter` is the last place that both know: events after it may come again.
 * - `invalid_cursor`: `after` is of another endpoint or account, or made up.
 * - `invalid_input`: `limit` is wrong.
 * - `unavailable`: the storage or the directory failed.
 * @public
 */
export type PullFailure =
  | Failure<'not_found' | 'wrong_kind' | 'endpoint_disabled'>
  | (Failure<'cursor_expired' | 'cursor_ahead'> & {
      /** The cursor with which to continue. */
      readonly resumeAfter: string;
    })
  | InvalidCursor
  | InvalidInput
  | Unavailable;

/**
 * Reads the events of a pull endpoint. Each event that the endpoint selects appears once, in one order: none is added
 * before a cursor that was returned.
 * @public
 */
export type PullEvents = (
  accountId: string,
  endpointId: string,
  options?: PullOptions,
) => ResultAsync<PulledPage, PullFailure>;

/**
 * The part of `kit.events` that reads pull endpoints.
 * @public
 */
export interface PulledEvents {
  /**
   * Reads the events of a pull endpoint, oldest first. Each event that it selects appears once, in one order: none is
   * added before a cursor that was returned.
   * @example
   * const read = await kit.events.pull(accountId, endpointId, { limit: 100 });
   * if (read.isOk()) show(read.value.items, read.value.next);
   * @throws TypeError when an option is unknown.
   */
  readonly pull: PullEvents;
}

/** What {@link createPullEvents} calls. */
export interface PullDeps {
  readonly feeds: Pick<FeedStore, 'readFeed' | 'noteAsked'>;
  readonly endpoints: Pick<EndpointStore, 'findEndpoint'>;
  /** Finds the parent of an account. */
  readonly findParent: FindParent;
  readonly profiles: Pick<WireProfiles, 'of'>;
  readonly clock: Clock;
  /** Receives what failed beside the result. */
  readonly reportError: (cause: unknown) => void;
}

/** Maximum size of the bodies of a page, unless its first event is larger. */
const maxBytes = 1_048_576;
/** How often the place of a reader is stored. */
const noteEvery = minute;

const itemOf = (
  event: DispatchedEvent,
  endpointId: string,
  { envelope, headersOf }: CheckedProfile,
  now: EpochSeconds,
): PulledEvent => {
  const { id, timestamp, objectName, type } = event;
  return {
    id: messageIdOf(id, endpointId),
    timestamp,
    headers: { ...headersOf?.({ id, timestamp: now, objectName, type }) },
    body: envelope.write ? bodyIn(envelope, event, timestamp) : event.body,
  };
};

const limitOf = (limit: number | undefined): number | undefined =>
  limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= 100) ? (limit ?? 50) : undefined;

/** Creates `events.pull` of a kit. */
export const createPullEvents = (deps: PullDeps): PullEvents => {
  const { feeds, endpoints, findParent, profiles, clock, reportError } = deps;

  const findPulled = (accountId: string, endpointId: string): ResultAsync<Endpoint, PullFailure> =>
    callPort(async () =>
      isIdentifier(accountId) && isId(endpointId) ? endpoints.findEndpoint(accountId, endpointId) : undefined,
    ).andThen((endpoint): ResultAsync<Endpoint, PullFailure> => {
      if (endpoint?.accountId !== accountId || endpoint.id !== endpointId) return errAsync(failure('not_found'));
      if (!isPulled(endpoint)) return errAsync(failure('wrong_kind'));
      return endpoint.state === 'enabled' ? okAsync(endpoint) : errAsync(failure('endpoint_disabled'));
    });

  /** The accounts of the original events that are no longer children. */
  const findGone = (accountId: string, { entries }: FeedPart): ResultAsync<ReadonlySet<string>, Unavailable> => {
    const origins = [...new Set(entries.flatMap(({ event }) => event.origin ?? []))];
    const lookups = origins.map((origin) => findParent(origin).map((parent) => ({ origin, parent })));
    return ResultAsync.combine(lookups).map(
      (found) => new Set(found.filter(({ parent }) => parent !== accountId).map(({ origin }) => origin)),
    );
  };

  /** Stores the place of the reader, for people: a failure is reported, and the events are read all the same. */
  const note = async ({ accountId, id }: Endpoint, number: number, { asked, now }: FeedPart): Promise<void> => {
    if (asked && now - asked.at < noteEvery) return;
    try {
      await feeds.noteAsked(accountId, id, number);
    } catch (cause) {
      reportError(cause);
    }
  };

  /** The items of entries that are in reach, up to the size of a page, and the last entry that was looked at. */
  const write = ({ entries }: FeedPart, { id, profile: name }: Endpoint, gone: ReadonlySet<string>) => {
    const profile = profileOf('events.pull', profiles, name);
    const now = toSeconds(clock.now());
    const items: PulledEvent[] = [];
    let [bytes, last]: [number, FeedPlace | undefined] = [0, undefined];
    for (const { event, ...place } of entries) {
      if (event.origin === undefined || !gone.has(event.origin)) {
        const item = itemOf(event, id, profile, now);
        bytes += utf8Length(item.body);
        if (bytes > maxBytes && items.length > 0) break;
        items.push(item);
      }
      last = place;
    }
    return { items, last };
  };

  return (accountId, endpointId, options = {}) => {
    assertOptionNames('events.pull', options, { after: true, limit: true });
    const limit = limitOf(options.limit);
    if (limit === undefined) return errAsync(invalidField('limit', 'a whole number from 1 to 100.'));
    const { after } = options;
    return findPulled(accountId, endpointId).andThen((endpoint) => {
      const opened: Result<Checkpoints | undefined, InvalidCursor> =
        after === undefined ? ok(undefined) : readFeedCursor(accountId, endpointId, after);
      if (opened.isErr()) return errAsync(opened.error);
      const cursor = opened.value;
      const text = (at: Checkpoints): string => writeFeedCursor(accountId, endpointId, at);
      const places = cursor?.map(({ number }) => number).filter((number) => number > 0) ?? [];
      const start = cursor ? { after: cursor[0].number } : {};
      const read = { ...start, limit, maxLength: maxBytes, places };
      return callPort(() => feeds.readFeed(accountId, endpointId, read)).andThen(
        (part): ResultAsync<PulledPage, PullFailure> => {
          if (!part) return errAsync(failure('not_found'));
          const verdict = cursor ? judgeCursor(cursor, part) : ({ kind: 'good' } as const);
          if (verdict.kind !== 'good')
            return errAsync({ ...failure(verdict.kind), resumeAfter: text(verdict.at) } satisfies PullFailure);
          const here = cursor ?? oldestOf(part);
          return findGone(accountId, part).andThen((gone) =>
            callPort(async () => {
              const { items, last } = write(part, endpoint, gone);
              const next = last ? advance(here, last) : here;
              await note(endpoint, here[0].number, part);
              return { items, next: text(next), hasMore: next[0].number < part.last };
            }),
          );
        },
      );
    });
  };
};
