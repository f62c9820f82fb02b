import type { DurationMs, EventSelector, SpecifiedPairs } from '@partnerkit/core';
import type { SendFailure } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import type {
  ScriptedAct,
  ScriptedAnswer,
  ScriptedEndpoint,
  ScriptedReader,
  ScriptedTransaction,
  SimulatedType,
} from '../history.ts';
import { deposit } from '../host.ts';
import { type Kind, list } from './kind.ts';
import { hour, second } from './times.ts';

const types: readonly SimulatedType[] = deposit.eventTypes;
type Selector = EventSelector<SpecifiedPairs>;
const type = fc.constantFrom(...types.slice(0, 6));
/** By type, or by object and type; of a published object, or of another. */
const selector = fc.oneof<fc.Arbitrary<Selector>[]>(
  type,
  type.map((each) => `RequestSecurityDeposit.${each}` as const),
  fc.constantFrom(
    'ModelRequestSecurityDeposit.creation',
    'ModelRequestSecurityDeposit.update',
    'RequestPayment.cancel',
  ),
);
const selection = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Selector[]>([...types]) },
  { weight: 1, arbitrary: fc.uniqueArray(selector, { minLength: 1, maxLength: 3 }) },
);

const success: fc.Arbitrary<ScriptedAnswer> = fc.record({ status: fc.constantFrom(200, 204, 299) });
export const failure: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ status: fc.constantFrom(302, 400, 404, 500, 503) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      fails: fc.constantFrom<SendFailure | 'never'>('timeout', 'timeout', 'dns', 'connect', 'tls', 'reset', 'never'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      status: fc.constantFrom(429, 503, 500),
      retryAfter: fc.constantFrom('1', '90', '400', '7200', '200000', 'soon'),
    }),
  },
);
export const gone: fc.Arbitrary<ScriptedAnswer> = fc.constant({ status: 410 });
export const answer = fc.oneof(
  { weight: 4, arbitrary: success },
  { weight: 5, arbitrary: failure },
  { weight: 1, arbitrary: gone },
);

/** The first accounts have most endpoints and events, so these match often. */
const account = fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(3) });

export const endpoint = ({ answers, afterwards, slowness }: Kind): fc.Arbitrary<ScriptedEndpoint> =>
  fc.record({
    account,
    events: selection,
    includeChildren: fc.boolean(),
    standardWebhooks: fc.boolean(),
    hasDeliveryHeader: fc.boolean(),
    answers,
    afterwards,
    slowness,
  });

export const transaction = ({
  moment,
  objects = 3,
  transactions: { events },
}: Kind): fc.Arbitrary<ScriptedTransaction> =>
  fc.record({
    at: moment,
    openFor: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(12 * second) }),
    end: fc.constantFrom('commit', 'commit', 'commit', 'rollback'),
    events: list(
      fc.record({
        account,
        object: fc.nat(objects - 1),
        type,
        age: fc.option(fc.oneof(fc.nat(20 * second), fc.nat(hour)), { nil: undefined }),
        idempotencyKey: fc.oneof(
          { weight: 4, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constantFrom('k1', 'k2') },
        ),
      }),
      1,
      events,
    ),
  });

export const act = ({ moment, actKinds }: Kind): fc.Arbitrary<ScriptedAct> =>
  actKinds
    ? fc.record({ at: moment, endpoint: fc.nat(3), kind: actKinds })
    : fc.oneof(
        {
          weight: 9,
          arbitrary: fc.record({
            at: moment,
            endpoint: fc.nat(3),
            kind: fc.constantFrom(
              ...(['disable', 'enable', 'enable', 'delete', 'send test', 'replay', 'replay', 'send again'] as const),
              ...(['prepare', 'prepare', 'activate', 'activate', 'activate later', 'cancel'] as const),
              ...(['new api key', 'no api key', 'move'] as const),
            ),
          }),
        },
        {
          weight: 1,
          arbitrary: fc.record({
            at: moment,
            endpoint: fc.nat(3),
            kind: fc.constant('select' as const),
            events: selection,
            includeChildren: fc.boolean(),
          }),
        },
      );

/** Programs that read pull endpoints, of none to three. */
export const readers: fc.Arbitrary<ScriptedReader[]> = list(
  fc.record({
    account,
    events: selection,
    includeChildren: fc.boolean(),
    limit: fc.constantFrom(1, 3, 100),
    reads: list(fc.record({ at: fc.oneof(fc.nat(5 * second), fc.nat(90 * second)), forgets: fc.boolean() }), 0, 8),
  }),
  0,
  3,
);

/** An endpoint that selects every event, and whose receiver always answers the same. */
export const plainEndpoint = (account: number, afterwards: ScriptedAnswer, slowness: DurationMs): ScriptedEndpoint => ({
  ...{ account, events: types, includeChildren: false, standardWebhooks: false, hasDeliveryHeader: false },
  ...{ answers: [], afterwards, slowness },
});

/** One event of an account, in a transaction of its own. */
export const plainEvent = (account: number, at: DurationMs): ScriptedTransaction => ({
  ...{ at, openFor: 0, end: 'commit', events: [{ account, object: at, type: 'creation' }] },
});
