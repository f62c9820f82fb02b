import {
  type ClientChangeName,
  type EndpointChangeName,
  type ErrorName,
  mostAttempts,
  type Signal,
} from '@partnerkit/core';
import fc from 'fast-check';
import { idArbitrary, identifierArbitrary } from './identifiers.ts';
import { sendFailureArbitrary } from './outcomes.ts';
import { recordOf } from './record-of.ts';

type Kind = Signal['kind'];
type SignalOf<K extends Kind> = Extract<Signal, { readonly kind: K }>;

const error = recordOf<ErrorName>(
  { name: fc.constantFrom('Error', 'TypeError', 'DatabaseError'), code: fc.constantFrom('ECONNREFUSED', '40001') },
  {},
  ['code'],
);
const clientChanges: Readonly<Record<ClientChangeName, true>> = {
  added: true,
  renamed: true,
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
  updated: true,
  enabled: true,
  disabled: true,
  secret_prepared: true,
  secret_activated: true,
  secret_cancelled: true,
  deleted: true,
};
const keysOf = <K extends string>(keys: Readonly<Record<K, true>>): fc.Arbitrary<K> =>
  fc.constantFrom(...(Object.keys(keys) as K[]));

/** One for each kind: a kind that core gains is missed by the compiler. */
const kinds: { readonly [K in Kind]: fc.Arbitrary<SignalOf<K>> } = {
  login: recordOf<SignalOf<'login'>>(
    { kind: fc.constant('login'), outcome: fc.constantFrom('granted', 'refused', 'limited'), clientId: idArbitrary() },
    {},
    ['clientId'],
  ),
  login_pressure: recordOf<SignalOf<'login_pressure'>>(
    { kind: fc.constant('login_pressure'), clientId: idArbitrary() },
    {},
  ),
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
    },
    {},
  ),
  endpoint: recordOf<SignalOf<'endpoint'>>(
    {
      kind: fc.constant('endpoint'),
      change: keysOf(endpointChanges),
      accountId: identifierArbitrary(),
      endpointId: idArbitrary(),
    },
    {},
  ),
  attempt: recordOf<SignalOf<'attempt'>>(
    {
      kind: fc.constant('attempt'),
      accountId: identifierArbitrary(),
      deliveryId: idArbitrary(),
      endpointId: idArbitrary(),
      attempt: fc.integer({ min: 1, max: mostAttempts }),
      took: fc.nat(15_000),
      outcome: fc.oneof(fc.integer({ min: 200, max: 599 }), sendFailureArbitrary()),
      next: fc.constant('retry'),
    },
    {},
  ).map((signal) => {
    const delivered = typeof signal.outcome === 'number' && signal.outcome < 300;
    return { ...signal, next: delivered ? 'delivered' : signal.attempt === mostAttempts ? 'exhausted' : 'retry' };
  }),
  stamped_ahead: recordOf<SignalOf<'stamped_ahead'>>(
    {
      kind: fc.constant('stamped_ahead'),
      accountId: identifierArbitrary(),
      eventId: idArbitrary(),
      by: fc.integer({ min: 1, max: 600_000 }),
    },
    {},
  ),
  worker_trouble: recordOf<SignalOf<'worker_trouble'>>(
    {
      kind: fc.constant('worker_trouble'),
      during: fc.constantFrom('dispatch', 'claim', 'attempt', 'settle', 'release', 'watch'),
      error,
    },
    {},
  ),
};

/**
 * Signals of every kind, or of one: for what a host does with them.
 * @example
 * fc.assert(fc.property(signalArbitrary('attempt'), ({ attempt }) => attempt <= mostAttempts));
 * @public
 */
export const signalArbitrary = <K extends Signal['kind'] = Signal['kind']>(
  kind?: K,
): fc.Arbitrary<Extract<Signal, { readonly kind: K }>> =>
  (kind === undefined ? fc.oneof(...Object.values(kinds)) : kinds[kind]) as fc.Arbitrary<SignalOf<K>>;
