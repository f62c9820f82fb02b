import type { Client } from 'openapi-fetch';
import { unwrap } from './client-error.ts';

/**
 * A pull endpoint, and where to begin.
 * @public
 */
export interface EventsOptions {
  /** The account of the endpoint: the key's own, or a child. */
  readonly organisationId: string;
  /** Id of the pull endpoint. */
  readonly endpointId: string;
  /** The `next` of the last event that was handled. @defaultValue from the oldest event */
  readonly after?: string | undefined;
  /** Ends the iteration without an error, once the events of the page were taken. @defaultValue never */
  readonly signal?: AbortSignal;
  /** Maximum number of events of a page, 1 to 100. @defaultValue 50 */
  readonly limit?: number;
  /**
   * The path of the route, for a platform with another base path.
   * @defaultValue `/api/v1/partner/organisations/{organisationId}/webhooks/{endpointId}/events`
   */
  readonly path?: string;
}

/**
 * An event that was pulled.
 * @public
 */
export interface PulledEvent {
  /** Its id for this endpoint, the same each time: deduplicate by it. */
  readonly id: string;
  /** When it happened, in seconds since 1970, as in the body. */
  readonly timestamp: number;
  /** The further headers of the endpoint's profile, by lower-case name. Nothing is signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body: what an endpoint with a URL would receive. */
  readonly body: string;
  /** The cursor to store once this event and all before it are handled. Of the last event of a page only. */
  readonly next?: string;
}

/** What the route answers. */
export interface EventPage {
  readonly items: readonly Omit<PulledEvent, 'next'>[];
  readonly next: string;
  readonly hasMore: boolean;
}

const defaultPath = '/api/v1/partner/organisations/{organisationId}/webhooks/{endpointId}/events';

/** The most that the platform waits for an event, in seconds. */
const longestWait = 25;
/** What an answer may need beside the wait, in milliseconds. */
const answerTime = 5_000;

/** Reads one page; waits for an event when there is none. */
export type ReadEvents = (options: EventsOptions, after: string | undefined) => Promise<EventPage>;

export const createReadEvents = (client: Client<object>, timeout: number): ReadEvents => {
  const get = client.GET as (path: unknown, init: object) => Promise<{ data?: EventPage; response: Response }>;
  const wait = Math.max(0, Math.min(longestWait, Math.floor((timeout - answerTime) / 1_000)));
  return ({ organisationId, endpointId, signal, limit, path = defaultPath }, after) => {
    const query = { wait, ...(limit === undefined ? {} : { limit }), ...(after === undefined ? {} : { after }) };
    const params = { path: { organisationId, endpointId }, query };
    return unwrap(get(path, { params, ...(signal ? { signal } : {}) }));
  };
};

/** Iterates the events of a pull endpoint, for ever. */
export const createEvents = (read: ReadEvents) =>
  async function* events(options: EventsOptions): AsyncGenerator<PulledEvent, void, void> {
    const { signal } = options;
    for (let { after } = options; !signal?.aborted; ) {
      let page: EventPage;
      try {
        page = await read(options, after);
      } catch (cause) {
        if (signal?.aborted) return;
        throw cause;
      }
      after = page.next;
      const last = page.items.length - 1;
      for (const [index, event] of page.items.entries()) yield index === last ? { ...event, next: after } : event;
    }
  };
