import {
  type Actor,
  type ClientChangeName,
  day,
  type EndpointChangeName,
  type ErrorName,
  type LastFailure,
  type Signal,
  type TracedEvent,
} from '@partnerkit/core';
import { disableAfter, failuresToOpen, maxAttempts, maxCounted, type OutcomeCode } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import { type EventPair, eventPairArbitrary } from './catalogue.ts';
import { idArbitrary, identifierArbitrary, moment } from './identifiers.ts';
import { sendFailureArbitrary } from './outcomes.ts';
import { recordOf } from './record-of.ts';

/** Trace contexts in the format of W3C Trace Context, and other texts that a host may pass. */
const traceContextArbitrary = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .tuple(fc.stringMatching(/^[1-9a-f][0-9a-f]{31}$/), fc.stringMatching(/^[1-9a-f][0-9a-f]{15}$/), fc.boolean())
      .map(([trace, span, sampled]) => `00-${trace}-${span}-0${sampled ? 1 : 0}`),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 64 }),
  );

type Kind = Signal['kind'];
type SignalOf<K extends Kind> = Extract<Signal, { readonly kind: K }>;

const error = recordOf<ErrorName>(
  { name: fc.constantFrom('Error', 'TypeError', 'DatabaseError'), code: fc.constantFrom('ECONNREFUSED', '40001') },
  {},
  ['code'],
);
const clientChanges: Readonly<Record<ClientChangeName, true>> = {
  deleted: true,
  created: true,
  updated: true,
  imported: true,
  secret_adopted: true,
  secret_added: true,
  secret_expires: true,
  secret_revoked: true,
  tokens_revoked: true,
  token_revoked: true,
  disabled: true,
  enabled: true,
};
const endpointChanges: Readonly<Record<EndpointChangeName, true>> = {
  created: true,
  imported: true,
  updated: true,
  enabled: true,
  disabled: true,
  secret_prepared: true,
  secret_activated: true,
  secret_cancelled: true,
  resealed: true,
  resumed: true,
  test_sent: true,
  replayed: true,
  failed_replayed: true,
  deleted: true,
};
const keysOf = <K extends string>(keys: Readonly<Record<K, true>>): fc.Arbitrary<K> =>
  fc.constantFrom(...(Object.keys(keys) as K[]));

const actor = (): fc.Arbitrary<Actor> =>
  fc.oneof(
    idArbitrary().map((id) => ({ type: 'client', id }) as const),
    identifierArbitrary().map((id) => ({ type: 'user', id }) as const),
    fc.constant({ type: 'host' } as const),
    identifierArbitrary().map((id) => ({ type: 'host', id }) as const),
  );

/** The fields of every health change, with the given outcome. */
const healthChangeWith = (outcome: fc.Arbitrary<OutcomeCode>) => ({
  accountId: identifierArbitrary(),
  endpointId: idArbitrary(),
  failures: fc.integer({ min: failuresToOpen, max: 10_000 }),
  failingFor: fc.nat(30 * day),
  outcome,
  unfinished: fc.nat(maxCounted),
});
const lastFailure = fc
  .tuple(eventPairArbitrary(), idArbitrary())
  .map(([{ objectName, type }, eventId]): LastFailure => ({ objectName, type, eventId, outcome: 500 }));
/** The signal, whose last failure has its outcome. */
const alike = <S extends { readonly outcome: OutcomeCode; readonly lastFailure: LastFailure }>(signal: S): S => ({
  ...signal,
  lastFailure: { ...signal.lastFailure, outcome: signal.outcome },
});
const refused = fc.oneof(fc.integer({ min: 300, max: 599 }), sendFailureArbitrary());

