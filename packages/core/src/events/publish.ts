import { errAsync, okAsync, Result, type ResultAsync } from 'neverthrow';
import type { z } from 'zod';
import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import type { ObjectDefinition, PayloadSchema } from '../catalogue/define-object.ts';
import type { Clock } from '../runtime/clock.ts';
import { unknownName } from '../runtime/did-you-mean.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import type { EpochMs } from '../runtime/time.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import type { Observer } from '../signals/signal.ts';
import type { Storage } from '../storage.ts';
import type { NewEvent } from './event.ts';
import type { AppendOutcome } from './event-store.ts';
import { type EventFailure, prepareEvent, type RawEvent } from './prepare.ts';
import { findTestable, type TestEventFailure, type TestEventInput, testEvent } from './test-event.ts';
import { inTraces, publishNews } from './tracing.ts';

/**
 * What the host publishes: a pair outside the catalogue, or data outside the schema, does not compile.
 * @public
 */
export type EventInput<D extends ObjectDefinition> =
  D extends ObjectDefinition<infer N, infer S>
    ? {
        /** Whose event it is: the endpoints of this account receive it. */
        readonly accountId: string;
        readonly objectName: N;
        readonly type: EventType<N>;
        readonly data: z.input<S & PayloadSchema>;
        /** When it happened, in milliseconds. @defaultValue the store's clock; a time in its future counts as its present */
        readonly occurredAt?: EpochMs;
      }
    : never;

/** Why an event was not published. Nothing of it was stored. @public */
export type PublishFailure =
  | EventFailure
  | {
      readonly code: 'idempotency_conflict';
      readonly detail: string;
      /** The event that holds the key. */
      readonly eventId: string;
    }
  | {
      /** What was handed over as `tx` is no open transaction: a pool, a client without `begin`, or one that has ended. */
      readonly code: 'no_transaction';
      /** What to hand over. */
      readonly detail: string;
    }
  | Unavailable;

/** What {@link Events.publish} rejects with. @public */
export class PublishError extends Error {
  override readonly name = 'PublishError';
  readonly failure: PublishFailure;
  constructor(failure: PublishFailure) {
    super(
      failure.code === 'unavailable'
        ? 'unavailable: the storage failed; see cause.'
        : `${failure.code}: ${failure.detail}`,
      failure.code === 'unavailable' ? { cause: failure.cause } : undefined,
    );
    this.failure = failure;
  }
  /** The stable code of the failure. */
  get code(): PublishFailure['code'] {
    return this.failure.code;
  }
}

/**
 * How to publish.
 * @public
 */
export interface PublishOptions<Tx extends object> {
  /** Your open transaction; `'new'` says that there is none. */
  readonly tx: Tx | 'new';
  /** 1 to 256 bytes, of this account, kept 30 days: a second publish with it and the same content makes no second event. */
  readonly idempotencyKey?: string;
}

/**
 * A published event.
 * @public
 */
export interface Published {
  readonly eventId: string;
  /** An earlier publish with this idempotency key and content made it. */
  readonly replayed: boolean;
}

/**
 * Publishes events (specification §6).
 * @public
 */
export interface Events<Tx extends object, D extends ObjectDefinition> {
  /**
   * Stores an event inside your transaction: commit delivers it, rollback leaves nothing. Rejects with a
   * {@link PublishError}, so that your transaction rolls back by itself.
   * @example
   * await db.transaction(async (tx) => {
   *   await payments.markPaid(tx, id);
   *   await kit.events.publish({ accountId, objectName: 'RequestPayment', type: 'payed', data }, { tx });
   * });
   */
  publish(event: EventInput<D>, options: PublishOptions<Tx>): Promise<Published>;
  /** All or none, in order, in one statement. An idempotency key belongs to its event. */
  publishMany(
    events: readonly (EventInput<D> & { readonly idempotencyKey?: string })[],
    options: { readonly tx: Tx | 'new' },
  ): Promise<readonly Published[]>;
  /** {@link Events.publish} as a value. An `Err` that you ignore commits your change without its event. */
  tryPublish(event: EventInput<D>, options: PublishOptions<Tx>): ResultAsync<Published, PublishFailure>;
  /**
   * Sends a test event to one endpoint of an account, whatever types that takes, in a transaction of its own. Its `data.id` is `test_` and
   * a UUID; from there on it is an event like any other: checked, signed, retried and logged.
   * @example
   * const sent = await kit.events.sendTest(accountId, endpointId, { objectName: 'RequestPayment', type: 'payed', data });
   */
  sendTest(
    accountId: string,
    endpointId: string,
    event: TestEventInput<D>,
  ): ResultAsync<{ readonly eventId: string }, TestEventFailure>;
}

/** @internal */
export interface EventsDeps<Tx extends object> {
  readonly storage: Storage<Tx>;
  readonly objects: readonly ObjectDefinition[];
  readonly clock: Clock;
  readonly random: Random;
  /** Absent when nobody listens. */
  readonly observe: Observer | undefined;
  readonly traceContext: (() => string | undefined) | undefined;
}

/** A misspelt option would be an event without its key, or outside its transaction. */
const wrongOptions = (options: unknown, known: readonly string[]): string | undefined => {
  const unknown = typeof options === 'object' && options !== null ? unknownName('option', options, known) : undefined;
  return unknown && `options: ${unknown}`;
};

