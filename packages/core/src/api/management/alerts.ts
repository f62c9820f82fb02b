import { z } from 'zod';
import { documentation } from '#documentation';
import { alertAddress } from '../../base/alerts/alerts.ts';
import { withExample } from '../../base/fields/example.ts';
import { seenIf } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { viewOf } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';
import { type ManagementOperation, operation } from './operation.ts';

const settings = once(() =>
  viewOf(
    { address: seenIf(z.string(), 'The e-mail address. Absent: there is none.') },
    {
      name: 'AlertSettings',
      description: 'Where the platform sends alerts of the account.',
      example: { address: 'desk@partner.example' },
    },
  ),
);

const input = once(() =>
  withExample(
    z.strictObject({
      address: alertAddress().register(documentation, {
        description: 'An e-mail address in ASCII: at most 254 characters. An empty text removes it.',
      }),
    }),
    { address: 'desk@partner.example' },
  ),
);

/** The operations on the address for alerts. */
export const alertOperations = (): readonly ManagementOperation[] => [
  operation({
    method: 'GET',
    path: '/alerts',
    part: 'alerts',
    operationId: 'getAlertSettings',
    summary: 'Reads where the platform sends alerts of the account',
    answers: { 200: { description: 'The address, if there is one.', schema: settings().schema } },
    handle: ({ managed, accountId }) =>
      managed.alerts.findAddress(accountId).map((address) => ({ body: settings().show(present({ address })) })),
  }),
  operation({
    method: 'PUT',
    path: '/alerts',
    part: 'alerts',
    operationId: 'setAlertSettings',
    summary: 'Replaces or removes the address for alerts of the account',
    body: input(),
    answers: { 204: { description: 'Done, or so it was.' } },
    handle: ({ managed, accountId, body: { address }, by }) =>
      managed.alerts.setAddress(accountId, address, by).map(() => ({})),
  }),
];