/** One arbitrary for each kind; a new kind of core does not compile until it has one. */
const kinds: { readonly [K in Kind]: fc.Arbitrary<SignalOf<K>> } = {
  login: recordOf<SignalOf<'login'>>(
    { kind: fc.constant('login'), outcome: fc.constantFrom('granted', 'refused', 'limited'), clientId: idArbitrary() },
    {},
    ['clientId'],
  ),
  login_failures_high: recordOf<SignalOf<'login_failures_high'>>(
    { kind: fc.constant('login_failures_high'), clientId: idArbitrary() },
    {},
  ),
  login_body_parsed: recordOf<SignalOf<'login_body_parsed'>>({ kind: fc.constant('login_body_parsed') }, {}),
  request_failed: recordOf<SignalOf<'request_failed'>>(
    { kind: fc.constant('request_failed'), requestId: idArbitrary(), status: fc.constantFrom(500, 503), error },
    {},
  ),
  client: recordOf<SignalOf<'client'>>(
    {
      kind: fc.constant('client'),
      change: keysOf(clientChanges),
      accountId: identifierArbitrary(),
      clientId: idArbitrary(),
      by: actor(),
    },
    {},
  ),
  endpoint: recordOf<SignalOf<'endpoint'>>(
    {
      kind: fc.constant('endpoint'),
      change: keysOf(endpointChanges),
      accountId: identifierArbitrary(),
      endpointId: idArbitrary(),
      by: actor(),
    },
    {},
  ),
  delivery_sent_again: recordOf<SignalOf<'delivery_sent_again'>>(
    {
      kind: fc.constant('delivery_sent_again'),
      accountId: identifierArbitrary(),
      deliveryId: idArbitrary(),
      by: actor(),
    },
    {},
  ),
  published: fc
    .tuple(
      recordOf<Omit<SignalOf<'published'>, keyof EventPair>>(
        {
          kind: fc.constant('published'),
          accountId: identifierArbitrary(),
          eventId: idArbitrary(),
          outcome: fc.constantFrom('stored', 'replayed', 'idempotency_conflict', 'no_transaction', 'unavailable'),
          startedAt: moment(),
          durationMs: fc.nat(5_000),
          traceContext: traceContextArbitrary(),
        },
        {},
        ['traceContext'],
      ),
      eventPairArbitrary(),
    )
    .map(([signal, pair]) => ({ ...signal, ...pair })),
  command: recordOf<SignalOf<'command'>>(
    {
      kind: fc.constant('command'),
      object: fc.constantFrom('RequestPayment', 'RequestSecurityDeposit', 'CashOut', 'ModelRequestPayment'),
      command: fc.constantFrom('create', 'change', 'cancel', 'succeedDeposit'),
      accountId: identifierArbitrary(),
      objectId: identifierArbitrary(),
      by: actor(),
    },
    {},
  ),
  due_command: recordOf<SignalOf<'due_command'>>(
    {
      kind: fc.constant('due_command'),
      object: fc.constantFrom('RequestPayment', 'RequestSecurityDeposit', 'CashOut'),
      rule: fc.constantFrom('guaranteeEnding', 'guaranteeExpired', 'noAnswer', 'reminder'),
      command: fc.constantFrom('warnOfEnd', 'finish', 'accept', 'remind'),
      accountId: identifierArbitrary(),
      objectId: identifierArbitrary(),
      outcome: fc.constantFrom('given', 'refused', 'failed'),
      code: fc.constantFrom('rejected', 'open_cash_outs'),
      dueAt: moment(),
      lateMs: fc.nat(5_000),
      attempts: fc.integer({ min: 1, max: 12 }),
    },
    {},
    ['code'],
  ),
  handler_attempt: recordOf<SignalOf<'handler_attempt'>>(
    {
      kind: fc.constant('handler_attempt'),
      handler: fc.constantFrom('ledger', 'processor'),
      accountId: identifierArbitrary(),
      eventId: idArbitrary(),
      attempt: fc.integer({ min: 1, max: maxAttempts }),
      startedAt: moment(),
      durationMs: fc.nat(5_000),
      outcome: fc.constantFrom('handled', 'failed', 'timed_out'),
      next: fc.constantFrom('handled', 'retry', 'exhausted'),
      traceContext: traceContextArbitrary(),
    },
    {},
    ['traceContext'],
  ),
  dispatched: recordOf<SignalOf<'dispatched'>>(
    {
      kind: fc.constant('dispatched'),
      events: fc.integer({ min: 3, max: 500 }),
      startedAt: moment(),
      durationMs: fc.nat(5_000),
      traced: fc.array(
        recordOf<TracedEvent>(
          { accountId: identifierArbitrary(), eventId: idArbitrary(), traceContext: traceContextArbitrary() },
          {},
        ),
        { maxLength: 3 },
      ),
    },
    {},
  ),
  attempt: recordOf<SignalOf<'attempt'>>(
    {
      kind: fc.constant('attempt'),
      accountId: identifierArbitrary(),
      eventId: idArbitrary(),
      deliveryId: idArbitrary(),
      endpointId: idArbitrary(),
      attempt: fc.integer({ min: 1, max: maxAttempts }),
      startedAt: moment(),
      durationMs: fc.nat(15_000),
      outcome: fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constant(410), sendFailureArbitrary()),
      next: fc.constant('retry'),
      traceContext: traceContextArbitrary(),
    },
    {},
    ['traceContext'],
  ).map((signal) => {
    const delivered = typeof signal.outcome === 'number' && signal.outcome < 300;
    const gone = signal.outcome === 410;
    const failed = gone ? 'gone' : signal.attempt === maxAttempts ? 'exhausted' : 'retry';
    return { ...signal, next: delivered ? 'delivered' : failed };
  }),
  endpoint_failing: recordOf<SignalOf<'endpoint_failing'>>(
    { kind: fc.constant('endpoint_failing'), ...healthChangeWith(refused), lastFailure },
    {},
  ).map(alike),
  endpoint_recovered: recordOf<SignalOf<'endpoint_recovered'>>(
    { kind: fc.constant('endpoint_recovered'), ...healthChangeWith(fc.integer({ min: 200, max: 299 })) },
    {},
  ),
  endpoint_disabled: recordOf<SignalOf<'endpoint_disabled'>>(
    {
      kind: fc.constant('endpoint_disabled'),
      reason: fc.constantFrom('gone', 'failing'),
      ...healthChangeWith(refused),
      lastFailure,
    },
    {},
  ).map((signal) =>
    alike(
      signal.reason === 'gone'
        ? { ...signal, outcome: 410 }
        : { ...signal, failures: signal.failures + disableAfter.failures },
    ),
  ),
  delivery_expired: recordOf<SignalOf<'delivery_expired'>>(
    {
      kind: fc.constant('delivery_expired'),
      accountId: identifierArbitrary(),
      endpointId: idArbitrary(),
      deliveries: fc.integer({ min: 1, max: 10_000 }),
      reason: fc.constantFrom('held_too_long', 'out_of_reach'),
    },
    {},
  ).map((signal) => (signal.reason === 'out_of_reach' ? { ...signal, deliveries: 1 } : signal)),
  timestamp_ahead: recordOf<SignalOf<'timestamp_ahead'>>(
    {
      kind: fc.constant('timestamp_ahead'),
      accountId: identifierArbitrary(),
      eventId: idArbitrary(),
      by: fc.integer({ min: 1, max: 600_000 }),
    },
    {},
  ),
  unknown_account: recordOf<SignalOf<'unknown_account'>>(
    {
      kind: fc.constant('unknown_account'),
      accountId: identifierArbitrary(),
      eventId: idArbitrary(),
    },
    {},
  ),
  worker_absent: recordOf<SignalOf<'worker_absent'>>(
    { kind: fc.constant('worker_absent'), absentFor: fc.nat(30 * day) },
    {},
  ),
  worker_error: recordOf<SignalOf<'worker_error'>>(
    {
      kind: fc.constant('worker_error'),
      during: fc.constantFrom(
        'heartbeat',
        'acquire',
        'release',
        'dispatch',
        'read',
        'attempt',
        'settle',
        'propagate',
        'due',
        'watch',
        'prune',
        'tell',
      ),
      count: fc.integer({ min: 1, max: 1_000 }),
      error,
    },
    {},
  ),
};

/**
 * Signals of every kind, or of the given kind, for tests of an observer.
 * @example
 * fc.assert(fc.property(signalArbitrary('attempt'), ({ attempt }) => attempt <= maxAttempts));
 * @public
 */
export const signalArbitrary = <K extends Signal['kind'] = Signal['kind']>(
  kind?: K,
): fc.Arbitrary<Extract<Signal, { readonly kind: K }>> =>
  (kind === undefined ? fc.oneof(...Object.values(kinds)) : kinds[kind]) as fc.Arbitrary<SignalOf<K>>;
