import { type BadCall, identifierRule, noIdentifiers } from './bad-call.ts';
import type { World } from './world.ts';

const range = { from: 0, to: 1 };
const sound = { objectName: 'RequestPayment', type: 'payed', data: {} };
const noDelivery = '00000000-0000-7000-8000-000000000000';

const refused = (input: string, code: string, calls: BadCall['calls'], detail?: string): BadCall => ({
  group: 'delivery',
  input,
  calls,
  code,
  ...(detail === undefined ? {} : { detail }),
});

/** Every id of a call, except that of the account, exists or has the right form. */
const byAccount = (accountId: unknown): readonly (readonly [of: string, code: string, calls: BadCall['calls']])[] => [
  [
    'a delivery or an endpoint',
    'not_found',
    {
      'deliveries.sendAgain': () => [accountId, noDelivery],
      'events.sendTest': ({ endpointId }: World) => [accountId, endpointId, sound],
    },
  ],
  [
    'an event',
    'no_such_event',
    { 'deliveries.explain': ({ endpointId }: World) => [accountId, noDelivery, endpointId] },
  ],
];

/** Bad calls of `kit.deliveries`, and of the calls for test events. */
export const deliveryCalls: readonly BadCall[] = Object.entries(noIdentifiers).flatMap(([what, accountId]) => [
  refused(
    `${what} for the account`,
    'invalid_input',
    {
      'events.list': () => [accountId],
      'deliveries.list': () => [accountId],
      'deliveries.backlog': () => [accountId],
      'deliveries.replay': ({ endpointId }) => [accountId, endpointId, range],
      'deliveries.recover': ({ endpointId }) => [accountId, endpointId, range],
    },
    `accountId: ${identifierRule}`,
  ),
  ...byAccount(accountId).map(([of, code, calls]) => refused(`${what} for the account of ${of}`, code, calls)),
]);
