import type { z } from 'zod';
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from '#result';
import type { AuditStore } from '../../base/audit/audit-store.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import type { ListFailure } from '../../base/pagination/cursor.ts';
import type { ListOptions } from '../../base/pagination/list-options.ts';
import type { Page } from '../../base/pagination/page.ts';
import { hasBrand, isError } from '../../base/runtime/brand.ts';
import { callPort, type Unavailable, unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { unknownName } from '../../base/runtime/did-you-mean.ts';
import type { Failure } from '../../base/runtime/failure.ts';
import { createIds } from '../../base/runtime/id.ts';
import type { Random } from '../../base/runtime/random.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { ActorOptions } from '../../base/signals/change-options.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { PairsOf } from '../catalogue/catalogue.ts';
import type { ObjectDefinition, PayloadSchema } from '../catalogue/define-object.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { OtherEnvelope, UnwritableEvent } from '../envelope/other-texts.ts';
import type { DispatchedEvent, ListedEvent, NewEvent } from './event.ts';
import type { EventFilter } from './event-filter.ts';
import type { AppendOutcome, EventStore } from './event-store.ts';
import { invalidCall } from './invalid-event.ts';
import { type EventFailure, prepareEvent, type RawEvent } from './prepare.ts';
import { PublishError, type Published, type PublishFailure } from './published.ts';
import { createTellRefused } from './tell-refused.ts';
import {
  completeTestEvent,
  type FillUnsent,
  findTestable,
  type TestEventFailure,
  type TestEventInput,
  testEvent,
} from './test-event.ts';
import { createPublishSignals, inTraces } from './tracing.ts';

/**
 * An event to publish. A pair outside the kit's objects, or data outside the schema, does not compile.
 * @public
 */
export type EventInput<D extends ObjectDefinition> =
  D extends ObjectDefinition<infer N, infer S, infer T>
    ? {
        /** The account whose endpoints receive the event. */
        readonly accountId: string;
        /** The kind of the object. */
        readonly objectName: N;
        /** The event type. */
        readonly type: T;
        /** The object, as the schema's input. The groups of the type decide what is sent. */
        readonly data: z.input<S & PayloadSchema>;
        /**
         * When it happened, in milliseconds since 1970. @defaultValue the store's clock, also for a time in its future
         */
        readonly occurredAt?: EpochMs;
      }
    : never;

/**
 * Options of `publish`.
 * @public
 */
export interface PublishOptions<Tx extends object> {
  /** Your open transaction; `'new'` publishes in a transaction of its own. */
  readonly tx: Tx | 'new';
  /**
   * 1 to 256 bytes, unique in the account and stored for 30 days. Publishing the same content again with it returns the
   * first event; other content is an `idempotency_conflict`. @defaultValue none
   */
  readonly idempotencyKey?: string;
}

/**
 * Publishes and reads events (specification §6).
 * @public
 */
export interface Events<Tx extends object, D extends ObjectDefinition> {
  /**
   * Stores an event inside your transaction: it is delivered after the commit, and a rollback removes it. Rejects with
   * a {@link PublishError}, so that your transaction rolls back by itself.
   * @example
   * await db.transaction(async (tx) => {
   *   await payments.markPaid(tx, id);
   *   await kit.events.publish({ accountId, objectName: 'RequestPayment', type: 'payed', data }, { tx });
   * });
   */
  publish(event: EventInput<D>, options: PublishOptions<Tx>): Promise<Published>;
  /** Publishes events in order, all or none, in one statement. Each event has its own idempotency key. */
  publishMany(
    events: readonly (EventInput<D> & {
      /** As in {@link PublishOptions}, for this event alone. */
      readonly idempotencyKey?: string;
    })[],
    options: {
      /** Your open transaction, or `new` for a transaction of its own. */
      readonly tx: Tx | 'new';
    },
  ): Promise<readonly Published[]>;
  /**
   * {@link Events.publish}, with the failure as a value. If you ignore an `Err`, your change commits without its event:
   * the audit trail then has an entry `publish.refused`, written in your transaction.
   */
  tryPublish(event: EventInput<D>, options: PublishOptions<Tx>): ResultAsync<Published, PublishFailure>;
  /**
   * Sends a test event to one endpoint of an account, in a transaction of its own, whatever events the endpoint
   * selects. Its `data.id` is `test_` and a UUID. Otherwise it is checked, signed, retried and logged like every event.
   * It does not wait for the breaker, and its success ends the pause.
   * @example
   * const event = { objectName: 'RequestPayment', type: 'payed', data } as const;
   * const sent = await kit.events.sendTest(accountId, endpointId, event);
   */
  sendTest(
    accountId: string,
    endpointId: string,
    event: TestEventInput<D>,
    options?: ActorOptions,
  ): ResultAsync<
    {
      /** The id of the test event. */
      readonly eventId: string;
    },
    TestEventFailure
  >;
  /**
   * Lists events without their bodies, oldest first unless `newestFirst`. A page of a filtered list may be short or
   * empty and still have a `next`.
   * @example
   * const paid = await kit.events.list(accountId, { type: 'payed', page: { newestFirst: true, limit: 20 } });
   * @throws TypeError when an option is unknown.
   */
  list(accountId: string, options?: EventFilter<PairsOf<D>> & ListOptions): ResultAsync<Page<ListedEvent>, ListFailure>;
  /**
   * Reads an event with its body. `not_found`: the account has no such event, or it was pruned (after 30 days by
   * default, see `retention`).
   */
  find(accountId: string, eventId: string): ResultAsync<NewEvent | DispatchedEvent, Failure<'not_found'> | Unavailable>;
}

/** The calls of {@link Events} that publish. */
export type Publishing<Tx extends object, D extends ObjectDefinition> = Omit<Events<Tx, D>, 'list' | 'find'>;

/**
 * Publishes events together with what they tell of: `write` stores both, or resolves to `false` and stores neither.
 * Rejects with a {@link PublishError} before it calls `write` when an event is refused; otherwise as `write` does.
 */
export type PublishWith = (
  events: readonly RawEvent[],
  write: (events: readonly NewEvent[]) => Promise<boolean>,
) => Promise<boolean>;

/** The part of the storage that publishing uses. */
interface PublishStorage<Tx extends object> {
  readonly audit: Pick<AuditStore<Tx>, 'tell'>;
  readonly events: EventStore<Tx>;
  readonly endpoints: EndpointStore;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface EventsDeps<Tx extends object> {
  readonly storage: PublishStorage<Tx>;
  readonly objects: readonly ObjectDefinition[];
  readonly clock: Clock;
  readonly random: Random;
  /** Makes entries of refused events. */
  readonly auditor: Pick<Auditor, 'entry'>;
  /** Receives what the storage rejected such an entry with. */
  readonly onUntold: (cause: unknown) => void;
  /** Absent without the option `observe`: no signals are made. */
  readonly observe: Observer | undefined;
  readonly traceContext: (() => string | undefined) | undefined;
  /** Envelopes to write beside the specification's. */
  readonly envelopes: readonly OtherEnvelope[];
  /** Receives what an envelope of a named profile could not write. */
  readonly onUnwritable: (cause: UnwritableEvent) => void;
  /** Completes the data of a test event. */
  readonly fillUnsent: FillUnsent;
}

/** A misspelt option would publish the event without its key, or outside its transaction. */
const wrongOptions = (options: unknown, known: readonly string[]): string | undefined => {
  const unknown = typeof options === 'object' && options !== null ? unknownName('option', options, known) : undefined;
  return unknown && `options: ${unknown}`;
};

/** Reads the code, not the class, of an error: adapters may load another copy of this module. */
const failureOf = (failure: Unavailable): PublishFailure => {
  const { cause } = failure;
  if (hasBrand<PublishError>(cause, 'PublishError')) return cause.failure;
  return isError(cause) && 'code' in cause && cause.code === 'no_transaction'
    ? { code: 'no_transaction', message: cause.message }
    : failure;
};

/** The transaction of some drivers is a function, a template tag. */
const isTransaction = <Tx extends object>(tx: Tx | 'new' | null | undefined): tx is Tx =>
  (typeof tx === 'object' && tx !== null) || typeof tx === 'function';

const misplacedKey = (event: unknown): string | undefined =>
  typeof event === 'object' && event !== null && 'idempotencyKey' in event
    ? 'event: idempotencyKey belongs in the options, beside tx.'
    : undefined;

export const createEvents = <Tx extends object, D extends ObjectDefinition>({
  storage,
  objects,
  clock,
  random,
  auditor,
  onUntold,
  observe,
  traceContext,
  envelopes,
  onUnwritable,
  fillUnsent,
}: EventsDeps<Tx>): Publishing<Tx, D> & {
  /** For code on top of a kit: stores write the events themselves. */
  readonly publishWith: PublishWith;
} => {
  const nextId = createIds(clock, random);
  const definitions = new Map(objects.map((definition) => [definition.objectName, definition]));
  const tellRefused = createTellRefused({ audit: storage.audit, auditor, definitions, onUntold });
  const publishable = { envelopes, onUnwritable, definitions };

  const settle = (event: NewEvent, outcome: AppendOutcome | undefined): Published => {
    if (outcome?.kind === 'stored') return { eventId: event.id, replayed: false };
    if (outcome?.kind === 'replayed') return { eventId: outcome.eventId, replayed: true };
    if (!outcome) throw new TypeError('EventStore.append: one outcome for each event is needed.');
    const message = 'This idempotency key belongs to an event with other content.';
    throw new PublishError({ code: 'idempotency_conflict', message, eventId: outcome.eventId });
  };

  const publishedAs = (events: readonly NewEvent[], outcomes: readonly AppendOutcome[]): readonly Published[] =>
    events.map((event, index) => settle(event, outcomes[index]));

  const append = async (events: readonly NewEvent[], tx: Tx): Promise<readonly Published[]> =>
    publishedAs(events, await storage.events.append(tx, events));

  const appendAlone = async (events: readonly NewEvent[]): Promise<readonly Published[]> =>
    storage.events.appendAlone
      ? publishedAs(events, await storage.events.appendAlone(events))
      : storage.transaction((own) => append(events, own));

  const prepare = (inputs: readonly RawEvent[]): Result<readonly NewEvent[], EventFailure> => {
    const prepared: NewEvent[] = [];
    for (const input of inputs) {
      const one = prepareEvent(publishable, input, nextId());
      if (one.isErr()) return err(one.error);
      prepared.push(one.value);
    }
    return ok(inTraces(prepared, traceContext));
  };

  const publishWith: PublishWith = async (inputs, write) => {
    const prepared = prepare(inputs);
    if (prepared.isErr()) throw new PublishError(prepared.error);
    const events = prepared.value;
    const signals = observe && createPublishSignals(events, clock, observe);
    try {
      const isWritten = await write(events);
      if (isWritten) signals?.published(events.map(({ id: eventId }) => ({ eventId, replayed: false })));
      return isWritten;
    } catch (cause) {
      signals?.failed(failureOf(unavailable(cause)));
      throw cause;
    }
  };

  const tryMany = (
    inputs: readonly RawEvent[],
    tx: Tx | 'new',
    to: Pick<NewEvent, 'onlyTo'> = {},
  ): ResultAsync<readonly Published[], PublishFailure> => {
    if (tx !== 'new' && !isTransaction(tx)) {
      return errAsync(invalidCall("tx: hand over your open transaction, or 'new' when there is none."));
    }
    if (!Array.isArray(inputs)) return errAsync(invalidCall('events: a list.'));
    const traced = prepare(inputs);
    if (traced.isErr()) return errAsync(traced.error);
    if (traced.value.length === 0) return okAsync([]);
    const events = to.onlyTo === undefined ? traced.value : traced.value.map((event) => ({ ...event, ...to }));
    const signals = observe && createPublishSignals(events, clock, observe);
    const published = callPort(() => (tx === 'new' ? appendAlone(events) : append(events, tx))).mapErr(failureOf);
    return signals ? published.andTee(signals.published).orTee(signals.failed) : published;
  };

  const orReject = async <T>(result: ResultAsync<T, PublishFailure>): Promise<T> =>
    result.match(
      (value) => value,
      (failure) => {
        throw new PublishError(failure);
      },
    );

  const attempt: Events<Tx, D>['tryPublish'] = (event, options) => {
    const wrong = wrongOptions(options, ['tx', 'idempotencyKey']) ?? misplacedKey(event);
    if (wrong !== undefined) return errAsync(invalidCall(wrong));
    // A value that is not an object has no fields to spread; it is refused later.
    const input: unknown =
      typeof event === 'object' && event !== null ? { ...event, idempotencyKey: options?.idempotencyKey } : event;
    return tryMany([input as RawEvent], options?.tx).map(([published]) => published as Published);
  };
  const tryPublish: Events<Tx, D>['tryPublish'] = (event, options) =>
    attempt(event, options).orElse((failure) =>
      isTransaction(options?.tx) ? tellRefused(event, options.tx, failure) : errAsync(failure),
    );
  const tryPublishMany = (events: readonly RawEvent[], options: { readonly tx: Tx | 'new' }) => {
    const wrong = wrongOptions(options, ['tx']);
    return wrong === undefined ? tryMany(events, options?.tx) : errAsync<never, PublishFailure>(invalidCall(wrong));
  };

  return {
    publishWith,
    tryPublish,
    publish: async (event, options) => orReject(attempt(event, options)),
    publishMany: async (events, options) => orReject(tryPublishMany(events as readonly RawEvent[], options)),
    sendTest: (accountId, endpointId, input) =>
      findTestable(storage.endpoints, accountId, endpointId)
        .andThen(() => testEvent(accountId, input, clock, random))
        .andThen((event) => {
          const to = { onlyTo: endpointId };
          return tryMany([event], 'new', to).orElse((failure) => {
            const complete =
              failure.code === 'invalid_event' ? completeTestEvent(publishable, fillUnsent, event) : undefined;
            return complete ? tryMany([complete], 'new', to) : errAsync(failure);
          });
        })
        .map(([published]) => ({ eventId: (published as Published).eventId }))
        .mapErr((failure): TestEventFailure => {
          // A test event has no idempotency key, and no transaction of the host.
          if (failure.code === 'idempotency_conflict' || failure.code === 'no_transaction') return unavailable(failure);
          return failure;
        }),
  };
};