/** What the storage rejected with: adapters may be of another copy of this module, so that no class tells. */
const failureOf = (failure: Unavailable): PublishFailure => {
  const { cause } = failure;
  if (cause instanceof PublishError) return cause.failure;
  return cause instanceof Error && 'code' in cause && cause.code === 'no_transaction'
    ? { code: 'no_transaction', detail: cause.message }
    : failure;
};

const misplacedKey = (event: unknown): string | undefined =>
  typeof event === 'object' && event !== null && 'idempotencyKey' in event
    ? 'event: idempotencyKey belongs in the options, beside tx.'
    : undefined;

/** @throws TypeError when two definitions have one objectName. @internal */
export const createEvents = <Tx extends object, D extends ObjectDefinition>({
  storage,
  objects,
  clock,
  random,
  observe,
  traceContext,
}: EventsDeps<Tx>): Events<Tx, D> => {
  const definitions = new Map<ObjectName, ObjectDefinition>();
  for (const definition of objects) {
    if (definitions.has(definition.objectName))
      throw new TypeError(`objects: ${definition.objectName} is defined twice.`);
    definitions.set(definition.objectName, definition);
  }

  const settle = (event: NewEvent, outcome: AppendOutcome | undefined): Published => {
    if (outcome?.kind === 'stored') return { eventId: event.id, replayed: false };
    if (outcome?.kind === 'replayed') return { eventId: outcome.eventId, replayed: true };
    if (!outcome) throw new TypeError('EventStore.append: one outcome for each event is needed.');
    const detail = 'This idempotency key belongs to an event with other content.';
    throw new PublishError({ code: 'idempotency_conflict', detail, eventId: outcome.eventId });
  };

  const publishedAs = (events: readonly NewEvent[], outcomes: readonly AppendOutcome[]): readonly Published[] =>
    events.map((event, index) => settle(event, outcomes[index]));

  const append = async (events: readonly NewEvent[], tx: Tx): Promise<readonly Published[]> =>
    publishedAs(events, await storage.events.append(tx, events));

  const appendAlone = async (events: readonly NewEvent[]): Promise<readonly Published[]> =>
    storage.events.appendAlone
      ? publishedAs(events, await storage.events.appendAlone(events))
      : storage.transaction((own) => append(events, own));

  const tryMany = (
    inputs: readonly RawEvent[],
    tx: Tx | 'new',
    to: Pick<NewEvent, 'onlyTo'> = {},
  ): ResultAsync<readonly Published[], PublishFailure> => {
    // The transaction of some drivers is a function: a tag for templates.
    if (tx !== 'new' && (tx === null || (typeof tx !== 'object' && typeof tx !== 'function'))) {
      return errAsync({
        code: 'invalid_event',
        detail: "tx: hand over your open transaction, or 'new' when there is none.",
      });
    }
    if (!Array.isArray(inputs)) return errAsync({ code: 'invalid_event', detail: 'events: a list.' });
    return Result.combine(inputs.map((input) => prepareEvent(definitions, input, newId(clock, random)))).asyncAndThen(
      (prepared) => {
        if (prepared.length === 0) return okAsync([]);
        const traced = inTraces(prepared, traceContext);
        const events = to.onlyTo === undefined ? traced : traced.map((event) => ({ ...event, ...to }));
        const news = observe && publishNews(events, clock, observe);
        const published = ask(() => (tx === 'new' ? appendAlone(events) : append(events, tx))).mapErr(failureOf);
        return news ? published.andTee(news.published).orTee(news.failed) : published;
      },
    );
  };

  const orReject = async <T>(result: ResultAsync<T, PublishFailure>): Promise<T> =>
    result.match(
      (value) => value,
      (failure) => {
        throw new PublishError(failure);
      },
    );

  const tryPublish: Events<Tx, D>['tryPublish'] = (event, options) => {
    const wrong = wrongOptions(options, ['tx', 'idempotencyKey']) ?? misplacedKey(event);
    if (wrong !== undefined) return errAsync({ code: 'invalid_event', detail: wrong });
    // What is no object has no fields to spread: it is refused as it is.
    const input: unknown =
      typeof event === 'object' && event !== null ? { ...event, idempotencyKey: options?.idempotencyKey } : event;
    return tryMany([input as RawEvent], options?.tx).map(([published]) => published as Published);
  };
  const tryPublishMany = (events: readonly RawEvent[], options: { readonly tx: Tx | 'new' }) => {
    const wrong = wrongOptions(options, ['tx']);
    return wrong === undefined
      ? tryMany(events, options?.tx)
      : errAsync<never, PublishFailure>({ code: 'invalid_event', detail: wrong });
  };

  return {
    tryPublish,
    publish: async (event, options) => orReject(tryPublish(event, options)),
    publishMany: async (events, options) => orReject(tryPublishMany(events as readonly RawEvent[], options)),
    sendTest: (accountId, endpointId, input) =>
      findTestable(storage.endpoints, accountId, endpointId)
        .andThen(() => testEvent(accountId, input, clock, random))
        .andThen((event) => tryMany([event], 'new', { onlyTo: endpointId }))
        .map(([published]) => ({ eventId: (published as Published).eventId }))
        .mapErr((failure): TestEventFailure => {
          // It has no idempotency key, and no transaction of the host's.
          if (failure.code === 'idempotency_conflict' || failure.code === 'no_transaction')
            return { code: 'unavailable', cause: failure };
          return failure;
        }),
  };
};
