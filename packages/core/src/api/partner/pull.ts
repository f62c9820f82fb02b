import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result, ResultAsync } from '#result';
import { withExample } from '../../base/fields/example.ts';
import { type Clock, monotonicNow } from '../../base/runtime/clock.ts';
import { once } from '../../base/runtime/once.ts';
import { type DurationMs, second } from '../../base/runtime/time.ts';
import { readFeedCursor } from '../../webhooks/feeds/feed-cursor.ts';
import type { FeedWaits } from '../../webhooks/feeds/feed-waits.ts';
import type { PullEvents, PulledPage, PullFailure } from '../../webhooks/feeds/pull-events.ts';
import type { CodedFailure, HttpFailure } from '../operations/failure.ts';
import type { Answer, Call, KeyOperation } from '../operations/operation.ts';
import { pageParameters } from '../operations/query.ts';
import type { Reached } from './caller.ts';

/** Maximum number of requests of one client that wait in this process. */
const maxWaiting = 4;

const event = once(() =>
  z.strictObject({
    id: z.string().register(documentation, { description: 'Its id for this endpoint. Deduplicate by it.' }),
    timestamp: z.int().min(0).register(documentation, { description: 'Its `timestamp`, as in the body.' }),
    headers: z
      .record(z.string(), z.string())
      .register(documentation, { description: 'The further headers of a request, in lower case. Nothing is signed.' }),
    body: z.string().register(documentation, { description: 'The body of a request, as text.' }),
  }),
);

const page = once(() =>
  withExample(
    z
      .strictObject({
        items: z.array(event()),
        next: z
          .string()
          .register(documentation, { description: 'Cursor after these events, for `after`; also of an empty page.' }),
        hasMore: z.boolean().register(documentation, { description: 'Whether there are more events now.' }),
      })
      .register(documentation, { name: 'PulledEventPage', description: 'Events of a pull endpoint.' }),
    {
      items: [
        {
          ...{ id: 'event_1_endpoint_1', timestamp: 1_798_761_600, headers: {} },
          body: '{"timestamp":1798761600,"data":{"id":"pay_9"},"objectName":"RequestPayment","type":"payed"}',
        },
      ],
      ...{ next: '5d41402abc4b.3k_0a1b2c3d', hasMore: false },
    },
  ),
);

const query = once(() =>
  z.strictObject({
    limit: pageParameters().limit,
    after: z
      .string()
      .optional()
      .register(documentation, { description: 'The `next` of the page before. Absent: the oldest event.' }),
    wait: z
      .string()
      .regex(/^(\d|1\d|2[0-5])$/, '0 to 25.')
      .transform((text): DurationMs => Number(text) * second)
      .register(documentation, {
        json: {
          ...{ type: 'integer', minimum: 0, maximum: 25, default: 0 },
          description: 'Seconds to wait for an event when there is none.',
        },
      })
      .optional(),
  }),
);

type Query = ReturnType<typeof query>;

/** What {@link pullOperation} calls. */
export interface PullOperationDeps {
  readonly pull: PullEvents;
  readonly waits: FeedWaits;
  readonly clock: Clock;
}

const tooManyWaiting: CodedFailure = {
  code: 'too_many_requests',
  detail: `At most ${maxWaiting} requests of a client wait at a time.`,
  headers: { 'retry-after': '5' },
};

/** Reads the events of a pull endpoint; waits for one when there is none. */
export const pullOperation = ({ pull, waits, clock }: PullOperationDeps): KeyOperation<Reached, Query, undefined> => {
  /** Requests that wait, by client. */
  const waiting = new Map<string, number>();
  /** Reads under way of requests that waited. */
  const reads = new Map<string, Promise<Result<PulledPage, PullFailure>>>();

  /** Reads for a request that waited. Those that waited for the same events share one read. */
  const readAgain: (...args: Parameters<PullEvents>) => Promise<Result<PulledPage, PullFailure>> = async (...args) => {
    const key = JSON.stringify(args);
    const read = reads.get(key) ?? Promise.resolve(pull(...args));
    reads.set(key, read);
    try {
      return await read;
    } finally {
      reads.delete(key);
    }
  };

  /** Waits for events. Ends within a second after the peer has gone. */
  const poll = async ({
    caller: { account },
    params: { endpointId = '' },
    query: { wait = 0, limit, after: start },
    request,
    admitAgain,
  }: Call<Reached, z.output<Query>, undefined>): Promise<Result<PulledPage, PullFailure | HttpFailure>> => {
    const until = monotonicNow(clock) + wait;
    const isClosed = () => request.isClosed?.() ?? false;
    for (let after = start, hasWaited = false; ; hasWaited = true) {
      const read = await (hasWaited ? readAgain : pull)(account.id, endpointId, { after, limit });
      const left = until - monotonicNow(clock);
      if (read.isErr() || read.value.items.length > 0 || read.value.hasMore) {
        // While it waited, the token or the right may have been taken away.
        const again = hasWaited ? await admitAgain() : ok();
        return again.isErr() ? err(again.error) : read;
      }
      if (left <= 0 || isClosed()) return read;
      after = read.value.next;
      const at = readFeedCursor(account.id, endpointId, after);
      if (at.isErr()) return err(at.error);
      await waits.wait({ accountId: account.id, endpointId }, at.value[0].number, { time: left, isClosed });
    }
  };

  const answer = async (
    call: Call<Reached, z.output<Query>, undefined>,
  ): Promise<Result<Answer, HttpFailure | PullFailure>> => {
    const { id } = call.caller.client;
    const others = waiting.get(id) ?? 0;
    const waits = (call.query.wait ?? 0) > 0;
    if (waits && others >= maxWaiting) return err(tooManyWaiting);
    if (waits) waiting.set(id, others + 1);
    try {
      return (await poll(call)).map((read): Answer => ({ body: read }));
    } finally {
      const left = (waiting.get(id) ?? 1) - 1;
      if (waits && left > 0) waiting.set(id, left);
      else if (waits) waiting.delete(id);
    }
  };

  return {
    method: 'GET',
    path: '/organisations/:organisationId/webhooks/:endpointId/events',
    operationId: 'pullEvents',
    summary: 'Reads the events of a pull endpoint',
    description:
      'Each event that the endpoint selects appears once, in one order; none is inserted before a `next` that was returned. ' +
      'It begins with the creation of the webhook. An answer always has a `next`: read on at once while `hasMore` is ' +
      '`true`, and else later. Store `next` together with what you made of the events. A wait that ends with events ' +
      'counts as two calls towards the limit of requests. `cursor_expired` and `cursor_ahead` have `resumeAfter`: the ' +
      'cursor with which to continue.',
    right: 'events:read',
    tag: 'Webhooks',
    get query() {
      return query();
    },
    answers: {
      200: {
        description: 'A page of events, at most 1 MiB; it may be empty.',
        get schema() {
          return page();
        },
      },
    },
    refuses: [
      ...(['invalid_cursor', 'cursor_expired', 'cursor_ahead', 'endpoint_disabled', 'wrong_kind'] as const),
      ...(['too_many_requests', 'unavailable'] as const),
    ],
    handle: (call) => new ResultAsync(answer(call)),
  };
};
